"""The rows of a hand: one tap plays a card with one target, two taps any other.

The stock and the discard piles come first, then the hand, then discards. A draft has the cards that
the first tap selected: `play d2`, or `drop 9 2` to discard two nines.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.matches import SeatSnapshot
from bot.messaging.content import balanced
from bot.rendering.presentation import Choice, ChoiceMenu, Control
from cogs.spite.card_names import cards_on_button, is_wild, needed, spoken_name
from cogs.spite.text import draw_count_text
from games.spite import Discard, Draw, Face, Move, Play, View
from games.spite.cards import FACE_NAMED
from games.spite.moves import NEW, PILES, STOCK

_TO: Final = "\N{RIGHTWARDS ARROW}"
_MORE: Final = "\N{HORIZONTAL ELLIPSIS}"
_DRAFT: Final = re.compile(r"play (stock|d[1-4]|10|[A2-9JQK*])|drop (10|[A2-9JQK*]) ([1-5])")
_BACK: Final = Choice(label="Back", move="", act="draft", quiet=True)
_MAX_BUTTONS: Final = 10
"""The most targets that are shown as buttons; more of them are a menu."""


@dataclass(frozen=True, slots=True)
class SelectedPlay:
    """A card selected to be played."""

    source: str
    face: Face
    plays: tuple[Play, ...]


@dataclass(frozen=True, slots=True)
class SelectedDiscard:
    """Cards selected to be discarded."""

    face: Face
    count: int
    held: int
    """How many cards of this face can be discarded together."""


def draft_of(
    view: View, legal: Sequence[Move], draft: str
) -> SelectedPlay | SelectedDiscard | None:
    """The selected cards; None if the draft isn't valid with these legal moves."""
    match = _DRAFT.fullmatch(draft)
    if match is None:
        return None
    source, face, count = match.groups()
    if source is not None:
        plays = _plays(legal).get(source, ())
        return SelectedPlay(source, _face_at(view, source), plays) if plays else None
    held = _held(legal).get(FACE_NAMED[face], 0)
    return SelectedDiscard(FACE_NAMED[face], int(count), held) if int(count) <= held else None


def rows(snapshot: SeatSnapshot, draft: str) -> Sequence[Control]:
    """The rows of a hand: its legal moves, or what its draft leaves to choose."""
    view: View = snapshot.view
    match draft_of(view, snapshot.legal, draft):
        case SelectedPlay() as selected:
            return _targets(view, selected)
        case SelectedDiscard() as dropped:
            return _piles(view, dropped)
        case None:
            return _sources(view, snapshot.legal)


def _sources(view: View, legal: Sequence[Move]) -> Sequence[Control]:
    plays = _plays(legal)
    draw = tuple(
        Choice(label=f"Draw {draw_count_text(view)}", move=str(move))
        for move in legal
        if move == Draw()
    )
    table = tuple(_source(view, s, plays[s]) for s in (STOCK, *PILES) if s in plays)
    hand = tuple(_source(view, s, plays[s]) for s in plays if s in FACE_NAMED)
    discards = tuple(_discard(view, face, held) for face, held in _held(legal).items())
    return [row for row in (draw, table, hand, discards) if row]


def _source(view: View, source: str, plays: Sequence[Play]) -> Choice:
    """The button of a playable card; it plays the card right away if there's only one target."""
    face = _face_at(view, source)
    card = spoken_name(face).capitalize()
    name = card if source in FACE_NAMED else f"{card} ({source})"  # as in the story
    if len(plays) > 1:
        return Choice(label=f"{name} {_TO} {_MORE}", move=f"play {source}", act="draft")
    counts = f" as {_rank(view, plays[0])}" if is_wild(view, face) else ""
    return Choice(label=f"{name}{counts} {_TO} {plays[0].target}", move=str(plays[0]))


def _discard(view: View, face: Face, held: int) -> Choice:
    """The button that discards a face; right away if there's one card and one pile to choose."""
    if held == 1 and len(_ways(view)) == 1:
        return Choice(
            label=f"Discard {spoken_name(face)}", move=str(Discard(face, 1, "d1")), quiet=True
        )
    label = f"Discard {cards_on_button(face, held)} {_MORE}"
    return Choice(label=label, move=f"drop {face} {held}", act="draft", quiet=True)


def _ways(view: View) -> Sequence[str]:
    """The discard piles to choose from: only the first one while all four are empty."""
    assert view.seat is not None
    return tuple(PILES) if any(view.sides[view.seat].discards) else ("d1",)


def _targets(view: View, selected: SelectedPlay) -> Sequence[Control]:
    """Buttons or a menu for the foundations that the selected card fits."""
    wild = is_wild(view, selected.face)
    choices = tuple(
        Choice(
            label=f"{play.target} as {_rank(view, play)}" if wild else play.target,
            move=str(play),
        )
        for play in selected.plays
    )
    if len(choices) <= _MAX_BUTTONS:
        return [*balanced(choices), (_BACK,)]
    return [ChoiceMenu(placeholder="Choose a foundation", choices=choices), (_BACK,)]


def _piles(view: View, selected: SelectedDiscard) -> Sequence[Control]:
    """Buttons for the discard piles, and above them for how many cards if there are several."""
    assert view.seat is not None
    piles = view.sides[view.seat].discards
    numbers = tuple(
        Choice(
            label=f"{'✓ ' if n == selected.count else ''}{cards_on_button(selected.face, n)}",
            move=f"drop {selected.face} {n}",
            act="draft",
            quiet=n != selected.count,
        )
        for n in range(1, selected.held + 1)
    )
    targets = tuple(
        Choice(
            label=f"{name}, on {spoken_name(pile[-1])}" if pile else f"{name}, empty",
            move=str(Discard(selected.face, selected.count, name)),
        )
        for name, pile in zip(_ways(view), piles, strict=False)
    )
    return [*([numbers] if len(numbers) > 1 else []), targets, (_BACK,)]


def _plays(legal: Sequence[Move]) -> Mapping[str, tuple[Play, ...]]:
    """The legal plays by source, in the order of the legal moves."""
    plays: dict[str, tuple[Play, ...]] = {}
    for move in legal:
        if isinstance(move, Play):
            plays[move.source] = (*plays.get(move.source, ()), move)
    return plays


def _held(legal: Sequence[Move]) -> Mapping[Face, int]:
    """How many cards of each face can be discarded together, by face."""
    counts: dict[Face, int] = {}
    for move in legal:
        if isinstance(move, Discard):
            counts[move.face] = max(counts.get(move.face, 0), move.count)
    return counts


def _face_at(view: View, source: str) -> Face:
    """The card that a play from this source moves."""
    if source in FACE_NAMED:
        return FACE_NAMED[source]
    assert view.seat is not None
    side = view.sides[view.seat]
    face = side.top if source == STOCK else side.discards[PILES[source]][-1]
    assert face is not None
    return face


def _rank(view: View, play: Play) -> Face:
    """The rank that a card counts as on the target of a play."""
    pile = () if play.target == NEW else view.foundations[int(play.target[1:]) - 1]
    return needed(pile)
