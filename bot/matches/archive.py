"""What can be read about the moves of a match: move list, replay, export, score, verification."""

import asyncio
from collections.abc import Callable
from typing import Final

from bot.errors import MatchError
from bot.matches.courses import Course, Points, course_of
from bot.matches.exports import Files, export
from bot.matches.heavy_work import HeavyWork
from bot.matches.replays import (
    REPLAYS_AN_HOUR,
    Replayed,
    Runner,
    refused_when_slow,
    replay,
)
from bot.matches.snapshots import Snapshot
from bot.matches.studies import StudiedMatch
from bot.matches.transcripts import Moves, load_transcript, moves_of, must_be_allowed_to_read
from bot.matches.verification import MAX_CHECK_SECONDS, MAX_EXPORT_BYTES, Finding, verify
from bot.storage import MatchId, Transactions
from bot.storage.moves import TranscriptRecord
from games.history import InvalidHistoryError

CHECKING: Final = "I'm still checking your last file. Wait until that's done."
CHECKING_OTHERS: Final = "I'm busy checking other files. Try again in a minute."
UNCHECKED: Final = (
    "Checking this file took too long, so I gave up. Attach the JSON file you got from Export."
)

COURSE_SECONDS: Final = 20.0
"""Seconds that computing the course of a score may take; then its process is ended."""

UNCOUNTED: Final = "I'm too busy right now. Press **Share** again in a minute."

MAX_CHECKS_AT_ONCE: Final = 4
"""Files that are being checked or wait for it; beyond that, people are asked to try again later."""

CHECKS_AN_HOUR: Final = 20
"""Files that each person can have checked per hour."""

CHECK_SECONDS: Final = MAX_CHECK_SECONDS + 5.0
"""Seconds that checking a file may take; then its process is ended.

`MAX_CHECK_SECONDS` isn't enough: it's tested between steps, and one forged step can take forever.
"""


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
        self._checking: set[int] = set()

    async def moves(self, match: MatchId, *, user: int, guild: int | None) -> Moves:
        """The moves so far, as everyone may know them.

        Raises NotSeatedError if this user may not see the match; HurriedError if asked too often.
        """
        self._work.count(user)  # reading a long match takes a while
        return await asyncio.to_thread(moves_of, await self._readable(match, user, guild))

    async def replay(
        self, match: MatchId, number: int, *, user: int, guild: int | None
    ) -> Replayed:
        """A state of an ended match, by its number from 0; the last one for any higher number.

        Raises MatchError while the match can be played, NotSeatedError if this user may not see it.
        """
        async with self._work.turn(user):  # reading a long match takes a while, too
            return await replay(self._runner, await self._readable(match, user, guild), number)

    async def export(
        self, match: MatchId, *, user: int, guild: int | None, title: Callable[[Snapshot], str]
    ) -> Files:
        """The files of an ended match; `title` makes the first line of the transcript.

        Raises MatchError while the match can be played, NotSeatedError if this user may not see it.
        """
        async with self._work.turn(user):
            found = await self._readable(match, user, guild)
            return await export(self._runner, found, user, title)

    async def _readable(self, match: MatchId, user: int, guild: int | None) -> TranscriptRecord:
        """All moves of a match; raises NotSeatedError if this user may not see it."""
        async with self._storage.reading() as reading:
            found = await load_transcript(reading, match)
        must_be_allowed_to_read(found.match, user, guild)
        return found

    async def course(self, asked: StudiedMatch, points: Points) -> Course | None:
        """How the score of an ended match developed; None if today's rules refuse its moves.

        Raises MatchError if computing it takes too long.
        """
        try:
            async with self._work.turn(asked.user):
                with refused_when_slow(UNCOUNTED):
                    return await self._runner.run_within(
                        COURSE_SECONDS, course_of, asked.history, points
                    )
        except InvalidHistoryError:
            return None

    def must_be_small(self, size: int) -> None:
        """Raise MatchError if a file of this size, in bytes, is too large to be an export."""
        if size > MAX_EXPORT_BYTES:
            raise MatchError(
                f"This file is too large: exports have at most {MAX_EXPORT_BYTES // 1024 // 1024} "
                "MB. Attach the JSON file you got from Export."
            )

    async def check(self, data: bytes, user: int) -> Finding:
        """Verify an exported file; one at a time for each user.

        Raises MatchError if too much is being checked, or if it takes too long.
        """
        self.must_be_small(len(data))
        if user in self._checking:
            raise MatchError(CHECKING)
        if len(self._checking) >= MAX_CHECKS_AT_ONCE:
            raise MatchError(CHECKING_OTHERS)
        self._checks.count(user)
        self._checking.add(user)
        try:
            with refused_when_slow(UNCHECKED):
                return await self._verifier.run_within(CHECK_SECONDS, verify, data)
        finally:
            self._checking.discard(user)
