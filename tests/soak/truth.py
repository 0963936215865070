"""What must be true of the bot's file, whenever it was killed: each check returns what is wrong."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from bot import codec
from games import GAMES, Seat
from games.history import History, frame
from tests.soak.record import Record, Where
from tests.support.cluster import ServerDatabase

Database = Path | ServerDatabase


def rows(database: Database, query: str, *values: object) -> list[tuple[Any, ...]]:
    """What a query written for SQLite finds, in a file or on a server."""
    if isinstance(database, ServerDatabase):
        return database.ask(query, values)
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute(query, values).fetchall()


def lost_choices(database: Database, record: Record) -> list[str]:
    """Every choice that was acknowledged is there, or a later one of the same person.

    When somebody leaves, choices of that step may have become illegal and are dropped.
    """
    query = "SELECT m.match, m.step, s.user, m.move FROM moves m JOIN seats s USING (match, seat)"
    kept = {(match, step, user): move for match, step, user, move in rows(database, query)}
    left = set(rows(database, "SELECT match, left_step FROM seats WHERE left IS NOT NULL"))
    return [
        f"match {where[0]}, step {where[1]}, user {where[2]}: told {told}, kept {kept.get(where)}"
        for where, told in record.told.items()
        if not _is_there(kept.get(where), told, record.hoped.get(where, set()))
        and not (where not in kept and where[:2] in left)
    ]


def _is_there(kept: str | None, told: str, hoped: set[str]) -> bool:
    return kept is not None and kept in {told, *hoped}


def strange_choices(database: Database, record: Record) -> list[str]:
    """Whatever somebody has chosen they have clicked: nothing was made up or mixed up."""
    query = (
        "SELECT m.match, m.step, s.user, m.move FROM moves m JOIN seats s USING (match, seat) "
        "WHERE m.how = 'chosen'"
    )
    clicked: dict[Where, set[str]] = {w: set(moves) for w, moves in record.hoped.items()}
    for where, move in record.told.items():
        clicked.setdefault(where, set()).add(move)
    return [
        f"match {match}, step {step}, user {user}: nobody chose {move}"
        for match, step, user, move in rows(database, query)
        if move not in clicked.get((match, step, user), set())
    ]


def wrong_matches(database: Database) -> list[str]:
    """Every match is exactly what its seed, moves and departures make of it."""
    query = "SELECT id, game, options, seed, state, step FROM matches WHERE state IS NOT NULL"
    wrong = []
    for match, game, options, seed, state, step in rows(database, query):
        rules = GAMES[game]
        try:
            agreed = codec.decode(rules.options, options)
            history = _history(database, match, game=game, options=agreed, seed=seed)
            replayed = frame(history, history.frames).state
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told
            wrong.append(f"match {match} ({game}) cannot be replayed to step {step}: {error!r}")
            continue
        if codec.decode(rules.state, state) != replayed:
            wrong.append(f"match {match} ({game}) is not what its moves make of it")
    return wrong


def _history(database: Database, match: int, **known: Any) -> History:
    """A match by its rows, as `games/history.py` plays it again."""
    ((seats,),) = rows(database, "SELECT count(*) FROM seats WHERE match = ?", match)
    left = rows(
        database,
        'SELECT left_step, seat FROM seats WHERE match = ? AND "left" IS NOT NULL ORDER BY "left"',
        match,
    )
    made: defaultdict[int, dict[Seat, str]] = defaultdict(dict)
    query = "SELECT step, seat, move FROM moves WHERE match = ?"
    for step, seat, move in rows(database, query, match):
        made[step][Seat(seat)] = move
    ((last,),) = rows(database, "SELECT step FROM matches WHERE id = ?", match)
    steps = tuple(made[step] for step in range(last))
    return History(**known, seats=seats, steps=steps, departures=tuple(left))


def wrong_results(database: Database) -> list[str]:
    """A match that is over has one result a seat, and no other match has any.

    Nor has one that time has ended, as long as its players can resume it.
    """
    query = (
        "SELECT m.id, CASE WHEN m.counts_at IS NULL THEN m.status ELSE 'held' END, "
        "(SELECT count(*) FROM results WHERE match = m.id), "
        "(SELECT count(*) FROM seats WHERE match = m.id) FROM matches m"
    )
    return [
        f"match {match} is {status} and has {results} results for {seats} seats"
        for match, status, results, seats in rows(database, query)
        if results != (seats if status == "over" else 0)
    ]


def wrong_file(database: Database) -> Iterator[str]:
    """What the database says of its own file; a server holds to references by itself."""
    if isinstance(database, ServerDatabase):
        return
    for (problem,) in rows(database, "PRAGMA integrity_check"):
        if problem != "ok":
            yield f"the file is damaged: {problem}"
    for row in rows(database, "PRAGMA foreign_key_check"):
        yield f"a row refers to nothing: {row}"
