"""The effect of an act: the match after it, of which only snapshots are handed out."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from bot.matches.loaded import LoadedMatch, load_match, seat_of
from bot.matches.snapshots import PublicSnapshot, SeatSnapshot
from bot.storage import MatchId, Transaction


@dataclass(frozen=True, slots=True)
class Effect:
    """The result of an act; its snapshots show the match as committed."""

    _loaded: LoadedMatch = field(repr=False)  # holds secrets, so only snapshots are handed out
    resolved: bool = False
    """Whether the act ended the step or the match, so that everyone has something new to see."""

    turn_continues: bool = False
    """Whether the act resolved a step, but the turn continues: only the same seat was awaited
    before and is awaited now."""

    changes_choice: bool = False
    """Whether the seat had already chosen in this step, so that others see nothing new."""

    replaces: bool = False
    """Whether the act was an offer that replaced an earlier one of the same player."""

    @property
    def match(self) -> MatchId:
        return self._loaded.record.id

    def public(self) -> PublicSnapshot:
        """The match as everyone may know it."""
        return self._loaded.public()

    def snapshot_of(self, user: int) -> SeatSnapshot:
        """The match as this player may know it; raises NotSeatedError for users without a seat."""
        return self._loaded.for_seat(seat_of(self._loaded, user))


def loaded_match_of(effect: Effect) -> LoadedMatch:
    """The loaded match after an act, for the rest of the same transaction."""
    return effect._loaded  # noqa: SLF001 - private to this package


async def load_effect(writing: Transaction, match: MatchId, *, resolved: bool = False) -> Effect:
    """The effect of an act, read back after it was written; for acts that aren't batched."""
    return Effect(load_match(await writing.matches.load(match)), resolved=resolved)


async def committed(writing: Transaction, effect: Effect) -> Effect:
    """The effect as it is after the commit of its transaction, which loaded the match before."""
    return (await all_committed(writing, {effect.match: effect}))[effect.match]


async def all_committed(
    writing: Transaction, effects: Mapping[MatchId, Effect]
) -> Mapping[MatchId, Effect]:
    """The effects on several matches as they are after the commit, by match.

    What acts return is computed and equals what is written, except for the revision. Only matches
    that have ended are read again, for what the result did to ratings.
    """
    found = {match: loaded_match_of(effect) for match, effect in effects.items()}
    ended = [match for match, each in found.items() if each.record.status != "running"]
    read = await writing.matches.load_all(ended) if ended else {}
    after = {}
    for match, each in found.items():
        # Each transaction raises the revision by one.
        record = replace(each.record, revision=each.record.revision + 1)
        after[match] = load_match(read[match]) if match in read else replace(each, record=record)
    return {match: replace(effect, _loaded=after[match]) for match, effect in effects.items()}
