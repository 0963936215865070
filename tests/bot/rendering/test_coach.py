"""What the coach says about a study, as a message."""

from dataclasses import replace

import pytest

from bot.computers.coach import ChoiceReview, Study
from bot.rendering.coach import CHOICES_PER_PAGE, coach_content
from cogs.conquest.presentation import ConquestPresentation
from cogs.pico.presentation import PicoPresentation
from games.computer import Mixing
from games.computers import COMPUTERS
from games.pico import PICO
from tests.support.conquest_snapshots import seen
from tests.support.conquest_states import position
from tests.support.matches import ANN, BEA, CYD, DAN, begun
from tests.support.thinking import Lowest

PICO_SHOWN = PicoPresentation()


async def studied(matches, *said, **changes):
    snapshot = await matches.snapshot(await begun(matches, BEA), ANN)
    values = {"total": len(said), "checked": len(said), "luck": 0.62, "complete": True}
    return Study(snapshot=snapshot, said=said, **{**values, **changes})


def cost(step, share, when=""):
    return ChoiceReview(step=step, when=when, move="9", better="5" if share else None, cost=share)


async def test_the_three_costliest_choices_come_first(matches):
    study = await studied(
        matches, cost(1, 0.02), cost(2, 0.3), cost(3, 0), cost(4, 0.1), cost(5, 0.05)
    )

    content = coach_content(study, PICO_SHOWN)

    assert "**Costliest choices**\n1." in content.head
    assert [line for line in content.head.splitlines() if line[0] in "123"] == [
        "1. Step 2: you chose `9`; `5` was 30.0% better.",
        "2. Step 4: you chose `9`; `5` was 10.0% better.",
        "3. Step 5: you chose `9`; `5` was 5.0% better.",
    ]
    assert "gave you a **62.0%** chance: a lucky deal" in content.head


async def test_a_choice_is_named_by_the_unit_that_players_of_its_game_count(matches):
    study = await studied(matches, cost(12, 0.3, "Turn 7"))

    content = coach_content(study, PICO_SHOWN)

    assert (
        "**Costliest choice**\n1. Turn 7 (step 12): you chose `9`; `5` was 30.0% better."
        in content.head
    )
    assert content.foot.startswith(
        "**Choice by choice**, by step of the replay\n**12.** `9` -30.0%"
    )


@pytest.mark.parametrize(
    ("shares", "sentence"),
    [
        ((0, 0), "2 choices. You couldn't have done better."),
        (
            (0, 0.02, 0.3),
            "3 choices. **1** was the best you had; the other 2 gave up **16.0%** each on average.",
        ),
        ((0, 0, 0.3), "3 choices. **2** were the best you had; the other one gave up **30.0%**."),
        ((0.1, 0.9, 0.8), "3 choices. They gave up **60.0%** each on average."),
        ((0.1,), "1 choice. It gave up **10.0%**."),
    ],
)
async def test_the_average_that_choices_gave_up_is_shown(matches, shares, sentence):
    study = await studied(matches, *(cost(i, share) for i, share in enumerate(shares)))

    assert sentence in coach_content(study, PICO_SHOWN).head.splitlines()


@pytest.mark.parametrize(
    ("mixings", "is_told"),
    [
        ([Mixing(0.3, was_obvious=True)] * 4, True),  # by chance in 0.8 % of matches
        ([Mixing(0.3, was_obvious=True)] * 3, False),  # 2.7 %
        ([Mixing(0.1, was_obvious=True)] * 3, False),  # 0.1 %, but too few to be a habit
        (
            [Mixing(0.3, was_obvious=True)] * 5 + [Mixing(0.3, was_obvious=False)] * 2,
            False,
        ),  # 2.9 %
        ([Mixing(0.3, was_obvious=True)] * 6 + [Mixing(0.3, was_obvious=False)] * 2, True),  # 1.1 %
        ([Mixing(0.9, was_obvious=True), Mixing(0.3, was_obvious=False)] * 9, False),
        ([], False),
    ],
)
async def test_a_player_is_predictable_if_they_chose_the_obvious_more_often_than_by_chance(
    matches, mixings, is_told
):
    study = await studied(matches, cost(1, 0), mixings=tuple(mixings))

    head = coach_content(study, PICO_SHOWN).head

    obvious = sum(each.was_obvious for each in mixings)
    told = f"You were predictable: at {obvious} of the {len(mixings)} choices where it pays to mix"
    assert head.count(told) == is_told


