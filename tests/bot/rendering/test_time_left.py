"""What a table says about the time that its players have left."""

from dataclasses import replace

import pytest

from bot.rendering.table import table_content
from bot.rendering.time_left import remarks, times_left
from games.chance import Chance
from games.pico import PICO
from tests.support.matches import BEA, CYD, SEED, B, C, begun, dealt
from tests.support.presentations import PRESENTATIONS
from tests.support.snapshots import snapshot

NAMES = ("Ann", "Bea", "Cyd")


@pytest.fixture
async def three(matches):
    """A match of three with reserves, in which everybody owes a move; no reserve is being used."""
    return await matches.public(await begun(matches, BEA, CYD, time_control="slow_reserve"))


def changed(snapshot, **seats):
    """The snapshot with these fields of the places of Ann, Bea or Cyd changed."""
    infos = [
        replace(info, **seats.get(name.lower(), {}))
        for name, info in zip(NAMES, snapshot.seats, strict=True)
    ]
    return replace(snapshot, seats=tuple(infos))


def test_a_limit_that_everybody_shares_is_shown_once(three):
    until = three.seats[0].move_deadline

    assert times_left(three, NAMES) == (
        f"\n⏳ Time limit for each: <t:{until}:R>, then 3 days in reserve"
    )


def test_players_who_share_a_limit_are_listed_together(three):
    until = three.seats[0].move_deadline
    using = changed(three, bea={"uses_reserve": True})

    assert times_left(using, NAMES) == (
        f"\n⏳ Time limit: Ann and Cyd <t:{until}:R>, then 3 days in reserve · "
        f"Bea <t:{three.seats[1].deadline}:R>, using their reserve"
    )


def test_a_player_who_alone_owes_a_move_is_named_with_their_reserve(three):
    done = {"deadline": None, "move_deadline": None}

    assert times_left(changed(three, ann=done, cyd=done), NAMES).startswith(
        "\n⏳ Time limit: Bea <"
    )


def test_without_reserves_one_limit_is_shown_for_everybody(three):
    same = {"move_deadline": None, "deadline": 1_800_000_900}

    shown = changed(three, ann=same, bea=same, cyd=same)

    assert times_left(shown, NAMES) == "\n⏳ Time limit: <t:1800000900:R>."


@pytest.mark.parametrize("happened", ["resumed", "pause_over", "reopened"])
def test_a_match_that_has_ended_is_not_said_to_go_on(three, happened):
    playing = replace(three, remark=happened)

    assert remarks(playing, NAMES).startswith("\n▶️ ")
    assert remarks(replace(playing, status="over"), NAMES) == ""


@pytest.mark.parametrize("ending", [None, "draw", "moderator"])
def test_a_seat_lost_to_the_clock_is_mentioned_once(ending):
    """A result names the player who lost their seat; an agreed end, for example, doesn't."""
    state = PICO.concede(dealt(3), C, Chance(SEED, 0))
    if ending is None:
        state = PICO.concede(state, B, Chance(SEED, 0))
    shown = snapshot("pico", state, seats=3)
    seats = [replace(info, left_why="time" if info.left else None) for info in shown.seats]
    over = replace(shown, status="over", seed=SEED, ending=ending, seats=tuple(seats))

    head = table_content(over, PRESENTATIONS["pico"]).head

    assert head.count("missed two deadlines in a row") == 1
    assert "ran out of time" not in head
