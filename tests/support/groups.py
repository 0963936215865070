"""Makes tests of one `xdist_group` run in one process, so that what they share is created once.

This is for `--dist loadgroup` (`make test-all`). `make test` distributes long runs of consecutive
tests, so those of a module usually stay together anyway.

pytest-xdist 3.8 writes the group into an attribute that pytest 9.2 silently ignores:
https://github.com/pytest-dev/pytest-xdist/issues/1386. Remove this module when that is fixed.
"""

import pytest
from _pytest.nodeid import NodeId


def keep_together(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Append each item's group to its node id, by which xdist distributes it."""
    if not getattr(config.option, "loadgroup", False):
        return
    for item in items:
        group = item.get_closest_marker("xdist_group")
        if group is not None and not item.nodeid.endswith(f"@{group.args[0]}"):
            item._id = NodeId.parse(f"{item.nodeid}@{group.args[0]}")
