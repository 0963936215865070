"""Erasure: after people delete their data, no table has their id."""

import pytest
from sqlalchemy import BigInteger

from bot.errors import MatchError
from bot.matches import Matches
from bot.matches.rematches import FORMER, Rematches
from bot.storage import TABLE, MessageRef, PersonRecord
from bot.storage.notices import SentRecord
from bot.storage.personal_data import HANDED_OUT
from bot.storage.schema import metadata
from tests.support.match_records import (
    ask,
    change,
    dealt,
    finished,
    forget_user,
    messages_of,
    opened,
    person_of,
    put_message,
    put_person,
    record_of,
    settle,
    unsettled,
)
from tests.support.matches import ANN, BEA, CHANNEL, CYD, NOW, RETURNS, SEED, A, B, begun, refusal

DM = 5
NO_PERSON = {
    "matches.interaction": "an interaction, which nobody can look up",
    "matches.guild": "a server",
    "matches.channel": "a channel of a server",
    "places.channel": "a channel of a server; the desks, which are direct messages, are deleted",
    "places.message": "a message of ours; those on desks are deleted",
    "places.leftover": "the same",
    "places.token_message": "the same",
    "sent_notices.message": "a message of ours",
    "results.guild": "a server",
    "puzzle_answers.guild": "a server",
    "puzzle_posts.guild": "a server",
    "puzzle_posts.channel": "a channel of a server",
    "puzzle_posts.message": "a message of ours",
    "servers.puzzle_channel": "a channel of a server",
    "servers.digest_channel": "a channel of a server",
    "digest_posts.guild": "a server",
    "digest_posts.channel": "a channel of a server",
    "digest_posts.message": "a message of ours",
    "puzzle_shares.guild": "a server",
    "puzzle_shares.channel": "a channel of a server",
    "puzzle_shares.message": "a message of ours",
    "shares.channel": "a channel of a server",
    "shares.message": "a message of ours",
    "traces.channel": "a channel of a server, or of direct messages until its hand is closed",
    "traces.message": "a message of ours",
    "ratings.guild": "a server",
    "seasons.guild": "a server",
    "seasons.announce_in": "a channel of a server",
    "servers.guild": "a server",
    "server_channels.guild": "a server",
    "vacations.guild": "a server",
    "server_channels.channel": "a channel of a server",
    "handed.id": "an interaction, which nobody can look up",
    "synced_commands.application": "the bot itself",
}
PERSONS = {"user", "opener", "blocked"}


def columns_of_persons():
    """List the columns that may hold a user id: by name, and 64-bit ones not in `NO_PERSON`.

    Ids of Discord need 64 bits, so every new column for one must be classified here.
    """
    return [
        f"{table}.{column.name}"
        for table in metadata.sorted_tables
        for column in table.columns
        if column.name in PERSONS
        or (isinstance(column.type, BigInteger) and f"{table}.{column.name}" not in NO_PERSON)
    ]


def columns_of_persons_in(database):
    """List the same columns of the migrated tables, regardless of the metadata."""
    tables = "SELECT name FROM sqlite_master WHERE type = 'table'"
    return [
        f"{table}.{name}"
        for (table,) in ask(database, tables)
        for _, name, kind, *_ in ask(database, f'PRAGMA table_info("{table}")')
        if name in PERSONS or (kind == "BIGINT" and f"{table}.{name}" not in NO_PERSON)
    ]


@pytest.mark.sqlite  # where 64-bit ids have their own type
def test_export_and_erasure_know_every_column_with_a_user_id(database):
    """A new one must be handled by both; each lists the columns it knows."""
    assert set(columns_of_persons()) == HANDED_OUT
    assert set(columns_of_persons_in(database)) == HANDED_OUT


def names(database, column):
    """Count the rows with Ann's id, or her direct message channel's, in this column."""
    table, name = column.split(".")
    query = f'SELECT count(*) FROM "{table}" WHERE "{name}" IN ({ANN}, {DM})'  # noqa: S608 - ours
    return ask(database, query)[0][0]


