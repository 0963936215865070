"""What part of the bot's work is this process's."""

from typing import Final, Protocol


def shard_of(guild: int | None, count: int) -> int:
    """The shard that Discord counts a server to; what has no server comes by the first."""
    return ((guild or 0) >> 22) % count


class Share(Protocol):
    """The servers whose matches this process shows, times and lets computers play."""

    @property
    def processes(self) -> int:
        """How many processes share the work, this one included."""

    @property
    def alone(self) -> bool:
        """Whether no other process can be there."""

    @property
    def is_current(self) -> bool:
        """Whether what this process knows of its share holds now."""

    def owns(self, guild: int | None) -> bool:
        """Whether the matches of a server are this process's."""

    def is_connected_elsewhere(self, shard: int) -> bool:
        """Whether another process is connected to this shard."""

    def tell(self, what: str, *about: int) -> None:
        """Let all processes know of something, by a word and ids, and nothing secret.

        "match", with its server, was changed here, and with a third number perhaps what stands at
        that place, see `Newest.tell`; the "preferences" of somebody were; somebody
        is to be forgotten ("forget").
        """


class Everything:
    """The share of a process that is the only one: all there is."""

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
        """Nobody else has to know."""


EVERYTHING: Final[Share] = Everything()
"""What a process has that is told of no other."""
