"""Nudges: a player reminds the players who owe a move, each at most once in six hours."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from bot.errors import MatchError
from bot.matches import limits
from bot.matches.loaded import LoadedMatch, load_running, playing_seat_of
from bot.matches.returns import Returns
from bot.matches.snapshots import PublicSnapshot
from bot.settings.notices import way_of
from bot.storage import MatchId, SeatRecord, Transactions
from games import Seat

AGAIN_AFTER: Final = timedelta(hours=6)


@dataclass(frozen=True, slots=True)
class Nudge:
    """What a nudge did, as its sender is told."""

    snapshot: PublicSnapshot
    """The match as everyone may know it."""

    reached: tuple[Seat, ...]
    """The seats of the nudged players, including those who have blocked the sender, because the
    sender must not learn of blocks."""

    unwilling: tuple[Seat, ...]
    """The seats of players who have turned nudges off."""

    away: tuple[Seat, ...] = ()
    """The seats of players on vacation; `seats` of the snapshot says until when."""


class Nudges:
    def __init__(
        self,
        storage: Transactions,
        *,
        now: Callable[[], float],
        returns: Returns,
    ) -> None:
        self._storage = storage
        self._returns = returns
        self._now = now

    async def nudge(self, match: MatchId, user: int) -> Nudge:
        """Nudge and notify the other players who owe a move, except those on vacation.

        Raises MatchError if nobody else owes a move, or if all who do were nudged too recently.
        """
        now = int(self._now())
        async with self._storage.transaction() as writing:
            found = load_running(await writing.matches.load(match))
            seat = playing_seat_of(found, user, "Only players of this match can nudge each other.")
            reached, unwilling, users = [], [], []
            owing = _others_owing(found, seat)
            away = [s for s in owing if (found.record.seats[s].away_until or 0) > now]
            in_vain = await writing.vain_nudges.of(match, seat)
            for target in _nudgeable(found, in_vain, [s for s in owing if s not in away], now):
                person = found.record.seats[target].user
                preference = await writing.people.notice_preference(person)
                if way_of(preference, "nudged") == "none":
                    unwilling.append(target)
                else:
                    reached.append(target)
                    users.append(person)
            notified = await limits.not_blocking(writing, self._returns, users, user)
            notified_seats = [s for s in reached if found.record.seats[s].user in notified]
            await writing.seats.note_nudged(match, notified_seats, now)
            # The sender must notice no difference, and everyone else can still nudge them.
            await writing.vain_nudges.note(
                match, seat, [s for s in reached if s not in notified_seats], now
            )
            turn = found.record.turn
            await writing.notices.queue(
                match, "nudged", notified, due_at=now, turn=turn, actor=user
            )
        return Nudge(found.public(), tuple(reached), tuple(unwilling), tuple(away))


def _nudgeable(
    found: LoadedMatch, in_vain: Mapping[Seat, int], owing: list[Seat], now: int
) -> list[Seat]:
    """Those of the seats in `owing` that may be nudged now.

    `in_vain` has when the sender last nudged seats in vain. Raises MatchError if `owing` isn't
    empty and all were nudged in the last six hours.
    """
    interval = int(AGAIN_AFTER.total_seconds())
    nudged_at = {
        target: max(_nudge_times(found.record.seats[target], in_vain.get(target), now), default=0)
        for target in owing
    }
    nudgeable = [target for target in owing if nudged_at[target] + interval <= now]
    if owing and not nudgeable:
        again = min(nudged_at.values()) + interval
        raise MatchError(
            f"They were already nudged in the last 6 hours. You can nudge again <t:{again}:R>."
        )
    return nudgeable


def _nudge_times(record: SeatRecord, in_vain: int | None, now: int) -> list[int]:
    """When a seat was nudged, without future times: the system clock was set back since."""
    return [at for at in (record.nudged_at, in_vain) if at is not None and at <= now]


def _others_owing(found: LoadedMatch, seat: Seat) -> list[Seat]:
    """The other people's seats that owe a move; raises MatchError if there are none."""
    owing = found.owing
    if owing and owing <= found.record.computers:
        raise MatchError("The computer is thinking. It will move in a few seconds.")
    owing -= found.record.computers
    if not owing - {seat}:
        raise MatchError("The match is waiting for you only. Choose your move.")
    return sorted(owing - {seat})
