"""Faults that tests and the panel order."""

import json
import re
from dataclasses import dataclass, field, fields
from typing import Any, Final

METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE")


@dataclass(slots=True, kw_only=True)
class Fault:
    """What happens to the next requests of a method and path."""

    status: int | None = None
    """Answer with this; None lets the request through (slowly, with `delay`)."""

    code: int = 0
    """Discord's own number of the error that the answer carries; a page in place of JSON has none,
    which is what comes with 500 and above."""

    method: str | None = None
    path: str = ".*"
    """A regular expression searched in the path behind /api/v10."""

    saying: str = ""
    """What the request's JSON has to contain, as text."""

    body: dict[str, Any] | None = None
    """Fields of the answer that are told otherwise; the request is carried out."""

    instead: object = ...
    """Any JSON in place of the whole answer, or a page as text; the request is carried out unless
    there is a `status`."""

    times: int | None = 1
    """How often; None for always."""

    delay: float = 0.0
    """Seconds of real time before the answer."""

    drop: bool = False
    """Cut the connection instead of answering."""

    after: bool = False
    """Whether the request is carried out before its answer is lost or replaced."""

    retry_after: float = 1.0
    """Seconds that a 429 tells to wait."""

    def __post_init__(self) -> None:
        if self.method is not None and self.method not in METHODS:
            raise ValueError(f"There is no method {self.method!r}.")
        if self.status is not None and not 400 <= self.status <= 599:
            raise ValueError("A fault's status is an error: 400 to 599.")
        re.compile(self.path)

    def fits(self, method: str, path: str, sent: object = None) -> bool:
        fits = self.method in (None, method) and re.search(self.path, path) is not None
        return fits and self.saying in json.dumps(sent, ensure_ascii=False)


@dataclass(slots=True, kw_only=True)
class Faults:
    """The faults that were ordered, and the switches."""

    ordered: list[Fault] = field(default_factory=list)
    deliver_twice: bool = False
    """Every interaction reaches the bot twice."""

    rate_limits: bool = True
    """Whether the limits of REST and of the gateway are enforced, as they are by Discord."""

    ignore_heartbeats: bool = False
    """Heartbeats get no answer: the connection looks dead to the bot."""

    quarantined: bool = False
    """The bot is under quarantine: it opens no direct messages, and sends no first ones."""

    locked_answers: int | None = None
    """The code with which a locked thread refuses what answers an interaction there and is not
    for one person only; None lets it through. Discord's documents say neither."""

    archived_keep: bool = False
    """Archived threads refuse the deletion of messages too (50083), as people report; Discord's
    documents let it through."""

    new_direct_messages: int | None = None
    """How many direct messages may be opened in 10 minutes before 40003; None for no limit."""

    def add(self, fault: Fault) -> Fault:
        self.ordered.append(fault)
        return fault

    def clear(self) -> None:
        """End all faults and reset all switches."""
        fresh = Faults()
        for one in fields(self):
            setattr(self, one.name, getattr(fresh, one.name))

    def take(self, method: str, path: str, sent: object = None) -> Fault | None:
        """The first fault that fits the request, counted as used once; None when none fits."""
        for fault in self.ordered:
            if fault.fits(method, path, sent):
                if fault.times is not None:
                    fault.times -= 1
                    if fault.times <= 0:
                        self.ordered.remove(fault)
                return fault
        return None
