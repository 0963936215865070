"""Errors of the bot: refusals as sentences to the player, and trouble with the database.

* MatchError: the request makes no sense now; its message is shown to the player as it is
    + NoSuchMatchError, NotSeatedError, TooLateError, PausedError, ChallengeError,
      NotAllowedHereError, ButtonError, HurriedError
* StorageUnavailableError: the database can't be read or written now; no fault of the request
    + SavedError, MaybeSavedError, NotUndoneError
* CorruptRecordError: a row of the database can't be decoded; a bug or a damaged file
"""

from collections.abc import Iterator
from contextlib import contextmanager


class MatchError(Exception):
    """A refusal; `str(error)` is a sentence addressed to the player."""


class NoSuchMatchError(MatchError):
    """The match of a button isn't in the database, or is no longer there."""


class NotSeatedError(MatchError):
    """Somebody acted in a match in which they have no seat."""


class TooLateError(MatchError):
    """A click on a round, challenge or match that is already over."""


class PausedError(MatchError):
    """An act in a paused match: its players agreed to pause, or its channel or server is gone."""


class ChallengeError(MatchError):
    """A challenge that can't be made or answered like this."""


class NotAllowedHereError(MatchError):
    """Something that the bot, this person or the server's settings don't allow here."""


class ButtonError(MatchError):
    """A button that is out of date, or a value that the bot never offered."""


class HurriedError(MatchError):
    """Something done too often in too short a time."""


class StorageUnavailableError(Exception):
    """The database can't be read or written now; the message says why, to the bot's owner.

    Everything saved before is kept. The storage has logged this error: don't log it again.
    """

    def __init__(self, reason: str, *, is_damaged: bool = False) -> None:
        super().__init__(reason)
        self.is_damaged = is_damaged
        """Whether it won't end by itself, because the database is damaged."""


class SavedError(StorageUnavailableError):
    """What somebody did is saved, but the result can't be read to show it to them."""


class MaybeSavedError(StorageUnavailableError):
    """It's unknown whether what somebody did is saved.

    The response to its commit was lost, or another process may have done it.
    """


class NotUndoneError(StorageUnavailableError):
    """A challenge or match couldn't be shown, and couldn't be undone either, so it remains."""


@contextmanager
def showing_saved() -> Iterator[None]:
    """Turn StorageUnavailableError into SavedError in a block that only shows what is saved."""
    try:
        yield
    except StorageUnavailableError as error:
        raise SavedError(str(error)) from error


class CorruptRecordError(Exception):
    """A stored value that can't be decoded to what was written."""
