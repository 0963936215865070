"""A transaction that changes what can be seen raises the match's revision; messages are behind."""

import pytest
from sqlalchemy import update

from bot.matches.grace import grace_for
from bot.storage import COMPUTER, TABLE, MessageRef, Shown, startup
from bot.storage.match_list import WITH_COMPUTERS
from bot.storage.match_rows import RUNNING
from bot.storage.messages import BEHIND, UNSHOWN, in_channels, unshown_in
from bot.storage.move_batch import Pick
from bot.storage.people import NoticePreference, PreferencesRecord
from bot.storage.schema import matches
from bot.storage.shards import Servers
from tests.bot.storage.test_migrations import fill
from tests.support.made_databases import copied
from tests.support.match_records import (
    NOBODY,
    ask,
    change,
    chosen,
    deal,
    dealt,
    end,
    finished,
    forget_user,
    opened,
    put_message,
    record_of,
    settle,
    unsettled,
)
from tests.support.matches import ANN, BEA, CHANNEL, CYD, DAN, GUILD, A, B
from tests.support.plans import plan_of

pytestmark = pytest.mark.slow

REF = MessageRef(channel=1, message=2, shown="old")


async def clocks(tx, match):
    """Write its clocks unchanged."""
    found = await tx.matches.load(match)
    await tx.clocks.put(found, found)


async def leave(tx, match):
    before = await tx.matches.load(match)
    await tx.matches.leave(before, A, deal("without"), why="resigned")


async def settle_as_it_is(tx, match):
    found = await tx.matches.load(match)
    await tx.matches.settle(match, found.revision)


HERE = Servers(frozenset({GUILD}))
VISIBLE = {
    "a seat is taken": lambda tx, match: tx.challenges.take(match, 2, CYD),
    "a computer sits down": lambda tx, match: tx.challenges.take(match, 2, COMPUTER, level="easy"),
    "a seat is given up": lambda tx, match: tx.challenges.vacate(match, B),
    "the table is smaller": lambda tx, match: tx.challenges.resize(match, 2),
    "an invitation is accepted": lambda tx, match: tx.challenges.accept(match, B),
    "it does not count": lambda tx, match: tx.challenges.make_casual(match, limited=True),
    "a choice": lambda tx, match: tx.moves.choose(match, 0, A, chosen("9")),
    "a choice is dropped": lambda tx, match: tx.moves.drop(match, 0, A),
    "a step is played": lambda tx, match: tx.matches.advance(match, 0, deal("next")),
    "the clock has played": lambda tx, match: tx.matches.note_late(match, [A]),
    "a seat leaves": leave,
    "it ends": lambda tx, match: end(tx, match, "closed", 2000),
    "a rematch is wanted": lambda tx, match: tx.matches.offer_rematch(match, 3000),
    "a rematch is not wanted": lambda tx, match: tx.matches.close_rematch(match),
    "no strikes": lambda tx, match: tx.seats.clear_strikes(match, A),
    "a signal": lambda tx, match: tx.seats.signal(match, A, B),
    "an offer": lambda tx, match: tx.seats.agree(match, A, "draw"),
    "no offer": lambda tx, match: tx.seats.clear_agreements(match),
    "a pause": lambda tx, match: tx.pauses.pause_match(match, CHANNEL, 2000, 3000),
    "a lost channel": lambda tx, match: tx.pauses.pause_channel(CHANNEL, 2000, 3000),
    "a lost server": lambda tx, match: tx.pauses.pause_guild(GUILD, 2000, 3000),
    "clocks": clocks,
    "it moves": lambda tx, match: tx.pauses.move(match, 5),
    "another deadline": lambda tx, match: tx.deadlines.put_off(match, 9999),
    "grace": lambda tx, match: tx.deadlines.give_grace(9000, grace_for(600), HERE),
    "preferences": lambda tx, match: tx.people.put_preferences(BEA, PreferencesRecord()),
    "somebody is forgotten": lambda tx, match: tx.erasure.forget(BEA),
}
UNSEEN = {
    "it is read": lambda tx, match: tx.matches.load(match),
    "nothing was left to show": settle_as_it_is,
    "a notice": lambda tx, match: tx.notices.queue(match, "turn", [BEA], due_at=2000),
    "a nudge": lambda tx, match: tx.seats.note_nudged(match, [A], 2000),
    "a message": lambda tx, match: tx.messages.put(match, TABLE, REF),
    "what stands there": lambda tx, match: tx.messages.put_shown({(match, TABLE): Shown("new")}),
    "a watcher": lambda tx, match: tx.watches.add(match, DAN),
    "how to be told": lambda tx, match: tx.people.put_notice_preference(BEA, NoticePreference()),
    "hiding": lambda tx, match: tx.people.hide(BEA, hidden=True),
}


async def revision(storage, match):
    return (await record_of(storage, match)).revision


