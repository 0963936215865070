"""The bot's answer to an interaction, as the person who used the command or component sees it."""

import asyncio

from sandbox.callbacks import DEFERRED_MESSAGE, DEFERRED_UPDATE
from sandbox.errors import Json
from sandbox.interactions import Interaction
from sandbox.messages import Message

NO_RESPONSE = "The application did not respond"


class Answer:
    """The bot's answer to one interaction; changes with later edits and follow-ups."""

    def __init__(self, interaction: Interaction) -> None:
        self.interaction = interaction

    @property
    def failed(self) -> str | None:
        """What Discord shows if no answer came in time; None if one did."""
        return NO_RESPONSE if self.interaction.failed else None

    @property
    def kind(self) -> int | None:
        """The type of the callback: 4 message, 5 and 6 deferred, 7 update, 8 choices, 9 modal."""
        return self.interaction.callback

    @property
    def message(self) -> Message | None:
        """The message that the answer sent or edited."""
        return self.interaction.message

    @property
    def followups(self) -> list[Message]:
        return list(self.interaction.followups)

    @property
    def modal(self) -> Json | None:
        return self.interaction.modal

    @property
    def choices(self) -> list[Json]:
        return list(self.interaction.choices or ())

    @property
    def deferred(self) -> bool:
        return self.kind in (DEFERRED_MESSAGE, DEFERRED_UPDATE)

    @property
    def ephemeral(self) -> bool:
        """Whether the answer is for this person only."""
        return self.interaction.ephemeral

    @property
    def text(self) -> str:
        """All readable text of the answer and its follow-ups."""
        messages = [self.message, *self.followups]
        return "\n".join(m.text for m in messages if m is not None and not m.deleted)

    async def settled(self, timeout: float = 60.0) -> "Answer":  # noqa: ASYNC109 - the test's patience
        """Wait until it's complete: after a deferral, until its edit or follow-up.

        Returns this answer; raises TimeoutError after `timeout` seconds.
        """
        async with asyncio.timeout(timeout):
            await self.interaction.settled.wait()
        return self

    def __repr__(self) -> str:
        shown = self.failed or self.text[:80]
        return f"<Answer {self.kind}: {shown!r}>"
