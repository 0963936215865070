"""A player of any game who uses what messages offer: buttons, menus and drafts."""

import asyncio
import random
from collections.abc import Callable, Iterator

from bot.interactions.error_handler import MAYBE_SAVED, UNSHOWN
from bot.messaging.first_answer import DEFER_AFTER_SECONDS
from sandbox import Answer, Client, Message, Sandbox
from sandbox.callbacks import DEFERRED_UPDATE, MESSAGE, UPDATE
from tests.soak.messages import Control, Messages, Seen
from tests.soak.record import Record
from tests.support.typed_commands import typed

PATIENCE = 86_400
"""Seconds, longer than any run: the checks at the end find what never happened."""

MAX_DRAFT_CLICKS = 12
"""Clicks after which a draft that has not led to a choice is left as it is."""

MAX_OTHER_CLICKS = 3
"""The most consecutive clicks on controls that don't choose a move."""

EFFECT_SECONDS = 5
"""Seconds to wait until the effect of an acknowledged click is seen."""

RETRY_SECONDS = 3.0
"""Seconds after which a message that a click has not changed is clicked again."""

Version = tuple[int, int, str]
"""The id of a message, the step of its controls, and its text."""

CHOSEN = "**You chose "
RECEIPT = ("You chose **", "Revealed: ", "This match is over. ", "The others play on.")
"""Parts of the answers to an accepted tap: the choice, or its result if that is known already."""


