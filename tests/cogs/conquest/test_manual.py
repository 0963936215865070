"""The manual of Divide & Conquer (board)."""

import re

from cogs.conquest.controls import OBJECTIVE
from cogs.conquest.manual import PAGES
from games.conquest import LAYOUT, Battalion, Options


def test_the_manual_names_every_mark():
    (page,) = [page for page in PAGES if page.title == "Board and marks"]

    for battalion in Battalion:
        goals = ", ".join(LAYOUT.objectives[battalion])
        assert f"{battalion.color} {goals}" in page.alt
        assert f"{battalion.color} {LAYOUT.headquarters[battalion]}" in page.alt


def test_the_manual_says_that_a_teams_battalions_count_together_at_the_turn_limit():
    """Otherwise the score, which has a line for each battalion, suggests that they don't (R23)."""
    (page,) = [page for page in PAGES if page.title == "Teams"]

    assert "After the last turn, objectives and troops of **both** count together." in page.text


def test_the_manual_has_the_notation_of_reinforcements():
    (page,) = [page for page in PAGES if page.title == "Reinforcement"]

    assert "`+D3`, `G7>HQ` or `none`" in page.text


def test_the_manual_explains_the_signs_on_buttons():
    (page,) = [page for page in PAGES if page.title == "An order"]

    assert f"{OBJECTIVE} marks your objectives, and a color with a number says who" in page.text


def test_the_manual_explains_every_option():
    told = {word for page in PAGES for word in re.findall(r"`(\w+)`", page.text)}

    assert set(Options.__dataclass_fields__) <= told
