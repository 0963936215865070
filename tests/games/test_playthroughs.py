"""One recorded match of every preset, readable as a story.

A difference is a change of rules, of what is seen or of the notation: say so in the pull request.
`pytest tests/games --record` writes the stories again.
"""

from pathlib import Path

import pytest

from games import GAMES
from tests.support.random_play import CASES, match_of
from tests.support.stories import story

STORIES = Path(__file__).parent / "playthroughs"
PRESETS = [case for case in CASES if case.variant in GAMES[case.key].presets]


def read(path: Path) -> str:
    assert path.exists(), f"{path.name} is not recorded yet: run `pytest tests/games --record`."
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("case", PRESETS, ids=str)
def test_the_recorded_match_still_goes_the_same_way(case, record):
    told = story(match_of(case, 0))

    record(STORIES / f"{case}.txt", told)
    assert read(STORIES / f"{case}.txt") == told


def test_every_story_belongs_to_a_preset():
    assert {path.stem for path in STORIES.iterdir()} == {str(case) for case in PRESETS}
