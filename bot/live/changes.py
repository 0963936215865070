"""What is said of a change of a match while it is being shown."""

from dataclasses import dataclass


class AnothersError(Exception):
    """The match is shown by another process."""


@dataclass(slots=True)
class Change:
    """A change of a match that its click is being answered for."""

    is_detail: bool = False
    """Whether everybody else can be shown it a little later."""

    is_shown: bool = False
    """Whether the answer has shown it to all whom it concerns: then nothing follows."""


class TokenEndedError(Exception):
    """The interaction edits its message no longer: edits are counted now, and wait their turn."""
