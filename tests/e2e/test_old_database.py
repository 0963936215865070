"""A match begun before revisions existed is continued with its database and its buttons."""

import sqlite3
from contextlib import closing

from tests.support.made_databases import copied

OLD_REVISION = "0006"
TABLES = ("matches", "seats", "moves", "places", "people", "synced_commands")


def columns(connection, schema, table):
    return [row[1] for row in connection.execute(f"PRAGMA {schema}.table_info({table})")]


async def made_old(file):
    """Rebuild the database with the same rows as the previous version would have made it."""
    present = file.rename(file.with_name("present.sqlite3"))
    await copied(file, OLD_REVISION)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("ATTACH ? AS present", (str(present),))
        # That version had no NULL for a preference that nobody has set.
        connection.execute("UPDATE present.people SET desk = 'dm' WHERE desk IS NULL")
        for table in TABLES:
            names = ", ".join(f'"{name}"' for name in columns(connection, "main", table))
            connection.execute(f"INSERT INTO {table} ({names}) SELECT {names} FROM present.{table}")  # noqa: S608 - our own names
        connection.commit()
        return columns(connection, "main", "matches")


def shown(table):
    """The key of what each message shows, without the deadline."""
    return [
        key.partition("@")[0] for (key,) in table.sql("SELECT shown FROM places ORDER BY place")
    ]


async def test_a_match_begun_before_the_update_is_played_to_its_end_after_it(table):
    public = await table.match()
    await table.quiet_now()  # a hand that is being edited can't be the answer to a click
    card = table.cards(table.desk("Ann"))[0].custom_id.split(":")[-1]
    answer = await table.person("Ann").forge(table.desk("Ann"), custom_id=f"f1:1:0:pick:{card}")
    await table.quiet_now()
    await table.stop()
    before = shown(table)
    names = await made_old(table.database)
    since = len(table.discord.requests)

    await table.start()
    await table.repaired()
    await table.quiet_now()
    edits = table.requests("PATCH", since=since)
    await table.play("Bo")
    await table.discord.until(lambda: table.step(table.desk("Ann")) == 1)
    await table.finish(public, "Ann", "Bo")

    assert "revision" not in names
    assert answer.kind == 7
    assert before == ["running.0..0", f"running.0..{card}", "running.0.."]
    assert edits == []
    assert table.sql("SELECT status FROM matches") == [("over",)]
    assert table.database.with_name(f"{table.database.name}.before-{OLD_REVISION}").exists()
