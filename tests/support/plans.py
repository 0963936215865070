"""How SQLite goes about statements, as its planner says of them as they are sent."""

from contextlib import contextmanager

from sqlalchemy import event

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
    for statement, values in sent:
        found.append([row[-1] for row in ask(database, f"EXPLAIN QUERY PLAN {statement}", values)])
