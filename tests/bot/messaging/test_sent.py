"""Which of the bot's messages in a channel shows a match, so that it isn't sent a second time."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from bot.messaging.components import Button, Press
from bot.messaging.content import Layout, MessageContent, PlainButtons
from bot.messaging.request_pace import RequestPace
from bot.messaging.sent import SentMessages
from bot.rendering import render
from bot.rendering.notices import Notice, notice_content
from bot.rendering.shares import shared_content
from bot.settings.notices import EVENTS
from bot.sharing.results import SharedResult
from bot.storage.records import Spot
from cogs.history.content import finished_match_content
from games import GAMES, Seat
from games.chance import Chance
from tests.support.histories import by_lot
from tests.support.presentations import PRESENTATIONS, presentations
from tests.support.snapshots import HUGE, URL, snapshot

PICO = PRESENTATIONS["pico"]
US, CHANNEL = 9, 77


def position(seat=None, *, over=False, **changed):
    """A public or a seat's snapshot of a match of Pico, at its beginning or at its end."""
    history, state = by_lot("pico")
    if not over:
        rules = GAMES["pico"]
        state = rules.setup(history.options, history.seats, Chance("", 0))
    found = snapshot("pico", state, seat=seat, seats=history.seats)
    return replace(found, **changed)


def agreed(snapshot, what):
    return replace(snapshot, seats=tuple(replace(info, agrees=what) for info in snapshot.seats))


def message(content, number=5, author=US):
    parts = Layout(replace(content, picture=None), None).to_components()
    about = {"id": str(number), "author": {"id": str(author)}, "flags": IN_COMPONENTS}
    return about | {"components": parts}


def in_words(content):
    """The same message as it is sent at first, in words."""
    buttons = PlainButtons(content.rows).to_components()
    return message(content) | {"flags": 0, "components": buttons}


async def found(*messages, after=0):
    """The id of the message that shows the match of `position`; None if there is none."""

    async def logs_from(channel, limit, after):
        del limit, after
        return messages if channel == CHANNEL else ()

    client = SimpleNamespace(
        user=SimpleNamespace(id=US), http=SimpleNamespace(logs_from=logs_from), application_id=US
    )
    sent = SentMessages(client, RequestPace())
    arrived = await sent.newest_of(position().match, CHANNEL, after=after, begun=None)
    return None if arrived is None else arrived.message


IN_COMPONENTS = 1 << 15
"""The flag of messages in Discord's newer form."""

RESTING = {"paused_why": "agreed"}
SHOWING = {
    "challenge": position(status="open", view=None, wanted=3),
    "table": position(),
    "resting table": position(**RESTING),
    "table at the end": position(over=True),
    "table of a held result": position(over=True, counts_at=1),
    "table after the rematch": agreed(position(over=True), "rematch"),
    "hand": position(Seat(0)),
    "resting hand": position(Seat(0), **RESTING),
    "hand at the end": position(Seat(0), over=True),
    "hand of a held result": position(Seat(0), over=True, counts_at=1),
    "hand after the rematch": agreed(position(Seat(0), over=True), "rematch"),
}


@pytest.mark.parametrize("shown", SHOWING.values(), ids=SHOWING)
async def test_a_message_that_shows_the_match_is_found(shown):
    whole = render(shown, presentations(), URL)

    assert await found(message(whole)) == 5
    assert await found(in_words(whole)) == 5


@pytest.mark.parametrize("event", EVENTS)
async def test_a_mention_does_not_show_the_match(event):
    now = position(Seat(0), over=event in {"over", "watched"})
    told = Notice(event=event, snapshot=now, presentation=PICO, actor=None)

    assert await found(message(notice_content(told, URL, mentioned=HUGE))) is None


async def test_a_shared_result_does_not_show_the_match():
    result = SharedResult(
        snapshot=position(Seat(0), over=True),
        user=HUGE,
        course=None,
        turning=None,
        streak=0,
        unrated=frozenset(),
        table=Spot(HUGE, HUGE),
    )

    assert await found(message(shared_content(result, PICO))) is None


async def test_a_match_in_a_history_does_not_show_the_match():
    content = finished_match_content(position(over=True), PICO, Spot(HUGE, HUGE))

    assert await found(message(content)) is None


async def test_the_newest_message_after_the_one_it_replaces_is_found():
    table = render(position(), presentations())
    other = MessageContent(
        head="Another match", rows=((Button(label="Menu", press=Press(1, 0, "menu")),),)
    )
    messages = [message(table, 7), message(table, 6), message(table, 8, US + 1), message(other, 9)]

    assert await found(*messages) == 7
    assert await found(*messages, after=7) is None
