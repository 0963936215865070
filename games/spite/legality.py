"""The legal moves: the draw, plays and discards, in a stable order (R30-R34)."""

from collections.abc import Container, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from games.spite.cards import FACES, ORDER, RANKS, WILDNESS, Face
from games.spite.moves import NEW, PILES, STOCK, Discard, Draw, Move, Play
from games.spite.options import Options
from games.spite.state import Side, State
from games.spite.table import HAND_SIZE, MutableSide, Table

Foundations = tuple[tuple[Face, ...], ...]

_MAX_FOUNDATIONS: Final = 20  # aces, kings and jokers that can begin one: 8 + 8 + 4
_TARGETS: Final = tuple(f"f{i + 1}" for i in range(_MAX_FOUNDATIONS))
# The same move objects are returned each time, since creating new ones would take longer than all
# the rest of `legal_moves`.
_PLAYS: Final[Mapping[str, tuple[Play, ...]]] = MappingProxyType(
    {
        source: tuple(Play(source, target) for target in _TARGETS)
        for source in (STOCK, *FACES, *PILES)
    }
)
_STARTS: Final = MappingProxyType({source: Play(source, NEW) for source in _PLAYS})
_DISCARDS: Final = MappingProxyType(
    {
        (face, held): tuple(
            Discard(face, count, pile) for count in range(1, held + 1) for pile in PILES
        )
        for face in FACES
        for held in range(1, HAND_SIZE + 1)
    }
)


def playable(side: Side | MutableSide) -> Iterator[tuple[str, Face]]:
    """Yield the cards that a seat may play, each after the name of its source.

    Equal cards in hand are yielded once.
    """
    yield STOCK, side.stock[-1]  # never empty: the last stock card ends the game
    previous = None
    for face in side.hand:
        if face != previous:
            yield face, face
            previous = face
    for name, pile in zip(PILES, side.discards, strict=True):
        if pile:
            yield name, pile[-1]


def may_start(options: Options, foundations: Foundations) -> bool:
    """Whether the limit of foundations allows a new one."""
    return options.foundations is None or len(foundations) < options.foundations


def playable_faces(options: Options, foundations: Foundations) -> set[Face]:
    """The faces that can be played now, onto some foundation or as a new one."""
    faces = {RANKS[len(pile)] for pile in foundations}
    if may_start(options, foundations):
        faces.add("A")
    faces.update(WILDNESS[options.jokers].wild)  # where no new one is allowed, there are some
    return faces


def can_play(table: Table) -> bool:
    """Whether the seat on turn has any play."""
    faces = playable_faces(table.series.options, table.foundations)
    return any(face in faces for _, face in playable(table.own_side))


def may_draw(state: State) -> bool:
    """Whether `draw` is legal now (R32)."""
    return offers_draw(state, len(state.sides[state.on_turn].hand))


def offers_draw(position: State | Table, held: int) -> bool:
    """Whether `draw` is legal for the seat on turn, with `held` cards in hand (R32)."""
    return (
        position.draw == "open" and held < HAND_SIZE and bool(position.source or position.removed)
    )


def forced_faces(options: Options, foundations: Foundations) -> tuple[Face, ...]:
    """The faces that must be played before a discard, given the foundations (R34)."""
    if options.forced == "none":
        return ()
    faces: tuple[Face, ...] = ("A",) if may_start(options, foundations) else ()
    if options.forced == "aces-and-twos" and any(len(pile) == 1 for pile in foundations):
        faces += ("2",)
    return faces


def forced_plays(state: State) -> list[Play]:
    """The plays of forced cards; the seat on turn can't discard while there are any (R34)."""
    faces = forced_faces(state.series.options, state.foundations)
    return _plays(state, faces) if faces else []


def plays(state: State) -> list[Play]:
    """All plays of the seat on turn: from the stock, then the hand, then the discard piles."""
    return _plays(state, playable_faces(state.series.options, state.foundations))


def _plays(state: State, faces: Container[Face]) -> list[Play]:
    """The plays of cards with these faces, all of which must be playable somewhere."""
    options, foundations = state.series.options, state.foundations
    wild, has_room = WILDNESS[options.jokers].wild, may_start(options, foundations)
    legal: list[Play] = []
    for source, face in playable(state.sides[state.on_turn]):
        if face not in faces:
            continue
        if face in wild:
            legal += _PLAYS[source][: len(foundations)]
        else:
            held = ORDER[face]
            legal += [
                play
                for play, pile in zip(_PLAYS[source], foundations, strict=False)
                if len(pile) == held
            ]
        if has_room and (face == "A" or face in wild):
            legal.append(_STARTS[source])
    return legal


def discards(state: State) -> list[Discard]:
    """All discards of the seat on turn; none while a forced card can be played."""
    if forced_plays(state):
        return []
    hand = state.sides[state.on_turn].hand
    legal: list[Discard] = []
    for face in dict.fromkeys(hand):
        legal += _DISCARDS[face, hand.count(face)]
    return legal


def moves(state: State) -> tuple[Move, ...]:
    """All moves of the seat on turn."""
    draw = (Draw(),) if may_draw(state) else ()
    return (*draw, *plays(state), *discards(state))
