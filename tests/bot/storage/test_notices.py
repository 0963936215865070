"""Which sent notices stay stored for later deletion, and which are sent again."""

from typing import get_args

import pytest

from bot.storage import Event
from bot.storage.notices import SentRecord
from tests.support.match_records import ask, change, dealt, finished
from tests.support.matches import ANN, BEA, CHANNEL

OLD, BEFORE = 99, 100
EVER = 1 << 40


async def told(storage, match, message=OLD, event="over"):
    sent = SentRecord(match=match, user=BEA, message=message, channel=CHANNEL, event=event, turn=1)
    async with storage.transaction() as writing:
        await writing.notices.put_sent(sent)


async def kept_after_cleanup(storage):
    """Delete rows of old messages; returns the matches that still have rows."""
    async with storage.transaction() as writing:
        await writing.notices.forget_sent_before(BEFORE)
        return set(await writing.notices.sent_matches())


async def over(storage):
    match = await finished(storage, 1, (ANN, BEA), (1, 2))
    await told(storage, match)
    async with storage.transaction() as writing:
        for notice in await writing.notices.due_in(match, EVER):
            await writing.notices.drop(notice)
    return match


async def test_an_old_notice_of_a_finished_match_is_no_longer_stored(storage):
    match = await over(storage)
    await told(storage, match, BEFORE)
    assert await kept_after_cleanup(storage) == {match}

    async with storage.transaction() as writing:
        (young,) = await writing.notices.sent_in(match)
        await writing.notices.drop_sent(young)
    assert await kept_after_cleanup(storage) == set()


@pytest.mark.parametrize("event", get_args(Event))
async def test_only_notices_that_hold_after_the_end_may_stay_for_good(storage, event):
    match = await over(storage)
    await told(storage, match, OLD - 1, event)

    is_old = {"over", "watched", "declined", "expired", "rematch"}
    assert await kept_after_cleanup(storage) == (set() if event in is_old else {match})


async def test_a_notice_of_a_running_match_stays_stored(storage):
    match = await dealt(storage)
    await told(storage, match)

    assert await kept_after_cleanup(storage) == {match}


@pytest.mark.parametrize("what", ["a result that is to count", "a notice that is to be told"])
async def test_a_notice_that_another_will_replace_stays_stored(storage, database, what):
    match = await over(storage)
    if what.startswith("a result"):
        change(database, f"UPDATE matches SET counts_at = 5000 WHERE id = {match}")  # noqa: S608
    else:
        async with storage.transaction() as writing:
            await writing.notices.queue(match, "over", [BEA], due_at=5000)

    assert await kept_after_cleanup(storage) == {match}


async def test_after_an_absence_the_end_by_silence_is_told_again_once(storage, database):
    """Even if the bot is away twice before it's sent, and never for matches with a clock."""
    silent = await dealt(storage, time_control="none")
    timed = await dealt(storage, 2)
    for match in (silent, timed):
        await told(storage, match, match, "time")

    for _ in range(2):
        async with storage.transaction() as writing:
            await writing.notices.requeue_silence([silent, timed], 7)

    waiting = 'SELECT "match", "user" FROM notices WHERE event = \'time\''
    assert ask(database, waiting) == [(silent, BEA)]
