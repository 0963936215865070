"""Expiry: data that is stored for a limited time is deleted when that's over."""

import pytest

from bot.matches.returns import UNRATED, Returns
from bot.scheduling.expiry import CHALLENGES_AT_ONCE, UNANSWERED_KEPT, UNSHOWN_KEPT, Expiry
from bot.storage import TABLE, MessageRef, TokenRecord
from bot.time_units import HOUR_SECONDS
from tests.support.match_records import ask, end, new
from tests.support.matches import ANN, BEA, CYD, NOW, A, B, begun, opened

WEEK = UNANSWERED_KEPT.total_seconds()


class Slots:
    def __init__(self):
        self.forgotten = []

    def forget(self, match):
        self.forgotten.append(match)


@pytest.fixture
def slots():
    return Slots()


@pytest.fixture
def expiry(storage, slots, watch):
    return Expiry(storage, slots, now=watch)


async def test_only_withdrawn_challenges_are_deleted_after_a_week(
    matches, expiry, slots, database, watch
):
    withdrawn = await opened(matches, interaction=1)
    await matches.withdraw(withdrawn, ANN)
    declined = await opened(matches, interaction=2)
    await matches.decline(declined, BEA)
    running = await begun(matches, interaction=3)
    waiting = await opened(matches, CYD, interaction=4)

    watch.advance(WEEK)
    await expiry.forget_old()
    assert ask(database, "SELECT count(*) FROM matches") == [(4,)]
    watch.advance(1)
    await expiry.forget_old()

    left = [match for (match,) in ask(database, "SELECT id FROM matches ORDER BY id")]
    assert left == [declined, running, waiting]
    assert ask(database, f"SELECT count(*) FROM seats WHERE match = {withdrawn}") == [(0,)]  # noqa: S608 - ours
    assert slots.forgotten == [withdrawn]


async def test_more_challenges_than_fit_into_one_transaction_are_deleted(storage, expiry, watch):
    async with storage.transaction() as writing:
        for n in range(CHALLENGES_AT_ONCE + 1):
            match = await writing.challenges.open(new(1000 + n), int(NOW))
            await end(writing, match, "withdrawn", int(NOW))
    watch.advance(WEEK + 1)

    await expiry.forget_old()

    async with storage.reading() as reading:
        assert await reading.challenges.unanswered_before(2**40, 1) == []


async def test_the_mark_of_a_former_player_is_deleted_when_it_expires(
    storage, expiry, database, watch
):
    async with storage.transaction() as writing:
        await Returns(b"key").note_gone(writing, ANN, int(watch()), ())

    watch.advance(UNRATED.total_seconds() - 2)
    await expiry.forget_old()
    assert ask(database, "SELECT count(*) FROM former_people") == [(1,)]
    watch.advance(2)
    await expiry.forget_old()

    assert ask(database, "SELECT count(*) FROM former_people") == [(0,)]


async def test_asks_are_deleted_after_an_hour(matches, expiry, database, watch):
    await opened(matches)
    watch.advance(1)
    await opened(matches, CYD, interaction=2)
    asked = 'SELECT actor, "user" FROM asks ORDER BY "user"'

    watch.advance(HOUR_SECONDS - 2)
    await expiry.forget_old()
    assert ask(database, asked) == [(ANN, BEA), (ANN, CYD)]
    watch.advance(1)
    await expiry.forget_old()

    assert ask(database, asked) == [(ANN, CYD)]


async def test_asks_stored_while_the_clock_was_ahead_are_deleted_but_not_recent_ones(
    matches, expiry, database, watch
):
    """A row slightly in the future may be from another process or from just now."""
    watch.advance(HOUR_SECONDS + 1)
    await opened(matches)
    watch.now -= HOUR_SECONDS
    await opened(matches, CYD, interaction=2)
    watch.now -= 1

    await expiry.forget_old()

    assert ask(database, 'SELECT actor, "user" FROM asks') == [(ANN, CYD)]


async def test_nudges_in_vain_are_deleted_once_another_nudge_is_allowed(
    storage, matches, expiry, database, watch
):
    match = await opened(matches)
    async with storage.transaction() as writing:
        await writing.vain_nudges.note(match, A, [B], int(watch()))

    watch.advance(6 * HOUR_SECONDS - 1)
    await expiry.forget_old()
    assert ask(database, "SELECT seat, target FROM vain_nudges") == [(A, B)]
    watch.advance(1)
    await expiry.forget_old()

    assert ask(database, "SELECT seat, target FROM vain_nudges") == []


@pytest.mark.sqlite
async def test_a_write_ahead_log_in_use_is_emptied_later(storage, expiry, database, matches):
    log = database.with_name(f"{database.name}-wal")
    await opened(matches)
    async with storage.reading() as reading:
        await reading.matches.load(1)  # now it holds a snapshot of the file
        await opened(matches, CYD, interaction=2)
        await storage.empty_log()
        assert storage.log_is_to_be_emptied
        assert log.stat().st_size > 0

    await expiry.forget_old()

    assert not storage.log_is_to_be_emptied
    assert log.stat().st_size == 0


async def test_only_expired_tokens_are_deleted(matches, storage, expiry, database, watch):
    match = await begun(matches)
    at = MessageRef(channel=1, message=2, shown="")
    async with storage.transaction() as writing:
        for place, minutes in ((TABLE, 14), (0, 13)):
            token = TokenRecord(f"secret {minutes}", int(NOW) + minutes * 60, message=place + 5)
            await writing.messages.put(match, place, at, token)

    watch.advance(13 * 60)
    await expiry.forget_old()

    kept = "SELECT place, token, token_until, token_message FROM places ORDER BY place"
    assert ask(database, kept) == [
        (TABLE, "secret 14", int(NOW) + 14 * 60, 4),
        (0, None, None, None),
    ]


async def test_an_unshown_table_is_given_up_after_30_days(storage, matches, expiry, watch):
    old, running = await begun(matches, interaction=1), await begun(matches, interaction=2)
    ref = MessageRef(channel=1, message=2, shown="over.1..", unshown=True)
    async with storage.transaction() as writing:
        for match in (old, running):
            await writing.messages.put(match, TABLE, ref)
        await end(writing, old, "closed", int(NOW))

    async def unshown():
        await expiry.forget_old()
        async with storage.reading() as reading:
            return {match for match, _ in await reading.messages.unshown()}

    watch.advance(UNSHOWN_KEPT.total_seconds() - 1)
    assert await unshown() == {old, running}
    watch.advance(1)
    assert await unshown() == {running}
