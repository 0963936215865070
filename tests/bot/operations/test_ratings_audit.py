"""Computing all ratings again gives the stored ones exactly, whatever has happened."""

import asyncio
import shutil
import sys
import tempfile
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot import cli, codec
from bot.cluster.share import EVERYTHING
from bot.matches import state_upgrades
from bot.privacy.erasure import Erasure
from bot.storage import ResultRecord, Storage
from bot.storage.results import is_former
from games import GAMES
from games.chance import Chance
from tests.support.cluster import ServerDatabase
from tests.support.match_records import (
    ask,
    change,
    deal,
    dealt,
    end,
    finished,
    forget_user,
    opened,
    record_of,
)
from tests.support.matches import ANN, BEA, CYD, DAN, GUILD, NOW, RETURNS, SEED
from tests.support.nowhere import Nowhere
from tests.support.storages import storage_of

pytestmark = pytest.mark.slow

PEOPLE = (ANN, BEA, CYD, DAN)
SIX = [((ANN, BEA), (1, 2)), ((BEA, CYD), (1, 1)), ((ANN, BEA, CYD), (2, 1, 3))] * 2


async def audited(storage):
    async with storage.reading() as reading:
        return await reading.ratings.audit()


async def begin_season(storage, name="Spring", guild=GUILD):
    async with storage.transaction() as writing:
        return await writing.seasons.start(guild, name, 2000)


async def play(storage, results=SIX, first=1):
    for n, (users, ranks) in enumerate(results, first):
        await finished(storage, n, users, ranks)


def lines(users, ranks):
    alone = ranks.count(1) == 1
    return [
        ResultRecord(
            seat=seat,
            user=user,
            rank=rank,
            score=0,
            won=int(rank == 1 and alone),
            drawn=int(rank == 1 and not alone),
            lost=int(rank > 1),
        )
        for seat, (user, rank) in enumerate(zip(users, ranks, strict=True))
    ]


# Random sequences of events.


@asynccontextmanager
async def fresh(tables):
    """Open an empty storage; `tables` is the file to copy, or a server's database to empty."""
    if isinstance(tables, ServerDatabase):
        tables.empty()
        async with storage_of(tables) as storage:
            yield storage
        return
    with tempfile.TemporaryDirectory() as folder:
        file = shutil.copy(tables, Path(folder) / "facedown.sqlite3")
        async with storage_of(file) as storage:
            yield storage


def begun_as(game, variant, seats):
    """Return the encoded options and the state columns of a match that has just begun."""
    options = GAMES[game].presets[variant]
    state = GAMES[game].setup(options, seats, Chance(SEED, 0))
    return codec.encode(options), deal(codec.encode(state), schema=state_upgrades.schema(game))


BEGUN = {
    ("pico", 2): begun_as("pico", "standard", 2),
    ("pico", 3): begun_as("pico", "pico2-three", 3),
    **{("conquest", n): begun_as("conquest", "standard", n) for n in (2, 3, 4)},
}


class World:
    """A few servers in which events happen one after another."""

    def __init__(self, storage):
        self.storage = storage
        self.deletion = Erasure(
            storage=storage,
            live=Nowhere(),
            delivery=None,
            memories=(),
            returns=RETURNS,
            now=lambda: NOW,
            share=EVERYTHING,
        )
        self.count = 0

    async def begin(self, users, guild, game, *, rated):
        self.count += 1
        game = game if (game, len(users)) in BEGUN else "conquest"
        options, state = BEGUN[game, len(users)]
        changes = {"guild": guild, "game": game, "rated": rated, "options": options}
        match = await opened(self.storage, self.count, users, **changes)
        async with self.storage.transaction() as writing:
            for seat in range(len(users)):
                await writing.challenges.accept(match, seat)
            await writing.matches.deal(match, state, seed=SEED, now=1500)

    async def end(self, ranks):
        """End the oldest running match; people deleted meanwhile are former players in it."""
        async with self.storage.reading() as reading:
            oldest = "SELECT id FROM matches WHERE status = 'running' ORDER BY id LIMIT 1"
            running = [row.id for row in await reading._connection.exec_driver_sql(oldest)]
        for match in running:
            users = [seat.user for seat in (await record_of(self.storage, match)).seats]
            async with self.storage.transaction() as writing:
                await end(writing, match, "over", 2000, lines(users, ranks[: len(users)]))

    async def forget(self, user):
        """Delete a person as `/privacy delete` does, which makes them leave their matches."""
        await self.deletion.delete(user)

    async def lose(self, guild):
        """Delete a server."""
        async with self.storage.transaction() as writing:
            await writing.guilds.forget_matches(guild, 1000)
            await writing.guilds.forget(guild)

    async def season(self, guild):
        self.count += 1
        await begin_season(self.storage, f"Season {self.count}", guild)