class Player:
    """Accepts every challenge and chooses at random; sometimes changes their choice."""

    def __init__(
        self,
        discord: Sandbox,
        person: Client,
        messages: Messages,
        record: Record,
        chance: random.Random,
        *,
        reachable: Callable[[], bool],
        restless: float = 0.0,
        thinks: float = 0.0,
    ) -> None:
        self.discord = discord
        self.reachable = reachable
        """Whether clicks can reach the bot; the player does nothing while it is false."""

        self.person = person
        self.messages = messages
        self.record = record
        self.chance = chance
        self.restless = restless
        """The probability of using other controls before choosing."""

        self.thinks = thinks
        """Seconds before each action, so that many can play on a small machine."""

        self._stale: set[Version] = set()
        """Private hands on which a click was refused: they are from before a restart."""

        self._paused_until: dict[Version, float] = {}
        """Versions that were clicked and should change soon; until when (loop time) to wait."""

    async def play(self) -> None:
        while True:
            await self.discord.until(self.reachable, PATIENCE)
            await asyncio.sleep(self.thinks)
            await self.act(await self.discord.until(self.due, PATIENCE))

    def due(self) -> Seen | None:
        """A random message on which this person should act; None if there is none."""
        seen = self.messages.of(self.person)
        waiting = [s for s in seen if self._asks(s)]
        waiting += [s for s in seen if s.is_table and self._has_no_desk(s, seen)]
        waiting += [s for s in seen if self._invites(s)]
        return self.chance.choice(waiting) if waiting else None

    async def act(self, seen: Seen) -> None:
        for act in ("accept", "hand"):
            control = seen.control(act)
            if control is not None and not self._own(seen):
                await self._settled(await self._click(seen, control))
                return
        if self.chance.random() < self.restless:
            await self._wander(seen)
        await self.choose(seen.message)
        if self.chance.random() < 0.2:
            await self.choose(seen.message)

    async def choose(self, message: Message) -> None:
        """Click until a move is chosen or refused; drafts are continued at random."""
        for clicks in range(MAX_DRAFT_CLICKS):
            seen = self.messages[message]
            controls = self._own(seen)
            if not controls or message.deleted:
                return
            picks = [c for c in controls if c.press.act != "draft"]
            drafts = [c for c in controls if c.press.act == "draft"]
            done = picks and (not drafts or clicks > 3 or self.chance.random() < 0.3)
            control = self.chance.choice(picks if done else drafts)
            if done:
                await self._choose(seen, control)
                return
            edits = message.edits

            def edited(before: int = edits) -> bool:
                return message.edits > before

            if (await self._click(seen, control)).kind not in (DEFERRED_UPDATE, UPDATE):
                return
            await self._until(edited)

    async def _wander(self, seen: Seen) -> None:
        """Use other controls, and those of the answers: the menu, an offer, resigning."""
        for _ in range(MAX_OTHER_CLICKS):
            others = [c for c in seen.controls if c not in seen.choosing]
            if not others:
                return
            answer = await self._click(seen, self.chance.choice(others))
            await self._settled(answer)
            if answer.message is None or answer.message.deleted:
                return
            seen = self.messages[answer.message]

    async def _choose(self, seen: Seen, control: Control) -> None:
        press = control.press
        move = press.arg.partition(" ")[2] if press.act == "tap" else press.arg
        where = (press.match, press.step, self.person.id)
        first = self.record.clicked(where, move)
        clock = asyncio.get_running_loop().time
        clicked_at = clock()
        answer = await self._click(seen, control)
        late = clock() - clicked_at >= DEFER_AFTER_SECONDS
        private = seen.message.ephemeral_to is not None
        if answer.kind == DEFERRED_UPDATE and private:
            await self._settled(answer)
        said = _said(answer)
        if said == UNSHOWN or any(sentence in said for sentence in RECEIPT):
            self.record.answered(where, move, seen.game)
        elif typed(said) == MAYBE_SAVED:
            return  # as without an answer: the choice may have been written or not
        elif said:
            self.record.refusal(where, move, said, first=first)
        # A late acknowledgment may only be a deferral, before anything is written. And a late click
        # on a private hand is acknowledged, to bring the hand up to date, before a refusal that may
        # be lost.
        elif answer.kind == UPDATE or (answer.kind == DEFERRED_UPDATE and not late and not private):
            self.record.answered(where, move, seen.game)

    async def _click(self, seen: Seen, control: Control) -> Answer:
        """Use a control, and record what follows for `due`."""
        if control.value is None:
            answer = await self.person.click(seen.message, control.name)
        else:
            answer = await self.person.select(seen.message, control.name, control.value)
        if control.press.act != "draft":
            self._paused_until[_version(seen)] = asyncio.get_running_loop().time() + RETRY_SECONDS
        if answer.kind == MESSAGE and seen.message.ephemeral_to is not None:
            self._stale.add(_version(seen))
        return answer

    async def _settled(self, answer: Answer) -> None:
        """Return when a deferred answer is complete, at once if there was no answer."""
        await self._until(lambda: answer.interaction.settled.is_set() or answer.kind is None)

    async def _until(self, happened: Callable[[], bool]) -> None:
        try:
            await self.discord.until(lambda: happened() or not self.reachable(), EFFECT_SECONDS)
        except TimeoutError:
            return

    def _own(self, seen: Seen) -> list[Control]:
        """The controls that choose for this person: taps belong to the person in their heading."""
        mention = self.person.mention
        return [c for c in seen.choosing if c.press.act != "tap" or mention in c.heading]

    def _asks(self, seen: Seen) -> bool:
        if not self._own(seen) or self._is_paused(seen):
            return False
        if seen.is_table:
            return self._is_choosing(seen)
        return CHOSEN not in seen.text

    def _is_paused(self, seen: Seen) -> bool:
        version = _version(seen)
        now = asyncio.get_running_loop().time()
        return version in self._stale or self._paused_until.get(version, 0) > now

    def _is_choosing(self, table: Seen) -> bool:
        return f"{self.person.mention} is choosing" in table.text

    def _has_no_desk(self, table: Seen, seen: list[Seen]) -> bool:
        """Whether this person owes a move and must open their hand by **My hand** to choose it."""
        if self._own(table) or not self._is_choosing(table) or self._is_paused(table):
            return False
        return not any(self._usable_hands(table, seen))

    def _usable_hands(self, table: Seen, seen: list[Seen]) -> Iterator[Seen]:
        for desk in seen:
            if desk.match == table.match and not desk.is_table:
                private = desk.message.ephemeral_to is not None
                if not (private and (desk.step < table.step or _version(desk) in self._stale)):
                    yield desk

    def _invites(self, seen: Seen) -> bool:
        waiting = [line for line in seen.text.splitlines() if line.startswith("Waiting for ")]
        asked = any(self.person.mention in line for line in waiting)
        return asked and seen.control("accept") is not None and not self._is_paused(seen)


def _said(answer: Answer) -> str:
    """The text of the new messages that answer a click, not of the message that was clicked."""
    messages = [answer.message] if answer.kind == MESSAGE else []
    return "\n".join(m.text for m in [*messages, *answer.followups] if m is not None)


def _version(seen: Seen) -> Version:
    return seen.message.id, seen.step, seen.text
