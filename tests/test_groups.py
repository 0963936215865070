"""Tests of a group are handed out together; that they are not is said by nobody else."""

import pytest


@pytest.mark.xdist_group("these")
def test_a_test_is_named_after_its_group_where_groups_are_handed_out(request):
    together = getattr(request.config.option, "loadgroup", False)

    assert request.node.nodeid.endswith("@these") is together
