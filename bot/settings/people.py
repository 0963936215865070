"""A user of Discord as far as the settings and statistics of people ask."""

from typing import Protocol


class Person(Protocol):
    """A user of Discord, as far as it matters here."""

    @property
    def id(self) -> int: ...

    @property
    def bot(self) -> bool: ...
