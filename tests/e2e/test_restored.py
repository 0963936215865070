"""A backup replaces a database with which play continued: messages show its state again."""

import sys

import pytest

from bot import cli


@pytest.fixture
def command(monkeypatch, table):
    """A function that runs `python -m bot` with these arguments on this bot's database."""
    monkeypatch.setenv("DATABASE", str(table.database))

    def begin(*words):
        monkeypatch.setattr(sys, "argv", ["facedown", *map(str, words)])
        assert cli.main() == 0

    return begin


async def test_hands_and_table_return_to_the_state_of_the_restored_database(
    table, command, tmp_path
):
    public = await table.match()
    await table.play("Ann")
    await table.quiet_now()
    before, hands = public.text, [table.desk(name).text for name in ("Ann", "Bo")]
    command("backup", tmp_path / "saved.sqlite3")
    await table.play("Bo")
    await table.discord.until(lambda: table.step(table.desk("Ann")) == 1)
    await table.quiet_now()
    await table.stop()
    assert public.text != before

    command("restore", "--force", tmp_path / "saved.sqlite3")
    await table.start()
    await table.repaired()
    await table.quiet_now()

    assert [table.desk(name).text for name in ("Ann", "Bo")] == hands
    assert public.text == before
    await table.finish(public, "Ann", "Bo")
    assert table.sql("SELECT status FROM matches") == [("over",)]


async def test_a_button_of_a_match_missing_from_the_restored_database_fits_no_other_match(
    table, command, tmp_path
):
    command("backup", tmp_path / "saved.sqlite3")
    lost = await table.challenge()
    await table.stop()
    command("restore", "--force", tmp_path / "saved.sqlite3")
    await table.start()

    await table.challenge()
    answer = await table.person("Bo").click(lost, "Accept")

    assert table.sql("SELECT status FROM matches") == [("open",)]
    assert answer.message.text


async def test_commands_are_synced_again_after_a_restore(table, command, tmp_path):
    """A different version may have synced other commands meanwhile."""
    await table.quiet_now()
    command("backup", tmp_path / "saved.sqlite3")
    await table.stop()
    since = len(table.discord.requests)

    await table.start()
    kept = [request for request in table.requests("PUT", since=since) if "commands" in request.path]
    await table.stop()
    command("restore", "--force", tmp_path / "saved.sqlite3")
    await table.start()
    await table.quiet_now()
    sent = [request for request in table.requests("PUT", since=since) if "commands" in request.path]

    assert not kept
    assert len(sent) == 1
