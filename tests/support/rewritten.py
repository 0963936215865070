"""Divides the rewriting of assertions in test modules among the workers of a run.

pytest rewrites each test module once, so that a failing `assert` shows its values, and caches the
result. In a fresh clone the cache is empty, and all workers collect the same modules in the same
order at the same time, so each would rewrite all of them: 8 s of CPU for each worker.
"""

import os

import pytest

# pytest has no public function that rewrites a module without importing it.
from _pytest.assertion.rewrite import (
    PYC_TAIL,
    _read_pyc,
    _rewrite_test,
    _write_pyc,
    assertstate_key,
    get_cache_dir,
)


def rewrite_share(config: pytest.Config) -> None:
    """Rewrite and cache this worker's part of the test modules, as far as they have changed."""
    number = int(os.environ["PYTEST_XDIST_WORKER"].removeprefix("gw"))
    workers = int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    for path in sorted(config.rootpath.glob("tests/**/test_*.py"))[number::workers]:
        folder = get_cache_dir(path)
        kept = folder / f"{path.stem}{PYC_TAIL}"
        if _read_pyc(path, kept) is None:
            folder.mkdir(parents=True, exist_ok=True)
            source, code = _rewrite_test(path, config)
            _write_pyc(config.stash[assertstate_key], code, source, kept)