async def test_everything_that_identifies_a_person_is_erased(storage, database):
    """Ann's id is in every column that may hold one, and in none afterwards."""
    match = await finished(storage, 1, (ANN, BEA), (1, 2))
    await put_person(storage, ANN, PersonRecord(dm_channel=DM, dm_closed_at=None))
    change(database, f"INSERT INTO blocks VALUES ({ANN}, {BEA}), ({CYD}, {ANN})")  # noqa: S608
    change(database, "INSERT INTO former_people VALUES ('0f', 9)")
    change(database, f"INSERT INTO former_blocks VALUES ('0f', {ANN})")  # noqa: S608
    change(database, f"INSERT INTO vacations VALUES ({ANN}, 77, 1, 2)")  # noqa: S608
    change(database, f"INSERT INTO watches VALUES (1, {ANN})")  # noqa: S608
    change(database, f"INSERT INTO asks VALUES (1, {ANN}, {BEA}, 1, false)")  # noqa: S608
    change(database, f"INSERT INTO asks VALUES (1, {BEA}, {ANN}, 1, false)")  # noqa: S608
    change(database, f"INSERT INTO lessons VALUES ({ANN}, 'pico', 'twice', 1, false)")  # noqa: S608
    change(database, f"INSERT INTO puzzle_answers VALUES (1, {ANN}, 77, '9', true, 2)")  # noqa: S608
    change(database, f"INSERT INTO puzzle_shares VALUES (1, {ANN}, 77, 88, 9, 1)")  # noqa: S608
    change(database, f"INSERT INTO shares VALUES (1, {ANN}, 88, 9, 1)")  # noqa: S608
    async with storage.transaction() as writing:
        await writing.notices.queue(match, "over", [ANN], due_at=1, actor=BEA)
        await writing.notices.queue(match, "over", [BEA], due_at=1, actor=ANN)
        for message, channel in ((10, DM), (11, CHANNEL)):
            await writing.notices.put_sent(
                SentRecord(
                    match=match, user=ANN, message=message, channel=channel, event="over", turn=1
                )
            )
    assert all(names(database, column) for column in columns_of_persons())

    await forget_user(storage, ANN)

    assert not any(names(database, column) for column in columns_of_persons())


async def users_of(storage, match):
    return [seat.user for seat in (await record_of(storage, match)).seats]


async def test_a_former_player_has_one_negative_id_in_all_finished_matches(storage):
    first = await finished(storage, 1, (ANN, BEA), (1, 2))
    second = await finished(storage, 2, (BEA, ANN), (1, 1))

    await forget_user(storage, ANN)

    (former, bea), (again, same) = await users_of(storage, first), await users_of(storage, second)
    assert (bea, again) == (BEA, BEA)
    assert former == same < 0
    assert (await record_of(storage, first)).opener == former


async def test_each_erasure_makes_a_new_former_player(storage):
    match = await finished(storage, 1, (ANN, BEA), (1, 2))

    await forget_user(storage, ANN)
    await forget_user(storage, BEA)
    again = await finished(storage, 2, (ANN, CYD), (1, 2))
    await forget_user(storage, ANN)

    formers = {*await users_of(storage, match), (await users_of(storage, again))[0]}
    assert len(formers) == 3


async def test_each_running_match_has_a_former_player_of_its_own(storage):
    """Their rating no longer exists when it ends, so they count as a new player there."""
    over = await finished(storage, 1, (ANN, BEA), (1, 2))
    running = [await dealt(storage, n, (ANN, BEA, CYD)) for n in (2, 3)]

    await forget_user(storage, ANN)

    formers = {(await users_of(storage, match))[0] for match in (over, *running)}
    assert len(formers) == 3
    assert [(await record_of(storage, match)).opener for match in running] == [
        (await users_of(storage, match))[0] for match in running
    ]


async def test_only_the_ratings_of_a_former_player_are_deleted(storage, database):
    await finished(storage, 1, (ANN, BEA), (1, 2))
    kept = ask(database, f"SELECT * FROM ratings WHERE user = {BEA}")  # noqa: S608

    await forget_user(storage, ANN)

    assert ask(database, "SELECT * FROM ratings") == kept
    assert ask(database, "SELECT before, after, nth FROM results ORDER BY seat") == [
        (None, None, None),
        (1500, 1437, 1),
    ]


