"""What a table says about its players' offers to each other, and about what follows the end."""

from dataclasses import replace

import pytest

from bot.rendering.agreements import open_offers, rematch_line, resume_line
from bot.rendering.table import table_content
from games import GAMES
from games.chance import Chance
from tests.support import spite_snapshots
from tests.support.pico_snapshots import dealt, left
from tests.support.presentations import PRESENTATIONS
from tests.support.snapshots import ended_by, snapshot


@pytest.mark.parametrize(
    ("computer", "said"),
    [
        (None, "you can resume it if everyone agrees; replay"),
        ("easy", "you can resume it; replay"),
    ],
    ids=["people", "alone"],
)
def test_the_text_about_resuming_depends_on_how_many_people_played(computer, said):
    over = snapshot("pico", left(dealt(), 0))
    late = replace(over.seats[0], left_why="time")
    other = replace(over.seats[1], computer=computer)
    held = replace(over, counts_at=9000, seats=(late, other))

    told = resume_line(held, ("Ann", "Bo"))

    assert told == (f"\n-# Counts <t:9000:R>. Until then {said} and export come afterwards.")


@pytest.mark.parametrize("agrees", ["pause", "call_off"], ids=["to this", "to what came after"])
def test_computers_make_no_offers_and_nobody_waits_for_them(agrees):
    table = snapshot("pico", dealt("pico1-three"), seats=3)
    ann, bea, cyd = table.seats
    computer = replace(cyd, computer="easy", agrees=agrees)

    told = open_offers(
        replace(table, seats=(replace(ann, agrees="pause"), bea, computer)),
        ("@Ann", "@Bea", "Computer (easy)"),
    )

    assert "🤝 **@Ann offers a pause.** Waiting for @Bea." in told
    assert "Computer" not in told


def test_only_people_are_counted_as_wanting_a_rematch():
    table = snapshot("pico", dealt("pico1-three"), seats=3)
    ann, bea, cyd = table.seats
    computer = replace(cyd, computer="easy", agrees="rematch")
    names = ("@Ann", "@Bea", "Computer (easy)")

    def told(*agreeing):
        people = (
            replace(ann, agrees="rematch" if "ann" in agreeing else None),
            replace(bea, agrees="rematch" if "bea" in agreeing else None),
        )
        return rematch_line(replace(table, seats=(*people, computer)), names)

    assert told("ann") == "\n🔁 @Ann wants a rematch (1 of 2)."
    assert told("ann", "bea") == "\n🔁 **The rematch has started.**"
    assert told() == ""


@pytest.mark.parametrize("ending", ["draw", "call_off", "moderator"])
@pytest.mark.parametrize(
    ("game", "aim"),
    [("pico", "most dots win"), ("duel", "first to 6 wins"), ("spite", "first to 0 wins")],
)
def test_a_match_that_people_ended_no_longer_shows_its_aim(game, aim, ending):
    rules = GAMES[game]
    state = rules.setup(rules.presets["standard"], 2, Chance("ab" * 32, 0))
    shown = spite_snapshots.snapshot(state) if game == "spite" else snapshot(game, state)
    status = "over" if ending == "draw" else "closed"
    ended = replace(ended_by(shown, ending, status), seed="ab" * 32)

    assert aim in table_content(shown, PRESENTATIONS[game]).foot
    assert aim not in table_content(ended, PRESENTATIONS[game]).foot
