"""`/privacy export` and `/privacy delete` in the sandbox: all data as a file, all data deleted."""

import json
import sqlite3
from contextlib import closing

import pytest

from bot.errors import StorageUnavailableError
from bot.interactions.error_handler import UNSHOWN
from bot.privacy.erasure import RETRY_PAUSE
from bot.privacy.export import LETTER
from bot.storage.erasure import ErasureRepository
from bot.storage.personal_data import Holdings
from bot.storage.schema import metadata
from bot.storage.traces import TraceRepository
from cogs.privacy import question
from sandbox import Fault
from tests.support.clock import HOUR
from tests.support.tables import labels
from tests.support.typed_commands import typed
from tests.support.waiting import until

SURE = ("Delete…", "Delete it for good")


async def lived(table):
    """Give Ann data of every kind; the table of a running match of three."""
    ann, bo = table.person("Ann"), table.person("Bo")
    over = await table.match("Ann", "Bo")
    resigning = await table.asked_to_resign("Bo")
    await bo.click(resigning.message, "Resign")
    await table.discord.until(lambda: "seed was" in over.text)
    running = await table.match("Bo", "Ann", "Cleo", variant="pico2-three")
    await table.play("Ann")
    await table.challenge("Ann", "Dan")
    await table.challenge("Cleo", "Ann")
    await ann.slash("block", channel="games", user=table.person("Dan"))
    await bo.slash("block", channel="games", user=ann)
    await ann.slash("privacy visibility", channel="games", leaderboards=1)
    await table.quiet_now()
    return running


async def exported(table, answer, where):
    """The name of the exported file, its data, and the text of its message."""
    await table.discord.until(lambda: any(m.attachments for m in where()))
    letter = next(m for m in where() if m.attachments)
    (file,) = letter.attachments
    return file.filename, json.loads(file.data), (await answer.settled()).text


async def deleted(table, name="Ann", channel="games"):
    """Let somebody delete their data and confirm twice; the last text that they are told."""
    person = table.person(name)
    asked = (await person.slash("privacy delete", channel=channel)).message
    for label in SURE:
        await person.click(asked, label)
    await table.discord.until(lambda: "### Deleted" in asked.text)
    await table.handled()  # until then, the bot remembers which messages show them
    return asked


def everywhere(table, *texts):
    """Every column in the bot's file that has one of these values, alone or within a text."""
    with closing(sqlite3.connect(table.database)) as connection:
        return {
            f"{t.name}.{column.name}"
            for t in metadata.sorted_tables
            for column in t.columns
            for (value,) in connection.execute(f'SELECT "{column.name}" FROM "{t.name}"')  # noqa: S608
            if any(text in str(value) for text in texts)
        }


async def test_an_export_comes_by_direct_message_without_secrets_of_others(table):
    await lived(table)
    ann = table.person("Ann")

    answer = await ann.slash("privacy export", channel="games")
    name, told, said = await exported(table, answer, lambda: table.letters("Ann"))

    ids = {n: str(table.person(n).id) for n in ("Ann", "Bo", "Cleo", "Dan")}
    over, running, made, invited = told["matches"]
    assert name == "facedown-about-you.json"
    assert said == "I'm sending you everything I keep about you: check our direct messages."
    assert told["user"] == ids["Ann"]
    assert told["preferences"]["hidden"] is True
    assert told["preferences"]["dm_channel"] == str(ann.dm.id)
    assert [block["blocked"] for block in told["blocks"]] == [ids["Dan"]]
    assert [line["won"] for line in told["results"]] == [1]
    assert [line["matches"] for line in told["ratings"]] == [1]
    assert [over["status"], running["status"]] == ["over", "running"]
    assert [made["status"], invited["status"]] == ["open", "open"]
    assert [p["user"] for p in running["players"]] == [ids["Bo"], ids["Ann"], ids["Cleo"]]
    assert len(running["your_moves"]) == 1
    assert running["your_hand"][0]["channel"] == str(ann.dm.id)
    assert made["opener"] == ids["Ann"]
    whole = json.dumps(told)
    for seed, state in table.sql("SELECT seed, state FROM matches WHERE seed IS NOT NULL"):
        assert seed not in whole
        assert state not in whole
    assert 'user": "' + ids["Bo"] not in json.dumps(told["blocks"])


async def test_the_message_with_the_export_links_to_its_command(table):
    answer = await table.person("Dan").slash("privacy export", channel="games")
    await exported(table, answer, lambda: table.letters("Dan"))

    (letter,) = table.letters("Dan")
    assert "</privacy export:" in letter.text
    assert typed(letter.text) == LETTER


async def test_if_direct_messages_are_closed_the_file_is_the_answer(table):
    dan = table.person("Dan")
    dan.closed = True

    answer = await dan.slash("privacy export", channel="games")
    name, told, said = await exported(table, answer, lambda: [answer.message])

    assert answer.ephemeral
    assert name == "facedown-about-you.json"
    assert told["matches"] == []
    assert said.startswith("This is everything I keep about you")


