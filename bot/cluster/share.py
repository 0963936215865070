"""Which part of the bot's work belongs to this process."""

from typing import Final, Protocol


def shard_of(guild: int | None, count: int) -> int:
    """The number of a server's shard, by Discord's formula; 0 for what has no server."""
    return ((guild or 0) >> 22) % count


class Share(Protocol):
    """The servers whose matches this process shows and times, and whose computers it lets play."""

    @property
    def processes(self) -> int:
        """How many processes share the work, this one included."""

    @property
    def alone(self) -> bool:
        """Whether there can be no other process."""

    @property
    def is_current(self) -> bool:
        """Whether what this process knows of its share still holds."""

    def owns(self, guild: int | None) -> bool:
        """Whether a server's matches belong to this process; None for matches without one."""

    def is_connected_elsewhere(self, shard: int) -> bool:
        """Whether another process is connected to this shard."""

    def tell(self, what: str, *about: int) -> None:
        """Tell all processes of something, by a word and ids, and nothing secret.

        "match", a match and its server: it was changed here; a third number is a place whose
        message may be outdated, see `SlotUpdater.tell_owner`. "preferences" and a user: theirs were
        changed. "forget" and a user: they are to be forgotten.
        """


class Everything:
    """The share of the only process: all servers."""

    processes = 1
    alone = True
    is_current = True

    def owns(self, guild: int | None) -> bool:
        del guild
        return True

    def is_connected_elsewhere(self, shard: int) -> bool:
        del shard
        return False

    def tell(self, what: str, *about: int) -> None:
        """Do nothing: there is no other process."""


EVERYTHING: Final[Share] = Everything()
"""The share of a process that runs alone."""
