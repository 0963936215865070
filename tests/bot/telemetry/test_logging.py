"""The log: our lines and those of libraries have one format and contain no secrets."""

import asyncio
import gc
import json
import logging
import re
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from io import StringIO
from multiprocessing import get_context
from types import SimpleNamespace

import discord
import pytest
import structlog
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from bot.errors import CorruptRecordError, StorageUnavailableError
from bot.storage import engine
from bot.telemetry.logging import configure
from bot.telemetry.metrics import LINES

TOKEN = "aW50ZXJhY3Rpb246MTI"  # noqa: S105 - made up

CARD = "tile 6-4 of Bo"


def write_to(stream):
    """Let the log be written to this stream."""
    handler = logging.getLogger().handlers[0]
    assert isinstance(handler, logging.StreamHandler)
    handler.setStream(stream)


@pytest.fixture
def written():
    """The stream that the log is written to; the logging setup is restored afterwards."""
    root = logging.getLogger()
    handlers, level, structured = root.handlers[:], root.level, structlog.get_config()
    configure("info", "json")
    text = StringIO()
    write_to(text)
    yield text
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.configure(**structured)


@pytest.fixture
def lines(written):
    """Returns the log lines written so far, decoded."""
    return lambda: [json.loads(line) for line in written.getvalue().splitlines()]


def logged(lines, error):
    """Log an error; returns its traceback as logged."""
    try:
        raise error
    except type(error):
        structlog.get_logger().exception("bug")
    (line,) = lines()
    return line["exception"]


def caused(error, by):
    error.__cause__ = by
    return error


def counted(level):
    return LINES.labels(level)._value.get()


def test_our_events_are_logged_as_a_line_with_their_values(lines):
    structlog.get_logger().info("match", match=7, became="begun")

    (line,) = lines()
    assert line["timestamp"].endswith("Z")
    assert line == {
        "event": "match",
        "match": 7,
        "became": "begun",
        "level": "info",
        "timestamp": line["timestamp"],
    }


def test_lines_of_libraries_have_the_same_format(lines):
    logging.getLogger("discord.gateway").warning("Shard ID %s is late.", 3)

    (line,) = lines()
    assert (line["event"], line["level"]) == ("Shard ID 3 is late.", "warning")


def test_the_text_format_has_the_same_information(written):
    configure("info", "text")
    write_to(written)

    structlog.get_logger().info("match", match=7)

    assert written.getvalue().endswith(f"[info     ] {'match':30} match=7\n")


def test_routine_messages_of_libraries_are_left_out(lines):
    logging.getLogger("discord.client").info("logging in using static token")
    logging.getLogger("alembic.runtime").info("Context impl SQLiteImpl.")

    assert lines() == []


@pytest.mark.parametrize("what", ["webhooks", "interactions"])
def test_interaction_tokens_are_removed_from_addresses(lines, what):
    logging.getLogger("discord.http").warning("PATCH https://discord.com/%s/12/%s/x", what, TOKEN)

    (line,) = lines()
    assert line["event"] == f"PATCH https://discord.com/{what}/12/…/x"


def test_interaction_tokens_are_removed_from_errors(lines):
    said = logged(lines, OSError(f"no route to /webhooks/12/{TOKEN}/messages/@original"))

    assert said.endswith("OSError: no route to /webhooks/12/…/messages/@original")


@pytest.mark.parametrize("error", [ValueError, KeyError, RuntimeError])
def test_the_message_of_an_ordinary_exception_is_left_out(lines, error):
    """It may name the card in question."""
    said = logged(lines, error("the hand has no 9"))

    assert said.startswith("Traceback (most recent call last):")
    assert said.splitlines()[-1] == error.__name__
    assert "raise error" in said
    assert "the 9" not in said


@pytest.mark.parametrize("error", [CorruptRecordError, TimeoutError, ConnectionError])
def test_the_message_of_an_environment_error_is_logged(lines, error):
    assert logged(lines, error("the disk is full")).endswith(f"{error.__name__}: the disk is full")


def test_the_causes_of_an_error_are_logged_too(lines):
    said = logged(lines, caused(ValueError("a whole hand"), by=OSError("no disk")))

    assert [part for part in said.splitlines() if not part.startswith(" ")] == [
        "Traceback (most recent call last):",
        "OSError: no disk",
        "That was the direct cause of:",
        "Traceback (most recent call last):",
        "ValueError",
    ]


@pytest.mark.slow
async def test_the_message_of_an_error_in_a_worker_process_is_left_out(lines):
    """`concurrent.futures` attaches its whole text as the cause; the traceback is still logged."""
    loop, workers = asyncio.get_running_loop(), ProcessPoolExecutor(1, get_context("spawn"))
    with workers, pytest.raises(KeyError) as met:
        await loop.run_in_executor(workers, {}.__getitem__, CARD)

    said = logged(lines, met.value)

    assert said.splitlines()[-1] == "KeyError"
    assert re.search(r'File ".*process.py", line \d+, in _process_worker', said)
    assert CARD not in said


def test_the_message_of_a_broken_process_pool_is_logged(lines):
    assert logged(lines, BrokenProcessPool("a child died")).endswith("a child died")


