"""What a process does with an interaction that has waited while it stood still."""

import pytest

from bot.interactions.handover import Handover

SECONDS = 1_700_000_000


def clicked(at):
    """A click on a button that names no match, in a server, at this time in seconds since 1970."""
    number = int((at - 1_420_070_400) * 1000) << 22
    return {"id": str(number), "type": 3, "guild_id": None, "data": {"custom_id": "elsewhere"}}


class Leases:
    """Of a process beside another, current or not."""

    processes = 2

    def __init__(self, *, is_current):
        self.is_current = is_current


@pytest.mark.parametrize(
    ("age", "is_current", "is_handled"),
    [(20, False, False), (4, False, False), (1, False, True), (20, True, True), (-60, False, True)],
)
def test_what_waited_while_the_process_stood_still_is_dropped(age, is_current, is_handled):
    handled = []
    leases = Leases(is_current=is_current)
    handover = Handover(None, leases, handled.append, now=lambda: SECONDS)
    click = clicked(SECONDS - age)

    handover.arrived(click)

    assert handled == ([click] if is_handled else [])
