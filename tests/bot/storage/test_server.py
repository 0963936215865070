"""A database on PostgreSQL: its tables, its migrations, and errors at startup."""

import asyncio

import asyncpg
import pytest
from pydantic import SecretStr
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool
from structlog.testing import capture_logs

from bot.storage import Storage, postgres, server
from bot.storage.schema import metadata
from bot.storage.startup import NewerError, UnusableError
from tests.support.filled_database import fill_server
from tests.support.match_records import dealt, record_of
from tests.support.waiting import until

COLUMNS = """
    SELECT table_name || '.' || column_name, data_type, is_nullable, column_default
    FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1
"""
SHAPE = (
    COLUMNS,
    """
    SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2
    """,
    "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1",
    "SELECT sequencename, data_type, start_value FROM pg_sequences ORDER BY 1",
)

WAITING = "SELECT 1 FROM pg_locks WHERE relation = to_regclass($1::text) AND NOT granted"


@pytest.fixture
def another(cluster):
    """A client of an empty database."""
    client = cluster.make("another")
    yield client
    client.close()
    cluster.drop("another")


def shape(client):
    """Return the columns, keys, indexes and checks of a database, in comparable form."""
    found = [client.ask(query) for query in SHAPE]
    return [[row for row in rows if "alembic_version" not in str(row)] for rows in found]


def contents(client):
    """Return every row of every table as dictionaries of text, in a fixed order."""
    return {
        table: [dict(row) for row in client.rows(f'SELECT * FROM "{table}" ORDER BY 1, 2')]  # noqa: S608
        for (table,) in client.ask("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        if table != "alembic_version"
    }


async def test_the_migrated_tables_match_the_metadata(another, server_database):
    made = create_async_engine(
        "postgresql+asyncpg://",
        async_creator=lambda: postgres.connect(another.address),
        poolclass=NullPool,
    )
    async with made.begin() as connection:
        await connection.run_sync(metadata.create_all)

    assert shape(server_database.client) == shape(another)


async def test_migrating_a_filled_database_of_the_first_revision_keeps_every_row(another):
    await server.migrate(another.address, "0001")
    fill_server(another)
    before = contents(another)

    await server.migrate(another.address)

    after = contents(another)
    for table, rows in before.items():
        assert rows
        for old, new in zip(rows, after[table], strict=True):
            shared = old.keys() & new.keys()
            assert {name: new[name] for name in shared} == {name: old[name] for name in shared}


async def test_processes_that_start_together_migrate_once(another):
    await asyncio.gather(*(server.migrate(another.address) for _ in range(3)))

    assert another.ask("SELECT count(*) FROM alembic_version") == [(1,)]
    assert another.ask("SELECT count(*) FROM matches") == [(0,)]


async def test_processes_migrate_once_even_with_serializable_transactions(another):
    """The second one must see what the first one did while it waited for it."""
    another.script("ALTER DATABASE another SET default_transaction_isolation = 'serializable'")

    await asyncio.gather(*(server.migrate(another.address) for _ in range(3)))

    assert another.ask("SELECT count(*) FROM alembic_version") == [(1,)]


async def test_a_migration_that_loses_a_deadlock_is_retried(another, monkeypatch):
    """The server may detect the deadlock before the migration itself gives up its lock."""
    monkeypatch.setattr(server, "TABLE_PATIENCE", "60s")
    await server.migrate(another.address, "0020")
    another.script("ALTER DATABASE another SET deadlock_timeout = '10ms'")
    before, across = [await postgres.connect(another.address, **postgres.UPKEEP) for _ in range(2)]
    await before.execute("BEGIN; LOCK TABLE matches")
    await across.execute("SET deadlock_timeout = '1h'; BEGIN; LOCK TABLE servers")

    start = asyncio.create_task(server.migrate(another.address))
    await until(lambda: another.ask(WAITING, "matches"))
    asked = asyncio.create_task(across.execute("LOCK TABLE alembic_version"))
    await until(lambda: another.ask(WAITING, "alembic_version"))
    await before.close()
    await asked  # succeeds once the migration, which holds that table, has given way
    await across.close()
    await start

    assert another.ask("SELECT digest_channel FROM servers") == []


async def test_a_start_during_a_long_dump_waits_without_blocking_play(another):
    """`pg_dump` reads all tables in one transaction, so none can be altered meanwhile."""
    await server.migrate(another.address, "0020")
    copying = await postgres.connect(another.address, **postgres.UPKEEP)
    await copying.execute("BEGIN; LOCK TABLE servers IN ACCESS SHARE MODE")
    try:
        with capture_logs() as logged:
            start = asyncio.create_task(server.migrate(another.address))
            await until(lambda: "waiting for the tables" in {line["event"] for line in logged})

        assert another.ask("SELECT guild FROM servers") == []  # play continues
        assert not start.done()
    finally:
        await copying.close()
        await start

    assert another.ask("SELECT digest_channel FROM servers") == []


async def test_committed_data_is_visible_to_another_process(server_database):
    server_database.empty()
    async with Storage.open(server_database.address) as one:
        match = await dealt(one)
        async with Storage.open(server_database.address) as other:
            assert (await record_of(other, match)).state == "first"


async def refusal(address):
    """Return the error message at startup for this address."""
    with pytest.raises(UnusableError) as refused:
        await server.migrate(address, patience=0.0)
    return str(refused.value)


async def test_a_server_that_does_not_answer_is_reported(tmp_path):
    address = SecretStr(f"postgresql://me:s3cret@/name?host={tmp_path}")

    assert await refusal(address) == (
        "DATABASE cannot be used: postgresql:///name: the database server can't be reached."
    )


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://",
        "postgresql://me:s3cret@host:port/name",
        "postgresql://me:s3cret@host",
        "postgresql://me:s3cret@127.0.0.1:1,127.0.0.1:port/name",
        "postgresql:///name?host=one,two,three&port=1,2&password=s3cret",
        "postgresql://me:1@s3cret@127.0.0.1:1/name",
        "postgresql://me:1/s3cret@127.0.0.1:1/name",
        "postgresql://127.0.0.1:1/s3cret@127.0.0.1:1/name",
        "postgresql://127.0.0.1:1?s3cret@127.0.0.1:1/name",
        "postgresql://127.0.0.1:1#s3cret@127.0.0.1:1/name",
    ],
)
async def test_a_malformed_address_is_refused_without_showing_its_password(address):
    told = await refusal(SecretStr(address))

    assert told == (
        "DATABASE is not valid: it must look like postgresql://user:password@host/name, with %40 "
        "for an @, %2F for a /, %3F for a ? and %23 for a # in the password."
    )


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://me:1%40s3cret%2F@127.0.0.1:1/name",
        "postgres://127.0.0.1:1/name?user=me@here&password=s3/cret",
        "postgresql://me@[::1]:1/name",
        "postgresql://me:s3cret@127.0.0.1:1,127.0.0.1:2/name?target_session_attrs=read-write",
        "postgresql:///name?host=127.0.0.1,127.0.0.1&port=1,2",
    ],
)
async def test_an_unambiguous_address_is_tried(address):
    assert (await refusal(SecretStr(address))).endswith("the database server can't be reached.")


