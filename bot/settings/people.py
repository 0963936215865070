"""A user of Discord, as far as all that is asked of people needs one."""

from typing import Protocol

from bot.errors import MatchError


class Person(Protocol):
    @property
    def id(self) -> int: ...

    @property
    def bot(self) -> bool: ...


def must_be_a_person(user: Person) -> None:
    """MatchError for a bot, of which there is nothing to be listed."""
    if user.bot:
        raise MatchError(f"<@{user.id}> is a bot. Pick a person.")
