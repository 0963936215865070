"""Creates a server in which 400 people have given 200 puzzle answers and played 100 matches a day.

The data covers three years with quarterly seasons. The matches are against computers, and so not
rated like those of `benchmarks/seeding.py`. `benchmarks/leaderboards.py` creates the file, in
seconds.
"""

import asyncio
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from benchmarks.seeding import GAMES, MATCH, NOW, SEASON, Row
from bot.puzzles.calendar import begins_at, day_of
from bot.storage import startup

SERVER = 10**17
PEOPLE = range(3 * 10**17, 3 * 10**17 + 400)
DAYS, ANSWERS, MATCHES, SEASON_DAYS = 3 * 365, 200, 100, 91
TODAY = day_of(NOW)
LEVELS = ("beginner", "easy", "steady", "strong", "perfect")

RESULT = """INSERT INTO results (match, seat, guild, game, user, rank, score, won, drawn, lost,
    ended_at, sequence, rated, season, computer, levels)
    VALUES (?, ?, ?, ?, ?, ?, 10, ?, 0, ?, ?, ?, FALSE, ?, ?, ?)"""
ANSWER = """INSERT INTO puzzle_answers (day, user, guild, choice, solved, answered_at)
    VALUES (?, ?, ?, '9', ?, ?)"""
PRESENCE = "INSERT INTO puzzle_days (day, hours, hour) VALUES (?, ?, ?)"


def answers(draw: random.Random) -> Iterator[Row]:
    """Rows of puzzle answers; half of the people answer each day."""
    for day in range(TODAY - DAYS, TODAY):
        for user in draw.sample(PEOPLE, ANSWERS):
            yield day, user, SERVER, draw.random() < 0.6, begins_at(day) + 100


def matches(draw: random.Random) -> Iterator[tuple[Row, Row, Row]]:
    """Rows of each match: the match, the person's result, and the computer's."""
    for number in range(DAYS * MATCHES):
        day, of_day = divmod(number, MATCHES)
        ended_at = begins_at(TODAY - DAYS + day) + of_day * 800
        game, level = draw.choice(GAMES), draw.choice(LEVELS)
        user = PEOPLE[int(len(PEOPLE) * draw.random() ** 2.5)]
        won = draw.random() < 0.5
        season, key = 1 + day // SEASON_DAYS, number + 1
        match = (key, key, game, "{}", "over", SERVER, SERVER + 1, user, 2, "slow", False, False,
                 False, "ab" * 32, 1, "{}", 12, 12, "", ended_at - 600, ended_at - 500, ended_at,
                 True)  # fmt: skip
        own = (key, 0, SERVER, game, user, 2 - won, won, not won, ended_at, key, season, None)
        other = (key, 1, SERVER, game, 0, 1 + won, not won, won, ended_at, key, season, level)
        yield match, (*own, level), (*other, level)


def fill(file: Path) -> None:
    """Insert the rows into a file that has the tables."""
    draw = random.Random(20261128)
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode=OFF")  # an incomplete file is thrown away
        database.execute("PRAGMA synchronous=OFF")
        database.execute("BEGIN")
        database.executemany(ANSWER, answers(draw))
        for day in range(TODAY - DAYS, TODAY + 1):
            hours = 24 if draw.random() < 0.98 else 3
            database.execute(PRESENCE, (day, hours, day * 24 + hours - 1))
        for match, own, other in matches(draw):
            database.execute(MATCH, match)
            database.executemany(RESULT, (own, other))
        for number in range(1, 2 + (DAYS - 1) // SEASON_DAYS):
            begun_at = begins_at(TODAY - DAYS + (number - 1) * SEASON_DAYS)
            database.execute(SEASON, (number, SERVER, f"{number}", f"{number}", begun_at))
        database.execute("COMMIT")


def make(file: Path) -> None:
    """Create the file; it gets its name only once it's complete."""
    part = file.with_name(f"{file.name}.part")
    part.unlink(missing_ok=True)
    file.parent.mkdir(parents=True, exist_ok=True)
    asyncio.run(startup.migrate(part))
    fill(part)
    part.rename(file)
