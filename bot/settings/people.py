"""A user of Discord, as far as all that is asked of people needs one."""

from typing import Protocol


class Person(Protocol):
    @property
    def id(self) -> int: ...

    @property
    def bot(self) -> bool: ...
