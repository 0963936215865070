"""Tests of one `xdist_group` run in one process, so that what they share is made once.

So they do where tests are handed out by groups (`make test-all`). `make test` hands out long
stretches of tests, in which those of a module are beside each other anyway.

pytest-xdist 3.8 writes the group into an attribute that pytest 9.2 no longer reads, and is silent:
https://github.com/pytest-dev/pytest-xdist/issues/1386. Once that is mended, this goes.
"""

import pytest
from _pytest.nodeid import NodeId


def keep_together(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Append the group of each item to its name, by which xdist hands it out."""
    if not getattr(config.option, "loadgroup", False):
        return
    for item in items:
        group = item.get_closest_marker("xdist_group")
        if group is not None and not item.nodeid.endswith(f"@{group.args[0]}"):
            item._id = NodeId.parse(f"{item.nodeid}@{group.args[0]}")
