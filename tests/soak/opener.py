"""Opens matches, so that every game is always being played."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from sandbox import Client, Message, Sandbox
from tests.soak.messages import Messages
from tests.soak.player import PATIENCE

ANSWER_SECONDS = 1.0
"""Seconds after which a command that got no answer, or was refused, is tried again."""

OPPONENTS = ("opponent", "second_opponent", "third_opponent")


@dataclass(frozen=True)
class Sitting:
    """How matches of a game are opened: the number of people, and the options of its command."""

    game: str
    seats: int
    options: Mapping[str, object] = field(default_factory=dict)
    channel: str | int = "games"
    """The name of a channel shared with other sittings, or the id of one for this sitting alone."""


THREAD = "side games"
"""The name of a thread in #games, which `Chaos` archives."""

SHORT = (
    Sitting("pico", 2, {"variant": "pico1", "hand": "desk", "pace": "live"}),
    Sitting("duel", 2, {"hand": "tap", "pace": "live"}),
    Sitting("conquest", 3, {"turn_limit": 3, "pace": "live"}),
    Sitting("prize", 2, {"hands": 1, "pace": "slow"}),
    Sitting("spite", 2, {"stock": 2, "pace": "none"}),
)
"""Every game once, short enough that matches end; with hands and with taps."""

MANY = (
    *SHORT,
    Sitting("pico", 3, {"variant": "pico2-three", "hand": "desk", "pace": "today"}, THREAD),
    Sitting("pico", 2, {"hand": "tap", "pace": "relaxed"}, THREAD),
    Sitting("duel", 2, {"variant": "large", "hand": "desk", "pace": "none"}),
    Sitting("conquest", 2, {"turn_limit": 2, "signal": True, "pace": "none"}),
    Sitting(
        "conquest",
        4,
        {
            "turn_limit": 3,
            "equal": "choice",
            "reinforce": "together",
            "redeployment": True,
            "pace": "slow",
        },
    ),
    Sitting("prize", 2, {"hands": 2, "passes": "empty-stock", "pace": "live"}),
    Sitting("spite", 2, {"stock": 3, "scoring": "games", "target": 2, "pace": "live"}, THREAD),
    Sitting("pico", 1, {"computer": "perfect", "pace": "live"}),
    Sitting("prize", 1, {"hands": 1, "computer": "strong", "pace": "slow"}),
    Sitting("spite", 1, {"stock": 2, "computer": "strong", "pace": "live"}),
    Sitting("conquest", 2, {"turn_limit": 3, "players": 4, "computer": "easy", "pace": "none"}),
    Sitting("spite", 2, {"stock": 2, "strict_draw": True, "jokers": "with-kings", "pace": "slow"}),
)
"""Every game in many variants."""

AMONG_PEOPLE = (
    *(sitting for sitting in MANY if "computer" not in sitting.options),
    Sitting("pico", 1, {"computer": "easy", "pace": "live"}),
)
"""`MANY` without computers that think: a machine with several processes has no time for it."""


class Opener:
    """Keeps a match of a sitting running: when it is over, opens another with random people."""

    def __init__(
        self,
        discord: Sandbox,
        people: Sequence[Client],
        messages: Messages,
        sitting: Sitting,
        chance: random.Random,
        *,
        reachable: Callable[[], bool],
    ) -> None:
        self.discord = discord
        self.reachable = reachable
        self.people = people
        self.messages = messages
        self.sitting = sitting
        self.chance = chance

    async def open(self) -> None:
        table: Message | None = None
        while True:
            await self.discord.until(partial(self._may_open, table), PATIENCE)
            first, *others = self.chance.sample(list(self.people), self.sitting.seats)
            if self._is_archived():
                await first.say(self.sitting.channel, "Who plays?")
            answer = await first.slash(
                f"{self.sitting.game} play",
                channel=self.sitting.channel,
                **dict(zip(OPPONENTS, others, strict=False)),
                **self.sitting.options,
            )
            try:
                table = await self.discord.until(partial(_challenge, answer), ANSWER_SECONDS)
            except TimeoutError:
                table = self._current_match()  # it was refused, or late, or the bot has died

    def _may_open(self, table: Message | None) -> bool:
        return self.reachable() and not self._is_live(table)

    def _current_match(self) -> Message | None:
        """The live match in this sitting's own channel; None if there is none, or it is shared."""
        if isinstance(self.sitting.channel, str):
            return None
        here = (seen.message for seen in self.messages)
        found = (m for m in here if m.channel_id == self.sitting.channel and self._is_live(m))
        return next(found, None)

    def _is_archived(self) -> bool:
        """Whether the thread is archived, so that a message must reopen it before a command."""
        thread = self.discord.world.channel(self.sitting.channel).thread
        return thread is not None and thread.archived

    def _is_live(self, table) -> bool:
        if table is None or table.deleted:
            return False
        seen = self.messages[table]
        return seen.is_table or seen.is_challenge


def _challenge(answer) -> Message | None:
    """The public message of an answer, once it has a text; None before, or if it is private."""
    messages = [m for m in (answer.message, *answer.followups) if m is not None and m.text]
    return next((m for m in messages if m.ephemeral_to is None and not m.deleted), None)
