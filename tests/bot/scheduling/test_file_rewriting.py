"""After deletions the file is rewritten: at a quiet moment, once a day, if there is room."""

import shutil
from types import SimpleNamespace

import pytest

from bot.errors import StorageUnavailableError
from bot.scheduling.activity import REMEMBERED_SECONDS, Activity
from bot.scheduling.file_rewriting import MAX_WAIT_SECONDS, RETRY_SECONDS, FileRewriting
from bot.storage import MatchId, Storage
from bot.storage.writer import Writer
from tests.support.matches import ANN, opened

MATCH = MatchId(1)


@pytest.fixture
def activity(watch):
    return Activity(now=watch)


@pytest.fixture
def rewriting(storage, activity, watch):
    return FileRewriting(storage, activity, now=watch)


async def note_deletion(storage, watch):
    async with storage.transaction() as writing:
        await writing.erasure.note_deletion(int(watch()))


async def is_to_be_rewritten(storage):
    async with storage.reading() as reading:
        return await reading.erasure.deleted_since() is not None


@pytest.mark.sqlite
async def test_the_file_is_rewritten_when_nobody_has_clicked_lately(
    storage, rewriting, activity, watch
):
    await note_deletion(storage, watch)
    activity.note(MATCH, ANN)
    await rewriting.look()
    assert await is_to_be_rewritten(storage)

    watch.advance(REMEMBERED_SECONDS)
    await rewriting.look()

    assert not await is_to_be_rewritten(storage)


@pytest.mark.sqlite
async def test_the_file_is_rewritten_within_a_day_even_if_somebody_always_clicks(
    storage, rewriting, activity, watch
):
    await note_deletion(storage, watch)
    for _ in range(23):
        watch.advance(MAX_WAIT_SECONDS / 24)
        activity.note(MATCH, ANN)
        await note_deletion(storage, watch)  # a later one doesn't delay it
        await rewriting.look()
        assert await is_to_be_rewritten(storage)

    watch.advance(MAX_WAIT_SECONDS / 24)
    activity.note(MATCH, ANN)
    await rewriting.look()

    assert not await is_to_be_rewritten(storage)


@pytest.mark.sqlite
async def test_the_file_is_rewritten_once_a_day_at_most(storage, rewriting, watch):
    await note_deletion(storage, watch)
    await rewriting.look()
    await note_deletion(storage, watch)
    watch.advance(MAX_WAIT_SECONDS - 1)
    await rewriting.look()
    assert await is_to_be_rewritten(storage)

    watch.advance(1)
    await rewriting.look()

    assert not await is_to_be_rewritten(storage)


async def test_without_a_deletion_or_on_a_server_nothing_is_rewritten(
    storage, rewriting, watch, monkeypatch
):
    async def fail(_):
        raise AssertionError

    monkeypatch.setattr(Writer, "rewrite", fail)
    await rewriting.look()
    if storage._writer.engine.dialect.name != "sqlite":
        await note_deletion(storage, watch)
        await rewriting.look()

    assert not await is_to_be_rewritten(storage)


@pytest.mark.sqlite
async def test_a_restart_forgets_no_deletion(database, watch):
    async with Storage.open(database) as storage:
        await note_deletion(storage, watch)

    async with Storage.open(database) as storage:
        assert await is_to_be_rewritten(storage)
        await FileRewriting(storage, Activity(now=watch), now=watch).look()
        assert not await is_to_be_rewritten(storage)


@pytest.mark.sqlite
async def test_without_room_the_owner_is_told_and_it_is_tried_again(
    storage, rewriting, watch, monkeypatch, capsys
):
    await note_deletion(storage, watch)
    with monkeypatch.context() as disk:
        full = SimpleNamespace(total=10**9, free=10**6)
        disk.setattr(shutil, "disk_usage", lambda _: full)
        await rewriting.look()
    await rewriting.look()
    assert await is_to_be_rewritten(storage)
    assert "file not rewritten" in capsys.readouterr().out

    watch.advance(RETRY_SECONDS)
    await rewriting.look()

    assert not await is_to_be_rewritten(storage)


@pytest.mark.sqlite
async def test_a_failure_is_logged_and_tried_again(storage, rewriting, watch, monkeypatch, capsys):
    async def fail(_):
        raise StorageUnavailableError("the disk is full")

    await note_deletion(storage, watch)
    with monkeypatch.context() as disk:
        disk.setattr(Writer, "rewrite", fail)
        with pytest.raises(StorageUnavailableError):
            await rewriting.look()
    assert "file not rewritten" in capsys.readouterr().out

    watch.advance(RETRY_SECONDS)
    await rewriting.look()

    assert not await is_to_be_rewritten(storage)


@pytest.mark.sqlite
async def test_if_somebody_reads_meanwhile_the_log_is_emptied_later(
    storage, rewriting, matches, watch, database
):
    log = database.with_name(f"{database.name}-wal")
    await opened(matches)
    await note_deletion(storage, watch)
    async with storage.reading() as reading:
        await reading.matches.load(MATCH)
        await rewriting.look()
        assert storage.log_is_to_be_emptied
        assert log.stat().st_size > 0
        assert await reading.matches.load(MATCH) is not None

    await storage.empty_log()

    assert log.stat().st_size == 0