GUILDS = st.sampled_from((GUILD, GUILD + 1))
USERS = st.lists(st.sampled_from(PEOPLE), min_size=2, max_size=4, unique=True).map(tuple)
RANKS = st.sampled_from(
    ((1, 2, 3, 4), (2, 1, 4, 3), (1, 1, 3, 3), (1, 1, 1, 1), (3, 2, 1, 3), (2, 1, 2, 2))
)
KINDS = st.sampled_from(("pico", "conquest"))
BEGIN = st.tuples(st.just("begin"), USERS, GUILDS, KINDS, st.booleans())
EVENT = st.one_of(
    BEGIN,
    BEGIN,
    st.tuples(st.just("end"), RANKS),
    st.tuples(st.just("end"), RANKS),
    st.tuples(st.just("forget"), st.sampled_from(PEOPLE)),
    st.tuples(st.just("season"), GUILDS),
    st.tuples(st.just("lose"), GUILDS),
)
WHILE_HE_PLAYS = [
    ("begin", (ANN, BEA), GUILD, "pico", True),
    ("begin", (ANN, BEA, CYD), GUILD, "pico", True),
    ("begin", (BEA, ANN), GUILD, "pico", True),
    ("end", (1, 2, 3, 4)),
    ("forget", ANN),
    ("end", (2, 1, 4, 3)),
    ("season", GUILD),
    ("begin", (ANN, DAN), GUILD, "pico", True),
    ("end", (1, 2, 3, 4)),
    ("end", (1, 1, 3, 3)),
]


async def happen(storage, events):
    world = World(storage)
    acts: dict[str, Any] = {
        "begin": lambda users, guild, game, rated: world.begin(users, guild, game, rated=rated),
        "end": world.end,
        "forget": world.forget,
        "lose": world.lose,
        "season": world.season,
    }
    for act, *values in events:
        await acts[act](*values)


@pytest.fixture(scope="module")
def empty_tables(request, backend):
    """The argument of `fresh`, the same for all examples."""
    return request.getfixturevalue("tables" if backend == "sqlite" else "server_database")


@settings(max_examples=15)
@given(events=st.lists(EVENT, max_size=12))
@example(events=WHILE_HE_PLAYS)
@example(events=WHILE_HE_PLAYS[:-2])
def test_any_results_deletions_and_seasons_leave_ratings_equal_to_the_rebuild(empty_tables, events):
    async def check():
        async with fresh(empty_tables) as storage:
            await happen(storage, events)
            assert (await audited(storage)).right

    asyncio.run(check())


# Wrong ratings are found and corrected.


async def test_everybody_else_keeps_their_rating_when_a_person_is_deleted(storage, database):
    await begin_season(storage)
    await play(storage)
    kept = "SELECT * FROM ratings WHERE user <> 1001 ORDER BY season, user"
    before = ask(database, kept)

    await forget_user(storage, ANN)
    async with storage.transaction() as writing:
        await writing.ratings.mend(await writing.ratings.audit())

    assert ask(database, kept) == before
    assert ask(database, "SELECT count(*) FROM ratings WHERE user <= 0 OR user = 1001") == [(0,)]
    assert len(before) == 4


@pytest.mark.parametrize(
    ("damage", "ratings", "results"),
    [
        ("UPDATE ratings SET mu = mu + 1e-14 WHERE user = 1001", 1, 0),
        ("UPDATE ratings SET matches = 7 WHERE user = 1001", 1, 0),
        ("UPDATE ratings SET rating = rating + 1", 3, 0),
        ("DELETE FROM ratings WHERE user = 1002", 1, 0),
        ("UPDATE ratings SET user = 9 WHERE user = 1001", 2, 0),
        ("UPDATE results SET after = after + 1 WHERE match = 1", 0, 2),
        ("UPDATE results SET nth = NULL WHERE match = 1 AND seat = 0", 0, 1),
        ("UPDATE results SET rank = 3 - rank WHERE match = 1", 3, 14),
    ],
)  # fmt: skip
async def test_any_difference_is_found_and_corrected(storage, database, damage, ratings, results):
    await play(storage)
    change(database, damage)

    found = await audited(storage)
    async with storage.transaction() as writing:
        await writing.ratings.mend(found)

    assert (found.wrong_ratings, len(found.wrong_results)) == (ratings, results)
    assert (await audited(storage)).right


