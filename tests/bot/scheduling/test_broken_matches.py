"""Matches on which the clock fails: other clocks keep running, and the log stays readable."""

import pytest
from structlog.testing import capture_logs

from bot.matches.timeouts import act_on
from bot.scheduling import due_matches
from tests.support.clock import DAY, MINUTE, asleep, pass_time
from tests.support.matches import CYD, begun


class Fragile:
    """Acts on due matches, but fails for one of them."""

    def __init__(self, broken):
        self.broken = broken
        self.error: type[Exception] = RuntimeError
        self.tried = 0

    async def act_on(self, storage, due, now, **how):
        if due == [self.broken]:
            self.tried += 1
        if self.broken in due:
            raise self.error("this match is broken")
        return await act_on(storage, due, now, **how)


@pytest.fixture
def fragile(monkeypatch):
    """Makes the clock fail for a match."""

    def begin(broken):
        act = Fragile(broken)
        monkeypatch.setattr(due_matches, "act_on", act.act_on)
        return act

    return begin


async def test_a_broken_match_does_not_stop_the_others(matches, clocks, watch, seen, fragile):
    broken = await begun(matches, interaction=1, time_control="live")
    sound = await begun(matches, CYD, interaction=2, time_control="live")
    act = fragile(broken)
    keeping = await clocks()

    pass_time(watch, keeping, 2 * MINUTE)
    assert await seen.next() == sound
    pass_time(watch, keeping, 2 * MINUTE)
    assert await seen.next() == sound

    assert act.tried == 1  # it isn't tried again for a while


async def test_a_broken_match_is_tried_again_later(
    matches, clocks, watch, seen, fragile, monkeypatch
):
    monkeypatch.setattr(due_matches, "MATCH_REST_SECONDS", 0.0)
    broken = await begun(matches, interaction=1, time_control="live")
    sound = await begun(matches, CYD, interaction=2, time_control="live")
    act = fragile(broken)
    keeping = await clocks()

    pass_time(watch, keeping, 2 * MINUTE)
    assert await seen.next() == sound
    act.broken = None
    pass_time(watch, keeping, 1)

    assert await seen.next() == broken
    assert act.tried >= 1


async def test_a_broken_match_does_not_fill_the_log(
    matches, clocks, watch, storage, fragile, monkeypatch
):
    """It's logged once a day, and at once if another error occurs."""
    monkeypatch.setattr(due_matches, "MATCH_REST_SECONDS", 0.0)
    act = fragile(await begun(matches, time_control="live"))
    keeping = await clocks()

    async def tries(seconds, times=3):
        """Try this many times after this many seconds; returns the matches in the log lines."""
        with capture_logs() as logs:
            watch.advance(seconds)
            for _ in range(times):
                keeping.clock_moved()
                await asleep(keeping, storage)
        return [line["match"] for line in logs if line["event"] == "clock"]

    first, soon = await tries(2 * MINUTE), await tries(DAY - MINUTE)
    next_day = await tries(MINUTE)
    act.error = ValueError
    other = await tries(MINUTE)

    assert (first, soon, next_day, other) == ([act.broken], [], [act.broken], [act.broken])
    assert act.tried == 12