async def test_a_missing_database_is_reported_with_how_to_create_it(cluster):
    assert await refusal(cluster.address("nowhere")) == (
        "DATABASE cannot be used: postgresql:///nowhere: the server has no database with this "
        "name. Make one with createdb."
    )


@pytest.mark.parametrize("user", ["nobody", "guest:s3cret"])
async def test_a_wrong_user_or_password_is_reported_at_once(cluster, another, user):
    """The user guest exists, with another password."""
    another.script("DROP ROLE IF EXISTS guest; CREATE ROLE guest LOGIN PASSWORD 'another'")

    assert await refusal(cluster.address("postgres", user=user)) == (
        "DATABASE cannot be used: postgresql:///postgres: the server refuses this user name or "
        "password."
    )


async def test_a_database_with_tables_of_another_program_is_left_alone(another):
    another.script("CREATE TABLE recipes (dish text)")

    assert await refusal(another.address) == (
        "DATABASE cannot be used: postgresql:///another holds tables that are not Facedown's. "
        "Make a database for the bot alone."
    )


async def test_a_user_who_may_not_create_tables_is_reported(cluster, another):
    another.script("CREATE ROLE visitor LOGIN")
    try:
        assert await refusal(cluster.address("another", user="visitor")) == (
            "DATABASE cannot be used: postgresql:///another: this user can't make tables there. "
            "Make them the owner of the database."
        )
    finally:
        another.script("DROP ROLE visitor")


async def test_migrations_ignore_a_short_statement_timeout_of_the_server(another):
    """Hosted servers limit statements to some seconds; migrating a large database takes longer."""
    another.script("ALTER DATABASE another SET statement_timeout = '1ms'")

    await server.migrate(another.address)

    another.script("ALTER DATABASE another RESET statement_timeout")


