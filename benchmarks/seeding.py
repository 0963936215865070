"""Creates a large file: 1,000,000 finished matches, 50,000 players, 1,000 servers, two years.

`python -m benchmarks.seeding FILE [MATCHES]` takes a few minutes. Servers and players are as
unequal as real ones: the largest server has a few thousand players, most have about a dozen, and a
few people play most matches. Ratings are computed as by the bot, so that
`DATABASE=FILE python -m bot ratings --check` is a test at full size. There are no moves.
"""

import asyncio
import itertools
import json
import random
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from bot.ratings import Finish, Standing, after
from bot.storage import startup
from bot.storage.results import values_of

SERVERS, PLAYERS, MATCHES = 1_000, 50_000, 1_000_000
FIRST_SERVER, FIRST_PLAYER = 10**17, 3 * 10**17
NOW = 1_800_000_000
LENGTH = 2 * 365 * 24 * 60 * 60
GAMES = ("pico", "duel", "conquest", "prize", "spite")
MORE_SEATS = {"pico": (2, 2, 3), "conquest": (2, 3, 4)}
CHUNK = 20_000

Key = tuple[int, str, int, int]
Row = tuple[object, ...]


class Seeder:
    """Draws matches one after another, and keeps the ratings that result."""

    def __init__(self, matches: int) -> None:
        self._random = random.Random(20261121)
        self._matches = matches
        self._shares = [1 / (n + 3) for n in range(SERVERS)]
        self._members = self._draw_members()
        self.standings: dict[Key, Standing] = {}

    def _draw_members(self) -> list[list[int]]:
        """The players of each server; everybody is in one, and one in ten is in two."""
        members: list[list[int]] = [[] for _ in range(SERVERS)]
        for n in range(PLAYERS):
            homes = 1 + (n % 10 == 0)
            for home in self._random.choices(range(SERVERS), self._shares, k=homes):
                members[home].append(FIRST_PLAYER + n)
        for few in members:
            while len(few) < 4:
                few.append(FIRST_PLAYER + self._random.randrange(PLAYERS))
        return members

    def rows(self) -> Iterator[tuple[Row, list[Row], list[Row]]]:
        """Rows of each match, its seats and its results, in the order in which matches ended."""
        homes = itertools.chain.from_iterable(
            self._random.choices(range(SERVERS), self._shares, k=CHUNK) for _ in itertools.count()
        )
        for number, home in zip(range(1, self._matches + 1), homes, strict=False):
            ended_at = NOW - LENGTH + LENGTH * number // self._matches
            yield self._match(number, home, ended_at)

    def _match(self, number: int, home: int, ended_at: int) -> tuple[Row, list[Row], list[Row]]:
        draw = self._random
        guild, members = FIRST_SERVER + home, self._members[home]
        game = GAMES[min(draw.randrange(8), 4)]
        users = self._players(members, draw.choice(MORE_SEATS.get(game, (2,))))
        rated = draw.random() < 0.8
        places = self._ranks(len(users))
        season = 2 * home + 2 if ended_at > NOW - LENGTH // 4 else 2 * home + 1
        first = places.count(1)
        finishes = [
            Finish(
                rank=rank,
                won=int(rank == 1 and first == 1),
                drawn=int(rank == 1 and first > 1),
                lost=int(rank > 1),
            )
            for rank in places
        ]
        changes: list[tuple[int | None, int | None, int | None]] = [(None, None, None)] * len(users)
        if rated:
            changes = self._rate(guild, game, users, finishes, season)
        begun_at = ended_at - draw.randrange(100, 100_000)
        match = (number, number, game, "{}", "over", guild, guild + 1, users[0], len(users),
                 "slow", False, rated, False, "ab" * 32, 1, "{}", 12, 12, "", begun_at - 60,
                 begun_at, ended_at, True)  # fmt: skip
        seats: list[Row] = [(number, i, user, True, 0) for i, user in enumerate(users)]
        results: list[Row] = [
            (number, i, guild, game, user, f.rank, 20 - f.rank, f.won, f.drawn, f.lost, ended_at,
             number, rated, season, *changes[i])
            for i, (user, f) in enumerate(zip(users, finishes, strict=True))
        ]  # fmt: skip
        return match, seats, results

    def _players(self, members: Sequence[int], count: int) -> list[int]:
        """Distinct players, with those at the beginning of `members` more likely."""
        chosen: list[int] = []
        while len(chosen) < min(count, len(set(members))):
            user = members[int(len(members) * self._random.random() ** 2.5)]
            if user not in chosen:
                chosen.append(user)
        return chosen

    def _ranks(self, seats: int) -> list[int]:
        if self._random.random() < 0.08:
            return [1] * seats
        places = list(range(1, seats + 1))
        self._random.shuffle(places)
        return places

    def _rate(
        self, guild: int, game: str, users: Sequence[int], finishes: list[Finish], season: int
    ) -> list[tuple[int | None, int | None, int | None]]:
        changes: list[tuple[int | None, int | None, int | None]] = []
        for scope in (0, season):
            keys: list[Key] = [(guild, game, scope, user) for user in users]
            before = [self.standings.get(key, Standing()) for key in keys]
            new = after(before, finishes)
            self.standings.update(zip(keys, new, strict=True))
            if scope == 0:
                changes = [
                    (old.rating, now.rating, now.matches)
                    for old, now in zip(before, new, strict=True)
                ]
        return changes


