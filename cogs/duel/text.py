"""The texts of the tile duel: what happened, the score, the result, the question of a hand.

Pure functions of views. `names` has the display text of each seat, in the order of the seats.
"""

from collections.abc import Sequence
from typing import Final

from bot.drawing.seats import MARKS
from bot.text import capitalized, counted, result_sentence, with_verb
from games.core import Seat
from games.duel import SETS, Pair, View, beats

QUESTION: Final = "**Choose your tile.** It stays face down until everyone has chosen."

_NUMBERS: Final = {5: "five", 7: "seven"}


def needed(tiles: int) -> int:
    """The points that win a match with this many tiles: more than half of all pairs (R8)."""
    return SETS[tiles].hand + 1


def winning_total(pair: Pair) -> int:
    return pair.totals[pair.winner]


def losing_total(pair: Pair) -> int:
    return pair.totals[1 - pair.winner]


def pair_sentence(pair: Pair) -> str:
    """A sentence that says which tile won and why."""
    won, lost = winning_total(pair), losing_total(pair)
    match pair.verdict:
        case "divides":
            return f"{lost} loses to {won}: {won} divides {lost}."
        case "one less":
            return f"{lost} loses to {won}: {won} is exactly one less than {lost}."
        case "higher":
            return (
                f"{won} beats {lost}: it's higher, and {lost} doesn't divide it and isn't one less."
            )


def reason(pair: Pair) -> str:
    """Why a pair was won, short enough for a picture: `5 divides 10`."""
    won, lost = winning_total(pair), losing_total(pair)
    match pair.verdict:
        case "divides":
            return f"{won} divides {lost}"
        case "one less":
            return f"{won} is one less"
        case "higher":
            return f"{won} is higher"


def beaten(tiles: int, total: int) -> tuple[int, ...]:
    """The totals in a set of this many tiles that a tile beats, in ascending order."""
    return tuple(other for other in SETS[tiles].totals if other != total and beats(total, other))


def headline(view: View) -> str:
    """Which round and pair it is: `Round 1 of 2, pair 3 of 5`."""
    pairs = SETS[view.tiles].hand
    number = min(pairs, len(view.played[-1]) + 1)
    return f"Round {view.round} of {view.rounds}, pair {number} of {pairs}"


def moment(view: View) -> str:
    """The point of the match as players count: `Round 1, pair 3`."""
    return f"Round {view.round}, pair {len(view.played[-1]) + 1}"


def story(view: View, names: Sequence[str]) -> str:
    """What happened last: the deal, or a pair and the end of its round."""
    if view.last is None:
        return _dealt(view)
    return " ".join(_exposed(view, view.last, names))


def score_line(view: View, names: Sequence[str]) -> str:
    """Both players' points, split by round from round 2 on, and what wins while the match runs."""
    parts = [
        f"{MARKS[seat].emoji} {name} **{view.scores[seat]}**{rounds_sum(view, Seat(seat))}"
        for seat, name in enumerate(names)
    ]
    if view.awaiting:
        parts.append(goal_text(view))
    return " · ".join(parts)


def rounds_sum(view: View, seat: Seat) -> str:
    """A seat's points by round in parentheses, such as ` (3 + 2)`; "" in round 1."""
    if len(view.points) == 1:
        return ""
    return f" ({' + '.join(str(points[seat]) for points in view.points)})"


def goal_text(view: View) -> str:
    """What wins a running match, or that it's decided: round 2 is always played to the end (R8)."""
    if max(view.scores) >= needed(view.tiles):
        return "decided; the rest is played out"
    return f"first to {needed(view.tiles)} wins"


def result_line(view: View, names: Sequence[str]) -> str:
    """Who won and what decided it. Raises ValueError while the match is still running."""
    return result_sentence(view.outcome, names, nobody="A tie")


def _dealt(view: View) -> str:
    each = SETS[view.tiles].hand
    return f"Each player gets {_NUMBERS[each]} of the {view.tiles} tiles, for everyone to see."


def _exposed(view: View, pair: Pair, names: Sequence[str]) -> list[str]:
    scores = capitalized(with_verb(names[pair.winner], "scores", "score"))
    parts = [f"{pair_sentence(pair)} {scores} a point."]
    if len(view.played[pair.round - 1]) == SETS[view.tiles].hand:
        points = view.points[pair.round - 1]
        results = ", ".join(f"{name} {counted(points[i], 'point')}" for i, name in enumerate(names))
        parts.append(f"Round {pair.round} is over: {results}.")
        if view.round > pair.round:
            begins = f"round {view.round} of {view.rounds} begins"
            parts.append(f"The players swap the hands they were dealt, and {begins}.")
    elif _has_just_enough(view, pair):
        parts.append(f"That's {needed(view.tiles)} points, enough to win; the rest is played out.")
    return parts


def _has_just_enough(view: View, pair: Pair) -> bool:
    """Whether this pair's winner has just reached the points to win, with pairs left to play."""
    return bool(view.awaiting) and view.scores[pair.winner] == needed(view.tiles)
