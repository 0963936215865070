"""What the menu says and offers besides computers, and what resigning players are asked."""

from dataclasses import replace

import pytest

from bot.rendering.menu import menu_content, resign_question
from cogs.pico.presentation import PicoPresentation
from games import Seat
from games.pico import PICO
from tests.support.matches import ANN, BEA, CYD, begun
from tests.support.opponents import playing

THREE = PICO.presets["pico1-three"]


def offered(shown):
    return [b.label for row in shown.rows for b in row]


@pytest.mark.parametrize("level", [None, "steady"])
async def test_without_a_clock_no_pause_is_offered_or_mentioned(matches, level):
    if level is None:
        match = await begun(matches, time_control="none")
    else:
        match = await playing(matches, level, time_control="none")

    shown = menu_content(await matches.snapshot(match, ANN), PicoPresentation())

    assert "pause" not in shown.head
    assert "Offer a pause" not in offered(shown)
    assert "**Call it off**" in shown.head


async def test_with_a_clock_a_pause_is_offered_and_explained(matches):
    shown = menu_content(await matches.snapshot(await begun(matches), ANN), PicoPresentation())

    assert "**Offer a draw**, **Call it off** and **Offer a pause** need everyone" in shown.head
    assert "Offer a pause" in offered(shown)


async def test_players_and_watchers_are_told_the_number_that_commands_ask_for(matches):
    match = await begun(matches)
    ann = await matches.snapshot(match, ANN)
    public = await matches.public(match)

    heads = [menu_content(one, PicoPresentation()).head for one in (ann, public)]
    unsealed = menu_content(replace(ann, commitment=None), PicoPresentation()).head

    assert [f"\n-# Match {match}\n-# Sealed deal: " in head for head in heads] == [True, True]
    assert unsealed.endswith(f"\n-# Match {match}")


async def test_during_a_pause_only_resigning_is_offered(matches):
    snapshot = await matches.snapshot(await begun(matches), ANN)

    shown = menu_content(replace(snapshot, paused_why="agreed"), PicoPresentation())

    assert offered(shown) == ["My hand", "Moves so far", "Rules", "Bring to the bottom", "Resign"]
    assert "press **Resume** at the table first" in shown.head
    assert "Nudge" not in shown.head


async def test_a_player_who_resigns_from_a_match_of_two_is_told_who_wins(matches):
    question = resign_question(await matches.sit(await begun(matches), ANN))

    assert question.head == f"Resign from this match? <@{BEA}> wins."


async def test_a_player_who_resigns_from_a_match_of_three_is_told_that_the_others_play_on(matches):
    match = await begun(matches, BEA, CYD, wanted=3, options=THREE)

    question = resign_question(await matches.sit(match, ANN))

    assert question.head.endswith("You rank below everyone still playing, and they play on.")


async def test_the_last_of_three_to_resign_is_told_who_wins(matches):
    match = await begun(matches, BEA, CYD, wanted=3, options=THREE)
    await matches.concede(match, CYD)

    question = resign_question(await matches.sit(match, ANN))

    assert question.head == f"Resign from this match? <@{BEA}> wins."


async def test_a_player_who_leaves_only_computers_is_told_that_the_match_is_over(matches):
    match = await playing(matches, "steady", "steady", wanted=3, options=THREE)

    question = resign_question(await matches.sit(match, ANN))

    assert question.head.endswith("You rank below the computers, and the match is over.")


@pytest.mark.parametrize("level", [None, "steady"])
async def test_the_button_to_take_back_a_step_is_explained_where_it_is_offered(matches, level):
    match = await (begun(matches) if level is None else playing(matches, level))
    snapshot = await matches.snapshot(match, ANN)
    turn_of_one = replace(snapshot, step=1, awaiting=frozenset({Seat(0)}))

    before = menu_content(snapshot, PicoPresentation())
    after = menu_content(turn_of_one, PicoPresentation())

    assert ("Take back" in before.head, "Take back" in offered(before)) == (False, False)
    assert (
        "\n**Take back** undoes the last step, unless it showed something hidden.\n" in after.head
    )
    assert "Take back" in offered(after)
    assert ("and **Take back** need everyone" in after.head) is (level is None)


@pytest.mark.parametrize(
    ("why", "offers"), [("resigned", True), ("unseated", False), ("time", False)]
)
async def test_a_player_who_resigned_can_follow_the_match(matches, why, offers):
    """Unlike one who lost their seat to time or a moderator, who is told of the end anyway."""
    match = await begun(matches, BEA, CYD, wanted=3, options=THREE)
    await matches.concede(match, BEA)
    snapshot = await matches.snapshot(match, BEA)
    seats = [replace(info, left_why=why) if info.left else info for info in snapshot.seats]

    shown = menu_content(replace(snapshot, seats=tuple(seats)), PicoPresentation())

    assert ("Follow" in offered(shown)) is offers