async def test_a_person_who_is_told_after_a_failed_answer_that_it_was_saved_is_deleted(table):
    await lived(table)
    ann = table.person("Ann")
    asked = (await ann.slash("privacy delete", channel="games")).message
    await ann.click(asked, "Delete…")
    table.discord.faults.add(Fault(path="/callback", drop=True, times=2))

    answer = await ann.click(asked, "Delete it for good")
    await table.handled()

    assert answer.text == UNSHOWN
    assert everywhere(table, str(ann.id)) == set()


async def test_exports_are_limited_to_three_an_hour(table):
    ann = table.person("Ann")
    for _ in range(3):
        await (await ann.slash("privacy export", channel=ann.dm)).settled()

    refused = await ann.slash("privacy export", channel=ann.dm)
    table.pass_time(HOUR)
    again = await (await ann.slash("privacy export", channel=ann.dm)).settled()

    assert refused.text.startswith("You've asked for everything 3 times in an hour. Try again in ")
    assert "check our direct messages" in again.text


async def test_if_storage_fails_after_a_deletion_it_is_confirmed_and_messages_are_edited(
    table, monkeypatch
):
    async def fail(*_):
        raise StorageUnavailableError("the disk is full")

    running = await table.match("Ann", "Bo")
    await table.play("Bo")
    await table.quiet_now()
    monkeypatch.setattr(ErasureRepository, "sweep", fail)

    asked = await deleted(table)

    await table.discord.until(lambda: "former player" in running.text)
    await table.discord.until(lambda: "You can change it" not in table.desk("Bo").text)
    assert "### Deleted" in asked.text
    assert table.person("Ann").mention not in running.text


@pytest.mark.parametrize("failing", ["any_due", "take_due", "forget"])
async def test_after_a_deletion_is_confirmed_nobody_is_told_that_it_did_not_work(
    table, monkeypatch, failing
):
    """The clock edits or deletes the messages that still show them."""

    async def fail(*_):
        raise StorageUnavailableError("the disk is full")

    ann = table.person("Ann")
    await table.match("Ann", "Bo")
    old = table.desk("Ann")
    await table.quiet_now()
    asked = (await ann.slash("privacy delete", channel="games")).message
    await ann.click(asked, SURE[0])
    with monkeypatch.context() as disk:
        disk.setattr(TraceRepository, failing, fail)
        answer = await ann.click(asked, SURE[1])
        await table.handled()
    table.watch.advance(RETRY_PAUSE.total_seconds())
    await table.bot.services.erasure.wipe()  # as the clock does

    assert table.sql("SELECT * FROM traces") == []
    assert "### Deleted" in asked.text
    assert answer.followups == []
    assert "You're out of this match" in old.text


def remembered(table):
    """What the bot has in memory about people, except how often they have asked for something."""
    bot = table.bot
    known = (
        bot.services.preferences._known,
        bot.services.leaderboards._members._known,
        bot.services.matches._picks._loaded,
    )
    return repr(known)


def hourly_limits(services):
    """What limits how often one person may ask for something in an hour."""
    works = (services.agreements._work, services.reopenings._work, services.coach._work)
    checks, pages = services.archive._checks, services.archive._work
    counts = [work._limit for work in (*works, checks, pages)]
    return [services.reports._allowance, services.data_export._exports, *counts]


async def test_somebody_who_used_up_what_an_hour_allows_gets_no_more_by_a_deletion(table):
    ann, services = table.person("Ann"), table.bot.services
    for limit in hourly_limits(services):
        while not limit.take(ann.id):
            pass

    await deleted(table)

    assert all(limit.take(ann.id) for limit in hourly_limits(services))
    assert ann.id in services.flood_control._limit._acts
    table.watch.advance(HOUR)
    assert not any(limit.take(ann.id) for limit in hourly_limits(services))


async def test_a_person_who_confirms_twice_is_deleted_everywhere_and_the_others_play_on(table):
    """Neither in a column nor in memory, nor in the file's free pages."""
    running = await lived(table)
    ann, old = table.person("Ann"), table.desk("Ann")
    await ann.slash("leaderboard", channel="games", game="pico")
    assert everywhere(table, str(ann.id), str(ann.dm.id))
    assert str(ann.id) in remembered(table)

    await deleted(table)

    await table.discord.until(lambda: "former player" in running.text)
    await table.quiet_now()
    assert ann.mention not in running.text
    assert everywhere(table, str(ann.id), str(ann.dm.id)) == set()
    assert str(ann.id) not in remembered(table)
    assert [row[0] for row in table.sql("SELECT status FROM matches ORDER BY id")] == [
        "over",
        "running",
        "withdrawn",
        "declined",
    ]
    assert "You're out of this match" in old.text
    assert labels(old) == []
    assert table.sql("SELECT count(*) FROM results WHERE user < 0") == [(1,)]
    await table.trick("Bo", "Cleo")
    again = await ann.slash("privacy delete", channel=ann.dm)
    assert "You have no matches, ratings or settings with me. You deleted everything." in again.text
    ((until,),) = table.sql("SELECT until FROM former_people")
    assert f"a code that doesn't say who you are, until <t:{until}:f>." in again.text
    await table.stop()
    kept = table.database.read_bytes()
    assert ann.id.to_bytes(8, "big") not in kept
    assert str(ann.id).encode() not in kept


