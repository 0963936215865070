"""Errors: Discord's statuses, codes and messages, and requests that its client doesn't offer."""

from typing import Any, Final

Json = dict[str, Any]
Path = tuple[str, ...]

REFUSALS: Final[dict[int, tuple[int, str]]] = {
    0: (404, "404: Not Found"),
    10002: (404, "Unknown Application"),
    10003: (404, "Unknown Channel"),
    10004: (404, "Unknown Guild"),
    10007: (404, "Unknown Member"),
    10008: (404, "Unknown Message"),
    10013: (404, "Unknown User"),
    10014: (404, "Unknown Emoji"),
    10015: (404, "Unknown Webhook"),
    10062: (404, "Unknown interaction"),
    10063: (404, "Unknown application command"),
    20026: (403, "Your bot has been flagged by our anti-spam system for abusive behavior."),
    30008: (400, "Maximum number of emojis reached (2000)"),
    30032: (400, "Maximum number of application commands reached (100)"),
    30034: (400, "Max number of daily application command creates has been reached (200)"),
    40003: (403, "You are opening direct messages too fast"),
    40005: (413, "Request entity too large"),
    40060: (400, "Interaction has already been acknowledged."),
    40094: (400, "This interaction has reached the maximum number of follow-up messages"),
    50001: (403, "Missing Access"),
    50003: (403, "Cannot execute action on a DM channel"),
    50005: (403, "Cannot edit a message authored by another user"),
    50006: (400, "Cannot send an empty message"),
    50007: (403, "Cannot send messages to this user"),
    50008: (400, "Cannot send messages in a non-text channel"),
    50013: (403, "Missing Permissions"),
    50021: (403, "Cannot execute action on a system message"),
    50024: (400, "Cannot execute action on this channel type"),
    50027: (401, "Invalid Webhook Token"),
    50033: (400, "Invalid Recipient(s)"),
    50041: (400, "Invalid API version"),
    50045: (400, "File uploaded exceeds the maximum size"),
    50083: (400, "Thread is archived"),
    50109: (400, "The request body contains invalid JSON."),
    50240: (400, "You cannot remove this app's Entry Point command in a bulk update operation."),
    50278: (403, "Cannot send messages to this user due to having no mutual guilds"),
    160002: (400, "Cannot reply without permission to read message history"),
    160004: (400, "A thread has already been created for this message"),
    160005: (400, "Thread is locked"),
}


class DiscordError(Exception):
    """A refused request: the status and the body of its answer."""

    def __init__(self, status: int, code: int, message: str, *, extra: Json | None = None) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.code = code
        self.message = message
        self.extra = extra or {}
        self.headers: dict[str, str] = {}

    @property
    def body(self) -> Json:
        return {"message": self.message, "code": self.code, **self.extra}


class ImpossibleError(AssertionError):
    """A test, or the page, asked for something that Discord's client doesn't offer."""


def refusal(code: int) -> DiscordError:
    """The error with one of Discord's codes, a key of `REFUSALS`."""
    status, message = REFUSALS[code]
    return DiscordError(status, code, message)


class Problems:
    """All errors of a form, reported together (50035), as Discord does."""

    def __init__(self) -> None:
        self._tree: Json = {}

    def note(self, path: Path, code: str, message: str) -> None:
        here = self._tree
        for step in path:
            here = here.setdefault(step, {})
        here.setdefault("_errors", []).append({"code": code, "message": message})

    def __bool__(self) -> bool:
        return bool(self._tree)

    def check(self) -> None:
        """Raise DiscordError if any error was noted."""
        if self._tree:
            raise DiscordError(400, 50035, "Invalid Form Body", extra={"errors": self._tree})


def invalid(path: Path, code: str, message: str) -> DiscordError:
    """The error that refuses a form for a single reason."""
    tree: Json = {"_errors": [{"code": code, "message": message}]}
    for step in reversed(path):
        tree = {step: tree}
    return DiscordError(400, 50035, "Invalid Form Body", extra={"errors": tree})
