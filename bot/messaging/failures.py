"""Why a message did not arrive: a `Failure` by Discord's error code, or else by HTTP status."""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from enum import Enum
from json import JSONDecodeError
from types import MappingProxyType
from typing import Final, TypeVar

import aiohttp
import discord

from bot.telemetry.refused_requests import RequestsStoppedError

T = TypeVar("T")


class Failure(Enum):
    GONE = "the message is gone"
    NOWHERE = "the channel is gone, or I can't see it"
    FORBIDDEN = "I'm not allowed to post there"
    ARCHIVED = "the thread is archived until a message is sent there"
    CLOSED = "the person doesn't take direct messages from me"
    HURRIED = "I've opened too many direct messages"
    REFUSED = "I can't write to that person, or to anyone new"
    OLD = "the message is too old for so many edits"
    EXPIRED = "the interaction is too old or already answered"
    PICTURE = "Discord won't take a picture there"
    BLOCKED = "a filter of the server or of Discord blocks the message"
    DISABLED = "Discord has turned this off for a while"
    STOPPED = "Discord has refused too many requests, so I wait a few minutes"
    TROUBLE = "Discord or the network is having trouble"


PASSING_FAILURES: Final = frozenset(
    {Failure.TROUBLE, Failure.STOPPED, Failure.HURRIED, Failure.DISABLED}
)
"""Failures that may pass, so that the same request is worth repeating later."""

_BY_CODE: Final[Mapping[int, Failure]] = MappingProxyType(
    {
        10003: Failure.NOWHERE,  # unknown channel
        10004: Failure.NOWHERE,  # unknown server
        10008: Failure.GONE,  # unknown message
        10013: Failure.CLOSED,  # unknown user
        10015: Failure.EXPIRED,  # unknown webhook
        10062: Failure.EXPIRED,  # unknown interaction
        20009: Failure.PICTURE,  # explicit content, which Discord sees in pictures
        20016: Failure.TROUBLE,  # slow mode
        20022: Failure.TROUBLE,  # too many edits in an announcement channel
        20026: Failure.REFUSED,  # quarantine
        20028: Failure.TROUBLE,  # too much is written in the channel
        20029: Failure.TROUBLE,  # too much is written in the server
        30046: Failure.OLD,
        40003: Failure.HURRIED,
        40004: Failure.DISABLED,  # sending messages
        40005: Failure.PICTURE,  # the request is too large
        40006: Failure.DISABLED,  # this feature
        40043: Failure.TROUBLE,  # the interaction failed to send
        40058: Failure.FORBIDDEN,  # a forum post whose author has yet to write its first message
        40060: Failure.EXPIRED,  # already acknowledged
        40062: Failure.TROUBLE,  # a service is being limited
        40094: Failure.EXPIRED,  # no more follow-ups
        40333: Failure.TROUBLE,  # Cloudflare
        50001: Failure.NOWHERE,  # missing access
        50007: Failure.CLOSED,
        50008: Failure.FORBIDDEN,  # no text channel
        50009: Failure.FORBIDDEN,  # the verification level of the channel
        50013: Failure.FORBIDDEN,  # missing permissions
        50024: Failure.FORBIDDEN,  # not in this type of channel
        50027: Failure.EXPIRED,  # invalid token of an interaction
        50045: Failure.PICTURE,  # the file is too large
        50046: Failure.PICTURE,  # invalid file
        50083: Failure.ARCHIVED,
        50110: Failure.PICTURE,  # invalid file
        50123: Failure.PICTURE,  # invalid type of file
        50146: Failure.PICTURE,  # the uploaded file was not found
        50278: Failure.CLOSED,  # no server in common
        110001: Failure.TROUBLE,  # the application is not available yet
        130000: Failure.TROUBLE,  # overloaded
        160005: Failure.FORBIDDEN,  # the thread is locked
        160006: Failure.FORBIDDEN,  # too many active threads
        160007: Failure.FORBIDDEN,  # too many active threads of announcements
        200000: Failure.BLOCKED,  # automatic moderation: the message
        200001: Failure.BLOCKED,  # the title of a thread
        240000: Failure.BLOCKED,  # harmful links
        400001: Failure.PICTURE,  # the server may have no uploads for now
    }
)
"""Discord's JSON error codes with which the requests we make can be answered."""

