"""Signals: at any time, a player may publicly say who they think is ahead (R22)."""

from typing import Final

from bot.errors import MatchError
from bot.matches.effect import Effect, load_effect
from bot.matches.loaded import LoadedMatch, load_running, playing_seat_of
from bot.storage import MatchId, Transactions
from games import Seat

GONE: Final = (
    "That player has left the match, so they can't be ahead. Pick someone who still plays."
)


class Signals:
    """Signals don't affect the match: one may be a bluff, and costs no turn."""

    def __init__(self, storage: Transactions) -> None:
        self._storage = storage

    async def point(self, match: MatchId, user: int, text: str) -> Effect:
        """Signal that the seat whose number is `text` is ahead; any other text removes the signal.

        Raises MatchError if the user can't signal, or if that seat has left.
        """
        async with self._storage.transaction() as writing:
            found = load_running(await writing.matches.load(match))
            refusal = "You're not playing in this match, so you can't signal."
            seat = playing_seat_of(found, user, refusal)
            if not found.game.has_signals(found.options):
                raise MatchError(_refusal_of(found))
            others = {str(i): Seat(i) for i in range(len(found.record.seats)) if i != seat}
            ahead = others.get(text)
            if ahead is not None and found.record.seats[ahead].left is not None:
                raise MatchError(GONE)
            await writing.seats.signal(match, seat, ahead)
            return await load_effect(writing, match)


def _refusal_of(found: LoadedMatch) -> str:
    """Why nobody can signal in a match, with the option for it if its game has one."""
    refusal = "This match has no signals."
    if not hasattr(found.options, "signal"):
        return refusal
    return f"{refusal} They're an option of `/{found.game.key} play`."
