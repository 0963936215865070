"""Whoever asks for it is forgotten: his id is in no table any more."""

from sqlalchemy import BigInteger

from bot.storage import TABLE, PersonRecord, PlaceRecord, SeatRecord, StandingRecord
from bot.storage.records import INVITED
from bot.storage.schema import metadata
from bot.storage.store import FORMER_PLAYER
from tests.bot.acts import ANN, BEA, CYD, GUILD
from tests.bot.records import ask, change, finished

DM = 5
NO_PERSON = {
    "matches.interaction": "an interaction, which nobody can look up",
    "matches.guild": "a server",
    "matches.channel": "a channel of a server",
    "places.channel": "a channel of a server; the desks, which are direct messages, are deleted",
    "places.message": "a message of ours; those on desks are deleted",
    "results.guild": "a server",
    "servers.guild": "a server",
    "server_channels.guild": "a server",
    "server_channels.channel": "a channel of a server",
    "synced_commands.application": "the bot itself",
}
PERSONS = {"user", "opener", "blocked"}


def columns_of_persons():
    """Every column that may hold a person's id: by its name, or any id not known to be no person's.

    An id of Discord needs 64 bits, so whoever adds a column of them decides here what it is.
    """
    return [
        f"{table}.{column.name}"
        for table in metadata.sorted_tables
        for column in table.columns
        if column.name in PERSONS
        or (isinstance(column.type, BigInteger) and f"{table}.{column.name}" not in NO_PERSON)
    ]


def names(database, column):
    """How many rows hold Ann, or the channel of her direct messages, in this column."""
    table, name = column.split(".")
    query = f'SELECT count(*) FROM "{table}" WHERE "{name}" IN ({ANN}, {DM})'  # noqa: S608 - ours
    return ask(database, query)[0][0]


async def test_everything_that_names_a_person_is_forgotten(storage, database):
    """Ann is in every column that may hold a person, and in none afterwards."""
    await finished(storage, 1, (ANN, BEA), (1, 2))
    await storage.put_person(ANN, PersonRecord(dm_channel=DM, dm_closed_at=None))
    change(database, f"INSERT INTO blocks VALUES ({ANN}, {BEA}), ({CYD}, {ANN})")  # noqa: S608
    assert all(names(database, column) for column in columns_of_persons())

    await storage.forget_user(ANN)

    assert not any(names(database, column) for column in columns_of_persons())


async def test_a_former_player_is_nobody_and_the_others_keep_their_results(storage):
    match = await finished(storage, 1, (ANN, BEA), (1, 2))

    await storage.forget_user(ANN)

    record = await storage.match(match)
    assert record.opener == FORMER_PLAYER
    assert record.seats == (
        SeatRecord(user=FORMER_PLAYER, accepted=True, left=None),
        SeatRecord(user=BEA, accepted=False, left=None, reminded=INVITED),
    )
    assert await storage.leaderboard(GUILD, "pico") == [
        StandingRecord(user=BEA, place=1, won=0, drawn=0, lost=1)
    ]


async def test_the_desk_of_a_former_player_is_forgotten_and_no_other_place(storage):
    """The channel of direct messages with somebody stands for him."""
    match = await finished(storage, 1, (ANN, BEA), (1, 2))
    other = await finished(storage, 2, (BEA, CYD), (1, 2))
    place = PlaceRecord(channel=DM, message=6, shown="over")
    for number, at in ((match, TABLE), (match, 0), (match, 1), (other, 0)):
        await storage.put_place(number, at, place)

    await storage.forget_user(ANN)

    assert await storage.places(match) == {TABLE: place, 1: place}
    assert await storage.places(other) == {0: place}


async def test_two_former_players_of_one_match_stay_two_seats(storage):
    match = await finished(storage, 1, (ANN, BEA), (1, 2))

    await storage.forget_user(ANN)
    await storage.forget_user(BEA)

    assert [seat.user for seat in (await storage.match(match)).seats] == [0, 0]
    assert await storage.leaderboard(GUILD, "pico") == []
