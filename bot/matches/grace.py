"""Time for what nobody could do while the bot was away."""

import asyncio
from collections.abc import Sequence

from bot.matches import clocks
from bot.matches.loaded import load_readable
from bot.storage import MatchId, MatchRecord, Transaction
from bot.storage.deadlines import Grace
from bot.storage.shards import Servers, Shards


async def give_grace(
    writing: Transaction, now: int, grace: Grace, where: Shards | Servers | None
) -> Sequence[MatchId]:
    """Put off what nobody could do in time; of which matches. `where`: only there, or everywhere.

    Who owes a move has to be known where a clock has rested, so those few matches are loaded.
    """
    graced = await writing.deadlines.give_grace(now, grace, where)
    given = list(graced.given)
    if given:
        await writing.notices.tell_of_silence_again(given, now)
    for match, record in (await writing.matches.load_all(graced.rested)).items():
        await asyncio.sleep(0)
        after = _graced(record, now, grace.moves[record.time_control])
        if after != record:
            await writing.clocks.put(record, after)
            given.append(match)
    return given


def _graced(record: MatchRecord, now: int, least: int) -> MatchRecord:
    found = load_readable(record)
    return record if found is None else clocks.graced(record, found.owing, now, least)
