"""Solo matches at the wire: against computers, in the bot's direct messages."""

import asyncio
import json

import pytest

from games import GAMES
from sandbox.faults import Fault
from tests.support.clock import DAY
from tests.support.solo import SHORT, begin, choose, guest_of, offered, play_out, resign, step_of
from tests.support.tables import labels
from tests.support.typed_commands import typed
from tests.support.waiting import written

pytestmark = pytest.mark.usefixtures("lowest")


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(key, marks=() if key in ("pico", "spite") else pytest.mark.long)
        for key in GAMES
    ],
)
async def test_a_match_of_each_game_is_played_to_its_end_in_one_message(table, game):
    ann = table.person("Ann")
    message = await begin(table, ann.dm, game=game)

    await play_out(table, message)

    assert ann.direct_messages == [message]
    assert message.ephemeral_to is None
    assert table.requests("POST", "/messages") == []
    assert "counts only in your own `/stats`" in typed(message.text)
    assert table.sql("SELECT guild, channel, rated, pace FROM matches") == [(None, None, 0, "none")]
    assert set(table.sql("SELECT guild, rated FROM results")) == {(None, 0)}
    assert table.sql("SELECT count(*) FROM notices") == [(0,)]
    assert table.sql("SELECT count(*) FROM ratings") == [(0,)]


async def test_no_computer_has_to_be_named(table):
    ann = table.person("Ann")

    answer = await (await ann.slash("duel play", channel=ann.dm)).settled()

    assert "Computer (steady)" in answer.message.text
    assert offered(answer.message)


async def test_after_a_restart_the_match_continues_in_the_same_message(table):
    message = await begin(table, table.person("Ann").dm)
    await choose(table, message)
    await table.discord.until(lambda: step_of(message) == 1)

    await table.restart()
    await choose(table, message)

    await table.discord.until(lambda: step_of(message) == 2)
    assert table.person("Ann").direct_messages == [message]


async def test_the_menu_has_what_needs_no_table_and_resigning_ends_the_match(table):
    ann = table.person("Ann")
    message = await begin(table, ann.dm)
    menu = (await ann.click(message, "Menu")).message
    assert labels(menu) == ["My hand", "Moves so far", "Rules", "Call it off", "Resign"]
    assert "after 30 days without a move the match closes" in menu.text

    question = (await ann.click(menu, "Resign")).message
    await ann.click(question, "Resign")
    await table.settled()

    assert "Rematch" in labels(message)
    assert table.sql("SELECT status FROM matches") == [("over",)]


async def test_a_match_without_a_table_has_none_to_repost(table):
    message = await begin(table, table.person("Ann").dm, game="conquest")

    answer = await table.person("Ann").forge(message, custom_id="f1:1:0:bottom:")

    await table.discord.until(lambda: answer.followups)
    assert [told.text for told in answer.followups] == [
        "This match has no table. **My orders** shows it here."
    ]


async def test_play_in_the_list_of_matches_replaces_the_old_message(table):
    """Even if the old one could no longer be edited, and was given up."""
    ann = table.person("Ann")
    message = await begin(table, ann.dm)
    (await table.bot.services.live.slots.hand(1, 0)).bar.close()
    listed = (await ann.slash("games", channel=ann.dm)).message

    answer = await (await ann.click(listed, "Play 1")).settled()
    await table.settled()

    shown = answer.followups[-1] if answer.followups else answer.message
    assert message.deleted
    assert step_of(shown) == 0
    await choose(table, shown)
    await table.discord.until(lambda: step_of(shown) == 1)


def standing(person):
    return [m for m in person.direct_messages if not m.ephemeral_to and offered(m)]


