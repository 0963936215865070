"""Replays, menus and moves as everybody sees them, for every game."""

import re
from dataclasses import replace

import pytest

from bot.matches.replays import Replayed
from bot.matches.transcripts import Line
from bot.rendering.menu import menu_content
from bot.rendering.moves import moves_text
from bot.rendering.replays import replay_content
from games import GAMES
from games.chance import Chance
from tests.support import spite_snapshots
from tests.support.presentations import PRESENTATIONS
from tests.support.snapshots import snapshot

EVERY = pytest.mark.parametrize("key", PRESENTATIONS)


def watched(key, *, over):
    """A match of two as an onlooker sees it, just dealt or resigned at once."""
    game, chance = GAMES[key], Chance("ab" * 32, 0)
    state = game.setup(game.presets["standard"], 2, chance)
    if over:
        state = game.concede(state, 0, chance)
    return spite_snapshots.snapshot(state) if key == "spite" else snapshot(key, state)


@EVERY
@pytest.mark.parametrize("over", [False, True], ids=["running", "over"])
def test_bold_text_is_never_nested(key, over):
    shown = Replayed(snapshot=watched(key, over=over), number=1, last=1, steps=1, lines=())

    line = replay_content(shown, PRESENTATIONS[key]).head.splitlines()[2]

    assert line.startswith("**")
    assert "*" not in re.sub(r"\*\*[^*]+\*\*", "", line)


@pytest.mark.parametrize(
    ("step", "number", "line", "said"),
    [
        (0, 0, None, "Step 0 of 25"),
        (1, 1, Line(step=1, moves={0: "9"}), "Step 1 of 25"),
        (1, 2, Line(step=2, left=(1, "resigned")), "After step 1 of 25"),
        (2, 3, Line(step=2, moves={0: "9"}), "Step 2 of 25"),
        (0, 1, Line(step=1, left=(1, "resigned")), "After the deal"),
    ],
    ids=["deal", "play", "departure", "play after it", "departure at once"],
)
def test_steps_are_counted_as_by_the_coach_even_if_somebody_left(step, number, line, said):
    stood = replace(watched("pico", over=False), step=step)
    lines = () if line is None else (line,)
    shown = Replayed(snapshot=stood, number=number, last=26, steps=25, lines=lines)

    foot = replay_content(shown, PRESENTATIONS["pico"]).foot

    assert foot.splitlines()[-1] == f"-# {said}"


def test_each_button_of_a_replay_has_a_label_and_the_established_custom_id():
    shown = Replayed(snapshot=watched("pico", over=True), number=2, last=5, steps=5, lines=())

    (ways,) = replay_content(shown, PRESENTATIONS["pico"]).rows

    match = shown.snapshot.match
    assert [(way.label, str(way.press)) for way in ways] == [
        ("⏮ First", f"f1:{match}:0:frame:first"),
        ("◀ Back", f"f1:{match}:1:frame:back"),
        ("Next ▶", f"f1:{match}:3:frame:on"),
        ("Last ⏭", f"f1:{match}:5:frame:last"),
    ]


@EVERY
def test_a_watcher_is_told_whether_hands_are_public(key):
    head = menu_content(watched(key, over=False), PRESENTATIONS[key]).head

    held = "orders" if key == "conquest" else "hands"
    assert ("Everyone can see the hands" in head) is GAMES[key].hands_are_public
    assert (f"Only its players can see their {held}." in head) is not GAMES[key].hands_are_public


def test_moves_are_described_in_words_if_their_notation_is_not_meant_for_reading():
    spite, pico = watched("spite", over=False), watched("pico", over=False)

    cards = moves_text(Line(step=3, moves={0: "8x2>d2"}), spite, PRESENTATIONS["spite"])
    faces = moves_text(Line(step=3, moves={0: "9"}), pico, PRESENTATIONS["pico"])

    assert "discard **two 8s** onto d2" in cards
    assert "`9`" in faces
