"""The rows of a hand: one tap for a card with one target, two for every other.

The cards of the table come first (the stock before the discard piles), then the hand, then what
is discarded. A draft names the card that was taken up: `play d2`, or `drop 9 2` for two nines.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.messaging.content import balanced
from bot.rendering.presentation import Choice, ChoiceMenu, Control
from cogs.spite.card_names import group, is_wild, needed, said
from cogs.spite.text import drawn
from games.spite import Discard, Draw, Face, Move, Play, View
from games.spite.cards import FACE_NAMED
from games.spite.moves import NEW, PILES, STOCK

_TO: Final = "\N{RIGHTWARDS ARROW}"
_MORE: Final = "\N{HORIZONTAL ELLIPSIS}"
_DRAFT: Final = re.compile(r"play (stock|d[1-4]|10|[A2-9JQK*])|drop (10|[A2-9JQK*]) ([1-5])")
_BACK: Final = Choice(label="Back", move="", draft=True, quiet=True)
_MAX_BUTTONS: Final = 10
"""Targets that are shown as buttons; of more, a menu."""


@dataclass(frozen=True, slots=True)
class Lifted:
    """A card taken up to be played."""

    source: str
    face: Face
    plays: tuple[Play, ...]


@dataclass(frozen=True, slots=True)
class Dropped:
    """Cards taken up to be discarded."""

    face: Face
    count: int
    held: int
    """How many of the face may go together."""


def draft_of(view: View, legal: Sequence[Move], draft: str) -> Lifted | Dropped | None:
    """What was taken up; None for a draft that means nothing here."""
    found = _DRAFT.fullmatch(draft)
    if found is None:
        return None
    source, face, count = found.groups()
    if source is not None:
        plays = _plays(legal).get(source, ())
        return Lifted(source, _face_at(view, source), plays) if plays else None
    held = _held(legal).get(FACE_NAMED[face], 0)
    return Dropped(FACE_NAMED[face], int(count), held) if int(count) <= held else None


def rows(view: View, legal: Sequence[Move], draft: str) -> Sequence[Control]:
    """All the rows of a hand whose owner may make these moves."""
    match draft_of(view, legal, draft):
        case Lifted() as lifted:
            return _targets(view, lifted)
        case Dropped() as dropped:
            return _piles(view, dropped)
        case None:
            return _sources(view, legal)


def _sources(view: View, legal: Sequence[Move]) -> Sequence[Control]:
    plays = _plays(legal)
    draw = tuple(
        Choice(label=f"Draw {drawn(view)}", move=str(move)) for move in legal if move == Draw()
    )
    table = tuple(_source(view, s, plays[s]) for s in (STOCK, *PILES) if s in plays)
    hand = tuple(_source(view, s, plays[s]) for s in plays if s in FACE_NAMED)
    discards = tuple(_discard(view, face, held) for face, held in _held(legal).items())
    return [row for row in (draw, table, hand, discards) if row]


def _source(view: View, source: str, plays: Sequence[Play]) -> Choice:
    """A card that can be played: at once where there is one target for it."""
    face = _face_at(view, source)
    card = said(face).capitalize()
    name = card if source in FACE_NAMED else f"{card} ({source})"  # as the story tells of it
    if len(plays) > 1:
        return Choice(label=f"{name} {_TO} {_MORE}", move=f"play {source}", draft=True)
    counts = f" as {_rank(view, plays[0])}" if is_wild(view, face) else ""
    return Choice(label=f"{name}{counts} {_TO} {plays[0].target}", move=str(plays[0]))


def _discard(view: View, face: Face, held: int) -> Choice:
    """Cards to be discarded: at once where neither their number nor the pile is a question."""
    if held == 1 and len(_ways(view)) == 1:
        return Choice(label=f"Discard {said(face)}", move=str(Discard(face, 1, "d1")), quiet=True)
    label = f"Discard {group(face, held)} {_MORE}"
    return Choice(label=label, move=f"drop {face} {held}", draft=True, quiet=True)


def _ways(view: View) -> Sequence[str]:
    """The discard piles to choose from: one of them will do while all four are empty."""
    assert view.seat is not None
    return tuple(PILES) if any(view.sides[view.seat].discards) else ("d1",)


def _targets(view: View, lifted: Lifted) -> Sequence[Control]:
    """The foundations on which the card fits."""
    wild = is_wild(view, lifted.face)
    choices = tuple(
        Choice(
            label=f"{play.target} as {_rank(view, play)}" if wild else play.target,
            move=str(play),
        )
        for play in lifted.plays
    )
    if len(choices) <= _MAX_BUTTONS:
        return [*balanced(choices), (_BACK,)]
    return [ChoiceMenu(placeholder="Choose a foundation", choices=choices), (_BACK,)]


def _piles(view: View, dropped: Dropped) -> Sequence[Control]:
    """The discard piles; before them how many go together, where there are several."""
    assert view.seat is not None
    piles = view.sides[view.seat].discards
    numbers = tuple(
        Choice(
            label=f"{'✓ ' if n == dropped.count else ''}{group(dropped.face, n)}",
            move=f"drop {dropped.face} {n}",
            draft=True,
            quiet=n != dropped.count,
        )
        for n in range(1, dropped.held + 1)
    )
    targets = tuple(
        Choice(
            label=f"{name}, on {said(pile[-1])}" if pile else f"{name}, empty",
            move=str(Discard(dropped.face, dropped.count, name)),
        )
        for name, pile in zip(_ways(view), piles, strict=False)
    )
    return [*([numbers] if len(numbers) > 1 else []), targets, (_BACK,)]


def _plays(legal: Sequence[Move]) -> Mapping[str, tuple[Play, ...]]:
    """The plays of each card, in the order of the legal moves."""
    found: dict[str, tuple[Play, ...]] = {}
    for move in legal:
        if isinstance(move, Play):
            found[move.source] = (*found.get(move.source, ()), move)
    return found


def _held(legal: Sequence[Move]) -> Mapping[Face, int]:
    """How many cards of each face may be discarded together."""
    found: dict[Face, int] = {}
    for move in legal:
        if isinstance(move, Discard):
            found[move.face] = max(found.get(move.face, 0), move.count)
    return found


def _face_at(view: View, source: str) -> Face:
    """The card at a source from which there is a play."""
    if source in FACE_NAMED:
        return FACE_NAMED[source]
    assert view.seat is not None
    side = view.sides[view.seat]
    face = side.top if source == STOCK else side.discards[PILES[source]][-1]
    assert face is not None
    return face


def _rank(view: View, play: Play) -> Face:
    """What a card counts as where it is played."""
    pile = () if play.target == NEW else view.foundations[int(play.target[1:]) - 1]
    return needed(pile)