@pytest.mark.parametrize("guest", [False, True], ids=["inbox", "guest"])
async def test_next_match_leads_from_a_listed_match_through_all_others(table, guest):
    """In a circle, as for matches of a server; the message keeps its button."""
    ann = table.person("Ann")
    place = guest_of(table, "Ann") if guest else ann.dm
    for _ in range(2):
        began = await begin(table, place)
    at_first = labels(began)
    listed = (await ann.slash("games", channel=place)).message
    shown = (await (await ann.click(listed, "Play 1")).settled()).message
    seen = []

    for _ in range(4):
        seen.append(table.match_of(shown))
        await choose(table, shown)
        await table.discord.until(lambda: step_of(shown) == (len(seen) + 1) // 2)  # noqa: B023
        await table.settled()
        clicked = await (await ann.click(shown, "Next match")).settled()
        await table.settled()
        shown = clicked.followups[-1] if clicked.followups else clicked.message

    assert sorted(seen[:2]) == [1, 2]
    assert seen[:2] == seen[2:]
    assert "Next match" not in at_first
    assert guest or len(standing(ann)) == 2


async def test_a_message_still_leads_to_the_next_match_after_a_restart(table):
    ann = table.person("Ann")
    await begin(table, ann.dm)
    listed = (await ann.slash("games", channel=ann.dm)).message
    shown = (await (await ann.click(listed, "Play 1")).settled()).message
    await table.restart()

    await choose(table, shown)
    await table.discord.until(lambda: step_of(shown) == 1)

    assert "Next match" in labels(shown)


async def test_two_simultaneous_clicks_show_one_message(table):
    ann = table.person("Ann")
    await begin(table, ann.dm)
    listed = (await ann.slash("games", channel=ann.dm)).message

    await asyncio.gather(*(ann.click(listed, "Play 1") for _ in range(2)))
    await table.settled()

    (shown,) = standing(ann)
    assert table.sql("SELECT message, leftover FROM places") == [(shown.id, None)]


async def test_no_third_message_is_shown_while_an_old_one_cannot_be_deleted(table, monkeypatch):
    monkeypatch.setattr("bot.live.work_queue.RETRY", (3600.0,))
    ann = table.person("Ann")
    first = await begin(table, ann.dm)
    listed = (await ann.slash("games", channel=ann.dm)).message
    table.discord.faults.add(Fault(method="DELETE", path=str(first.id), status=503, times=None))
    await ann.click(listed, "Play 1")
    await table.handled()
    both = standing(ann)

    answer = await (await ann.click(listed, "Play 1")).settled()
    await table.handled()
    refused = standing(ann)
    table.discord.faults.ordered.clear()
    await table.settled()

    assert len(both) == 2
    assert refused == both
    assert "Discord" in answer.text
    assert standing(ann) == [both[-1]]


async def test_a_rematch_begins_in_a_new_message(table):
    ann = table.person("Ann")
    message = await begin(table, ann.dm, game="duel")
    await resign(table, message)

    answer = await (await ann.click(message, "Rematch")).settled()
    await table.settled()

    (new,) = answer.followups
    assert "The rematch has started" in message.text
    assert "Rematch" not in labels(message)
    assert offered(new)
    again = await ann.forge(message, custom_id=f"f1:{table.match_of(message)}:0:rematch:")
    assert typed(again.text) == "The rematch has already started. `/games` shows it."


@pytest.mark.parametrize("guest", [False, True], ids=["inbox", "guest"])
async def test_a_player_who_cannot_be_shown_the_rematch_is_told_where_it_is(table, guest):
    """The clicked message says that it has started, and no longer has a button for it."""
    ann = table.person("Ann")
    place = guest_of(table, "Ann") if guest else ann.dm
    message = await begin(table, place, game="duel")
    await resign(table, message)
    table.discord.faults.add(Fault(method="POST", path="^/webhooks/", drop=True))

    answer = await ann.click(message, "Rematch")
    await table.settled()

    assert [(typed(told.text), told.ephemeral_to) for told in answer.followups] == [
        ("The rematch has started. If you don't see it here, `/games` shows it.", ann.id)
    ]
    assert table.sql("SELECT status FROM matches") == [("over",), ("running",)]


async def test_replay_export_coach_history_and_stats_work_for_its_player(table):
    ann = table.person("Ann")
    message = await begin(table, ann.dm, game="duel")
    await play_out(table, message)

    replay = await (await ann.click(message, "Replay")).settled()
    export = await ann.click(message, "Export")
    coach = await (await ann.click(message, "Coach")).settled()
    data = export.message.attachments[1].data
    verified = await ann.slash("verify", channel=ann.dm, file=("match.json", data))
    history = await (await ann.slash("history", channel=ann.dm)).settled()
    stats = await (await ann.slash("stats", channel=ann.dm)).settled()

    assert "Step 0 of" in replay.text
    assert "Coach" in coach.text
    assert "This export is genuine." in (await verified.settled()).text
    assert "on your own" in history.text
    assert "**On your own, against computers**" in stats.text


async def test_a_solo_match_counts_in_no_server(table):
    ann = table.person("Ann")
    message = await begin(table, ann.dm, game="duel")
    await resign(table, message)

    shown = [
        (await (await ann.slash(name, channel="games")).settled()).text
        for name in ("stats", "history", "leaderboard")
    ]
    ladder = await ann.slash("leaderboard", channel="games", ladder="computers")

    assert not any("on your own" in text.lower() for text in shown)
    assert "hasn't finished a match here yet" in shown[1]
    assert ann.mention not in (await ladder.settled()).text


async def test_a_click_by_somebody_else_does_and_shows_nothing(table):
    ann, bo = table.person("Ann"), table.person("Bo")
    message = await begin(table, ann.dm)
    other = await begin(table, bo.dm, "Bo")
    found = {b.label: b.custom_id for b in message.buttons}

    for custom_id in [*offered(message)[:1], *found.values(), "f1:1:0:hand:", "f1:1:0:resign:"]:
        if ":rules:" in custom_id:
            continue
        answer = await (await bo.forge(other, custom_id=custom_id)).settled()
        assert "Sealed deal" not in answer.text.replace(other.text, "")
        assert ann.mention not in answer.text

    assert table.sql("SELECT count(*) FROM moves WHERE match = 1 AND how = 'chosen'") == [(0,)]


async def test_nobody_else_is_shown_the_end_of_a_solo_match(table):
    ann, bo = table.person("Ann"), table.person("Bo")
    message = await begin(table, ann.dm, game="duel")
    await resign(table, message)
    other = await begin(table, bo.dm, "Bo")

    for act in ("replay", "export", "moves", "coach", "rematch"):
        answer = await (await bo.forge(other, custom_id=f"f1:1:0:{act}:duel")).settled()
        assert ann.mention not in answer.text
        assert "Step" not in answer.text


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"opponent": "Bo"}, "Here you can only play the computer"),
        ({"pace": "live"}, "There's no clock outside a server"),
    ],
)
async def test_options_that_need_a_server_are_refused_with_a_sentence(table, options, said):
    ann = table.person("Ann")
    if "opponent" in options:
        options = {"opponent": table.person("Bo")}

    answer = await ann.slash("duel play", channel=ann.dm, options=options)

    assert said in answer.text
    assert table.sql("SELECT count(*) FROM matches") == [(0,)]


