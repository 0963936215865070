"""What the bot refuses to do, as sentences to the player.

* MatchError: the request makes no sense now; its message is shown as it is
    + NoSuchMatchError, NotSeatedError, TooLateError, PausedError, ChallengeError,
      NotAllowedHereError, ButtonError, HurriedError
* StorageUnavailableError: the database takes or gives nothing now; not the fault of a request
    + SavedError, MaybeSavedError, StandingError
* CorruptRecordError: a row of the database cannot be read back; a bug or a damaged file
"""

from collections.abc import Iterator
from contextlib import contextmanager


class MatchError(Exception):
    """A refusal; `str(error)` is a sentence addressed to the player."""


class NoSuchMatchError(MatchError):
    """The match of a button is not (or no longer) in the database."""


class NotSeatedError(MatchError):
    """Somebody acts in a match in which they have no seat."""


class TooLateError(MatchError):
    """A click on a round, challenge or match that is already over."""


class PausedError(MatchError):
    """An act in a match that is paused: its players agreed to that, or its place is lost."""


class ChallengeError(MatchError):
    """A challenge that cannot be made or answered like this."""


class NotAllowedHereError(MatchError):
    """What can't be done here: the bot or whoever asks may not, or the server doesn't want it."""


class ButtonError(MatchError):
    """A button that is out of date, or a value that nothing of ours offers."""


class HurriedError(MatchError):
    """Something done more often than is taken in so short a time."""


class StorageUnavailableError(Exception):
    """Nothing can be saved at present, or read; the message says why, to the bot's owner.

    Whatever was saved before is kept. The storage has logged it: whoever catches this must not.
    """

    def __init__(self, reason: str, *, is_damaged: bool = False) -> None:
        super().__init__(reason)
        self.is_damaged = is_damaged
        """Whether it will not end by itself."""


class SavedError(StorageUnavailableError):
    """What somebody did is saved, but nothing can be read to show it to them."""


class MaybeSavedError(StorageUnavailableError):
    """Nobody knows whether it is saved.

    The answer to its commit was lost, or another process may have done it.
    """


class StandingError(StorageUnavailableError):
    """What was opened could not be shown, and not be taken back for that either, so it stands."""


@contextmanager
def showing_saved() -> Iterator[None]:
    """Within this, what is saved by then is only shown: a SavedError where that can't be read."""
    try:
        yield
    except StorageUnavailableError as error:
        raise SavedError(str(error)) from error


class CorruptRecordError(Exception):
    """A stored value that does not read back as what was written."""
