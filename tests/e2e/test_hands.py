"""Private hands for players whose direct messages are closed or who prefer the table."""

import asyncio
import re
from dataclasses import replace
from datetime import timedelta

import pytest

from sandbox import Fault
from sandbox.members import User
from tests.support.openings import begun, prefer
from tests.support.tables import labels
from tests.support.typed_commands import typed

NOTE = "My direct messages can't reach you."


def closed(table, *names):
    for name in names:
        table.person(name).closed = True


def knocks(table, since=0):
    """The requests that try to send somebody a direct message."""
    direct = {channel.id for channel in table.discord.world.direct.values()}
    return [
        r
        for r in table.requests("POST", "/messages", since)
        if int(r.path.split("/")[2]) in direct and r.route.startswith("POST /channels")
    ]


async def test_with_closed_direct_messages_my_hand_shows_the_hand_privately(table):
    closed(table, "Bo")
    public = await table.match()

    desk = await table.hand("Bo", public)

    assert desk.ephemeral_to == table.person("Bo").id
    assert "your hand" in desk.text
    assert NOTE in desk.text
    assert len(table.cards(desk)) == 6
    assert table.letters("Bo") == []


async def test_only_people_whose_direct_messages_are_closed_see_the_note(table):
    public = await table.match()

    desk = await table.hand("Ann", public)

    assert "your hand" in desk.text
    assert NOTE not in desk.text


async def test_somebody_who_does_what_the_note_says_gets_their_hand(table):
    """Discord sends nothing if the option that is already selected is picked again."""
    closed(table, "Bo")
    public = await table.match(pace="slow")
    desk = await table.hand("Bo", public)
    table.person("Bo").closed = False

    for value in ("desk here", "desk dm"):
        await prefer(table, "Bo", value)

    assert "switch to **At the table, with My hand** and back" in typed(desk.text)
    await table.discord.until(lambda: table.desk("Bo", public))


@pytest.mark.parametrize("asked", [False, True])
async def test_with_taps_only_people_who_asked_for_direct_messages_see_the_note(table, asked):
    closed(table, "Bo")
    await table.match()
    if asked:
        await table.change("UPDATE people SET desk = 'dm'")

    public = await begun(table, "Ann", "Bo", hand="tap")

    assert (NOTE in (await table.hand("Bo", public)).text) == asked


async def test_a_match_can_be_played_with_private_hands_only(table):
    closed(table, "Ann", "Bo")
    public = await table.match(variant="pico1")
    desks = {name: await table.hand(name, public) for name in ("Ann", "Bo")}

    while table.step(desks["Ann"]) is not None:
        await table.trick_at(desks)
    await table.discord.until(lambda: "seed was" in public.text)

    result = next(line for line in public.text.splitlines() if "dots over" in line)
    for desk in desks.values():
        assert result in desk.text
        assert labels(desk)[0::5] == ["Rematch", "Go to the table"]


async def test_a_match_can_be_played_with_one_hand_of_each_kind(table):
    closed(table, "Bo")
    public = await table.match(variant="pico2")
    desks = {"Ann": table.desk("Ann"), "Bo": await table.hand("Bo", public)}

    while table.step(desks["Ann"]) is not None:
        await table.trick_at(desks)
    await table.discord.until(lambda: "seed was" in public.text)

    assert re.search(r"wins\*\*|A draw", desks["Ann"].text)
    assert re.search(r"wins\*\*|A draw", desks["Bo"].text)


async def test_three_players_can_play_with_hands_of_both_kinds(table):
    closed(table, "Cleo")
    names = ("Ann", "Bo", "Cleo")
    public = await table.match(*names, variant="pico2-three")
    desks = {
        "Ann": table.desk("Ann"),
        "Bo": table.desk("Bo"),
        "Cleo": await table.hand("Cleo", public),
    }

    while table.step(desks["Ann"]) is not None:
        await table.trick_at(desks)
    await table.discord.until(lambda: "seed was" in public.text)

    assert "Round 3 is over" in public.text


async def test_closed_direct_messages_are_tried_only_once(table):
    closed(table, "Bo")

    public = await table.match()
    await table.trick_at({"Ann": table.desk("Ann"), "Bo": await table.hand("Bo", public)})
    await table.match("Cleo", "Bo")

    refused = [r for r in knocks(table) if r.status == 403]
    assert [r.response["code"] for r in refused] == [50007]