async def test_the_clock_has_the_file_rewritten_after_a_deletion(table):
    await deleted(table)
    assert table.sql("PRAGMA user_version") != [(0,)]

    table.watch.advance(HOUR)
    table.bot.services.deadlines.look()

    await until(lambda: table.sql("PRAGMA user_version") == [(0,)])


async def test_old_tables_name_a_former_player_and_none_is_posted_again(table):
    ann = table.person("Ann")
    first, second = [await table.challenge("Ann", name) for name in ("Bo", "Cleo")]
    for public in (first, second):
        await ann.click(public, "Withdraw")
    await table.quiet_now()
    table.discord.world.delete_message(second)

    await deleted(table)

    await table.discord.until(lambda: "former player" in first.text)
    assert ann.mention not in first.text
    assert [m.deleted for m in (first, second)] == [False, True]
    assert len([m for m in table.person("Bo").see("games") if "Pico" in m.text]) == 1


async def test_a_person_who_changes_their_mind_keeps_everything(table):
    await table.match()
    ann = table.person("Ann")
    before = everywhere(table, str(ann.id))

    asked = (await ann.slash("privacy delete", channel="games")).message
    first = asked.text
    await ann.click(asked, "Delete…")
    second = asked.text
    await ann.click(asked, "Keep it")

    assert "- You resign from 1 running match." in first
    assert second.startswith("### Are you sure?\nNobody can undo this")
    assert "You lose 1 match right away" in second
    assert asked.text == "### Nothing was deleted\nEverything is as it was."
    assert everywhere(table, str(ann.id)) == before


async def test_a_damaged_match_does_not_prevent_a_deletion(table):
    await table.match()
    await table.change("UPDATE matches SET state = substr(state, 1, 40)")
    ann = table.person("Ann")

    await deleted(table)

    assert everywhere(table, str(ann.id), str(ann.dm.id)) == set()


async def test_a_person_without_data_can_delete_what_others_have_about_them(table):
    """Neither the text nor the buttons tell whether somebody has blocked them."""
    bo, cleo, dan = (table.person(name) for name in ("Bo", "Cleo", "Dan"))
    await bo.slash("block", channel="games", user=dan)
    asked = (await dan.slash("privacy delete", channel="games")).message
    unblocked = (await cleo.slash("privacy delete", channel="games")).message

    await deleted(table, "Dan")

    assert asked.text == unblocked.text
    assert labels(asked) == labels(unblocked) == ["Delete…", "Keep everything"]
    assert asked.text.splitlines()[1].startswith("You have no matches, ratings or settings with me")
    assert "unrated for 30 days" in asked.text
    assert everywhere(table, str(dan.id)) == set()


async def test_a_deletion_does_not_end_blocks_by_others(table):
    bo, dan = table.person("Bo"), table.person("Dan")
    await bo.slash("block", channel="games", user=dan)
    answer = await deleted(table, "Dan")

    refused = await table.ask("Dan", "Bo")

    assert "you can't challenge people who had blocked you, and I don't tell" in answer.text
    assert refused.text.startswith(f"You can't challenge {bo.mention} at the moment.")
    assert everywhere(table, str(dan.id)) == set()


def test_the_question_lists_everything_that_will_be_deleted():
    content = question(
        Holdings(running=2, open=1, ended=3, solo=2, unplayed=2, ratings=1, blocked=4, chosen=True)
    )

    former = "a former player who can't be traced to you"
    assert content.head.splitlines()[1:] == [
        "- You resign from 2 running matches.",
        "- 1 open challenge you made or joined: withdrawn, declined or left.",
        f"- 3 past matches: they show {former}. The others keep their results.",
        "- 2 solo matches (you against computers): deleted.",
        "- 2 old challenges that nobody played: your place shows a former player.",
        "- Gone: 1 rating, your block list and your settings.",
        "- If you play again, people you blocked can challenge you again.",
    ]


def test_a_single_past_match_is_in_the_singular():
    first, last = question(Holdings(ended=1, solo=1)).head.splitlines()[1:]

    assert first.startswith("- 1 past match: it shows a former player")
    assert last == "- 1 solo match (you against computers): deleted."