async def test_only_the_hand_messages_of_a_former_player_are_deleted(storage):
    """The channel of somebody's direct messages identifies them."""
    match = await finished(storage, 1, (ANN, BEA), (1, 2))
    other = await finished(storage, 2, (BEA, CYD), (1, 2))
    place = MessageRef(channel=DM, message=6, shown="over")
    for number, at in ((match, TABLE), (match, 0), (match, 1), (other, 0)):
        await put_message(storage, number, at, place)

    await forget_user(storage, ANN)

    assert await messages_of(storage, match) == {TABLE: place, 1: place}
    assert await messages_of(storage, other) == {0: place}


async def test_a_former_player_no_longer_wants_a_rematch_and_none_is_possible(storage):
    match = await begun(Matches(storage, seed=lambda: SEED, now=lambda: NOW, returns=RETURNS))
    await Matches(storage, now=lambda: NOW, returns=RETURNS).concede(match, ANN)
    rematches = Rematches(storage, now=lambda: NOW, returns=RETURNS)
    await rematches.want(match, ANN, 5)

    await forget_user(storage, ANN)

    assert [seat.agrees for seat in (await record_of(storage, match)).seats] == [None, None]
    assert await refusal(rematches.want(match, BEA, 6)) == (MatchError, FORMER)


async def test_vacations_and_nudges_of_a_former_player_are_deleted(storage, database):
    """The dates of a vacation could tell others who this was."""
    await finished(storage, 1, (ANN, BEA), (1, 2))
    await dealt(storage, 2, (ANN, BEA))
    change(database, "UPDATE seats SET nudged_at = 7, away_until = 9")

    await forget_user(storage, ANN)

    found = ask(database, "SELECT nudged_at, away_until FROM seats ORDER BY match, seat")
    assert found == [(None, None), (7, 9)] * 2


async def test_nudges_in_vain_by_or_to_a_former_player_are_deleted(storage, database):
    match = await dealt(storage, 1, (ANN, BEA, CYD))
    async with storage.transaction() as writing:
        for seat, target in ((0, 1), (1, 0), (1, 2)):
            await writing.vain_nudges.note(match, seat, [target], 7)

    await forget_user(storage, ANN)

    assert ask(database, "SELECT seat, target FROM vain_nudges") == [(1, 2)]


async def test_a_link_to_a_rematch_survives_the_erasure_of_a_player(storage):
    match = await finished(storage, 1, (ANN, BEA), (1, 2))
    async with storage.transaction() as writing:
        for seat in (A, B):
            await writing.seats.agree(match, seat, "rematch")
    await dealt(storage, 2, (BEA, ANN), predecessor=match)

    await forget_user(storage, ANN)

    assert [seat.agrees for seat in (await record_of(storage, match)).seats] == [
        "rematch",
        "rematch",
    ]


@pytest.mark.parametrize("is_dealt", [False, True])
async def test_the_fingerprint_of_an_open_table_is_cleared(storage, is_dealt):
    """It contains a short hash of the user ids, against which guesses could be checked.

    That the table shows a challenge stays known, so that the match gets a thread when it begins. It
    may show the challenge even after the deal.
    """
    match = await (dealt if is_dealt else opened)(storage, 1, (ANN, BEA))
    shown = MessageRef(channel=7, message=6, shown="open.0..hash")
    await put_message(storage, match, TABLE, shown)

    await forget_user(storage, ANN)

    assert (await messages_of(storage, match))[TABLE].shown == "open."


@pytest.mark.parametrize(
    ("shown", "after"), [("withdrawn.0..hash", ""), ("plain", "plain"), ("posting", "posting")]
)
async def test_only_a_fingerprint_of_an_undealt_table_is_cleared(storage, shown, after):
    match = await opened(storage, 1, (ANN, BEA))
    await put_message(storage, match, TABLE, MessageRef(channel=7, message=6, shown=shown))

    await forget_user(storage, ANN)

    assert (await messages_of(storage, match))[TABLE].shown == after


