"""The export of personal data: everything stored about a person, column by column."""

import pytest
from sqlalchemy import event

from bot.privacy.export import LARGEST, _as_file
from bot.storage import COMPUTER
from bot.storage.personal_data import WITHHELD, Holdings
from bot.storage.schema import metadata
from tests.bot.storage.test_migrations import fill
from tests.support.match_records import (
    ask,
    change,
    chosen,
    dealt,
    end,
    finished,
    forget_user,
    new,
    opened,
)
from tests.support.matches import ANN, BEA, CYD, DAN

TODAY = 21_000


async def exported(storage, user=ANN):
    async with storage.reading() as reading:
        return await reading.personal_data.everything(user, TODAY)


def columns(name):
    """Return the columns of a table that a person gets to see."""
    known = {column.name for column in metadata.tables[name].columns}
    return known - {w.split(".")[1] for w in WITHHELD if w.startswith(f"{name}.")}


@pytest.mark.parametrize(
    ("part", "table"),
    [
        (lambda whole: whole["preferences"], "people"),
        (lambda whole: whole["blocks"][0], "blocks"),
        (lambda whole: whole["former_blocks"][0], "former_blocks"),
        (lambda whole: whole["watches"][0], "watches"),
        (lambda whole: whole["lessons"][0], "lessons"),
        (lambda whole: whole["ratings"][0], "ratings"),
        (lambda whole: whole["results"][0], "results"),
        (lambda whole: whole["notices"][0], "notices"),
        (lambda whole: whole["sent_notices"][0], "sent_notices"),
        (lambda whole: whole["puzzle_answers"][0], "puzzle_answers"),
        (lambda whole: whole["puzzle_shares"][0], "puzzle_shares"),
        (lambda whole: whole["asks"][0], "asks"),
    ],
    ids=[
        "people",
        "blocks",
        "former_blocks",
        "watches",
        "lessons",
        "ratings",
        "results",
        "notices",
        "sent",
        "puzzle_answers",
        "puzzle_shares",
        "asks",
    ],
)
async def test_every_column_of_a_row_about_a_person_is_exported(storage, database, part, table):
    fill(database)

    assert set(part(await exported(storage))) == columns(table)


@pytest.mark.parametrize(
    ("part", "table"),
    [("your_seat", "seats"), ("your_hand", "places"), ("your_moves", "moves")],
)
async def test_every_column_of_a_persons_part_in_a_match_is_exported(
    storage, database, part, table
):
    fill(database)
    ofmatch = (await exported(storage))["matches"][0]

    assert set(ofmatch[part][0]) == columns(table) - {"match"}
    shared = {"players", "your_seat", "your_hand", "your_moves"}
    assert set(ofmatch) - shared == columns("matches")


async def test_nothing_is_exported_that_reveals_a_block(storage):
    match = await dealt(storage, 1, (ANN, BEA))
    before = await exported(storage)
    async with storage.transaction() as writing:
        await writing.vain_nudges.note(match, 0, [1], 7)

    assert await exported(storage) == before


async def test_all_times_are_exported_as_dates(storage, database):
    fill(database)
    for table, column in (("matches", "deadline"), ("seats", "away_until"), ("vacations", "until")):
        change(database, f"UPDATE {table} SET {column} = 1830297600")  # noqa: S608 - our own words

    whole = await exported(storage)

    moments = {
        whole["vacations"][0]["until"],
        whole["matches"][0]["deadline"],
        whole["matches"][0]["your_seat"][0]["away_until"],
    }
    assert moments == {"2028-01-01T00:00:00+00:00"}


def test_every_withheld_column_exists_and_has_a_reason():
    known = {f"{t.name}.{c.name}" for t in metadata.sorted_tables for c in t.columns}

    assert WITHHELD.keys() <= known
    assert all(WITHHELD.values())


async def test_the_export_says_nothing_about_others_except_who_played(storage):
    match = await dealt(storage, 1, (ANN, BEA))
    async with storage.transaction() as writing:
        await writing.moves.choose(match, 0, 0, chosen("9"))
        await writing.moves.choose(match, 0, 1, chosen("secret of Bea"))
    await finished(storage, 2, (BEA, CYD), (1, 2))

    whole = await exported(storage)

    assert [made["move"] for made in whole["matches"][0]["your_moves"]] == ["9"]
    assert whole["matches"][0]["players"] == [
        {"seat": 0, "user": str(ANN), "computer": None},
        {"seat": 1, "user": str(BEA), "computer": None},
    ]
    assert "secret of Bea" not in str(whole)
    assert str(CYD) not in str(whole)