async def test_thirty_days_without_a_move_close_a_solo_match_silently(table):
    message = await begin(table, table.person("Ann").dm)
    since = len(table.discord.requests)

    table.pass_time(27 * DAY)
    await written(table, "SELECT 1 FROM matches WHERE due_at > ?")
    assert "nobody moved" not in message.text
    table.pass_time(3 * DAY + 1)
    await table.discord.until(lambda: "nobody moved for 30 days" in message.text)
    await table.told()

    assert table.requests("POST", since=since) == []


async def test_a_message_that_can_no_longer_be_edited_is_replaced_by_a_new_one(table):
    """Edits of messages older than an hour have their own rate limit (30046)."""
    ann = table.person("Ann")
    message = await begin(table, ann.dm)
    (hand,) = [s for s in table.bot.services.live.slots._matches[1].values() if s.ref]
    hand.token = None  # as after a restart
    path = f"/channels/{ann.dm.id}/messages/{message.id}"
    table.discord.faults.add(Fault(method="PATCH", path=path, status=400, code=30046))
    services = table.bot.services
    legal = (await services.matches.sit(1, ann.id)).legal

    await services.matches.submit(1, 0, ann.id, str(legal[0]))
    services.live.note_changed(1)

    await table.discord.until(lambda: message.deleted and step_of(ann.direct_messages[-1]) == 1)
    assert len(ann.direct_messages) == 1


async def test_its_player_can_export_and_delete_a_solo_match(table):
    ann = table.person("Ann")
    over = await begin(table, ann.dm, game="duel")
    await resign(table, over)
    running = await begin(table, ann.dm)

    await (await ann.slash("privacy export", channel=ann.dm)).settled()
    (letter,) = [m for m in ann.direct_messages if "as you asked" in m.text]
    whole = json.loads(letter.attachments[0].data)
    asked = (await ann.slash("privacy delete", channel=ann.dm)).message
    await ann.click(asked, "Delete…")
    await ann.click(asked, "Delete it for good")
    await table.discord.until(lambda: "You're out of this match" in running.text)

    assert [match["guild"] for match in whole["matches"]] == [None, None]
    for name in ("matches", "seats", "moves", "results", "places", "people"):
        assert table.sql(f"SELECT count(*) FROM {name}") == [(0,)]  # noqa: S608 - our names
    answer = await ann.click(over, "Replay")
    assert "This match no longer exists" in answer.text


def test_every_game_has_a_short_match():
    assert set(SHORT) == set(GAMES)


async def test_a_solo_result_is_shown_to_its_player_only_and_any_number_of_times(table):
    """Where the bot can't post, there is nobody to share it with."""
    ann = table.person("Ann")
    message = await begin(table, ann.dm)
    await choose(table, message)
    await resign(table, message)

    answers = [await (await ann.click(message, "Share")).settled() for _ in range(2)]

    assert all(answer.message.ephemeral_to == ann.id for answer in answers)
    assert all(f"Shared by {ann.mention}" in answer.message.text for answer in answers)
    assert all(labels(answer.message) == ["Replay"] for answer in answers)
    assert "Ratings" not in answers[0].message.text
    assert table.requests("POST", "/messages") == []
    assert table.sql("SELECT count(*) FROM shares") == [(0,)]
