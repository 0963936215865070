"""The bot is stopped, or dies at a chosen moment, and starts again with the same database."""

import asyncio
from datetime import timedelta

import pytest

from sandbox import Fault
from tests.support.clock import MINUTE
from tests.support.tables import labels, leads_to
from tests.support.waiting import until, written

HANGING = 3600.0


def tables(table):
    seen = table.person("Ann").see("games")
    return [m for m in seen if "Pico ·" in m.text and m.ephemeral_to is None]


def stands_once(table, public):
    return tables(table) == [public] and all(len(table.letters(n)) == 1 for n in ("Ann", "Bo"))


@pytest.fixture
def dying(table, monkeypatch):
    """A function that kills the bot before it stores what its messages show."""
    monkeypatch.setattr("bot.live.message_slots.FLUSH_SECONDS", HANGING)  # however slow the machine

    async def die():
        async def nothing():
            pass

        monkeypatch.setattr(table.bot.services.live.slots, "flush", nothing)
        await table.die()
        monkeypatch.undo()

    return die


def paralyze(table):
    """From now on, the bot answers clicks but can't edit or send messages."""
    table.bot.services.live._comparing.schedule = lambda match, delay=0.0: None


async def test_an_open_challenge_can_be_accepted_after_a_restart(table):
    public = await table.challenge()

    await table.restart()
    await table.person("Bo").click(public, "Accept")
    await table.discord.until(lambda: table.desk("Ann") and table.desk("Bo"))

    assert labels(public) == ["My hand", "Menu", "Rules"]
    assert tables(table) == [public]


async def test_a_choice_is_kept_across_a_restart(table):
    public = await table.match()
    await table.play("Ann", 2)
    marked = labels(table.desk("Ann"))

    await table.restart()
    await table.play("Bo")
    await table.discord.until(lambda: table.step(table.desk("Ann")) == 1)

    assert "✓" in "".join(marked)
    assert stands_once(table, public)


async def test_the_last_player_who_chose_before_a_restart_can_change_their_choice_after_it(table):
    await table.match()
    await table.play("Ann", 2)
    await table.restart()

    await table.play("Ann", 3)
    await table.quiet_now()

    assert table.sql("SELECT count(*) FROM moves") == [(1,)]
    assert [i for i, b in enumerate(table.cards(table.desk("Ann"))) if "✓" in b.label] == [3]


async def test_a_step_that_was_resolved_but_not_shown_is_shown_after_the_start(table):
    public = await table.match()
    await table.play("Ann")
    paralyze(table)
    await table.play("Bo")
    hidden = "Last trick" not in public.images[0].description

    await table.restart()
    await table.discord.until(
        lambda: (
            "Last trick" in public.images[0].description
            and all(table.step(table.desk(name)) == 1 for name in ("Ann", "Bo"))
        )
    )

    assert hidden
    assert stands_once(table, public)


async def test_an_end_that_was_not_shown_is_shown_after_the_start(table):
    public = await table.match()
    settings = table.bot.services.notice_settings
    await settings.choose(table.person("Bo").id, "over", "none")  # else the start sends it
    paralyze(table)
    await table.person("Ann").forge(table.desk("Ann"), custom_id="f1:1:0:leave:")
    unsettled = table.sql("SELECT status, settled FROM matches")

    await table.restart()
    await table.over(public, "Ann", "Bo")
    await table.quiet_now()

    assert unsettled == [("over", 0)]
    assert table.sql("SELECT settled FROM matches") == [(1,)]
    assert labels(table.desk("Bo"))[0::4] == ["Rematch", "Go to the table"]
    assert stands_once(table, public)


async def test_a_match_that_was_dealt_but_not_shown_is_shown_after_the_start(table):
    public = await table.challenge()
    paralyze(table)
    await table.person("Bo").click(public, "Accept")
    nobody = [table.desk(name) for name in ("Ann", "Bo")]

    await table.restart()
    await table.discord.until(lambda: table.desk("Ann") and table.desk("Bo"))
    await table.quiet_now()

    assert nobody == [None, None]
    assert "Round 1 of 2" in public.text
    assert stands_once(table, public)


