"""The part of a Discord user that checks of people need."""

from typing import Protocol

from bot.errors import MatchError


class Person(Protocol):
    @property
    def id(self) -> int: ...

    @property
    def bot(self) -> bool: ...


def must_be_a_person(user: Person) -> None:
    """Raise MatchError for a bot: bots have no matches that could be listed."""
    if user.bot:
        raise MatchError(f"<@{user.id}> is a bot. Pick a person.")
