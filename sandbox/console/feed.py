"""What a pane has been told, and so what is still to be told."""

from dataclasses import dataclass, field

from sandbox.clients import Client
from sandbox.console.views import Views
from sandbox.errors import Json


@dataclass(slots=True)
class Feed:
    """One pane: whose it is, which channel it shows, and what its page has got so far."""

    side: str
    views: Views
    client: Client
    wanted: object = None
    dismissed: set[int] = field(default_factory=set)
    """Messages only this member saw, and has put away; shared by the member's panes."""

    _head: Json = field(default_factory=dict)
    _order: list[str] = field(default_factory=list)
    _told: dict[str, Json] = field(default_factory=dict)

    def news(self) -> Json | None:
        """What has changed since the last time; None when nothing has."""
        channel = self.views.place(self.client, self.wanted)
        if channel is not None:
            self.wanted = str(channel.id)
        head = self.views.head(self.client, channel)
        if head["place"]["id"] != self._head.get("place", {}).get("id"):
            self._order, self._told = [], {}
        seen = [m for m in self.views.messages(self.client, channel) if m.id not in self.dismissed]
        now = {str(m.id): self.views.message(self.client, m) for m in seen}
        news: Json = {}
        if head != self._head:
            news["head"] = head
        if list(now) != self._order:
            news["order"] = list(now)
        changed = {key: shown for key, shown in now.items() if self._told.get(key) != shown}
        if changed:
            news["messages"] = changed
        self._head, self._order, self._told = head, list(now), now
        return {"kind": "pane", "pane": self.side, **news} if news else None

    def read(self) -> bool:
        """Note that the member has read what the pane shows; whether there was anything new."""
        channel = self.views.place(self.client, self.wanted)
        if channel is None:
            return False
        return self.views.read(self.client, channel)