MATCH = """INSERT INTO matches (id, interaction, game, options, status, guild, channel, opener,
    wanted, pace, tap, rated, limited, seed, schema, state, step, turn, late, opened_at, begun_at,
    ended_at, settled, revision, taken_back)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 0)"""
SEAT = """INSERT INTO seats (match, seat, user, accepted, strikes, rested, invited)
    VALUES (?, ?, ?, ?, ?, 0, FALSE)"""
RESULT = """INSERT INTO results (match, seat, guild, game, user, rank, score, won, drawn, lost,
    ended_at, sequence, rated, season, before, after, nth)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
RATING = """INSERT INTO ratings (guild, game, season, user, mu, sigma, rating, established, matches,
    won, drawn, lost) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
SEASON = "INSERT INTO seasons (id, guild, name, folded, started_at) VALUES (?, ?, ?, ?, ?)"
HIDDEN = """INSERT INTO people (user, desk, pictures, notices, hidden)
    VALUES (?, 'dm', TRUE, '', TRUE)"""


def fill(file: Path, matches: int) -> None:
    """Insert the rows into a file that has the tables; drops its indexes and creates them after."""
    seeder = Seeder(matches)
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode=OFF")  # an incomplete file is thrown away
        database.execute("PRAGMA synchronous=OFF")
        indexes = database.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
        ).fetchall()
        for name, _ in indexes:
            database.execute(f"DROP INDEX {name}")
        database.execute("BEGIN")
        rows = seeder.rows()
        while chunk := list(itertools.islice(rows, CHUNK)):
            database.executemany(MATCH, (match for match, _, _ in chunk))
            database.executemany(SEAT, (row for _, seats, _ in chunk for row in seats))
            database.executemany(RESULT, (row for _, _, lines in chunk for row in lines))
        database.executemany(
            RATING,
            ((*key, *values_of(standing).values()) for key, standing in seeder.standings.items()),
        )
        for n in range(SERVERS):
            for number, begin in ((1, NOW - LENGTH), (2, NOW - LENGTH // 4)):
                name = f"season {number}"
                season = (2 * n + number, FIRST_SERVER + n, name, name, begin)
                database.execute(SEASON, season)
        database.executemany(HIDDEN, ((FIRST_PLAYER + n,) for n in range(0, PLAYERS, 50)))
        for _, sql in indexes:
            database.execute(sql)
        database.execute("COMMIT")


def counts(file: Path) -> dict[str, int]:
    """The number of rows in the main tables of the file."""
    with closing(sqlite3.connect(file)) as database:
        return {
            name: database.execute(f"SELECT count(*) FROM {name}").fetchone()[0]  # noqa: S608 - ours
            for name in ("matches", "results", "ratings", "seasons")
        }


def make(file: Path, matches: int = MATCHES) -> None:
    """Create the file; it gets its name only once it's complete."""
    part = file.with_name(f"{file.name}.part")
    part.unlink(missing_ok=True)
    file.parent.mkdir(parents=True, exist_ok=True)
    asyncio.run(startup.migrate(part))
    fill(part, matches)
    part.rename(file)


if __name__ == "__main__":
    target = Path(sys.argv[1])
    make(target, int(sys.argv[2]) if len(sys.argv) > 2 else MATCHES)
    print(f"{target}: {json.dumps(counts(target))}")
