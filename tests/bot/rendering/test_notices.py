"""What notices about a match say: the sentence for each event."""

from dataclasses import replace
from typing import get_args

import pytest

from bot.matches.moderation import Moderation
from bot.matches.notices import _FOR_ALL, _FOR_SEATS, _OF_TURNS
from bot.rendering.hand_reasons import _LINES
from bot.rendering.notices import _SIGNS, SENTENCES, Notice, notice_content
from bot.settings.notices import EVENTS
from bot.storage import Event
from cogs.pico.presentation import PicoPresentation
from tests.support.matches import ANN, BEA, CYD, GUILD, opened
from tests.support.pico_snapshots import dealt, left
from tests.support.snapshots import snapshot

TOLD_BY_NO_HAND = {"challenged", "declined", "expired", "lost"}
"""Events of a match whose hands don't exist yet or can't be used."""


@pytest.mark.parametrize(
    ("table", "besides"),
    [
        (EVENTS, set()),
        (SENTENCES, set()),
        (_SIGNS, set()),
        (_FOR_SEATS, _OF_TURNS.keys() | _FOR_ALL.keys()),
        (_LINES, TOLD_BY_NO_HAND),
    ],
    ids=["settings", "sentences", "signs", "how long they hold", "lines above a hand"],
)
def test_every_event_is_in_every_table(table, besides):
    """A type checker accepts a mapping that lacks one, and all other tests go by `EVENTS`."""
    assert table.keys() | besides == set(get_args(Event))
    assert not table.keys() & besides


@pytest.mark.parametrize(
    ("accepted", "act", "said"),
    [
        (
            (),
            "decline",
            " declined the challenge to **Pico · Pico I for three**. There is no match.",
        ),
        (
            (CYD,),
            "vacate",
            " gave up their seat in **Pico · Pico I for three**, so the challenge is off.",
        ),
    ],
)
async def test_a_player_who_gave_up_their_seat_is_not_said_to_have_declined(
    matches, accepted, act, said
):
    match = await opened(matches, BEA, CYD)
    for user in accepted:
        await matches.accept(match, user)

    effect = await getattr(matches, act)(match, CYD)

    told = Notice(
        event="declined",
        snapshot=effect.snapshot_of(ANN),
        presentation=PicoPresentation(),
        actor=CYD,
    )
    assert notice_content(told, None).head.splitlines()[0] == f"❌ <@{CYD}>{said}"


async def test_the_challenger_is_told_that_a_moderator_withdrew_their_challenge(
    matches, storage, watch
):
    match = await opened(matches, BEA)

    effect = await Moderation(storage, now=watch).withdraw(match, GUILD, CYD)

    told = Notice(
        event="declined",
        snapshot=effect.snapshot_of(ANN),
        presentation=PicoPresentation(),
        actor=CYD,
    )
    said = "❌ A moderator withdrew your challenge to **Pico · 13 cards**. There is no match."
    assert notice_content(told, None).head.splitlines()[0] == said


@pytest.mark.parametrize(
    ("why", "said"),
    [
        ("time", "You missed two deadlines in a row and lost your seat in"),
        ("unseated", "A moderator removed you from"),
    ],
)
def test_a_player_who_lost_their_seat_is_told_how(why, said):
    shown = snapshot("pico", left(dealt("pico1-three"), 0), seat=0, seats=3)
    gone = replace(shown.seats[0], left_why=why)
    told = Notice(
        event="out",
        snapshot=replace(shown, seats=(gone, *shown.seats[1:])),
        presentation=PicoPresentation(),
        actor=None,
    )

    head = notice_content(told, None).head

    assert head.startswith(f"🚪 {said} **Pico · Pico I for three**. The others play on.\n")


@pytest.mark.parametrize(
    ("status", "end", "early"),
    [("over", "counts", "lets it count"), ("closed", "closes for good", "closes it")],
)
def test_a_held_match_without_a_result_is_said_to_close_and_not_to_count(status, end, early):
    over = snapshot("pico", left(dealt(), 0))
    held = replace(over, status=status, ending="absence", counts_at=9000)

    told = Notice(event="over", snapshot=held, presentation=PicoPresentation(), actor=None)

    said = f" It {end} on <t:9000:f>, or earlier if a player {early}. Until then it can be resumed."
    assert notice_content(told, None).head.splitlines()[0].endswith(said)
