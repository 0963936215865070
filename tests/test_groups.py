"""Tests of an xdist group run in one worker; nothing else would notice if they didn't."""

import pytest


@pytest.mark.xdist_group("these")
def test_a_test_is_named_after_its_group_where_groups_are_handed_out(request):
    together = getattr(request.config.option, "loadgroup", False)

    assert request.node.nodeid.endswith("@these") is together
