"""The texts of Pico: what happened, the score, the result, the question of a hand.

Pure functions of views. `names` has the display text of each seat, in the order of the seats.
"""

from collections.abc import Sequence
from typing import Final

from bot.drawing.seats import MARKS
from bot.text import (
    YOU,
    capitalized,
    counted,
    listed,
    result_sentence,
    their_or_your,
    with_verb,
)
from games.core import Seat
from games.pico import DECKS, Trick, View
from games.pico.decks import DeckName

QUESTION: Final = "**Choose your card.** It stays face down until everyone has chosen."

_TIMES: Final = "\N{MULTIPLICATION SIGN}"


def headline(view: View) -> str:
    """Which round it is: `Round 1 of 2`."""
    return f"Round {view.round} of {view.rounds}"


def moment(view: View) -> str:
    """The point of the match as players count: `Round 1, trick 3`."""
    if len(view.hands) > 2:  # two players can win the same trick, so won cards don't count tricks
        return f"Round {view.round}"
    return f"Round {view.round}, trick {sum(map(len, view.won)) + 1}"


def trick_line(trick: Trick, names: Sequence[str], *, deck: DeckName) -> str:
    """Who won a trick, why, and how many dots; those depend on the deck."""
    dots = DECKS[deck].dots[winning_face(trick)]
    names = [names[seat] for seat in trick.winners]
    if len(names) == 1:
        scores = capitalized(with_verb(names[0], "scores", "score"))
        return f"{verdict_sentence(trick)} {scores} {counted(dots, 'dot')}."
    winners = capitalized(listed(names))
    return f"{verdict_sentence(trick)} {winners} score {counted(dots, 'dot')} each."


def story(view: View, names: Sequence[str]) -> str:
    """What happened last: the deal, or a trick and the end of its round; then who has left since.

    Once the match is over, its result says who has left.
    """
    parts = [_dealt(view)] if view.last is None else _revealed(view, view.last, names)
    if view.outcome is None:
        parts += [
            _has_left(names[seat])
            for seat in view.left
            if view.last is None or view.last.faces[seat] is not None  # left after that trick
        ]
    return " ".join(parts)


def score_line(view: View, names: Sequence[str]) -> str:
    """Everybody's dots, split by round from round 2 on, and what wins while the match runs."""
    parts = [
        f"{MARKS[seat].emoji} {name} **{view.dots[seat]}**{rounds_sum(view, Seat(seat))}"
        f"{', out' if seat in view.left else ''}"
        for seat, name in enumerate(names)
    ]
    if view.awaiting:
        parts.append("most dots win")
    return " · ".join(parts)


def result_line(view: View, names: Sequence[str]) -> str:
    """Who won and what decided it. Raises ValueError while the match is still running."""
    return result_sentence(view.outcome, names)


def round_dots(view: View, seat: Seat) -> tuple[int, ...]:
    """A seat's dots in each round so far, including the current one.

    The dots of the round in which a seat left are missing. They're only in `View.parted`, because
    a view doesn't say which round that was.
    """
    finished = tuple(total[seat] for total in view.totals)
    if len(finished) == view.round:
        return finished
    dots = DECKS[view.deck].dots
    return (*finished, sum(dots[face] for face in view.won[seat]))


def rounds_sum(view: View, seat: Seat) -> str:
    """Those dots in parentheses, such as ` (9 + 7)`; "" in round 1, or if some are missing."""
    rounds = round_dots(view, seat)
    if view.parted[seat] or len(rounds) == 1:
        return ""
    return f" ({' + '.join(str(dots) for dots in rounds)})"


def reason(trick: Trick) -> str:
    """The comparison that decided a trick, such as `10 < 7 + 5`."""
    high, *low = sorted(played(trick).values(), reverse=True)
    if trick.verdict == "equal":
        twin = winning_face(trick)
        return f"{twin} = {twin}"
    limit = f"2 {_TIMES} {low[0]}" if len(low) == 1 else f"{low[0]} + {low[1]}"
    value = 2 * low[0] if len(low) == 1 else sum(low)
    sign = ">" if high > value else "=" if high == value else "<"
    return f"{high} {sign} {limit}"


def played(trick: Trick) -> dict[Seat, int]:
    """The cards of a trick by seat, without seats that had left."""
    return {Seat(i): face for i, face in enumerate(trick.faces) if face is not None}


def winning_face(trick: Trick) -> int:
    """The card that won a trick; if two players won it, their cards are equal."""
    return played(trick)[trick.winners[0]]


def verdict_sentence(trick: Trick) -> str:
    """Which cards won a trick and why, as a sentence."""
    won = winning_face(trick)
    losing = [face for seat, face in played(trick).items() if seat not in trick.winners]
    others = sorted(losing, reverse=True)
    if trick.verdict == "equal":
        against = f" against {listed(others)}" if others else ""
        return f"{won} and {won}{against}: equal cards both win."
    if trick.verdict == "higher":
        return f"{won} beats {listed(others)}{_limit_remark(won, others)}."
    if len(others) == 1:
        return f"{others[0]} loses to {won}: more than twice as high."
    high, rest = others
    return f"{high} loses to {won}: more than {rest} and {won} together, so the lowest card wins."


def _limit_remark(won: int, others: Sequence[int]) -> str:
    """The end of that sentence if the highest card was just low enough to win, else ""."""
    if len(others) == 1:
        return ": exactly twice as high still wins" if won == 2 * others[0] else ""
    return ": exactly as high as both together still wins" if won == sum(others) else ""


def _dealt(view: View) -> str:
    passed = " Everyone passed their hand to the left." if len(view.hands) == 3 else ""
    return f"The cards are dealt.{passed} The {view.spare} is left over and stays out of play."


def _revealed(view: View, trick: Trick, names: Sequence[str]) -> list[str]:
    parts = [trick_line(trick, names, deck=view.deck)]
    if trick.round > len(view.totals):
        return parts
    seats = list(played(trick))
    dots = view.totals[trick.round - 1]
    results = ", ".join(f"{names[seat]} {counted(dots[seat], 'dot')}" for seat in seats)
    parts.append(f"Round {trick.round} is over: {results}.")
    if view.round > trick.round:
        parts.append(_swapped(view, seats, names))
    return parts


def _swapped(view: View, seats: Sequence[Seat], names: Sequence[str]) -> str:
    """How the sets changed hands before the current round."""
    if len(seats) == 3:
        how = "Everyone passes the whole set to the right"
    elif len(view.hands) == 3:
        who = [names[seat] for seat in seats]
        how = f"{capitalized(listed(who))} swap {'your' if YOU in who else 'their'} sets"
    else:
        how = "The sets are swapped"
    return f"{how}, and round {view.round} of {view.rounds} begins."


def _has_left(name: str) -> str:
    out, own = capitalized(with_verb(name, "is", "are")), their_or_your(name)
    return f"{out} out; {own} dots stay and {own} cards leave play."
