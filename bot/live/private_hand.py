"""What of a hand is in no row, and known to one process only: private messages, and a draft."""

from dataclasses import dataclass
from typing import Any

from bot.messaging.arrivals import Media
from bot.messaging.first_answer import Token


@dataclass(slots=True)
class PrivateCopy:
    """A private message of a hand in the channel, known to this process only.

    Discord lets it be edited for 15 minutes.
    """

    token: Token | None = None
    media: Media | None = None
    shown: str | None = None

    @property
    def is_fresh(self) -> bool:
        """Whether it can still be edited, as far as we know."""
        return self.token is not None and self.token.fresh

    def shows(self, key: str) -> None:
        """Note what the message shows now; of a private copy nothing is written."""
        self.shown = key


@dataclass(frozen=True, slots=True)
class KeptDraft:
    """What a player was putting together, and when: in which step, and instead of which choice."""

    step: int
    choice: Any  # the move already chosen, None if there is none
    text: str


@dataclass(slots=True)
class Private:
    """What only this process knows of a hand, and no row does."""

    copy: PrivateCopy | None = None
    """The same hand, if its player has asked for it with My hand."""

    receipt: PrivateCopy | None = None
    """What its player has chosen by a tap, and then what came of it."""

    draft: KeptDraft | None = None
