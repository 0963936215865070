"""What of a hand is in no row, and known to one process only: private messages, and a draft."""

from dataclasses import dataclass, field
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
    message: int | None = None
    """Its id, by which a click on it is told from one on an earlier copy; a receipt has no buttons.
    """

    leads_on: bool = False
    """Whether it leads to the next match of the list that it was opened from."""

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

    leads_on: bool = False
    """Whether its message leads to the next match of a list; only a solo match's is opened so."""

    replaced: list[PrivateCopy] = field(default_factory=list)
    """Copies in whose place another one stands, to be deleted: only that one is followed."""

    removed: set[int] = field(default_factory=set)
    """The messages of copies that were deleted, or are to be; a click may still be on its way."""

    def follow(self, copy: PrivateCopy) -> None:
        """Bring this copy up to date from now on, in place of the one before."""
        before, self.copy = self.copy, copy
        self.replaced = [old for old in self.replaced if old.message != copy.message]
        if before is not None and before.message != copy.message:
            self.replaced.append(before)

    def at(self, message: int) -> PrivateCopy | None:
        """The copy that this message is, from now on the one that is followed; None if deleted."""
        if message in self.removed:
            return None
        if self.copy is None or self.copy.message != message:
            self.follow(PrivateCopy(message=message))
        return self.copy