async def behind(storage):
    async with storage.reading() as reading:
        return await reading.messages.behind()


async def show(storage, match, place=TABLE):
    """Store that a message at this place shows the match's current revision."""
    ref = MessageRef(channel=1, message=2, shown="now", revision=await revision(storage, match))
    await put_message(storage, match, place, ref)


async def test_a_challenge_starts_with_revision_one(storage):
    assert await revision(storage, await opened(storage)) == 1


@pytest.mark.parametrize("act", VISIBLE.values(), ids=VISIBLE)
async def test_a_visible_change_raises_the_revision_and_notifies_listeners(storage, act):
    match = await dealt(storage)
    elsewhere = {"guild": 1, "channel": 2, "time_control": "live"}
    other = await dealt(storage, 2, (CYD, DAN), **elsewhere)
    before = [await revision(storage, number) for number in (match, other)]
    told = []
    storage.subscribe(told.append)

    async with storage.transaction() as writing:
        await act(writing, match)

    assert [await revision(storage, number) for number in (match, other)] == [
        before[0] + 1,
        before[1],
    ]
    assert [committed.changed for committed in told] == [{match}]


@pytest.mark.parametrize("act", UNSEEN.values(), ids=UNSEEN)
async def test_an_invisible_change_does_not_raise_the_revision(storage, act):
    match = await dealt(storage)
    before = await revision(storage, match)
    told = []
    storage.subscribe(told.append)

    async with storage.transaction() as writing:
        await act(writing, match)

    assert await revision(storage, match) == before
    assert not any(committed.changed for committed in told)


async def test_a_transaction_raises_the_revision_once_and_reads_the_new_value(storage):
    match = await dealt(storage)
    before = await revision(storage, match)

    async with storage.transaction() as writing:
        await writing.moves.choose(match, 0, A, chosen("9"))
        await writing.moves.choose(match, 0, B, chosen("4"))
        read = await writing.matches.load(match)

    assert read.revision == before + 1
    assert await record_of(storage, match) == read


async def test_a_batch_of_picks_raises_only_the_revisions_of_written_ones(storage):
    match, late = await dealt(storage, 1), await dealt(storage, 2)
    before = [await revision(storage, number) for number in (match, late)]
    told = []
    storage.subscribe(told.append)
    pick = {"seat": A, "move": "9", "made_at": 1600, "gone": 0, "others": (B,)}

    await storage.pick(
        [Pick(match=match, step=0, turn=1, **pick), Pick(match=late, step=4, turn=1, **pick)]
    )

    assert await revision(storage, match) == before[0] + 1
    assert await revision(storage, late) == before[1]
    assert [committed.changed for committed in told] == [{match}]


async def test_a_match_is_behind_until_all_its_messages_show_its_revision(storage):
    match = await dealt(storage)
    await show(storage, match)
    await put_message(storage, match, 0, REF)
    assert await behind(storage) == [match]

    now = {(match, 0): Shown("now", await revision(storage, match))}
    async with storage.transaction() as writing:
        await writing.messages.put_shown(now)
    assert await behind(storage) == []

    async with storage.transaction() as writing:
        await writing.moves.choose(match, 0, A, chosen("9"))
    assert await behind(storage) == [match]


async def test_a_match_without_any_message_is_behind(storage):
    challenge, match = await opened(storage, 1), await dealt(storage, 2)

    assert set(await behind(storage)) == {challenge, match}


async def test_a_match_that_has_ended_is_behind_until_it_is_settled(storage):
    match = await finished(storage, 1, (ANN, BEA), (1, 2))
    await show(storage, match)
    assert await behind(storage) == [match]

    await settle(storage, match)
    assert await behind(storage) == []


async def test_a_match_resumed_after_it_was_settled_is_in_play_again(storage):
    """Even though it's older than all matches that were in play meanwhile."""
    match = await finished(storage, 1, (ANN, BEA), (1, 2))
    await settle(storage, match)
    later = await dealt(storage, 2, (ANN, DAN))
    assert await under_way(storage, ANN) == ([later], {ANN: 1})

    async with storage.transaction() as writing:
        await writing.matches.reopen(match, deal("on"), [B])

    assert await under_way(storage, ANN) == ([match, later], {ANN: 2})


async def under_way(storage, user):
    async with storage.transaction() as writing:
        return await writing.people.matches_in_play(user), await writing.challenges.running([user])


async def test_a_match_that_changed_since_it_was_shown_is_not_settled(storage, database):
    """Nor does it lose its watchers, because it may have been resumed."""
    match = await finished(storage, 1, (ANN, BEA), (1, 2))
    async with storage.transaction() as writing:
        await writing.watches.add(match, DAN)
    shown = await revision(storage, match)
    async with storage.transaction() as writing:
        await writing.matches.reopen(match, deal("on"), [B])

    async with storage.transaction() as writing:
        assert not await writing.matches.settle(match, shown)

    assert await unsettled(storage) == [match]
    assert ask(database, 'SELECT "user" FROM watches') == [(DAN,)]


