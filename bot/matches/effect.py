"""What an act has led to: what is true then, of which only snapshots are handed out."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from bot.matches.loaded import LoadedMatch, load_match, seat_of
from bot.matches.snapshots import PublicSnapshot, SeatSnapshot
from bot.storage import MatchId, Transaction


@dataclass(frozen=True, slots=True)
class Effect:
    """What an act has led to; its snapshots show the match as it is committed."""

    _position: LoadedMatch = field(repr=False)  # what is true; only snapshots are handed out
    resolved: bool = False
    """Whether the act ended the step (or the match), so that everybody has something to see."""

    goes_on: bool = False
    """Whether a step of one seat's turn was resolved, and its turn is not over: only that seat
    was awaited, and it is again."""

    again: bool = False
    """Whether the seat had chosen in this step before, so that nobody else sees anything new."""

    replaces: bool = False
    """Whether the act was an offer that took the place of what its player had agreed to before."""

    def public(self) -> PublicSnapshot:
        """What everybody may know."""
        return self._position.public()

    def snapshot_of(self, user: int) -> SeatSnapshot:
        """What this player may know; NotSeatedError for somebody who has no seat."""
        return self._position.for_seat(seat_of(self._position, user))


def truth_of(effect: Effect) -> LoadedMatch:
    """What is true after an act, for what else happens in its transaction."""
    return effect._position  # noqa: SLF001 - for this package alone


async def as_written(writing: Transaction, match: MatchId, *, resolved: bool = False) -> Effect:
    """What an act has led to, read once it is written; for acts that nobody does in batches."""
    return Effect(load_match(await writing.matches.load(match)), resolved=resolved)


async def as_committed(writing: Transaction, effect: Effect) -> Effect:
    """What an act has led to once its transaction, which read the match first, is committed."""
    match = truth_of(effect).record.id
    return (await all_as_committed(writing, {match: effect}))[match]


async def all_as_committed(
    writing: Transaction, effects: Mapping[MatchId, Effect]
) -> Mapping[MatchId, Effect]:
    """The same for several matches.

    What acts return is computed, and all of it but the revision is what is written. Only of a match
    that has ended something else is read: what the result did to ratings.
    """
    ended = {match for match, effect in effects.items() if _has_ended(effect)}
    records = await writing.matches.load_all(ended) if ended else {}
    positions = {match: load_match(record) for match, record in records.items()}
    return {
        match: replace(effect, _position=positions.get(match) or _raised(truth_of(effect)))
        for match, effect in effects.items()
    }


def _has_ended(effect: Effect) -> bool:
    return truth_of(effect).record.status != "running"


def _raised(found: LoadedMatch) -> LoadedMatch:
    """The same with the revision of the commit: each transaction raises it once."""
    return replace(found, record=replace(found.record, revision=found.record.revision + 1))