async def test_closed_direct_messages_are_remembered_after_a_restart(table):
    closed(table, "Bo")
    await table.match()
    await table.restart()
    since = len(table.discord.requests)

    await table.match("Cleo", "Bo")

    assert [r.status for r in knocks(table, since)] == [200]


async def test_closed_direct_messages_are_tried_again_a_day_after_they_were_found_closed(table):
    closed(table, "Bo")
    public = await table.match()
    await table.match("Cleo", "Bo")
    await table.change(
        "UPDATE people SET dm_closed_at = dm_closed_at - 86401 WHERE dm_closed_at NOT NULL"
    )
    table.person("Bo").closed = False

    third = await table.match("Dan", "Bo")

    assert NOTE not in (await table.hand("Bo", public)).text
    assert table.desk("Bo", third) is not None


async def test_a_hand_that_could_be_sent_a_day_later_is_kept_up_to_date(table):
    closed(table, "Bo")
    await table.match(pace="slow")
    await table.change(
        "UPDATE people SET dm_closed_at = dm_closed_at - 86401 WHERE dm_closed_at NOT NULL"
    )
    table.person("Bo").closed = False

    came = await table.bring(1)
    for name in ("Ann", "Bo"):
        await table.play(name)
    await table.settled()

    assert came
    assert table.step(table.desk("Bo")) == 1


async def test_a_message_that_is_not_tried_does_not_extend_the_wait(table):
    closed(table, "Bo")
    await table.match()
    await table.change(
        "UPDATE people SET dm_closed_at = dm_closed_at - 5000 WHERE dm_closed_at NOT NULL"
    )
    before = table.sql("SELECT dm_closed_at FROM people WHERE dm_closed_at NOT NULL")

    await table.match("Cleo", "Bo")

    assert table.sql("SELECT dm_closed_at FROM people WHERE dm_closed_at NOT NULL") == before


async def test_no_hand_is_sent_to_a_player_who_has_left_the_server(table, monkeypatch):
    """Discord refuses with 50278 if the bot and the person share no server."""

    async def unknown(*args):
        del args

    monkeypatch.setattr("bot.messaging.membership.Membership.present", unknown)
    public = await table.challenge("Ann", "Bo", "Cleo")
    await table.person("Bo").click(public, "Accept")
    table.discord.world.remove_member(table.person("Bo").user)

    await table.person("Cleo").click(public, "Accept")
    await table.discord.until(lambda: table.desk("Ann") and table.desk("Cleo"))
    await table.quiet_now()

    assert [r.response["code"] for r in knocks(table) if r.status == 403] == [50278]
    assert table.sql("SELECT user FROM people WHERE dm_closed_at NOT NULL") == [
        (table.person("Bo").id,)
    ]
    assert "Round 1 of 3" in public.text


async def test_my_hand_works_beside_a_hand_in_direct_messages_and_both_show_the_choice(table):
    public = await table.match()
    here = await table.hand("Ann", public)

    await table.pick("Ann", here, 1)
    await table.quiet_now()

    assert ["✓" in button.label for button in table.cards(here)] == [False, True] + 4 * [False]
    assert labels(here) == labels(table.desk("Ann"))


async def test_a_private_hand_shows_the_next_round(table):
    public = await table.match()
    here = await table.hand("Ann", public)

    await table.trick("Ann", "Bo")

    await table.discord.until(lambda: table.step(here) == 1)
    assert "✓" not in " ".join(labels(here))


async def test_a_private_hand_is_kept_up_to_date_even_if_another_process_did_something(table):
    """The rows that the other process wrote are read again; private hands are in no row."""
    closed(table, "Ann", "Bo")
    public = await table.match()
    desks = {name: await table.hand(name, public) for name in ("Ann", "Bo")}

    await table.pick("Ann", desks["Ann"])
    await table.bot.services.live.note_changed_elsewhere(table.match_of(public))
    await table.pick("Bo", desks["Bo"])

    await table.discord.until(lambda: [table.step(desk) for desk in desks.values()] == [1, 1])


async def test_a_private_hand_of_a_player_deleted_by_another_process_is_no_longer_edited(table):
    public = await table.match("Ann", "Bo", "Cleo", variant="pico1-three")
    here = await table.hand("Cleo", public)
    live, match = table.bot.services.live, table.match_of(public)
    slot = await live.slots.hand(match, 2)
    slot.abandon = lambda: None  # the private hand has a slot of its own
    before = here.edits

    await table.bot.services.erasure.delete(table.person("Cleo").id)
    await live.note_changed_elsewhere(match)
    await table.settled()

    assert here.edits == before