async def test_posting_the_table_of_a_rematch_puts_the_previous_table_behind(storage):
    match = await finished(storage, 1, (ANN, BEA), (1, 2))
    rematch = await dealt(storage, 2, (BEA, ANN), predecessor=match)
    before = await revision(storage, match)

    await put_message(storage, rematch, TABLE, REF)
    await put_message(storage, rematch, 0, REF)

    assert await revision(storage, match) == before + 1


async def test_a_settled_match_is_behind_again_when_its_rematchs_table_moves(storage):
    """Its table links there, and the process may have died before it could edit the table."""
    match = await finished(storage, 1, (ANN, BEA), (1, 2))
    rematch = await dealt(storage, 2, (BEA, ANN), predecessor=match)
    await show(storage, match)
    await show(storage, rematch)
    await settle(storage, match)
    assert await behind(storage) == []

    await show(storage, rematch)

    assert await behind(storage) == [match]


async def test_an_erasure_raises_the_revisions_of_unsettled_matches_only(storage):
    match, other = [await finished(storage, n, (ANN, BEA), (1, 2)) for n in (1, 2)]
    await settle(storage, other)
    before = [await revision(storage, number) for number in (match, other)]

    await forget_user(storage, ANN)

    assert [await revision(storage, n) for n in (match, other)] == [before[0] + 1, before[1]]


async def test_a_change_to_a_deleted_match_does_nothing(storage):
    async with storage.transaction() as writing:
        await writing.pauses.move(NOBODY, 5)

    assert await record_of(storage, NOBODY) is None


async def test_matches_are_ordered_by_how_far_their_tables_are_behind(storage):
    """Their tables are one, three and two changes behind."""
    for number, changes in ((1, 1), (2, 3), (3, 2)):
        match = await dealt(storage, number)
        await show(storage, match, TABLE)
        await show(storage, match, A)
        for _ in range(changes):
            async with storage.transaction() as writing:
                await writing.seats.signal(match, A, B)
        await show(storage, match, A)  # the table counts, even if a hand is newer

    assert await behind(storage) == [2, 3, 1]


@pytest.mark.sqlite
async def test_finding_what_is_behind_reads_only_indexes(storage, database):
    """Otherwise it would read thousands of matches that haven't changed."""
    steps = plan_of(database, BEHIND)
    tables = [step for step in steps if step.startswith(("SCAN", "SEARCH"))]

    assert len(tables) == 4
    assert "COVERING INDEX ix_matches_unsettled" in tables[0]
    assert all("COVERING INDEX ix_places_revision" in step for step in tables[1:])


@pytest.mark.sqlite
async def test_tables_in_threads_are_found_among_matches_in_play(storage, database):
    """Not among all tables that ever existed."""
    steps = plan_of(database, in_channels([7]))

    assert steps[0].startswith("SEARCH matches USING INDEX ix_matches_unsettled")
    assert steps[1].startswith("SEARCH places USING PRIMARY KEY (match=? AND place=?)")


@pytest.mark.sqlite
async def test_unshown_tables_have_their_own_index(storage, database):
    for query in (UNSHOWN, unshown_in(GUILD)):
        steps = plan_of(database, query)

        assert steps[0] == "SCAN places USING INDEX ix_places_unshown"
        assert steps[1].startswith("SEARCH matches USING INTEGER PRIMARY KEY")


@pytest.mark.slow  # it migrates
async def test_after_the_update_messages_of_unsettled_matches_are_compared_once(
    tmp_path,
):
    file = tmp_path / "before.sqlite3"
    await copied(file, "0006")
    fill(file)
    for match in (2, 3):
        columns = "(match, place, channel, message, shown, turn)"
        values = f"({match}, -1, 88, {match}, 'over', 1)"
        change(file, f"INSERT INTO places {columns} VALUES {values}")  # noqa: S608 - ours

    await startup.migrate(file)

    assert ask(file, "SELECT DISTINCT revision FROM matches") == [(1,)]
    assert ask(file, "SELECT match, place, revision FROM places ORDER BY 1, 2") == [
        (1, -1, 0),
        (1, 0, 0),
        (2, -1, 1),
        (3, -1, 0),
    ]


@pytest.mark.sqlite
@pytest.mark.parametrize(
    "statement",
    [
        update(matches).where(matches.c.channel == CHANNEL, RUNNING).values(paused_at=1),
        WITH_COMPUTERS,
    ],
    ids=["in a channel that is deleted", "with computers, at a start"],
)
def test_running_matches_are_found_among_those_in_play(storage, database, statement):
    """Not among all matches that ever existed."""
    steps = plan_of(database, statement)

    of_matches = [step for step in steps if "matches" in step]
    assert of_matches
    assert all("INDEX ix_matches_unsettled" in step for step in of_matches)
