"""What leaves this package of a match: looks, which hold a view and never a state."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from bot import codec, upgrades
from bot.errors import CorruptRecordError
from bot.storage import TABLE, MatchId, MatchRecord, Status
from games import GAMES, AnyGame, Outcome, Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Who sits at a place of the table."""

    user: int
    accepted: bool
    left: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """A match as one onlooker may know it: a seat, or everybody for None."""

    match: MatchId
    game: str
    options: Any  # of the game's own type
    status: Status
    guild: int
    channel: int
    step: int
    seat: Seat | None
    places: tuple[Place, ...]
    view: Any  # of the game's own type; None until the deal
    awaiting: frozenset[Seat]
    chosen: frozenset[Seat]
    """Who has chosen in this step; never what."""

    choice: Any  # the onlooker's own move of this step, None if he has made none
    legal: tuple[Any, ...]
    """The moves the onlooker may choose from now."""

    outcome: Outcome | None
    commitment: str | None
    """SHA-256 of the seed, published when the match begins."""

    seed: str | None
    """Secret until the match is over, so None until then."""

    @property
    def key(self) -> str:
        """What this look shows, as short text: equal keys need no new message.

        The onlooker's own choice is part of it, so a key is as secret as the desk is.
        """
        gone = "".join(str(i) for i, place in enumerate(self.places) if place.left)
        if self.seat is None:
            said = self.chosen if self.status == "running" else _accepted(self.places)
            return f"{self.status}.{self.step}.{gone}.{''.join(map(str, sorted(said)))}"
        return f"{self.status}.{self.step}.{gone}.{'' if self.choice is None else self.choice}"

    @property
    def place(self) -> int:
        """The place whose onlooker this is: TABLE or the number of the seat."""
        return TABLE if self.seat is None else self.seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """A match decoded: what is true. It never leaves this package."""

    record: MatchRecord
    game: AnyGame
    options: Any  # of the game's own type
    state: Any  # of the game's own type; None until the deal
    choices: Mapping[Seat, Any]

    @property
    def awaiting(self) -> frozenset[Seat]:
        """Who owes a move; nobody unless the match is running."""
        if self.record.status != "running":
            return frozenset()
        return self.game.awaiting(self.state)

    def look_of(self, user: int) -> Look:
        """What this user may know: his seat's look, or everybody's."""
        seats = self.record.seats
        return self.look(next((Seat(i) for i, s in enumerate(seats) if s.user == user), None))

    def look(self, seat: Seat | None) -> Look:
        """What this seat may know, or everybody for None."""
        record, state = self.record, self.state
        own = seat is not None and seat in self.awaiting
        over = record.status == "over"
        return Look(
            match=record.id,
            game=record.game,
            options=self.options,
            status=record.status,
            guild=record.guild,
            channel=record.channel,
            step=record.step,
            seat=seat,
            places=tuple(
                Place(user=s.user, accepted=s.accepted, left=s.left is not None)
                for s in record.seats
            ),
            view=None if state is None else self.game.observe(state, seat),
            awaiting=self.awaiting,
            chosen=frozenset(self.choices),
            choice=self.choices.get(seat) if own and seat is not None else None,
            legal=tuple(self.game.legal_moves(state, seat)) if own and seat is not None else (),
            outcome=self.game.outcome(state) if over else None,
            commitment=None if record.seed is None else sha256(record.seed.encode()).hexdigest(),
            seed=record.seed if over else None,
        )


def position(record: MatchRecord) -> Position:
    """The record, decoded; CorruptRecordError where it cannot be."""
    try:
        game = GAMES[record.game]
        choices = {seat: game.parse(text) for seat, text in record.choices.items()}
    except (KeyError, ValueError):
        raise CorruptRecordError(f"match {record.id} has an unknown game or move") from None
    return Position(
        record=record,
        game=game,
        options=codec.decode(game.options, record.options),
        state=_state(record, game),
        choices=choices,
    )


def _state(record: MatchRecord, game: AnyGame) -> Any:  # noqa: ANN401 - of the game's own type
    if record.state is None or record.schema is None or record.seed is None:
        if record.status in {"running", "over"}:
            raise CorruptRecordError(f"match {record.id} is {record.status} and was never dealt")
        return None
    return codec.decode(game.state, upgrades.upgrade(record.game, record.schema, record.state))


def _accepted(places: tuple[Place, ...]) -> list[int]:
    return [i for i, place in enumerate(places) if place.accepted]