async def test_a_dismissed_private_hand_is_sent_again_by_the_next_click(table):
    public = await table.match()
    dismissed = await table.hand("Ann", public)
    table.person("Ann").dismiss(dismissed)
    await table.trick("Ann", "Bo")

    desk = await table.hand("Ann", public)

    assert desk is not dismissed
    assert table.person("Ann").sees(desk)
    assert table.step(desk) == 1


async def test_only_the_private_hand_opened_last_is_kept_and_is_up_to_date(table):
    public = await table.match()
    first = await table.hand("Ann", public)

    desk = await table.hand("Ann", public)
    await table.pick("Ann", desk, 1)
    await table.settled()

    assert first.deleted
    assert [b.label.startswith("✓") for b in table.cards(desk)] == [False, True] + 4 * [False]


async def test_of_two_hands_too_old_to_be_deleted_each_is_answered_with_its_own_picture(
    table, monkeypatch
):
    monkeypatch.setattr("bot.messaging.first_answer.TOKEN_LIFE", timedelta())
    public = await table.match()
    desks = [await table.hand("Ann", public) for _ in range(2)]
    await table.quiet_now()

    for which, desk in enumerate((desks[0], desks[1], desks[0])):
        assert (await table.pick("Ann", desk, which)).kind == 7
        await table.settled()

    assert not [r for r in table.discord.requests if r.status == 400]
    assert [len(desk.images) for desk in desks] == [1, 1]


async def test_a_hand_that_could_not_be_deleted_replaces_the_new_one_when_it_is_clicked(table):
    public = await table.match()
    old = await table.hand("Ann", public)
    table.discord.faults.add(Fault(method="DELETE", path="^/webhooks/", status=404, code=10008))
    new = await table.hand("Ann", public)
    await table.settled()
    stayed = not old.deleted

    await table.pick("Ann", old)
    await table.settled()
    await table.play("Bo")

    assert stayed
    await table.discord.until(lambda: table.step(old) == 1)
    assert new.deleted


async def test_a_click_on_a_hand_that_is_being_deleted_is_shown_in_the_new_one(table):
    public = await table.match()
    old = await table.hand("Ann", public)
    hand = await table.bot.services.live.slots.hand(table.match_of(public), 0)
    hand.private.removed.add(old.id)
    new = await table.hand("Ann", public)

    await table.pick("Ann", old)
    await table.settled()

    assert not new.deleted
    assert table.cards(new)[0].label.startswith("✓")


@pytest.fixture
def newcomer(table) -> User:
    return table.discord.world.add_person("Eve")


async def test_a_hand_is_one_message_however_long_the_match(table, newcomer):
    public = await table.match("Ann", "Eve", variant="pico1")

    await table.finish(public, "Ann", "Eve")

    assert [len(table.letters(name)) for name in ("Ann", "Eve")] == [1, 1]
    assert table.person("Eve").unread == 1


async def test_a_click_is_answered_even_if_its_hand_was_redrawn_meanwhile(table):
    """The click's payload has a picture that no longer exists."""
    await table.match()
    await table.quiet_now()
    desk = table.desk("Ann")
    async with table.bot.services.storage.transaction():  # which the click has to wait for
        choosing = asyncio.create_task(table.play("Ann"))
        slot = await table.bot.services.live.slots.at(1, 0)
        slot.media = None
        slot.mark_shown("")
        table.bot.services.live.note_changed(1)
        await table.quiet_now()

    answer = await choosing

    assert answer.kind == 7
    assert "✓" in "".join(labels(desk))


async def replaced(table):
    """The slot of Ann's hand, whose picture was replaced by an edit the bot didn't hear of."""
    await table.match()
    await table.quiet_now()
    slot = await table.bot.services.live.slots.at(1, 0)
    slot.media = replace(slot.media, attachment=slot.media.attachment + 1)
    return slot


async def test_a_click_is_answered_even_if_the_picture_of_its_hand_was_replaced(table):
    await replaced(table)
    desk = table.desk("Ann")

    answer = await table.play("Ann")

    assert answer.kind == 6
    await table.discord.until(lambda: "✓" in "".join(labels(desk)))
    assert answer.followups == []
    assert len(desk.images) == 1


async def test_an_edit_sends_a_picture_again_that_was_replaced(table):
    slot = await replaced(table)
    since = len(table.discord.requests)
    slot.mark_shown("")

    table.bot.services.live.note_changed(1)
    await table.quiet_now()

    assert [r.status for r in table.requests("PATCH", since=since)] == [400, 200]
    assert len(table.desk("Ann").images) == 1
