"""Faults that tests and the page's panel cause on purpose."""

import json
import re
from dataclasses import dataclass, field, fields
from typing import Any, Final

METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE")


@dataclass(slots=True, kw_only=True)
class Fault:
    """What goes wrong with the next requests that match."""

    status: int | None = None
    """The status of the answer, 400 to 599; None lets the request through (late, with `delay`)."""

    code: int = 0
    """Discord's error code in the answer's JSON. Without one, statuses of 500 and above answer
    with an HTML page instead."""

    method: str | None = None
    path: str = ".*"
    """A regular expression, searched in the path after /api/v10."""

    saying: str = ""
    """A text that the request's JSON has to contain."""

    body: dict[str, Any] | None = None
    """Fields that replace those of the answer; the request is carried out."""

    instead: object = ...
    """JSON, or an HTML page as a string, to answer with; the request is carried out unless there
    is a `status`."""

    times: int | None = 1
    """How many requests it affects; None for all."""

    delay: float = 0.0
    """Seconds of real time before the answer."""

    drop: bool = False
    """Drop the connection instead of answering."""

    after: bool = False
    """Whether the request is carried out, and only its answer delayed, dropped or replaced."""

    retry_after: float = 1.0
    """The seconds to wait that an answer with 429 names."""

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
    """The faults still to come, and the switches."""

    ordered: list[Fault] = field(default_factory=list)
    deliver_twice: bool = False
    """Whether every interaction is delivered to the bot twice."""

    rate_limits: bool = True
    """Whether the rate limits of REST and the gateway are enforced, as Discord does."""

    ignore_heartbeats: bool = False
    """Whether heartbeats get no answer, so that the connection looks dead to the bot."""

    quarantined: bool = False
    """Whether Discord has quarantined the bot: it can't open direct messages or send first ones."""

    locked_answers: int | None = None
    """The code that refuses a public answer to an interaction in a locked thread; None accepts it.
    Discord's documentation says neither."""

    refuse_archived_deletes: bool = False
    """Whether deleting messages in archived threads is refused too (50083), as people report;
    Discord's documentation allows it."""

    new_direct_messages: int | None = None
    """How many direct message channels the bot can open in 10 minutes; then 40003. None: any
    number."""

    def add(self, fault: Fault) -> Fault:
        self.ordered.append(fault)
        return fault

    def clear(self) -> None:
        """End all faults and reset all switches."""
        fresh = Faults()
        for one in fields(self):
            setattr(self, one.name, getattr(fresh, one.name))

    def take(self, method: str, path: str, sent: object = None) -> Fault | None:
        """The first fault that matches the request, counted as used once; None if none does."""
        for fault in self.ordered:
            if fault.fits(method, path, sent):
                if fault.times is not None:
                    fault.times -= 1
                    if fault.times <= 0:
                        self.ordered.remove(fault)
                return fault
        return None
