"""Matches that were played: their moves, replays and exports, and files that tell of them."""

import asyncio
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from typing import Final

from bot.errors import MatchError
from bot.matches.courses import Course, Points, course_of
from bot.matches.exports import Exports
from bot.matches.heavy_work import HeavyWork
from bot.matches.replays import REPLAYS_AN_HOUR, Replays, Runner
from bot.matches.studies import StudiedMatch
from bot.matches.transcripts import Moves, moves_of, must_know, read
from bot.matches.verification import MAX_CHECK_SECONDS, MAX_EXPORT_BYTES, Finding, verify
from bot.storage import MatchId, Transactions
from games.history import WrongError

CHECKING: Final = "I'm still checking your last file. Wait until that's done."
CROWDED: Final = "I'm busy checking other files. Try again in a minute."
UNCHECKED: Final = (
    "Checking this file took too long, so I gave up. Attach the JSON file you got from Export."
)

COURSE_SECONDS: Final = 20.0
"""Seconds after which the process is ended that follows the score of a match."""

UNCOUNTED: Final = "I'm too busy right now. Press **Share** again in a minute."

MAX_CHECKS_AT_ONCE: Final = 4
"""People whose files are being checked or wait for it; whoever comes then is told to come back."""

CHECKS_AN_HOUR: Final = 20
"""Files of one person that are checked within an hour."""

CHECK_SECONDS: Final = MAX_CHECK_SECONDS + 5.0
"""Seconds after which the process that checks a file is ended: a bit of it can take for ever."""


class MatchArchive:
    def __init__(
        self,
        storage: Transactions,
        runner: Runner,
        verifier: Runner,
        *,
        now: Callable[[], float],
    ) -> None:
        self._storage = storage
        self._checks = HeavyWork("checks of files", CHECKS_AN_HOUR, now=now)
        self._work = HeavyWork("pages and files of matches", REPLAYS_AN_HOUR, now=now)
        self._runner = runner
        self._verifier = verifier
        self.replays = Replays(storage, runner, self._work)
        self.exports = Exports(storage, runner, self._work)
        self._checking: set[int] = set()

    async def moves(self, match: MatchId, *, user: int, guild: int | None) -> Moves:
        """The moves so far, as everybody may know them."""
        self._work.count(user)  # of a long match, to read them takes a while
        async with self._storage.reading() as reading:
            found = await read(reading, match)
        must_know(found.match, user, guild)
        return await asyncio.to_thread(moves_of, found)

    async def course(self, asked: StudiedMatch, points: Points) -> Course | None:
        """How the score of a match went that has ended; None where the rules have changed since.

        MatchError where that takes too long now.
        """
        try:
            async with self._work.turn(asked.user):
                return await self._runner.run_within(
                    COURSE_SECONDS, course_of, asked.history, points
                )
        except WrongError:
            return None
        except (TimeoutError, BrokenProcessPool):
            raise MatchError(UNCOUNTED) from None

    def must_be_small(self, size: int) -> None:
        """MatchError for a file that is longer than any export."""
        if size > MAX_EXPORT_BYTES:
            raise MatchError(
                f"This file is too large: exports have at most {MAX_EXPORT_BYTES // 1024 // 1024} "
                "MB. Attach the JSON file you got from Export."
            )

    async def check(self, data: bytes, user: int) -> Finding:
        """Whether an export is true; one at a time for each person."""
        self.must_be_small(len(data))
        if user in self._checking:
            raise MatchError(CHECKING)
        if len(self._checking) >= MAX_CHECKS_AT_ONCE:
            raise MatchError(CROWDED)
        self._checks.count(user)
        self._checking.add(user)
        try:
            return await self._verifier.run_within(CHECK_SECONDS, verify, data)
        except (TimeoutError, BrokenProcessPool):
            raise MatchError(UNCHECKED) from None
        finally:
            self._checking.discard(user)

    def forget(self, user: int) -> None:
        """Remember nothing of this person."""
        self._checks.forget(user)
        self._work.forget(user)
