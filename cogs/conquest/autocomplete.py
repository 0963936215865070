"""The autocomplete of `/conquest order`: at most 25 legal moves."""

from collections.abc import Iterator, Sequence

from bot.interactions.choices import MAX_CHOICES
from cogs.conquest.battalions import own_team
from cogs.conquest.controls import target_note
from cogs.conquest.text import placed
from games.conquest import Move, Order, Plan, Supply, View
from games.conquest.board import troops_on
from games.conquest.notation import parse


def completions(view: View, legal: Sequence[Move], typed: str) -> list[tuple[str, str]]:
    """Moves that start with the typed text, or else contain it: pairs of a label and the notation.

    For two battalions, text after a slash completes the second part, and text without a slash can
    be a part of either battalion.
    """
    columns = _columns(view, legal)
    if not columns:
        return []
    *before, last = _normalized(typed).split("/")
    if len(columns) == 1 or len(before) >= len(columns):
        matching = _matching(columns[0], _normalized(typed))
        return [(_label(view, legal, text), text) for text in matching[:MAX_CHOICES]]
    if before:
        first = next((text for text in columns[0] if _normalized(text) == before[0]), None)
        if first is None:
            return []
        joint = [f"{first} / {text}" for text in _matching(columns[1], last)]
    else:
        joint = _joint_orders(columns[0], columns[1], last)
    return [(_short_label(text), text) for text in joint[:MAX_CHOICES]]


def _joint_orders(first: Sequence[str], second: Sequence[str], typed: str) -> list[str]:
    """Joint orders with a part that matches, while the other battalion does nothing.

    Once the first part is complete, all second parts follow it. The move that does nothing is last.
    """
    parts = [
        (text, f"{text} / {behind}")
        for text in first
        for behind in _second_parts(second, exact=_normalized(text) == typed)
    ]
    parts += [(text, f"{first[-1]} / {text}") for text in second]
    fitting = set(_matching([text for text, _ in parts], typed))
    joint = dict.fromkeys(whole for text, whole in parts if text in fitting)
    return sorted(joint, key=f"{first[-1]} / {second[-1]}".__eq__)


def _second_parts(column: Sequence[str], *, exact: bool) -> Sequence[str]:
    """What to offer after a first part: all parts if it's typed in full, else only the last."""
    return column if exact else column[-1:]


def _columns(view: View, legal: Sequence[Move]) -> tuple[tuple[str, ...], ...]:
    """The parts that each battalion can write, with whole stacks first and doing nothing last."""
    parts = [_parts(view, move) for move in legal]
    columns = (dict.fromkeys(column) for column in zip(*parts, strict=True))
    return tuple(
        tuple(text for _, text in sorted(column, key=lambda part: part[0])) for column in columns
    )


def _parts(view: View, move: Move) -> Iterator[tuple[int, str]]:
    """The part of each battalion in a move, after its sort key."""
    match move:
        case Plan(orders):
            for battalion, order in zip(own_team(view), orders, strict=True):
                if order is None:
                    yield 100, "pass"
                else:
                    there = troops_on(view.board, battalion, order.source)
                    yield there - order.troops, str(order)
        case Supply(placements):
            for placement in placements:
                yield (100, "none") if placement is None else (0, str(placement))
        case _:
            yield 0, str(move)


def _matching(column: Sequence[str], typed: str) -> list[str]:
    begun = [text for text in column if _normalized(text).startswith(typed)]
    return begun or [text for text in column if typed in _normalized(text)]


def _normalized(text: str) -> str:
    return "".join(text.replace("\N{EN DASH}", "-").split()).upper()


def _label(view: View, legal: Sequence[Move], text: str) -> str:
    """The label of a move: an order with what's on its target, a reinforcement in words."""
    for move in legal:
        if str(move) == text and isinstance(move, Plan) and isinstance(move.orders[0], Order):
            return f"{text} ({target_note(view, own_team(view)[0], move.orders[0].target)})"
    return _short_label(text)


def _short_label(text: str) -> str:
    """The label without what's on targets: two orders would get too long with it."""
    move = parse(text)
    return f"{text} ({placed(move)})" if isinstance(move, Supply) else text
