"""Each worker of a run rewrites a part of the test modules for all of them.

pytest rewrites each module of tests once, so that a failing `assert` shows its values, and keeps
what it has written. In a fresh clone no worker finds any of it; all collect the same modules in the
same order at the same time, so each of them would rewrite every one: 8 s of CPU for each worker.
"""

import os

import pytest

# pytest has no public way to rewrite a module without running it.
from _pytest.assertion.rewrite import (
    PYC_TAIL,
    _read_pyc,
    _rewrite_test,
    _write_pyc,
    assertstate_key,
    get_cache_dir,
)


def rewrite_share(config: pytest.Config) -> None:
    """Rewrite this worker's part of all modules of tests, those of them that were changed."""
    number = int(os.environ["PYTEST_XDIST_WORKER"].removeprefix("gw"))
    workers = int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    for path in sorted(config.rootpath.glob("tests/**/test_*.py"))[number::workers]:
        folder = get_cache_dir(path)
        kept = folder / f"{path.stem}{PYC_TAIL}"
        if _read_pyc(path, kept) is None:
            folder.mkdir(parents=True, exist_ok=True)
            source, code = _rewrite_test(path, config)
            _write_pyc(config.stash[assertstate_key], code, source, kept)
