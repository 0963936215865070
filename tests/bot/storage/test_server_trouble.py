"""A database server that is away, full or disconnects: reported, and play resumes by itself."""

import asyncio
import traceback

import pytest
from sqlalchemy.exc import DBAPIError
from structlog.testing import capture_logs

from bot.errors import MaybeSavedError, StorageUnavailableError
from bot.matches import Matches
from bot.storage import postgres
from bot.storage.health import why_unusable
from games.pico import Card
from tests.support.cluster import NAME, Client
from tests.support.match_records import chosen, dealt, record_of
from tests.support.matches import ANN, BEA, NOW, RETURNS, SEED, A, B, begun
from tests.support.matches import dealt as hands_dealt
from tests.support.storages import storage_of

pytestmark = pytest.mark.slow

AWAY = "the database server can't be reached"
CARDS = [str(Card(hand[0])) for hand in hands_dealt().hands]


@pytest.fixture
async def storage(server_database):
    server_database.empty()
    async with storage_of(server_database) as storage:
        yield storage


@pytest.fixture
def matches(storage):
    return Matches(storage, seed=lambda: SEED, now=lambda: NOW, returns=RETURNS)


@pytest.fixture
def refusing(server_database):
    """Make the server refuse writes to a table, with this error code and message."""
    client = server_database.client

    def begin(table, code, words):
        client.script(
            f"CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS "
            f"$$ BEGIN RAISE EXCEPTION '%', '{words}' USING ERRCODE = '{code}'; END $$;"
            f"CREATE TRIGGER refusing BEFORE INSERT ON {table} EXECUTE FUNCTION refuse()"
        )

    yield begin
    client.script("DROP FUNCTION IF EXISTS refuse() CASCADE")


async def put(storage):
    async with storage.transaction() as writing:
        await writing.commands.put_synced(1, "x")


async def test_choices_are_refused_while_the_server_is_away_and_work_again_after(
    cluster, storage, matches
):
    match = await begun(matches)
    await matches.submit(match, 0, ANN, CARDS[A])

    with capture_logs() as logs:
        await asyncio.to_thread(cluster.stop)
        for _ in range(3):
            with pytest.raises(StorageUnavailableError, match=AWAY):
                await matches.submit(match, 0, BEA, CARDS[B])
        told = await why_unusable(storage, 60.0)
        await asyncio.to_thread(cluster.start)
        effect = await matches.submit(match, 0, BEA, CARDS[B])

    assert effect.resolved
    assert (await record_of(storage, match)).step == 1
    assert told == AWAY
    assert await why_unusable(storage, 60.0) is None
    assert [line["event"] for line in logs if "database" in line["event"]] == [
        "database unavailable",
        "database works again",
    ]


async def test_a_server_restart_between_two_choices_goes_unnoticed(cluster, storage, matches):
    match = await begun(matches)
    await matches.submit(match, 0, ANN, CARDS[A])
    await asyncio.to_thread(cluster.stop)
    await asyncio.to_thread(cluster.start)

    effect = await matches.submit(match, 0, BEA, CARDS[B])

    assert effect.resolved
    assert storage.trouble.reason is None


async def test_a_database_that_accepts_no_connections_counts_as_away(cluster, storage):
    """For example while its owner copies or renames it."""
    owner = Client(cluster.address("postgres"))
    owner.script(f"ALTER DATABASE {NAME} ALLOW_CONNECTIONS false")
    try:
        ours = "datname = $1 AND application_name = $2"
        ended = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {ours}"  # noqa: S608
        owner.ask(ended, NAME, postgres.SETTINGS["application_name"])
        with pytest.raises(StorageUnavailableError, match=AWAY) as refused:
            await put(storage)
        assert refused.type is StorageUnavailableError, "nothing can have been saved"
    finally:
        owner.script(f"ALTER DATABASE {NAME} ALLOW_CONNECTIONS true")
        owner.close()

    await put(storage)


async def test_a_connection_lost_during_a_transaction_rolls_it_back(server_database, storage):
    match = await dealt(storage)

    async def write():
        async with storage.transaction() as writing:
            await writing.moves.choose(match, 0, A, chosen("9"))
            server_database.client.ask(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE state = 'idle in transaction'"
            )
            await writing.moves.choose(match, 0, B, chosen("4"))

    with pytest.raises(StorageUnavailableError, match=AWAY):
        await write()

    assert (await record_of(storage, match)).choices == {}
    await put(storage)


@pytest.mark.parametrize(
    ("code", "reason", "damaged"),
    [
        ("53100", "the disk of the database server is full", False),
        ("53200", "the database server lacks resources", False),
        ("40P01", "the database server is too busy", False),
        ("25006", "the database server is read-only", False),
        ("42501", "the database server forbids that to this user", False),
        ("XX001", "the database on the server is damaged", True),
    ],
)
async def test_refusals_by_the_server_raise_our_own_error(storage, refusing, code, reason, damaged):
    refusing("synced_commands", code, "no")

    with pytest.raises(StorageUnavailableError) as refused:
        await put(storage)

    assert (str(refused.value), refused.value.is_damaged) == (reason, damaged)


async def test_a_full_server_is_noticed_before_anybody_writes(storage, refusing, server_database):
    refusing("synced_commands", "53100", "no")
    assert await why_unusable(storage, 60.0) == "the disk of the database server is full"

    server_database.client.script("DROP FUNCTION refuse() CASCADE")
    assert await why_unusable(storage, 60.0) is None


@pytest.mark.parametrize("code", ["22P02", "23514"])
async def test_an_error_contains_no_values_of_a_row(storage, refusing, code):
    """PostgreSQL's errors quote the refused row, so the log would contain a hand or a seed."""
    refusing("synced_commands", code, "the seed is s3cret" if code == "22P02" else "no")
    with pytest.raises(DBAPIError) as refused:
        await put(storage)
    assert "s3cret" not in "".join(traceback.format_exception(refused.value))


async def test_the_error_for_a_refused_row_does_not_quote_it(storage, server_database):
    match = await dealt(storage)
    with pytest.raises(DBAPIError) as refused:
        async with storage.transaction() as writing:
            await writing._connection.exec_driver_sql(
                f"UPDATE matches SET status = 'nonsense', seed = 's3cret' WHERE id = {match}"  # noqa: S608
            )

    told = "".join(traceback.format_exception(refused.value))
    assert "ck_matches_status" in told
    assert "Failing row" not in told


async def test_listeners_are_notified_if_the_connection_broke_during_the_commit(
    storage, server_database
):
    """It may have been committed, and nothing else might trigger the next step."""
    match, told = await dealt(storage), []
    storage.subscribe(told.append)
    server_database.client.script(
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;"
        "CREATE CONSTRAINT TRIGGER refusing AFTER UPDATE ON matches "
        "DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()"
    )
    try:
        with pytest.raises(MaybeSavedError, match=AWAY):
            async with storage.transaction() as writing:
                await writing.seats.signal(match, A, B)
    finally:
        server_database.client.script("DROP FUNCTION refuse() CASCADE")

    assert [committed.changed for committed in told] == [{match}]
    assert storage.trouble.reason == AWAY