async def test_a_challenger_whose_hand_is_late_gets_one_message(table):
    """After a crash between deal and hands, a notice of the deal is due while the hand is sent."""
    public = await table.challenge(pace="slow")
    paralyze(table)
    await table.person("Bo").click(public, "Accept")
    await table.stop()

    table.watch.advance(2 * MINUTE)
    await table.start()
    await table.discord.until(lambda: table.has_hand("Ann") and table.has_hand("Bo"))
    await table.told()
    await table.quiet_now()

    assert [table.person(name).unread for name in ("Ann", "Bo")] == [1, 1]
    assert table.requests("DELETE") == []
    assert table.sql("SELECT event FROM notices ORDER BY id") == [("time",), ("last",)] * 2


async def test_an_end_that_is_shown_everywhere_is_not_compared_again(table):
    public = await table.match()
    await table.person("Ann").forge(public, custom_id="f1:1:0:leave:")
    await table.over(public, "Ann", "Bo")
    await table.quiet_now()
    await table.stop()
    since = len(table.discord.requests)

    await table.start()
    await table.repaired()

    assert table.sql("SELECT settled FROM matches") == [(1,)]
    assert table.requests(path="/messages", since=since) == []


async def test_buttons_from_before_work_after_a_restart(table):
    public = await table.match()
    await table.restart()

    answers = [
        await table.person("Ann").click(public, "Rules"),
        await table.person("Ann").click(public, "My hand"),
        await table.person("Ann").click(table.desk("Ann"), "Menu"),
        await table.play("Ann"),
    ]

    assert [answer.failed for answer in answers] == [None] * 4
    assert [answer.kind for answer in answers[:3]] == [5, 5, 4]


async def test_a_private_hand_from_before_works_after_a_restart(table):
    table.person("Ann").closed = True
    public = await table.match()
    here = await table.hand("Ann", public)
    await table.restart()

    answer = await table.pick("Ann", here, 1)
    await table.play("Bo")

    assert answer.failed is None
    await table.discord.until(lambda: table.step(here) == 1)


async def test_a_hand_that_was_sent_but_not_stored_is_not_sent_twice(table):
    """The bot dies after Discord has accepted the message, before it stores where it is."""
    public = await table.challenge()
    table.discord.faults.add(
        Fault(method="POST", path=r"^/channels/", times=2, delay=HANGING, after=True)
    )
    await table.person("Bo").click(public, "Accept")
    await table.discord.until(lambda: table.desk("Ann") and table.desk("Bo"))
    noted = table.sql("SELECT count(*) FROM places WHERE place >= 0")

    await table.restart()
    await table.repaired()
    await table.trick("Ann", "Bo")

    assert noted == [(0,)]
    assert stands_once(table, public)


async def test_a_hand_that_was_sent_but_not_stored_shows_a_choice_made_with_it(table):
    """When it is sent again, Discord answers with the first message, without the choice."""
    public = await table.challenge()
    table.discord.faults.add(
        Fault(method="POST", path=r"^/channels/", times=2, delay=HANGING, after=True)
    )
    await table.person("Bo").click(public, "Accept")
    await table.discord.until(lambda: table.desk("Ann") and table.desk("Bo"))
    await table.play("Ann", 2)

    await table.restart()
    await table.repaired()

    assert [i for i, b in enumerate(table.cards(table.desk("Ann"))) if "✓" in b.label] == [2]
    assert stands_once(table, public)


async def test_the_first_click_adopts_a_table_that_was_not_stored(table):
    """The bot dies after it has posted the challenge, before it stores where it is."""
    table.discord.faults.add(
        Fault(method="POST", path=r"^/interactions/", times=1, delay=HANGING, after=True)
    )
    asked = await table.ask("Ann", "Bo")
    noted = table.sql("SELECT shown, message FROM places")
    await table.change("UPDATE places SET token_until = 0")  # otherwise its token would find it
    await table.restart()

    public = asked.message
    await table.person("Bo").click(public, "Accept")
    await table.discord.until(lambda: table.desk("Ann") and table.desk("Bo"))
    await table.trick("Ann", "Bo")
    await table.discord.until(
        lambda: any("Last trick" in image.description for image in public.images)
    )

    assert [shown for shown, _ in noted] == ["posting"]
    assert noted[0][1] != public.id
    assert table.sql("SELECT message FROM places WHERE place = -1") == [(public.id,)]
    assert stands_once(table, public)
    assert [b.url.endswith(f"/{public.id}") for b in table.desk("Bo").buttons if b.url] == [True]


async def test_what_messages_show_is_stored_at_shutdown(table):
    public = await table.match()
    await table.trick("Ann", "Bo")
    await table.quiet_now()
    await table.stop()
    since = len(table.discord.requests)

    await table.start()
    await table.repaired()

    assert table.requests("PATCH", since=since) == []
    assert stands_once(table, public)


