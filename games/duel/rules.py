"""The tile duel: the higher tile wins, unless the lower divides it or is exactly one less.

Divide and Conquer, after a card game by Claude Soucie. Rules: the rulebook of Divide and Conquer
(tiles), made exact by R7-R9, R37 and R38. Both hands are public (together they are the whole set);
only the choice is secret, and a choice isn't part of a state. So a state has no secrets, and all
views show the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, Literal

from games.chance import Chance
from games.core import Game, IllegalMoveError, Outcome, Seat
from games.duel.tiles import SETS

ROUNDS: Final = 2
BOTH: Final = frozenset((Seat(0), Seat(1)))
NOBODY: Final[frozenset[Seat]] = frozenset()

Verdict = Literal["divides", "one less", "higher"]
"""Why a tile won: it divides the higher one, it is exactly one less, or it is the higher one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    tiles: int = 10
    """How many tiles are dealt: 10 or 14."""

    def __post_init__(self) -> None:
        if type(self.tiles) is not int or self.tiles not in SETS:
            sizes = " or ".join(str(size) for size in SETS)
            raise ValueError(f"The duel is played with {sizes} tiles, not with {self.tiles!r}.")


@dataclass(frozen=True, slots=True)
class Tile:
    """The tile a seat plays, by its total."""

    total: int

    def __str__(self) -> str:
        return str(self.total)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two tiles that were revealed at once, for one point."""

    round: int
    totals: tuple[int, ...]
    """The tile of each seat."""

    winner: Seat
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    options: Options
    round: int
    """The round being played, 1 or 2; once the match is over, the last one played."""

    dealt: tuple[tuple[int, ...], ...]
    """The hands with which this round began, in ascending order; in round 2 they are exchanged."""

    hands: tuple[tuple[int, ...], ...]
    """The tiles that each seat has yet to play in this round, in ascending order."""

    pairs: tuple[Pair, ...]
    """All pairs of the match, in the order in which they were played."""

    left: tuple[Seat, ...]
    """The seat that conceded, if one did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What everybody may see; `seat` is the owner of the view, None for a spectator."""

    seat: Seat | None
    tiles: int
    round: int
    rounds: int
    exchanged: bool
    """Whether the hands have been exchanged, which happens with the last pair of round 1."""

    dealt: tuple[tuple[int, ...], ...]
    hands: tuple[tuple[int, ...], ...]
    played: tuple[tuple[Pair, ...], ...]
    """The pairs of each round that has begun."""

    points: tuple[tuple[int, ...], ...]
    """The points of each seat in each round that has begun, by round, then by seat."""

    scores: tuple[int, ...]
    """The points of each seat so far, over all rounds."""

    last: Pair | None
    """The pair played last; right after the exchange, the last one of round 1."""

    left: tuple[Seat, ...]
    awaiting: tuple[Seat, ...]
    outcome: Outcome | None


def verdict(lower: int, higher: int) -> Verdict:
    """Why one of two tiles wins (R7): the higher one for "higher", else the lower one."""
    if higher % lower == 0:
        return "divides"
    if higher - lower == 1:
        return "one less"
    return "higher"


def beats(total: int, other: int) -> bool:
    """Whether a tile wins against another one (R7)."""
    lower, higher = sorted((total, other))
    return (verdict(lower, higher) == "higher") == (total == higher)


class Duel(Game[State, Tile, View, Options]):
    key = "duel"
    title = "Divide and Conquer (tiles)"
    seats = range(2, 3)
    options = Options
    presets = MappingProxyType({"standard": Options(tiles=10), "large": Options(tiles=14)})
    state = State
    hands_are_public = True

    def setup(self, options: Options, seats: int, chance: Chance) -> State:
        if not self.fits(options, seats):
            raise ValueError(f"The tile duel is for 2 players, not {seats}.")
        tiles = SETS[options.tiles]
        drawn = chance.shuffled(tiles.totals)
        dealt = tuple(sorted(drawn[: tiles.hand])), tuple(sorted(drawn[tiles.hand :]))
        return State(options=options, round=1, dealt=dealt, hands=dealt, pairs=(), left=())

    def awaiting(self, state: State) -> frozenset[Seat]:
        if state.left or not state.hands[0]:
            return NOBODY
        return BOTH

    def legal_moves(self, state: State, seat: Seat) -> Sequence[Tile]:
        if seat not in self.awaiting(state):
            return ()
        return tuple(Tile(total) for total in state.hands[seat])

    def check(self, state: State, seat: Seat, move: Tile) -> None:
        if not isinstance(move, Tile):
            raise IllegalMoveError("A move is one tile, written as its total.")
        if seat not in self.awaiting(state):
            raise IllegalMoveError("It's not your turn to play a tile.")
        if move.total in state.hands[seat]:
            return
        held = ", ".join(str(total) for total in state.hands[seat])
        if move.total in state.dealt[seat]:
            raise IllegalMoveError(
                f"You've already played the {move.total} this round. You still have {held}."
            )
        raise IllegalMoveError(f"You don't have the {move.total}. Your tiles are {held}.")

    def resolve(self, state: State, moves: Mapping[Seat, Tile], chance: Chance) -> State:
        del chance  # nothing is drawn after the deal
        totals = (moves[Seat(0)].total, moves[Seat(1)].total)
        pair = Pair(
            round=state.round,
            totals=totals,
            winner=Seat(0 if beats(*totals) else 1),
            verdict=verdict(*sorted(totals)),
        )
        played = replace(
            state,
            hands=tuple(_without(state.hands[seat], totals[seat]) for seat in range(2)),
            pairs=(*state.pairs, pair),
        )
        if played.hands[0] or state.round == ROUNDS:
            return played
        exchanged = state.dealt[::-1]  # the hands as dealt, every tile of them (R8)
        return replace(played, round=state.round + 1, dealt=exchanged, hands=exchanged)

    def observe(self, state: State, seat: Seat | None) -> View:
        played = tuple(
            tuple(pair for pair in state.pairs if pair.round == number)
            for number in range(1, state.round + 1)
        )
        return View(
            seat=seat,
            tiles=state.options.tiles,
            round=state.round,
            rounds=ROUNDS,
            exchanged=state.round > 1,
            dealt=state.dealt,
            hands=state.hands,
            played=played,
            points=tuple(_points(pairs) for pairs in played),
            scores=_points(state.pairs),
            last=state.pairs[-1] if state.pairs else None,
            left=state.left,
            awaiting=tuple(sorted(self.awaiting(state))),
            outcome=self.outcome(state),
        )

    def outcome(self, state: State) -> Outcome | None:
        if self.awaiting(state):
            return None
        scores = _points(state.pairs)
        if state.left:
            ranks = (2, 1) if state.left == (0,) else (1, 2)
            return Outcome(ranks=ranks, scores=scores, reason="the other player has left")
        if scores[0] == scores[1]:
            reason = f"the same number of points over both rounds, {scores[0]} each"
            return Outcome(ranks=(1, 1), scores=scores, reason=reason)
        ranks = (1, 2) if scores[0] > scores[1] else (2, 1)
        reason = f"more points over both rounds, {max(scores)} to {min(scores)}"
        return Outcome(ranks=ranks, scores=scores, reason=reason)

    def concede(self, state: State, seat: Seat, chance: Chance) -> State:
        del chance
        awaited = self.awaiting(state)
        if not awaited:
            raise IllegalMoveError("This match is over, so nobody can leave it now.")
        if seat not in awaited:
            raise IllegalMoveError("This seat isn't in the match.")
        return replace(state, left=(seat,))

    def fallback(self, state: State, seat: Seat, chance: Chance) -> Tile:
        return chance.pick(self.legal_moves(state, seat))

    def imagine(self, view: View, seat: Seat, chance: Chance) -> State:
        del seat, chance  # nothing is hidden, so only one state allows this view
        return State(
            options=Options(tiles=view.tiles),
            round=view.round,
            dealt=view.dealt,
            hands=view.hands,
            pairs=tuple(pair for pairs in view.played for pair in pairs),
            left=view.left,
        )

    def parse(self, text: str) -> Tile:
        word = text.strip()
        if not (word.isascii() and word.isdecimal() and len(word) <= 2) or word.startswith("0"):
            raise ValueError("That isn't a tile. Write its total, for example 9.")
        return Tile(int(word))


def _points(pairs: Sequence[Pair]) -> tuple[int, ...]:
    """The number of pairs that each seat has won."""
    second = sum(pair.winner for pair in pairs)
    return (len(pairs) - second, second)


def _without(hand: tuple[int, ...], total: int) -> tuple[int, ...]:
    return tuple(other for other in hand if other != total)


DUEL: Final = Duel()