@pytest.mark.parametrize(
    ("settings", "most"), [({}, "10s"), (postgres.UPKEEP, "0")], ids=["play", "upkeep"]
)
async def test_a_connection_starts_only_with_settings_that_poolers_accept(
    server_database, monkeypatch, settings, most
):
    """PgBouncer refuses connections whose startup packet has a setting that it doesn't know."""
    begin, asked = asyncpg.connect, []

    async def connect(*where, server_settings, **options):
        asked.append(set(server_settings))
        return await begin(*where, server_settings=server_settings, **options)

    monkeypatch.setattr(asyncpg, "connect", connect)
    connection = await postgres.connect(server_database.address, **settings)
    try:
        assert await connection.fetchval("SHOW lock_timeout") == most
    finally:
        await connection.close()

    assert asked == [{"application_name"}]


async def test_a_database_of_a_newer_version_is_left_alone(another):
    await server.migrate(another.address)
    another.script("UPDATE alembic_version SET version_num = '9999'")

    with pytest.raises(NewerError, match=r"^postgresql:///another is at revision 9999, so a newer"):
        await server.migrate(another.address)


async def test_an_older_server_is_refused(server_database, monkeypatch):
    monkeypatch.setattr(server, "OLDEST", 99)

    assert (await refusal(server_database.address)).endswith("and the bot needs 99 or newer.")


async def test_the_start_waits_for_a_server_that_is_not_up_yet(cluster, server_database):
    cluster.stop()
    waiting = asyncio.create_task(server.migrate(server_database.address))
    await asyncio.to_thread(cluster.start)

    await waiting


async def test_the_start_waits_for_a_server_that_is_lost_again_before_migrating(
    another, monkeypatch
):
    """A busy server may be too slow to answer again."""
    begin, begun = postgres.connect, []

    async def connect(*where, **settings):
        begun.append(where)
        if len(begun) == 2:
            raise postgres.UnreachableError("no answer")
        return await begin(*where, **settings)

    monkeypatch.setattr(postgres, "connect", connect)

    await server.migrate(another.address)

    assert len(begun) > 2
    assert another.ask("SELECT count(*) FROM alembic_version") == [(1,)]


async def test_the_start_waits_for_a_server_that_accepts_writes(cluster, server_database):
    """For example while a standby takes over and none of the servers accepts writes yet."""
    address = cluster.address(target_session_attrs="read-write")
    server_database.client.script("ALTER DATABASE facedown SET default_transaction_read_only = on")
    try:
        waiting = asyncio.create_task(server.migrate(address))
        with capture_logs() as logs:
            await until(lambda: logs or waiting.done())
    finally:
        server_database.client.script("ALTER DATABASE facedown RESET default_transaction_read_only")

    await waiting
    assert logs[0]["event"] == "waiting for the database server"
    assert logs[0]["why"] == "the database server can't be reached"


async def test_after_a_host_that_never_answers_the_next_one_is_tried(
    cluster, server_database, tmp_path, monkeypatch
):
    """For example a machine without power, while its standby takes over."""
    monkeypatch.setattr(postgres, "CONNECT_SECONDS", 0.5)
    ended = asyncio.Event()

    async def say_nothing(_reader, writer):
        await ended.wait()
        writer.close()

    silent = await asyncio.start_unix_server(say_nothing, tmp_path / ".s.PGSQL.5432")
    address = SecretStr(
        f"postgresql:///facedown?host={tmp_path},{cluster.folder}&user=owner"
        "&target_session_attrs=read-write"
    )
    try:
        await server.migrate(address)
    finally:
        ended.set()
        silent.close()


@pytest.mark.parametrize(
    ("address", "plain"),
    [
        ("postgres://me:s3cret@host/name", "postgresql://me@host/name"),
        ("postgresql://me:s3cret@one:1,two:2/name", "postgresql://me@one:1,two:2/name"),
        ("postgresql:///name?host=/run&password=s3cret", "postgresql:///name?host=%2Frun"),
        (
            "postgresql://me@host/name?sslpassword=s3cret&sslkey=me.key",
            "postgresql://me@host/name?sslkey=me.key",
        ),
        (
            "postgresql://host/name?scram_client_key=s3cret&oauth_client_secret=s3cret",
            "postgresql://host/name",
        ),
    ],
)
def test_tools_get_every_host_and_no_secret(address, plain):
    assert postgres.without_password(SecretStr(address)) == plain
