"""Kills real processes of the bot while all games are played, and then checks everything."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Protocol

from games import GAMES
from sandbox import Sandbox
from tests.soak import database_checks
from tests.soak.chaos import Chaos
from tests.soak.database_checks import Database
from tests.soak.message_checks import Standing
from tests.soak.messages import Messages
from tests.soak.opener import Opener, Sitting
from tests.soak.player import Player
from tests.soak.record import Record

LATE = timedelta(seconds=3)
CHOICE_SECONDS = 300
"""Seconds to wait for a choice in the game to interrupt; slow machines need them for the first."""

MALFORMED = 50035
REPLACED = "ATTACHMENT_NOT_FOUND"

SETTLING_SECONDS = 300
"""Seconds after the last fault in which all messages must become right."""


@dataclass
class Tally:
    """The numbers of kills, and what was lost."""

    kills: Counter[str] = field(default_factory=Counter)
    """By game: the kills during which a match of it was running."""

    meant: Counter[str] = field(default_factory=Counter)
    """By game: the kills whose moment was chosen by its choices."""

    lost: list[str] = field(default_factory=list)

    def lose(self, found: Iterable[str]) -> None:
        """Record what was lost, each loss only once, because each later check finds it again."""
        self.lost += [problem for problem in found if problem not in self.lost]


class Bot(Protocol):
    """The bot that is killed: one process, or several."""

    database: Database

    @property
    def is_running(self) -> bool: ...

    async def start(self) -> None:
        """Start it, and wait until every shard is connected."""

    async def kill(self) -> None: ...

    async def stop(self) -> int:
        """Stop it by SIGTERM; its exit status."""


class Siege:
    def __init__(
        self,
        discord: Sandbox,
        bot: Bot,
        sittings: Sequence[Sitting],
        *,
        seed: int,
        restless: float = 0.0,
        thinks: float = 0.0,
        reachable: Callable[[], bool] | None = None,
        chaos: Chaos | None = None,
    ) -> None:
        """People click while `reachable()`; by default, while every shard is connected.

        For the other parameters, see `Player` and `Opener`.
        """
        self.discord = discord
        self.chance = random.Random(seed)
        self.record = Record()
        self.tally = Tally()
        self.bot = bot
        self._stops_early = False
        reachable = reachable or discord.is_connected
        self.standing = Standing(discord, self.bot.database)
        self.messages = Messages(discord)
        people = discord.clients
        self._activities = [
            *([] if chaos is None else [chaos.reign()]),
            *(
                Opener(
                    discord, people, self.messages, sitting, self.chance, reachable=reachable
                ).open()
                for sitting in sittings
            ),
            *(
                Player(
                    discord,
                    person,
                    self.messages,
                    self.record,
                    self.chance,
                    reachable=reachable,
                    restless=restless,
                    thinks=thinks,
                ).play()
                for person in people
            ),
        ]

    def stop_early(self) -> None:
        """End `kill` after the current kill."""
        self._stops_early = True

    async def kill(self, times: int) -> None:
        """Let people play, and kill and restart the bot so many times, for each game in turn."""
        await self.bot.start()
        acting = [asyncio.create_task(act) for act in self._activities]
        try:
            for number in range(times):
                await self._interrupt(list(GAMES)[number % len(GAMES)])
                ended = [task for task in acting if task.done()]
                if ended or self._stops_early:
                    break
        finally:
            for task in acting:
                task.cancel()
            ends = await asyncio.gather(*acting, return_exceptions=True)
        strange = [end for end in ends if not isinstance(end, asyncio.CancelledError)]
        self.tally.lose(f"somebody could not go on: {end!r}" for end in strange)

    async def abandon(self) -> None:
        """Kill the bot if it is still running, after an error."""
        if self.bot.is_running:
            await self.bot.kill()

    async def _interrupt(self, game: str) -> None:
        await self._random_moment(game)
        await self.bot.kill()
        self.discord.clock.advance(LATE)  # interactions that are still waiting fail
        self._note_kill(game)
        self.tally.lose(database_checks.lost_choices(self.bot.database, self.record))
        await self.bot.start()

    async def _random_moment(self, game: str) -> None:
        """Wait for a few choices in a game, then a few requests, then up to 20 ms.

        The first kill of a game waits for its first choice: before, there is little to lose.
        """
        choices = max(1, self.record.choices[game] + self.chance.randrange(0, 3))
        requests = self.chance.randrange(0, 5)
        try:
            await self.discord.until(lambda: self.record.choices[game] >= choices, CHOICE_SECONDS)
            requests += len(self.discord.requests)
            await self.discord.until(lambda: len(self.discord.requests) >= requests, CHOICE_SECONDS)
        except TimeoutError:
            self.tally.meant["nobody in time"] += 1
        await asyncio.sleep(self.chance.uniform(0, 0.02))  # the random moment, not a wait for one

    @property
    def malformed(self) -> list[str]:
        """The bot's requests that Discord refused as malformed.

        One kind is unavoidable: an edit that keeps a picture which was replaced meanwhile.
        """
        refused = [r for r in self.discord.requests if r.status == 400]
        return [
            f"{request.method} {request.path}: {request.response}"
            for request in refused
            if request.response["code"] == MALFORMED and REPLACED not in str(request.response)
        ]

    def _note_kill(self, game: str) -> None:
        query = "SELECT DISTINCT game FROM matches WHERE status = 'running'"
        self.tally.kills.update(game for (game,) in database_checks.rows(self.bot.database, query))
        self.tally.meant[game] += 1

    async def start_anew(self) -> None:
        """Kill and restart the bot once more after the last fault.

        After a refusal that looks like quarantine, it opens no direct messages for an hour, which
        is longer than `end` waits.
        """
        await self.bot.kill()
        self.discord.clock.advance(LATE)
        await self.bot.start()

    async def end(self) -> None:
        """Let everything settle, stop the bot, and record everything that is wrong."""
        database, lose = self.bot.database, self.tally.lose
        await self.discord.ready()
        lose(await self.standing.differences(SETTLING_SECONDS))
        lose(await self.standing.doubles(SETTLING_SECONDS))
        status = await self.bot.stop()
        if status != 0:
            lose([f"the bot ended with status {status}"])
        self.messages.stop()
        lose(self.malformed)
        lose(database_checks.lost_choices(database, self.record))
        lose(database_checks.strange_choices(database, self.record))
        lose(database_checks.wrong_matches(database))
        lose(database_checks.wrong_results(database))
        lose(database_checks.wrong_file(database))
