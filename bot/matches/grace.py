"""Extra time after the bot was away, so that nobody loses a turn or a challenge by that.

It is as long as the absence, but at least a few minutes, and at most the full time for a move or an
answer.
"""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import timedelta
from types import MappingProxyType
from typing import Final

from bot.matches import clocks
from bot.matches.loaded import load_readable
from bot.matches.reopenings import WEEK
from bot.matches.time_controls import ANSWER, MOVE, SILENCE, TURN_GRACE
from bot.storage import MatchId, MatchRecord, TimeControl, Transaction
from bot.storage.deadlines import Grace
from bot.storage.shards import Servers, Shards

LEAST_GRACE: Final[Mapping[TimeControl, timedelta]] = MappingProxyType(
    {
        "live": timedelta(minutes=2),
        "today": timedelta(minutes=10),
        "today_reserve": timedelta(minutes=10),
        "slow": timedelta(minutes=10),
        "slow_reserve": timedelta(minutes=10),
        "relaxed": timedelta(minutes=10),
        "none": timedelta(minutes=10),
    }
)
"""The grace for a turn or a challenge after an absence, however short."""

LEAST_GRACE_FOR_RESULTS: Final = timedelta(minutes=10)

GRACE_AFTER_SILENCE: Final = timedelta(days=1)
"""For a match whose 30 days of silence ran out meanwhile."""

LONG_ABSENCE_SECONDS: Final = 600.0
"""Seconds of absence after which players who get grace are notified of their turn again: they were
notified long before, and those who tried to move have given up."""


async def give_grace(
    writing: Transaction, now: int, away: float, where: Shards | Servers | None
) -> Sequence[MatchId]:
    """Give grace after an absence of `away` seconds; returns the matches that got it.

    `where` limits it to the matches of some servers; None means all. After a long absence, players
    who owe a move are notified again.
    """
    given = await _put_off(writing, now, grace_for(away), where)
    if given and away >= LONG_ABSENCE_SECONDS:
        restarted = await writing.deadlines.begin_new_turns(given)
        await writing.notices.queue_turns(restarted, now + int(TURN_GRACE.total_seconds()))
    return given


async def _put_off(
    writing: Transaction, now: int, grace: Grace, where: Shards | Servers | None
) -> Sequence[MatchId]:
    """Give matches with less than half of the grace left all of it; returns their ids.

    The few in which a clock was stopped are loaded: it matters there which seats owe a move.
    """
    graced = await writing.deadlines.give_grace(now, grace, where)
    given = list(graced.given)
    if given:
        await writing.notices.requeue_silence(given, now)
    for match, record in (await writing.matches.load_all(graced.rested)).items():
        await asyncio.sleep(0)
        after = _graced(record, now, grace.moves[record.time_control])
        if after != record:
            await writing.clocks.put(record, after)
            given.append(match)
    return given


def _graced(record: MatchRecord, now: int, least: int) -> MatchRecord:
    found = load_readable(record)
    return record if found is None else clocks.with_grace(record, found.owing, now, least)


def grace_for(away: float) -> Grace:
    """The grace after an absence of `away` seconds.

    A challenge that expired SILENCE ago or earlier gets none: nobody waits for it.
    """
    return Grace(
        moves={
            time_control: _clamped(LEAST_GRACE[time_control], away, whole)
            for time_control, whole in MOVE.items()
            if whole is not None
        },
        answers={
            time_control: _clamped(LEAST_GRACE[time_control], away, whole)
            for time_control, whole in ANSWER.items()
        },
        answers_within=int(SILENCE.total_seconds()),
        quiet=int(GRACE_AFTER_SILENCE.total_seconds()),
        results=_clamped(LEAST_GRACE_FOR_RESULTS, away, WEEK),
    )


def _clamped(least: timedelta, away: float, most: timedelta) -> int:
    return int(max(least.total_seconds(), min(away, most.total_seconds())))