async def test_messages_whose_content_was_not_stored_are_edited_once_more(table, dying):
    public = await table.match()
    await table.trick("Ann", "Bo")
    await table.quiet_now()
    await dying()
    since = len(table.discord.requests)

    await table.start()
    await table.repaired()

    assert len(table.requests("PATCH", since=since)) == 3
    assert stands_once(table, public)
    assert [table.step(table.desk(name)) for name in ("Ann", "Bo")] == [1, 1]


async def test_repairs_of_other_matches_go_on_while_one_of_them_hangs(table, monkeypatch):
    monkeypatch.setattr("bot.live.repairs.COMPARED_AT_ONCE", 1)
    monkeypatch.setattr("bot.live.repairs.REPAIR_SECONDS", 0.1)
    first = await table.match("Ann", "Bo")
    second = await table.match("Cleo", "Dan")
    await table.play("Ann")
    await table.play("Cleo")
    paralyze(table)
    await table.play("Bo")
    await table.play("Dan")
    await table.stop()
    await table.change("UPDATE places SET token = NULL WHERE match = 1")
    table.discord.faults.add(Fault(method="PATCH", path=str(first.id), delay=HANGING))

    await table.start()

    await table.discord.until(lambda: "Last trick" in second.images[0].description)
    assert "Last trick" not in first.images[0].description


def syncs(table):
    return table.requests("PUT", "/commands")


async def test_commands_are_synced_only_at_the_first_start(table):
    first = syncs(table)

    await table.restart()
    await table.restart()

    assert [r.path for r in first] == [f"/applications/{table.bot.application_id}/commands"]
    assert syncs(table) == first


async def test_commands_are_synced_again_when_they_have_changed(table):
    await table.change("UPDATE synced_commands SET fingerprint = 'of another version'")

    await table.restart()
    await table.restart()

    assert len(syncs(table)) == 2


async def test_a_click_that_is_being_handled_at_shutdown_gets_its_answer(table):
    await table.match()
    clicking = asyncio.create_task(table.play("Ann"))
    await until(lambda: table.bot.services.router._handling, pause=0)

    await table.stop()

    assert (await clicking).kind == 7
    assert table.sql("SELECT count(*) FROM moves") == [(1,)]


async def test_nothing_new_is_started_during_shutdown(table):
    """It might be done without an answer, or fail halfway."""
    public = await table.challenge()
    await table.bot.services.router.close()
    since = len(table.discord.requests)

    asking = [
        asyncio.create_task(acted)
        for acted in (
            table.ask("Cleo", "Dan"),
            table.person("Bo").click(public, "Accept"),
            table.person("Ann").autocomplete("resume", "match", "1", channel="games"),
        )
    ]
    await asyncio.wait(asking, timeout=0.5)

    assert table.requests("POST", "/callback", since) == []
    assert table.sql("SELECT status FROM matches") == [("open",)]
    for task in asking:
        task.cancel()
    await asyncio.gather(*asking, return_exceptions=True)


@pytest.mark.parametrize("is_there", [False, True], ids=["not sent", "sent and not noted"])
async def test_a_table_that_was_being_reposted_at_a_crash_shows_its_end_once_at_the_bottom(
    table, is_there
):
    """Players find the result where they asked for the table, and hands link to it."""
    public = await table.match()
    await table.quiet_now()
    table.discord.clock.advance(timedelta(minutes=1))
    send = rf"^/channels/{public.channel_id}/messages$"
    table.discord.faults.add(Fault(method="POST", path=send, delay=HANGING, after=is_there))
    menu = (await table.person("Ann").click(public, "Menu")).message
    pressed = asyncio.create_task(table.person("Ann").click(menu, "Bring to the bottom"))
    await written(table, "SELECT 1 FROM places WHERE coming")
    await table.discord.until(lambda: len(tables(table)) == 1 + is_there)
    await table.person("Bo").forge(public, custom_id="f1:1:0:leave:")
    await written(table, "SELECT status FROM matches", [("over",)])

    table.discord.faults.clear()
    await table.die()
    await table.start()
    await pressed
    await table.repaired()
    await table.quiet_now()

    (only,) = tables(table)
    assert public.deleted
    assert "resigned" in only.text
    assert all(leads_to(table.desk(name), only) for name in ("Ann", "Bo"))
    since = len(table.discord.requests)
    await table.restart()
    await table.repaired()
    assert table.requests("POST", "/channels/", since) == []
