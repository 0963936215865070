"""The rules of the board war: what the pages say."""

import re

from cogs.conquest.manual import PAGES
from games.conquest import LAYOUT, Battalion, Options


def test_the_manual_names_every_mark():
    (page,) = [page for page in PAGES if page.title == "Board and marks"]

    for battalion in Battalion:
        goals = ", ".join(LAYOUT.objectives[battalion])
        assert f"{battalion.color} {goals}" in page.alt
        assert f"{battalion.color} {LAYOUT.headquarters[battalion]}" in page.alt


def test_the_manual_explains_every_option():
    told = {word for page in PAGES for word in re.findall(r"`(\w+)`", page.text)}

    assert set(Options.__dataclass_fields__) <= told
