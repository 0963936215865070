"""The services that show the messages of all matches."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.cluster.share import Share
from bot.lessons.progress import Progress
from bot.live.edit_turns import EditTurns
from bot.live.threads import Threads
from bot.messaging.delivery import Delivery
from bot.messaging.direct_messages import DirectMessages
from bot.messaging.sent import SentMessages
from bot.rendering.presentation import Presentations
from bot.storage import Storage


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotServices:
    """The services that every slot uses."""

    storage: Storage
    delivery: Delivery
    sent: SentMessages
    direct_messages: DirectMessages
    presentations: Presentations
    progress: Progress
    threads: Threads
    turns: EditTurns
    share: Share
    now: Callable[[], float]
    """The current time, in seconds since 1970."""

    words_first: float
    """Seconds that a message waits for its picture before it's shown in words."""