async def test_the_message_of_an_error_in_a_task_nobody_awaits_is_left_out(lines):
    async def draw():
        raise KeyError(CARD)

    task = asyncio.create_task(draw())
    await asyncio.wait({task})
    del task
    gc.collect()

    (line,) = lines()
    where = "test_the_message_of_an_error_in_a_task_nobody_awaits_is_left_out.<locals>.draw"
    assert line["event"] == f"Task exception was never retrieved: {where}"
    assert line["exception"].splitlines()[-1] == "KeyError"
    assert CARD not in str(line)


async def test_the_arguments_of_a_failed_callback_are_left_out(lines):
    asyncio.get_running_loop().call_soon(int, CARD)
    await asyncio.sleep(0)

    (line,) = lines()
    assert line["event"] == "Exception in callback int"
    assert CARD not in str(line)


def test_every_error_of_a_group_is_logged(lines):
    said = logged(lines, ExceptionGroup("hands", [OSError("no disk"), ValueError("a hand")]))

    assert [part for part in said.splitlines() if not part.startswith(" ")] == [
        "Traceback (most recent call last):",
        "ExceptionGroup",
        "One of them:",
        "Traceback (most recent call last):",
        "OSError: no disk",
        "One of them:",
        "Traceback (most recent call last):",
        "ValueError",
    ]


def test_an_error_is_logged_with_the_one_that_was_being_handled(lines):
    try:
        try:
            {}["hand"]
        except KeyError:
            raise ConnectionError("gone")  # noqa: B904 - the case under test
    except ConnectionError:
        structlog.get_logger().exception("bug")

    (line,) = lines()
    assert [part for part in line["exception"].splitlines() if not part.startswith(" ")] == [
        "Traceback (most recent call last):",
        "KeyError",
        "While that was handled:",
        "Traceback (most recent call last):",
        "ConnectionError: gone",
    ]


@pytest.mark.parametrize("open_", [engine.writer, engine.readers])
async def test_a_database_error_does_not_show_parameter_values(tmp_path, open_):
    made = open_(tmp_path / "hands.sqlite3")
    try:
        async with made.connect() as connection:
            with pytest.raises(DBAPIError) as refused:
                await connection.execute(
                    text("INSERT INTO hands VALUES (:card)"), {"card": "the 9"}
                )
    finally:
        await made.dispose()

    assert "hands" in str(refused.value)
    assert "the 9" not in str(refused.value)


def test_log_lines_are_counted_by_level(lines):
    before = counted("error"), counted("info")

    structlog.get_logger().error("bug")
    structlog.get_logger().error("bug")
    structlog.get_logger().info("match")
    structlog.get_logger().debug("nobody reads this")

    assert (counted("error") - before[0], counted("info") - before[1]) == (2, 1)


def test_a_reconnect_is_logged_as_a_warning_without_a_traceback(lines):
    warnings, errors = counted("warning"), counted("error")

    error = ConnectionRefusedError(111, "Connect call failed")
    logging.getLogger("discord.shard").error(
        "Attempting a reconnect for shard ID %s in %.2fs", 1, 2.5, exc_info=error
    )

    (line,) = lines()
    said = "Attempting a reconnect for shard ID 1 in 2.50s ConnectionRefusedError"
    assert (line["event"], line["level"]) == (said, "warning")
    assert "exception" not in line
    assert (counted("warning"), counted("error")) == (warnings + 1, errors)


def test_a_bug_in_the_library_keeps_its_traceback(lines):
    logging.getLogger("discord.shard").error("Oh", exc_info=KeyError("what"))

    (line,) = lines()
    assert line["level"] == "error"
    assert "KeyError" in line["exception"]


def refused(status, code):
    answer = SimpleNamespace(status=status, reason="")
    return discord.HTTPException(answer, {"code": code, "message": "Refused"})


def test_an_autocomplete_answer_that_came_too_late_is_logged_as_a_warning(lines):
    errors = counted("error")
    logging.getLogger("discord.app_commands.tree").error(
        "Ignoring exception in autocomplete for %r", "conquest order", exc_info=refused(404, 10062)
    )

    (line,) = lines()
    said = "Ignoring exception in autocomplete for 'conquest order' HTTPException"
    assert (line["event"], line["level"]) == (said, "warning")
    assert "exception" not in line
    assert counted("error") == errors


def test_a_malformed_autocomplete_answer_keeps_its_traceback(lines):
    logging.getLogger("discord.app_commands.tree").error("Oh", exc_info=refused(400, 50035))

    (line,) = lines()
    assert line["level"] == "error"
    assert "HTTPException" in line["exception"]


def test_errors_that_the_bot_logs_itself_are_not_repeated_by_a_library(lines):
    refused = ConnectionRefusedError()
    logging.getLogger("discord.shard").error(
        "Failed to connect for shard_id: %s. Retrying...", 0, exc_info=refused
    )
    full = StorageUnavailableError("the disk is full")
    logging.getLogger("discord.app_commands.tree").error("Ignoring exception", exc_info=full)

    assert lines() == []