_BY_STATUS: Final[Mapping[int, Failure]] = MappingProxyType(
    {
        401: Failure.FORBIDDEN,
        403: Failure.FORBIDDEN,
        404: Failure.GONE,
        413: Failure.PICTURE,
        429: Failure.TROUBLE,
    }
)
"""By HTTP status, if the error code isn't listed above."""


_REPEATED: Final = frozenset({500, 502, 504, 524})
"""Statuses after which discord.py itself repeats a request, for half a minute."""

_REFUSED_KEPT: Final = frozenset({Failure.PICTURE, None})
"""Failures of a message that keeps a picture after which an upload may be accepted instead; None is
a request that Discord finds malformed."""

_REFUSED_UPLOADS: Final = _REFUSED_KEPT | {Failure.FORBIDDEN, Failure.DISABLED}
"""Failures of an upload after which the same message may be accepted in words: Attach Files is a
permission of its own, and Discord can turn off uploads alone."""

Files = list[discord.Attachment | discord.File]
"""Attachments that a message keeps, and files that are uploaded with it."""


class UndeliveredError(Exception):
    """A message that did not arrive."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.value)
        self.failure = failure


class LostAnswerError(UndeliveredError):
    """The message may have arrived: nobody knows, because Discord's answer was lost."""


class UnpostedError(UndeliveredError):
    """A message could not be posted, so what it announces was undone: nobody could see it."""


class UnsharedError(UndeliveredError):
    """A result or solved puzzle that somebody shares may not have been posted."""


@contextmanager
def translating_share_errors() -> Iterator[None]:
    """Turn an UndeliveredError raised within this into an UnsharedError."""
    try:
        yield
    except UndeliveredError as error:
        raise UnsharedError(error.failure) from error


class RefusedPictureError(Exception):
    """Discord refused a message, perhaps because of its picture."""


def failure_of(error: discord.HTTPException) -> Failure | None:
    """What an error of Discord's means; None if it's unknown, as for a malformed request."""
    if error.status >= 500:
        return Failure.TROUBLE
    return _BY_CODE.get(error.code) or _BY_STATUS.get(error.status)


@contextmanager
def translating_discord_errors(
    *, direct: bool = False, files: Files | None = None
) -> Iterator[None]:
    """Turn what discord.py raises for a failed request into an UndeliveredError.

    The error for a malformed request is our bug and is raised unchanged. `direct` says that a
    message goes to one person: being forbidden may then be about them or about the bot (`REFUSED`).
    RefusedPictureError if Discord may accept the message without these `files`.
    """
    try:
        yield
    except discord.InteractionResponded:
        raise UndeliveredError(Failure.EXPIRED) from None
    except discord.HTTPException as error:
        failure = failure_of(error)
        if files and failure in (_REFUSED_KEPT if keeps_attachment(files) else _REFUSED_UPLOADS):
            raise RefusedPictureError from error
        if failure is None:
            raise
        if direct and failure is Failure.FORBIDDEN:
            failure = Failure.REFUSED
        is_lost = error.status >= 500 and error.status not in _REPEATED
        raise (LostAnswerError if is_lost else UndeliveredError)(failure) from error
    except RequestsStoppedError:
        raise UndeliveredError(Failure.STOPPED) from None
    except (aiohttp.ClientError, OSError, TimeoutError, JSONDecodeError) as error:
        # A proxy between Discord and us may send something as JSON that isn't.
        is_lost = not isinstance(error, TimeoutError)  # raised minutes later
        raise (LostAnswerError if is_lost else UndeliveredError)(Failure.TROUBLE) from error


async def retrying_lost(request: Callable[[], Awaitable[T]]) -> T:
    """Make a request, once more if Discord's answer is lost; it must be repeatable, as by a nonce.

    It's repeated at once: later, that may create a second message, and if nobody has a reason to
    try again, nobody ever knows of the first.
    """
    with suppress(LostAnswerError):
        return await request()
    return await request()


def keeps_attachment(files: Files) -> bool:
    """Whether any of these files is one that Discord already has."""
    return any(not isinstance(file, discord.File) for file in files)
