"""The parts of a hand that aren't stored, known to one process: private messages and a draft."""

from dataclasses import dataclass, field
from typing import Any

from bot.messaging.arrivals import Media
from bot.messaging.first_answer import Token


@dataclass(slots=True)
class PrivateCopy:
    """A private message with a hand or a receipt, in the channel; known to this process only.

    Discord lets it be edited for 15 minutes.
    """

    token: Token | None = None
    media: Media | None = None
    shown: str | None = None
    message: int | None = None
    """Its id, to tell a click on it from one on an earlier copy; None for a receipt, which has no
    buttons."""

    has_next: bool = False
    """Whether it has a button to the next match of the list that it was opened from."""

    @property
    def is_fresh(self) -> bool:
        """Whether it can still be edited, as far as we know."""
        return self.token is not None and self.token.fresh

    def mark_shown(self, key: str) -> None:
        """Note what the message shows now; nothing is stored of a private message."""
        self.shown = key


@dataclass(frozen=True, slots=True)
class KeptDraft:
    """A player's draft, with the step and choice at that time: outdated when either changes."""

    step: int
    choice: Any  # the move chosen before, or None
    text: str


@dataclass(slots=True)
class Private:
    """The state of a hand that isn't stored."""

    copy: PrivateCopy | None = None
    """A private copy of the hand, if its player has pressed My hand."""

    receipt: PrivateCopy | None = None
    """The receipt for the player's last tap, which is edited to show the result."""

    draft: KeptDraft | None = None

    has_next: bool = False
    """Whether the hand's own message has a button to the next match of a list, as only a solo
    match's can."""

    replaced: list[PrivateCopy] = field(default_factory=list)
    """Copies to be deleted, because a newer one has replaced them: only that one is kept up to
    date."""

    removed: set[int] = field(default_factory=set)
    """The message ids of copies that were deleted, or will be; a click on one may still arrive."""

    def follow(self, copy: PrivateCopy) -> None:
        """Keep this copy up to date from now on, instead of the previous one."""
        before, self.copy = self.copy, copy
        self.replaced = [old for old in self.replaced if old.message != copy.message]
        if before is not None and before.message != copy.message:
            self.replaced.append(before)

    def at(self, message: int) -> PrivateCopy | None:
        """The copy with this message id, kept up to date from now on; None if it was deleted."""
        if message in self.removed:
            return None
        if self.copy is None or self.copy.message != message:
            self.follow(PrivateCopy(message=message))
        return self.copy