@pytest.mark.parametrize(("luck", "kind"), [(0.51, "an even deal"), (0.3, "an unlucky deal")])
async def test_luck_is_shown_separately_from_skill(matches, luck, kind):
    study = await studied(matches, cost(1, 0), luck=luck)

    content = coach_content(study, PICO_SHOWN)

    assert kind in content.head
    assert "You gave nothing away" in content.head


async def test_an_estimate_is_called_one_and_skipped_choices_are_mentioned(matches, monkeypatch):
    monkeypatch.setitem(COMPUTERS, "pico", Lowest(PICO))
    study = await studied(matches, cost(1, 0.04), luck=None, total=9, checked=1)

    content = coach_content(study, PICO_SHOWN)

    assert "it may be wrong" in content.foot
    assert "I'm sure about 1 of your 9 choices." in content.head
    assert "I skipped 8 that would take too long to check." in content.head
    assert content.foot.endswith("Percentages are chances to win; a draw counts as half a win.")


@pytest.mark.parametrize(
    ("judged", "sentence"),
    [
        (1, "I'm sure about 1 of your 9 choices. It gave nothing away."),
        (2, "I'm sure about 2 of your 9 choices. They gave nothing away."),
    ],
)
async def test_nobody_is_praised_for_choices_that_were_not_judged(matches, judged, sentence):
    said = [cost(i, 0) for i in range(judged)]
    study = await studied(matches, *said, total=9, checked=9)

    content = coach_content(study, PICO_SHOWN)

    assert content.head.splitlines()[-1] == sentence


async def test_a_player_without_judged_choices_is_told_why(matches):
    study = await studied(matches, total=9, checked=9, luck=None)

    content = coach_content(study, PICO_SHOWN)

    assert content.head.splitlines()[2:] == [
        "I couldn't judge any single choice: I only comment when I'm sure."
    ]
    assert content.foot.startswith("-# Compared with best play")


async def test_without_judged_choices_the_deal_and_the_habits_are_still_told(matches):
    habits = tuple([Mixing(0.3, was_obvious=True)] * 4)
    study = await studied(matches, total=9, checked=9, mixings=habits)

    deal, unsure, predictable = coach_content(study, PICO_SHOWN).head.splitlines()[2:]

    assert deal == "🎲 With best play, this deal gave you a **62.0%** chance: a lucky deal."
    assert unsure == "I couldn't judge any single choice: I only comment when I'm sure."
    assert predictable.startswith("🎭 You were predictable: at 4 of the 4 choices")


async def test_of_more_than_two_who_tie_for_first_it_is_said_that_they_share_the_win(matches):
    two = await studied(matches, cost(1, 0))
    match = await begun(matches, CYD, DAN, interaction=2)
    three = replace(two, snapshot=await matches.snapshot(match, ANN))

    assert coach_content(two, PICO_SHOWN).foot.endswith("; a draw counts as half a win.")
    assert coach_content(three, PICO_SHOWN).foot.endswith(
        "Percentages are chances to win; players who tie for first share the win."
    )


def test_reinforcements_are_named_with_the_battalion_that_gets_them():
    review = ChoiceReview(step=3, when="", move="none / none", better="none / +F6", cost=0.1)
    snapshot = seen(position(2), seat=0)
    study = Study(snapshot=snapshot, total=1, checked=1, said=(review,), complete=True)

    content = coach_content(study, ConquestPresentation())

    assert content.head.endswith(
        "1. Step 3: you chose **no troops**; **one troop on F6 for blue** was 10.0% better."
    )
    assert "**3.** **no troops** -10.0% · better: **one troop on F6 for blue**" in content.foot


async def test_long_matches_have_pages(matches):
    study = await studied(matches, *(cost(i, 0) for i in range(1, CHOICES_PER_PAGE + 2)))

    first, second = (coach_content(study, PICO_SHOWN, page) for page in (0, 7))

    assert [b.label for b in first.rows[0]] == ["Later ▶"]
    assert [b.label for b in second.rows[0]] == ["◀ Earlier"]
    assert "Page 2 of 2" in second.foot
