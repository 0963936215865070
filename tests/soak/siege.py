"""The bot is killed, really, while all games are being played; then everything is looked at."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Protocol

from games import GAMES
from sandbox import Sandbox
from tests.soak import truth
from tests.soak.chaos import Chaos
from tests.soak.messages import Messages
from tests.soak.opener import Opener, Sitting
from tests.soak.player import Player
from tests.soak.record import Record
from tests.soak.standing import Standing
from tests.soak.truth import Database

LATE = timedelta(seconds=3)
MOMENT = 300
"""Seconds to wait for a choice in the game whose turn it is to be interrupted; a slow machine needs
them for a first one."""

MALFORMED = 50035
REPLACED = "ATTACHMENT_NOT_FOUND"

SETTLING = 300
"""Seconds in which everything must show the truth, once nothing goes wrong any more."""


@dataclass
class Tally:
    """What has happened, in numbers, and what was lost."""

    kills: Counter[str] = field(default_factory=Counter)
    """How many kills came while a game was in play."""

    meant: Counter[str] = field(default_factory=Counter)
    """For which game's choices the moment of a kill was waited for."""

    lost: list[str] = field(default_factory=list)

    def lose(self, found: Iterable[str]) -> None:
        """Note what was lost, each loss once: what is gone is found at each look from then on."""
        self.lost += [problem for problem in found if problem not in self.lost]


class Bot(Protocol):
    """What is killed: one process, or several."""

    database: Database

    @property
    def is_running(self) -> bool: ...

    async def start(self) -> None:
        """Start it and wait until every shard is there."""

    async def kill(self) -> None: ...

    async def stop(self) -> int:
        """Ask it to end; its exit status."""


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
        """People click while `reachable`; unless told otherwise, while every shard is connected."""
        self.discord = discord
        self.chance = random.Random(seed)
        self.record = Record()
        self.tally = Tally()
        self.bot = bot
        self._is_enough = False
        reachable = reachable or discord.is_connected
        self.standing = Standing(discord, self.bot.database)
        self.messages = Messages(discord)
        people = discord.clients
        self._acts = [
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
        """After this kill let there be no other; what has happened is looked at all the same."""
        self._is_enough = True

    async def kill(self, times: int) -> None:
        """Play, and kill and start the bot so many times, each game having its turn."""
        await self.bot.start()
        acting = [asyncio.create_task(act) for act in self._acts]
        try:
            for number in range(times):
                await self._interrupt(list(GAMES)[number % len(GAMES)])
                ended = [task for task in acting if task.done()]
                if ended or self._is_enough:
                    break
        finally:
            for task in acting:
                task.cancel()
            ends = await asyncio.gather(*acting, return_exceptions=True)
        strange = [end for end in ends if not isinstance(end, asyncio.CancelledError)]
        self.tally.lose(f"somebody could not go on: {end!r}" for end in strange)

    async def abandon(self) -> None:
        """Leave no process behind where something has gone wrong."""
        if self.bot.is_running:
            await self.bot.kill()

    async def _interrupt(self, game: str) -> None:
        await self._random_moment(game)
        await self.bot.kill()
        self.discord.clock.advance(LATE)  # who waits for an answer gets none
        self._note_kill(game)
        self.tally.lose(truth.lost_choices(self.bot.database, self.record))
        await self.bot.start()

    async def _random_moment(self, game: str) -> None:
        """Some choices in a game from now, then some requests, then thousandths of a second.

        The first kill in a game waits for its first choice: before it there is little to lose.
        """
        choices = max(1, self.record.choices[game] + self.chance.randrange(0, 3))
        requests = self.chance.randrange(0, 5)
        try:
            await self.discord.until(lambda: self.record.choices[game] >= choices, MOMENT)
            requests += len(self.discord.requests)
            await self.discord.until(lambda: len(self.discord.requests) >= requests, MOMENT)
        except TimeoutError:
            self.tally.meant["nobody in time"] += 1
        await asyncio.sleep(self.chance.uniform(0, 0.02))  # the random moment, not a wait for one

    @property
    def malformed(self) -> list[str]:
        """What Discord could not read, by our mistake.

        Only that a picture was to stay which was replaced meanwhile cannot always be known.
        """
        refused = [r for r in self.discord.requests if r.status == 400]
        return [
            f"{request.method} {request.path}: {request.response}"
            for request in refused
            if request.response["code"] == MALFORMED and REPLACED not in str(request.response)
        ]

    def _note_kill(self, game: str) -> None:
        query = "SELECT DISTINCT game FROM matches WHERE status = 'running'"
        self.tally.kills.update(game for (game,) in truth.rows(self.bot.database, query))
        self.tally.meant[game] += 1

    async def start_anew(self) -> None:
        """Kill the bot once more when nothing goes wrong any longer.

        After a refusal that looks like quarantine it opens no direct messages for an hour, which is
        longer than a soak has patience.
        """
        await self.bot.kill()
        self.discord.clock.advance(LATE)
        await self.bot.start()

    async def end(self) -> None:
        """Let everything settle, end the bot, and note whatever is not as it should be."""
        database, lose = self.bot.database, self.tally.lose
        await self.discord.ready()
        lose(await self.standing.differences(SETTLING))
        lose(await self.standing.doubles(SETTLING))
        status = await self.bot.stop()
        if status != 0:
            lose([f"the bot ended with status {status}"])
        self.messages.stop()
        lose(self.malformed)
        lose(truth.lost_choices(database, self.record))
        lose(truth.strange_choices(database, self.record))
        lose(truth.wrong_matches(database))
        lose(truth.wrong_results(database))
        lose(truth.wrong_file(database))
