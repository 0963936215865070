"""What a hand says at its top when it was sent to tell its player something."""

from dataclasses import replace

import pytest

from bot.rendering.hand import hand_content
from bot.rendering.hand_reasons import hand_reason
from bot.storage import Telling
from tests.support.pico_snapshots import dealt, left
from tests.support.presentations import PRESENTATIONS
from tests.support.snapshots import HUGE, snapshot


@pytest.mark.parametrize("event", ["time", "last"])
@pytest.mark.parametrize(
    ("strikes", "consequence"),
    [
        (0, "If it runs out, I move for you."),
        (1, "If it runs out again, you lose your seat."),
    ],
)
def test_a_reminder_says_what_missing_the_time_limit_costs(event, strikes, consequence):
    shown = snapshot("pico", dealt(), seat=0)
    own = replace(shown.seats[0], strikes=strikes)
    reminded = replace(
        shown,
        seats=(own, *shown.seats[1:]),
        told=Telling(notice=1, event=event, turn=shown.turn, by=None),
    )

    assert hand_reason(reminded) == f"⏰ **Your time is running out.** {consequence}\n"


@pytest.mark.parametrize(
    ("eager", "said"),
    [((1,), 1), ((1, 2), 2)],
    ids=["who is told of", "another one too"],
)
def test_a_hand_says_only_once_who_wants_to_resume_the_match(eager, said):
    """At the top, for the notification; below it, only what has changed since."""
    over = left(left(dealt("pico1-three"), 0), 2)
    shown = snapshot("pico", over, seat=0, seats=3)
    seats = [replace(info, left_why="time" if info.left else None) for info in shown.seats]
    for i in eager:
        seats[i] = replace(seats[i], agrees="resume")
    offer = Telling(notice=1, event="offered", turn=shown.turn, by=1)
    held = replace(shown, counts_at=9000, seats=tuple(seats), told=offer)

    content = hand_content(held, PRESENTATIONS["pico"], None, "")

    whole = f"{content.head}\n{content.foot}"
    assert f"🤝 **<@{HUGE - 1}> wants to resume this match.** Answer below." in content.head
    assert whole.count("to resume this match") == said
    assert "Until then you can resume it" in content.foot