async def test_matches_that_still_offer_something_with_a_former_player_are_shown_again(
    storage, database
):
    wished, held, ended = [await finished(storage, n, (ANN, BEA), (1, 2)) for n in (1, 2, 3)]
    change(database, f"UPDATE seats SET agrees = 'rematch' WHERE match = {wished} AND seat = 0")  # noqa: S608
    change(database, f"UPDATE seats SET agrees = 'declined' WHERE match = {ended}")  # noqa: S608
    change(database, f"UPDATE matches SET counts_at = 9000 WHERE id = {held}")  # noqa: S608
    for match in (wished, held, ended):
        await put_message(storage, match, B, MessageRef(channel=DM, message=match, shown="over"))
        await settle(storage, match)

    async with storage.transaction() as writing:
        await writing.erasure.show_again(ANN)
        await writing.erasure.forget(ANN)

    assert await unsettled(storage) == [wished, held]
    shown = {match: (await messages_of(storage, match))[B].shown for match in (wished, held, ended)}
    assert shown == {wished: "", held: "", ended: "over"}


async def test_finished_tables_stay_as_they_are_because_traces_handle_them(storage, database):
    match = await finished(storage, 1, (ANN, BEA), (1, 2))
    change(database, f"UPDATE seats SET agrees = 'rematch' WHERE match = {match} AND seat = 0")  # noqa: S608
    for place in (TABLE, B):
        await put_message(storage, match, place, MessageRef(channel=DM, message=6, shown="over"))

    await forget_user(storage, ANN)

    shown = {place: ref.shown for place, ref in (await messages_of(storage, match)).items()}
    assert shown == {TABLE: "over", B: ""}


async def test_hands_of_a_match_whose_rematch_has_begun_stay_as_they_are(storage, database):
    match = await finished(storage, 1, (ANN, BEA), (1, 2))
    change(database, f"UPDATE seats SET agrees = 'rematch' WHERE match = {match}")  # noqa: S608
    await dealt(storage, 2, (BEA, ANN), predecessor=match)
    await put_message(storage, match, B, MessageRef(channel=DM, message=6, shown="over"))

    await forget_user(storage, ANN)

    assert (await messages_of(storage, match))[B].shown == "over"


async def test_asks_in_two_matches_do_not_link_their_former_players(storage, database):
    found = [await opened(storage, n, (ANN, other)) for n, other in ((1, BEA), (2, CYD))]
    async with storage.transaction() as writing:
        for match, other in zip(found, (BEA, CYD), strict=True):
            await writing.asks.note(match, ANN, [other], 1000)

    await forget_user(storage, ANN)

    askers = [actor for (actor,) in ask(database, 'SELECT actor FROM asks ORDER BY "match"')]
    assert askers == [(await record_of(storage, match)).opener for match in found]
    assert len({*askers}) == 2


async def test_a_message_stored_during_an_erasure_is_swept_up(storage):
    match = await dealt(storage, 1, (ANN, BEA))
    async with storage.reading() as reading:
        (seat,) = await reading.erasure.seated(ANN)
    await forget_user(storage, ANN)
    for place in (0, 1):
        await put_message(storage, match, place, MessageRef(channel=DM, message=6, shown=""))
    await put_person(storage, ANN, PersonRecord(dm_channel=DM, dm_closed_at=None))

    async with storage.transaction() as writing:
        await writing.erasure.sweep(ANN, [(seat.match, seat.seat)])

    assert set(await messages_of(storage, match)) == {1}
    assert (await person_of(storage, ANN)).dm_channel is None


async def test_solo_matches_of_a_former_player_are_deleted_completely(storage, database):
    solo = {"guild": None, "channel": None, "computers": (None, "easy"), "rated": False}
    over = await finished(storage, 1, [ANN, 0], [1, 2], **solo)
    running = await dealt(storage, 2, [ANN, 0], **solo)
    others = await dealt(storage, 3, [BEA, 0], opener=BEA, **solo)
    kept = await finished(storage, 4, [ANN, BEA], [1, 2])
    await put_message(storage, running, A, MessageRef(channel=DM, message=6, shown=""))

    async with storage.transaction() as writing:
        seats = await writing.erasure.seated(ANN)
    await forget_user(storage, ANN)

    told = [(seat.match, seat.is_over, seat.is_solo) for seat in seats]
    assert told == [(over, True, True), (running, False, True), (kept, True, False)]
    assert ask(database, "SELECT id FROM matches ORDER BY id") == [(others,), (kept,)]
    assert ask(database, "SELECT DISTINCT match FROM seats ORDER BY 1") == [(others,), (kept,)]
    assert ask(database, "SELECT DISTINCT match FROM results") == [(kept,)]
    assert over not in (others, kept)
