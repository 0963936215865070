"""Environment errors of SQLite raise one error of ours, which is logged at most once a minute."""

import sqlite3

import pytest
from sqlalchemy.exc import DBAPIError
from structlog.testing import capture_logs

from bot.errors import StorageUnavailableError
from bot.storage import Storage
from bot.storage.startup import UnusableError
from bot.storage.trouble import SILENCE_SECONDS, Trouble
from tests.support.broken_files import damage, full, read_only
from tests.support.failing import fail
from tests.support.match_records import ask, dealt, opened
from tests.support.matches import ANN, BEA, begun

pytestmark = pytest.mark.sqlite

LARGE = "x" * 20_000


async def put_large(storage):
    async with storage.transaction() as writing:
        await writing.commands.put_synced(1, LARGE)


async def put_small(storage):
    async with storage.transaction() as writing:
        await writing.commands.put_synced(1, "x")


async def test_a_full_disk_raises_our_error_and_saved_rows_are_kept(storage, database):
    match = await dealt(storage, 1)

    async with full(storage):
        with pytest.raises(StorageUnavailableError, match=r"^the disk is full$") as refused:
            await put_large(storage)

    assert not refused.value.is_damaged
    assert refused.value.__suppress_context__  # keeps the statement out of the log
    assert ask(database, "SELECT id FROM matches") == [(match,)]
    assert ask(database, "SELECT count(*) FROM synced_commands") == [(0,)]


async def test_writing_works_again_once_the_disk_has_space(storage):
    async with full(storage):
        with pytest.raises(StorageUnavailableError):
            await put_large(storage)

    await put_large(storage)

    async with storage.reading() as reading:
        assert await reading.commands.fingerprint(1) == LARGE


async def test_a_read_only_file_can_still_be_read(storage):
    await put_small(storage)

    async with read_only(storage):
        with pytest.raises(StorageUnavailableError, match=r"^the file is read-only$"):
            await put_small(storage)
        async with storage.reading() as reading:
            assert await reading.commands.fingerprint(1) == "x"


async def test_connections_opened_while_the_file_was_read_only_are_replaced(
    storage, database, monkeypatch
):
    """SQLite opens a read-only file for reading, and the connection stays that way."""
    connect = sqlite3.connect

    def connect_read_only(file, **options):
        return connect(f"file:{file}?mode=ro", uri=True, **options)

    await put_large(storage)
    await storage._writer.engine.dispose()  # as after a commit that failed
    with monkeypatch.context() as read_only_now:
        read_only_now.setattr(sqlite3, "connect", connect_read_only)
        with pytest.raises(StorageUnavailableError, match=r"^the file is read-only$"):
            await put_small(storage)

    await put_small(storage)

    assert ask(database, "SELECT fingerprint FROM synced_commands") == [("x",)]


async def test_picks_written_in_one_batch_are_all_refused(storage, matches):
    match = await begun(matches, time_control="live")
    cards = (await matches.public(match)).view.hands

    async with read_only(storage):
        for user, hand in ((ANN, cards[0]), (BEA, cards[1])):
            with pytest.raises(StorageUnavailableError):
                await matches.submit(match, 0, user, str(hand[0]))

    assert storage.trouble.reason == "the file is read-only"


async def test_damage_is_distinguished_because_it_does_not_go_away_by_itself(storage, database):
    await put_small(storage)
    size = database.stat().st_size
    database.write_bytes(b"no database any more" * (size // 20))

    with pytest.raises(StorageUnavailableError, match=r"^the file is damaged$") as refused:
        async with storage.reading() as reading:
            await reading.commands.fingerprint(1)

    assert refused.value.is_damaged


async def test_a_successful_write_does_not_end_the_trouble_of_a_damaged_file(storage):
    with pytest.raises(StorageUnavailableError), storage.trouble.translating(writing=False):
        fail(damage())

    await opened(storage)

    assert storage.trouble.reason == "the file is damaged"


async def test_a_bug_in_a_statement_is_not_reported_as_trouble(storage):
    with pytest.raises(DBAPIError, match="no such table"):
        async with storage.reading() as reading:
            await reading._connection.exec_driver_sql("SELECT * FROM nowhere")

    assert storage.trouble.reason is None


async def test_trouble_ends_with_the_first_successful_write_of_a_match(storage):
    async with read_only(storage):
        with pytest.raises(StorageUnavailableError):
            await opened(storage)
    trouble = storage.trouble.reason

    with capture_logs() as logs:
        await opened(storage)

    assert (trouble, storage.trouble.reason) == ("the file is read-only", None)
    assert logs[0] == {"event": "database works again", "log_level": "info"}


async def test_a_transaction_that_writes_nothing_does_not_end_the_trouble(storage):
    async with full(storage):
        with pytest.raises(StorageUnavailableError):
            await put_large(storage)
        async with storage.transaction() as writing:
            await writing.ping()

        assert storage.trouble.reason == "the disk is full"


def refuse(trouble, code=sqlite3.SQLITE_FULL):
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = code
    with pytest.raises(StorageUnavailableError), trouble.translating(writing=True):
        raise error


def test_repeated_refusals_are_logged_once_a_minute():
    now = [0.0]
    trouble = Trouble(lambda: now[0])

    with capture_logs() as logs:
        for _ in range(100):
            refuse(trouble)
        refuse(trouble, sqlite3.SQLITE_IOERR)
        now[0] += SILENCE_SECONDS
        refuse(trouble)

    assert logs == [
        {
            "event": "database unavailable",
            "why": "the disk is full",
            "refused": refused,
            "log_level": "error",
        }
        for refused in (1, 101)
    ]


def test_trouble_that_comes_and_goes_is_logged_once_a_minute():
    trouble = Trouble(lambda: 0.0)

    with capture_logs() as logs:
        for _ in range(10):
            refuse(trouble)
            trouble.note_written()

    assert [line["event"] for line in logs] == ["database unavailable", "database works again"]


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (sqlite3.SQLITE_IOERR_WRITE, "the disk is full or does not work"),
        (sqlite3.SQLITE_CANTOPEN_FULLPATH, "the file cannot be opened"),
        (sqlite3.SQLITE_BUSY, "another program holds the file"),
        (sqlite3.SQLITE_NOTADB, "the file is damaged"),
    ],
)
def test_extended_error_codes_have_the_reason_of_their_kind(code, reason):
    trouble = Trouble()

    refuse(trouble, code)

    assert trouble.reason == reason


async def test_a_damaged_file_stops_the_start_with_a_message(database):
    data = bytearray(database.read_bytes())
    data[100:] = b"?" * (len(data) - 100)
    database.write_bytes(data)

    with pytest.raises(
        UnusableError, match=r"sqlite3: the file is damaged\. Put a backup "
    ) as refused:
        async with Storage.open(database):
            pass

    assert str(refused.value).endswith(" in its place: python -m bot restore --force FILE")
