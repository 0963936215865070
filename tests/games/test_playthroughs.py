"""One recorded match of every preset, readable as a story.

A difference is a change of the rules, of what can be seen, or of the notation: say so in the pull
request. `pytest tests/games --record` writes the stories again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

from games import GAMES
from tests.support.random_play import CASES, Match, match_of, seats_of

OPENING_STEPS, ENDING_STEPS = 30, 10
"""How many steps of a long match are told at its beginning and at its end."""

SHORT_CHARACTERS = 100
"""A value of at most this many characters is written whole if a part of it changes."""


def story(match: Match) -> str:
    """The whole match, or the beginning and the end of a long one, as lines of text.

    It knows no game: it writes the fields of the views, so a new game needs nothing here.
    """
    game, case = match.case.game, match.case
    lines = [f"{game.title}, {case.variant}, {case.seats} seats", "", "The deal"]
    views = [game.observe(match.states[0], seat) for seat in (None, *seats_of(case))]
    lines += [f"    {name}: {shown(getattr(views[0], name))}" for name in names(views[0])[1:]]
    lines += whispers(views)
    last = len(match.moves)
    for step, moves in enumerate(match.moves, start=1):
        if OPENING_STEPS < step <= last - ENDING_STEPS:
            left_out = last - ENDING_STEPS - OPENING_STEPS
            lines += [] if step > OPENING_STEPS + 1 else ["", f"({left_out} steps later)"]
            continue
        before = [game.observe(match.states[step - 1], seat) for seat in (None, *seats_of(case))]
        views = [game.observe(match.states[step], seat) for seat in (None, *seats_of(case))]
        plays = ", ".join(f"seat {seat} plays {moves[seat]}" for seat in sorted(moves))
        lines += ["", f"Step {step}: {plays}"]
        lines += [f"    {line}" for line in changes(before[0], views[0])]
        known = whispers(before)
        lines += [line for line in whispers(views) if line not in known]
    lines += ["", "The result", *result(match)]
    return "\n".join(lines) + "\n"


def result(match: Match) -> Iterator[str]:
    outcome = match.case.game.outcome(match.states[-1])
    yield f"    {outcome.reason}"
    for seat in seats_of(match.case):
        yield f"    seat {seat}: place {outcome.ranks[seat]}, score {outcome.scores[seat]}"


def whispers(views: Sequence[Any]) -> list[str]:
    """What each seat sees that a spectator doesn't; the spectator's view comes first."""
    public, *private = views
    return [
        f"    only seat {view.seat} sees  {line}"
        for view in private
        for line in changes(public, view)
        if not line.startswith("seat: ")
    ]


def changes(old: Any, new: Any, path: str = "") -> Iterator[str]:
    """A line for each part of a value that has changed."""
    if old == new:
        return
    if path and len(shown(new)) <= SHORT_CHARACTERS:
        yield f"{path}: {shown(new)}"
    elif is_dataclass(new) and type(old) is type(new) and not is_word(new):
        for name in names(new):
            below = f"{path}.{name}" if path else name
            yield from changes(getattr(old, name), getattr(new, name), below)
    elif isinstance(new, tuple) and isinstance(old, tuple) and old and new[: len(old)] == old:
        yield f"{path}: and {shown(new[len(old) :])}"
    elif has_places(new) and has_places(old) and len(old) == len(new):
        for i, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from changes(one, other, f"{path}[{i}]")
    else:
        yield f"{path}: {shown(new)}"


def shown(value: Any) -> str:
    """A value in a few words."""
    if value is None:
        return "-"
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return f"[{' '.join(shown(item) for item in value)}]"
    if is_dataclass(value) and not is_word(value):
        parts = ", ".join(f"{name} {shown(getattr(value, name))}" for name in names(value))
        return f"({parts})"
    return str(value)


def is_word(value: Any) -> bool:
    """Whether a value is written in the game's own notation, like a move."""
    return type(value).__str__ is not object.__str__  # type: ignore[comparison-overlap]  # both plain


def has_places(value: Any) -> bool:
    """Whether a tuple is a row of places, like seats or squares, and not a hand of cards."""
    return isinstance(value, tuple) and any(
        isinstance(item, tuple) or (is_dataclass(item) and not is_word(item)) for item in value
    )


def names(value: Any) -> list[str]:
    return [field.name for field in fields(value)]


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
