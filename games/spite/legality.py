"""What a seat may do: plays, discards, the draw, in a stable order (R30-R34)."""

from collections.abc import Container, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from games.spite.cards import FACES, ORDER, RANKS, WILDNESS, Face
from games.spite.moves import NEW, PILES, STOCK, Discard, Draw, Move, Play
from games.spite.options import Options
from games.spite.state import Side, State
from games.spite.table import HAND_SIZE, Place, Table

Foundations = tuple[tuple[Face, ...], ...]

_MAX_FOUNDATIONS: Final = 20  # aces, kings and jokers that can begin one: 8 + 8 + 4
_TARGETS: Final = tuple(f"f{i + 1}" for i in range(_MAX_FOUNDATIONS))
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
# Moves are values, so the same ones are handed out each time: making new ones takes longer
# than all the rest of `legal_moves`.


def playable(side: Side | Place) -> Iterator[tuple[str, Face]]:
    """The cards a seat may play and the names of their places, each hand card's face once."""
    yield STOCK, side.stock[-1]  # nobody plays on without a stock
    previous = None
    for face in side.hand:
        if face != previous:
            yield face, face
            previous = face
    for name, pile in zip(PILES, side.discards, strict=True):
        if pile:
            yield name, pile[-1]


def may_start(options: Options, foundations: Foundations) -> bool:
    """Whether there is room for a new foundation."""
    return options.foundations is None or len(foundations) < options.foundations


def welcome(options: Options, foundations: Foundations) -> set[Face]:
    """The faces that some foundation, or the room for a new one, would take now."""
    faces = {RANKS[len(pile)] for pile in foundations}
    if may_start(options, foundations):
        faces.add("A")
    faces.update(WILDNESS[options.jokers].wild)  # with no room for a new one there are piles
    return faces


def can_play(table: Table) -> bool:
    """Whether the seat on turn has any play."""
    faces = welcome(table.series.options, table.foundations)
    return any(face in faces for _, face in playable(table.place))


def may_draw(state: State) -> bool:
    """Whether `draw` is legal now (R32)."""
    return offers_draw(state, len(state.sides[state.on_turn].hand))


def offers_draw(position: State | Table, held: int) -> bool:
    """Whether the turn still allows the draw to a hand of `held` cards (R32)."""
    return (
        position.draw == "open" and held < HAND_SIZE and bool(position.source or position.removed)
    )


def forced_faces(options: Options, foundations: Foundations) -> tuple[Face, ...]:
    """The faces that may not be kept back before a discard, given the foundations (R34)."""
    if options.forced == "none":
        return ()
    faces: tuple[Face, ...] = ("A",) if may_start(options, foundations) else ()
    if options.forced == "aces-and-twos" and any(len(pile) == 1 for pile in foundations):
        faces += ("2",)
    return faces


def forced_plays(state: State) -> list[Play]:
    """The plays of aces and twos that stand between the seat on turn and a discard."""
    faces = forced_faces(state.series.options, state.foundations)
    return _plays(state, faces) if faces else []


def plays(state: State) -> list[Play]:
    """Every play of the seat on turn: stock first, then hand, then discard piles."""
    return _plays(state, welcome(state.series.options, state.foundations))


def _plays(state: State, faces: Container[Face]) -> list[Play]:
    """The plays of the cards with certain faces, each of which some foundation takes."""
    options, foundations = state.series.options, state.foundations
    wild, has_room = WILDNESS[options.jokers].wild, may_start(options, foundations)
    found: list[Play] = []
    for source, face in playable(state.sides[state.on_turn]):
        if face not in faces:
            continue
        if face in wild:
            found += _PLAYS[source][: len(foundations)]
        else:
            held = ORDER[face]
            found += [
                play
                for play, pile in zip(_PLAYS[source], foundations, strict=False)
                if len(pile) == held
            ]
        if has_room and (face == "A" or face in wild):
            found.append(_STARTS[source])
    return found


def discards(state: State) -> list[Discard]:
    """Every discard of the seat on turn; none while a forced card can be played."""
    if forced_plays(state):
        return []
    hand = state.sides[state.on_turn].hand
    found: list[Discard] = []
    for face in dict.fromkeys(hand):
        found += _DISCARDS[face, hand.count(face)]
    return found


def moves(state: State) -> tuple[Move, ...]:
    """Every move of the seat on turn."""
    draw = (Draw(),) if may_draw(state) else ()
    return (*draw, *plays(state), *discards(state))
