"""What a pane of the page has been sent, and what has changed since then."""

from dataclasses import dataclass, field

from sandbox.clients import Client
from sandbox.console.views import Views
from sandbox.errors import Json


@dataclass(slots=True)
class Feed:
    """One pane: its member's client, the channel it shows, and what has been sent to it."""

    side: str
    views: Views
    client: Client
    wanted: object = None
    _head: Json = field(default_factory=dict)
    _order: list[str] = field(default_factory=list)
    _sent: dict[str, Json] = field(default_factory=dict)

    def update(self) -> Json | None:
        """The changes since the last call, as a message to the page; None if there are none."""
        channel = self.views.place(self.client, self.wanted)
        if channel is not None:
            self.wanted = str(channel.id)
        head = self.views.head(self.client, channel)
        if head["place"]["id"] != self._head.get("place", {}).get("id"):
            self._order, self._sent = [], {}
        seen = self.views.messages(self.client, channel)
        now = {str(m.id): self.views.message(self.client, m) for m in seen}
        update: Json = {}
        if head != self._head:
            update["head"] = head
        if list(now) != self._order:
            update["order"] = list(now)
        changed = {key: shown for key, shown in now.items() if self._sent.get(key) != shown}
        if changed:
            update["messages"] = changed
        self._head, self._order, self._sent = head, list(now), now
        return {"kind": "pane", "pane": self.side, **update} if update else None

    def read(self) -> bool:
        """Mark what the pane shows as read; returns whether anything was unread."""
        channel = self.views.place(self.client, self.wanted)
        if channel is None:
            return False
        return self.views.read(self.client, channel)