async def test_results_count_in_the_order_in_which_matches_ended(storage):
    """Even if both ended within the same second."""
    first, second = [await dealt(storage, n, (ANN, BEA)) for n in (1, 2)]
    for match, ranks in ((second, (1, 2)), (first, (2, 1))):
        async with storage.transaction() as writing:
            await end(writing, match, "over", 2000, lines((ANN, BEA), ranks))

    assert (await audited(storage)).right
    assert [(s.change.before, s.change.nth) for s in (await record_of(storage, second)).seats] == [
        (1500, 1),
        (1500, 1),
    ]
    assert (await record_of(storage, first)).seats[0].change.nth == 2


async def test_matches_are_not_split_between_chunks(storage, monkeypatch):
    monkeypatch.setattr("bot.storage.ratings._CHUNK", 2)
    await play(storage)

    found = await audited(storage)

    assert (found.matches, found.right) == (6, True)


@pytest.mark.parametrize(("user", "former"), [(ANN, False), (0, True), (-(2**62), True)])
def test_negative_ids_belong_to_former_players(user, former):
    assert is_former(user) is former


# The command.

MENDS = "`python -m bot ratings --rebuild` fixes that."


@pytest.fixture
def command(monkeypatch, database, tmp_path):
    """Runs `python -m bot ratings` on the database, without a Discord token."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DISCORD_TOKEN", raising=False)
    monkeypatch.setenv("DATABASE", str(database))

    def begin(*words):
        monkeypatch.setattr(sys, "argv", ["facedown", "ratings", *words])
        return cli.main()

    return begin


@pytest.fixture
def played(database):
    async def fill():
        async with storage_of(database) as storage:
            await play(storage)

    asyncio.run(fill())


def test_right_ratings_pass_the_check(command, played, capsys):
    assert command("--check") == 0
    assert capsys.readouterr().out == (
        "All ratings match the results of 6 rated matches, to the last digit.\n"
    )


def test_wrong_ratings_fail_the_check_until_they_are_rebuilt(command, played, database, capsys):
    change(database, "UPDATE ratings SET mu = mu + 1 WHERE user = 1001")

    assert [command("--check"), command("--rebuild"), command("--check")] == [1, 0, 0]

    wrong = "1 rating and the change shown with 0 results"
    assert capsys.readouterr().out.splitlines() == [
        f"{wrong} don't match the results of 6 rated matches. {MENDS}",
        f"Recomputed from 6 rated matches: {wrong} were wrong and are right now.",
        "All ratings match the results of 6 rated matches, to the last digit.",
    ]


@pytest.mark.parametrize("words", ["--check", "--rebuild"])
def test_ratings_are_not_rebuilt_while_a_bot_is_running(command, played, database, capsys, words):
    """Otherwise a match that ends meanwhile would be missing from the rebuilt ratings."""
    with asyncio.Runner() as runner:
        bot = AsyncExitStack()
        opening = Storage.open(getattr(database, "address", database))
        storage = runner.run(bot.enter_async_context(opening))
        assert runner.run(record_of(storage, 0)) is None  # makes it connect

        assert command(words) == 3

        runner.run(bot.aclose())

    assert capsys.readouterr().err.endswith(" Stop it first.\n")


def test_a_missing_file_is_not_created(command, monkeypatch, tmp_path, capsys):
    missing = tmp_path / "missing.sqlite3"
    monkeypatch.setenv("DATABASE", str(missing))

    assert command("--check") == 3
    assert capsys.readouterr().err == (
        f"There is no database at {missing}. DATABASE says where it should be.\n"
    )
    assert not missing.exists()


@pytest.mark.sqlite
def test_a_damaged_database_is_not_reported_as_wrong_ratings(command, played, database, capsys):
    ((page,),) = ask(database, "SELECT rootpage FROM sqlite_master WHERE name = 'ratings'")
    with Path(database).open("r+b") as writing:
        writing.seek((page - 1) * 4096)
        writing.write(b"\xff" * 4096)

    assert command("--check") == 3
    assert capsys.readouterr().err.endswith(
        f"DATABASE cannot be used: {database}: the file is damaged. "
        "Put a backup in its place: python -m bot restore --force FILE\n"
    )
