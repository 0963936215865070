"""Tests of an xdist group run in one worker; nothing else would notice if they didn't."""

import pytest


@pytest.mark.xdist_group("these")
def test_a_tests_node_id_ends_with_its_group_if_xdist_distributes_by_group(request):
    together = getattr(request.config.option, "loadgroup", False)

    assert request.node.nodeid.endswith("@these") is together
