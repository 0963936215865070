"""What must hold in the database whenever the bot is killed; each check returns the violations."""

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
    """The rows of a query in SQLite's dialect, from a file or a server."""
    if isinstance(database, ServerDatabase):
        return database.ask(query, values)
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute(query, values).fetchall()


def lost_choices(database: Database, record: Record) -> list[str]:
    """Check that every acknowledged choice is stored, or a later one of the same person.

    When somebody leaves, choices of that step that became illegal are dropped.
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
    """Check that every stored choice of a person was clicked by that person."""
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
    """Check that every match's state follows from its seed, moves and departures."""
    query = "SELECT id, game, options, seed, state, step FROM matches WHERE state IS NOT NULL"
    wrong = []
    for match, game, options, seed, state, step in rows(database, query):
        rules = GAMES[game]
        try:
            agreed = codec.decode(rules.options, options)
            history = _history(database, match, game=game, options=agreed, seed=seed)
            replayed = frame(history, history.frames).state
        except Exception as error:  # noqa: BLE001 - every error is reported
            wrong.append(f"match {match} ({game}) cannot be replayed to step {step}: {error!r}")
            continue
        if codec.decode(rules.state, state) != replayed:
            wrong.append(f"match {match} ({game}) is not what its moves make of it")
    return wrong


def _history(database: Database, match: int, **known: Any) -> History:
    """The history of a match from its rows, for replaying it."""
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
    """Check that a match that is over has one result for each seat, and no other match has any.

    A match whose result is held has none either.
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
    """Check a file's integrity and foreign keys; a server always enforces them."""
    if isinstance(database, ServerDatabase):
        return
    for (problem,) in rows(database, "PRAGMA integrity_check"):
        if problem != "ok":
            yield f"the file is damaged: {problem}"
    for row in rows(database, "PRAGMA foreign_key_check"):
        yield f"a row refers to nothing: {row}"
