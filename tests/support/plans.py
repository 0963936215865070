"""How SQLite goes about statements, as its planner says of them as they are sent."""

from contextlib import contextmanager

from sqlalchemy import event
from sqlalchemy.dialects import sqlite

from tests.support.match_records import ask


@contextmanager
def plans(storage, database):
    """The plan of each statement that is sent meanwhile, a step a line; there at the end."""
    sent, found = [], []
    engines = {storage._readers.sync_engine, storage._writer.engine.sync_engine}

    def note(_connection, _cursor, statement, values, _context, many):
        sent.append((statement, values[0] if many else values))

    for engine in engines:
        event.listen(engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        for engine in engines:
            event.remove(engine, "before_cursor_execute", note)
    found += [_explained(database, *of_one) for of_one in sent]


def plan_of(database, statement):
    """The same of one statement, whose values may be missing; they are bound in any case.

    Whether a partial index can be used is decided by the words alone.
    """
    options = {"render_postcompile": True}
    compiled = statement.compile(dialect=sqlite.dialect(), compile_kwargs=options)
    return _explained(
        database, str(compiled), [compiled.params[name] for name in compiled.positiontup]
    )


def _explained(database, words, values):
    return [row[-1] for row in ask(database, f"EXPLAIN QUERY PLAN {words}", values)]
