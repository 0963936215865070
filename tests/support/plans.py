"""The query plans that SQLite chooses for statements."""

from contextlib import contextmanager

from sqlalchemy import event
from sqlalchemy.dialects import sqlite

from tests.support.match_records import ask


@contextmanager
def plans(storage, database):
    """A list that is filled at the end of the block: for each statement sent in it, its plan.

    A plan is a list with one line for each step.
    """
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
    """The plan of one statement, whose parameters may have no values.

    They are bound parameters anyway, so whether a partial index can be used depends on the text
    alone.
    """
    options = {"render_postcompile": True}
    compiled = statement.compile(dialect=sqlite.dialect(), compile_kwargs=options)
    return _explained(
        database, str(compiled), [compiled.params[name] for name in compiled.positiontup]
    )


def _explained(database, words, values):
    return [row[-1] for row in ask(database, f"EXPLAIN QUERY PLAN {words}", values)]