async def test_a_former_player_is_exported_without_an_id(storage):
    await finished(storage, 1, (ANN, BEA), (1, 2))
    await forget_user(storage, BEA)

    assert [p["user"] for p in (await exported(storage))["matches"][0]["players"]] == [
        str(ANN),
        None,
    ]


async def test_matches_are_read_in_chunks_and_none_is_lost(storage, monkeypatch):
    monkeypatch.setattr("bot.storage.personal_data._CHUNK", 2)
    numbers = [await finished(storage, n, (ANN, BEA), (1, 2)) for n in range(1, 6)]

    assert [match["id"] for match in (await exported(storage))["matches"]] == numbers


async def test_the_export_does_not_say_who_has_blocked_the_person(storage, database):
    change(database, f"INSERT INTO blocks VALUES ({ANN}, {BEA}), ({CYD}, {ANN})")  # noqa: S608

    whole = await exported(storage)

    assert [block["blocked"] for block in whole["blocks"]] == [str(BEA)]
    assert str(CYD) not in str(whole)


async def test_the_amount_of_stored_data_is_counted(storage, database):
    await opened(storage, 1, (ANN, BEA))
    await finished(storage, 2, (ANN, CYD), (1, 2))
    await dealt(storage, 3, (DAN, ANN))
    left = await dealt(storage, 4, (DAN, ANN, BEA))
    change(database, f"UPDATE seats SET left = 1 WHERE match = {left} AND seat = 1")  # noqa: S608
    for n, status in enumerate(("declined", "withdrawn", "expired"), 5):
        async with storage.transaction() as writing:
            await end(writing, await writing.challenges.open(new(n), 1000), status, 2000)
    await dealt(storage, 8, (ANN, COMPUTER), guild=None, channel=None)
    await finished(storage, 9, (ANN, COMPUTER), (1, 2), guild=None, channel=None)
    change(database, f"INSERT INTO blocks VALUES ({ANN}, {BEA})")  # noqa: S608
    change(database, f"INSERT INTO watches VALUES (3, {ANN})")  # noqa: S608
    change(database, f"INSERT INTO lessons VALUES ({ANN}, 'pico', 'twice', 1, false)")  # noqa: S608

    async with storage.reading() as reading:
        held = await reading.personal_data.holdings(ANN)
        nobody = await reading.personal_data.holdings(4711)

    assert held == Holdings(
        running=1, open=1, ended=2, solo=2, unplayed=3, ratings=1, blocked=1, watched=1, lessons=1
    )
    assert (held.any, nobody.any) == (True, False)


async def test_hiding_changes_no_other_preference(storage, database):
    change(
        database,
        "INSERT INTO people (user, desk, pictures, notices, hidden) "  # noqa: S608 - ours
        f"VALUES ({ANN}, 'here', false, 'over=none', false)",
    )
    async with storage.transaction() as writing:
        await writing.people.hide(ANN, hidden=True)
        await writing.people.hide(BEA, hidden=True)
        await writing.people.hide(BEA, hidden=False)

    async with storage.reading() as reading:
        hidden = await reading.people.hidden((ANN, BEA, CYD))

    assert hidden == {ANN}
    assert ask(database, f"SELECT desk, pictures, notices FROM people WHERE user = {ANN}") == [  # noqa: S608
        ("here", 0, "over=none")
    ]


def test_a_file_too_long_for_discord_is_zipped():
    short, long = _as_file({"moves": "9"}), _as_file({"moves": "9" * LARGEST})

    assert short.name == "facedown-about-you.json"
    assert long.name == "facedown-about-you.zip"
    assert len(long.data) < LARGEST / 100


async def test_withheld_columns_are_not_read(storage, database):
    """States of matches are most of a database; reading them would slow down everybody's play."""
    fill(database)
    readers, words = storage._readers.sync_engine, []

    def note(_connection, _cursor, statement, *_of_it):
        words.append(statement)

    event.listen(readers, "before_cursor_execute", note)
    await exported(storage)
    event.remove(readers, "before_cursor_execute", note)

    selected = " ".join(statement.partition("FROM")[0] for statement in words)
    assert "matches.options" in selected
    assert [column for column in WITHHELD if column in selected] == []


async def test_a_result_has_a_score_unless_a_draw_was_agreed(storage, database):
    by_rules = await finished(storage, 1, (ANN, BEA), (1, 2))
    agreed = await finished(storage, 2, (ANN, BEA), (1, 1))
    change(database, f"UPDATE matches SET ending = 'draw' WHERE id = {agreed}")  # noqa: S608

    results = (await exported(storage))["results"]

    assert [(row["match"], row["score"] is None) for row in results] == [
        (by_rules, False),
        (agreed, True),
    ]
