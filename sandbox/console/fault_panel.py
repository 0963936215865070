"""The fault panel: the actions of its buttons, and the state that it shows."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final

from sandbox.errors import Json
from sandbox.faults import Fault, Faults
from sandbox.guilds import Channel
from sandbox.messages import Message
from sandbox.permissions import Permission
from sandbox.server import Sandbox

MAX_RECENT_MESSAGES: Final = 6
MAX_REQUESTS: Final = 100
MAX_EXCERPT_CHARACTERS: Final = 60
TIME_OUT: Final = timedelta(hours=1)

FAULTS: Final[dict[str, Callable[[], Fault]]] = {
    "500": lambda: Fault(status=500),
    "500-many": lambda: Fault(status=500, times=5),
    "429": lambda: Fault(status=429),
    "slow": lambda: Fault(delay=4.0),
    "drop": lambda: Fault(drop=True),
}


class FaultPanel:
    """Moves the clock, causes faults, and deletes channels and messages."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._world = sandbox.world
        self._verbs: dict[str, Callable[[Json], None]] = {
            "clock": self._move_clock,
            "fault": self._add_fault,
            "clear-faults": self._clear_faults,
            "deliver-twice": self._deliver_twice,
            "rate-limits": self._set_rate_limits,
            "quarantine": self._quarantine,
            "close-direct": self._close_direct,
            "time-out": self._time_out,
            "outage": self._outage,
            "mute-bot": lambda ask: self._deny(ask, Permission.SEND_MESSAGES),
            "hide-channel": lambda ask: self._deny(ask, Permission.VIEW_CHANNEL),
            "delete-channel": lambda ask: self._world.delete_channel(self._channel(ask)),
            "delete-message": self._delete_message,
        }
        self._gateway: dict[str, Callable[[], Awaitable[None]]] = {
            "drop-connections": sandbox.drop_connections,
            "request-reconnect": sandbox.request_reconnect,
            "invalidate": sandbox.invalidate_sessions,
            "invalidate-resumable": lambda: sandbox.invalidate_sessions(resumable=True),
        }

    async def do(self, ask: Json) -> bool:
        """Carry out the action of a button; returns False if the verb is unknown."""
        verb = str(ask.get("verb"))
        if verb == "gateway" and ask.get("what") in self._gateway:
            await self._gateway[ask["what"]]()
            return True
        if verb not in self._verbs:
            return False
        self._verbs[verb](ask)
        return True

    def state(self) -> Json:
        """The state of all switches, and the channels and messages that can be deleted."""
        faults, world = self._sandbox.faults, self._world
        return {
            "deliver_twice": faults.deliver_twice,
            "rate_limits": faults.rate_limits,
            "quarantined": faults.quarantined,
            "pending": sum(fault.times or 1 for fault in faults.ordered),
            "usual": faults == Faults(),
            "timed_out": world.guild.is_timed_out(world.bot.id),
            "unavailable": world.guild.unavailable,
            "closed": [str(user) for user in world.closed],
            "channels": [self._switches(channel) for channel in world.guild.text_channels()],
            "messages": [self._excerpt(message) for message in self._recent()],
        }

    def requests(self) -> list[Json]:
        """The bot's last REST requests, newest first."""
        return [
            {
                "method": request.method,
                "path": request.path,
                "status": request.status or "-",
                "counts": request.counted,
            }
            for request in self._sandbox.requests[: -MAX_REQUESTS - 1 : -1]
        ]

    def _switches(self, channel: Channel) -> Json:
        denied = sum(o.deny for o in channel.overwrites if o.id == self._world.bot.id)
        return {
            "id": str(channel.id),
            "name": channel.name,
            "muted": bool(denied & Permission.SEND_MESSAGES),
            "hidden": bool(denied & Permission.VIEW_CHANNEL),
        }

    def _recent(self) -> list[Message]:
        """The bot's last messages, newest first, without ephemeral ones."""
        own = [m for m in self._world.messages.values() if m.author is self._world.bot]
        return [m for m in own if m.ephemeral_to is None][: -MAX_RECENT_MESSAGES - 1 : -1]

    def _excerpt(self, message: Message) -> Json:
        """Enough to recognize a message, but not the text of a direct message."""
        channel = self._world.channel(message.channel_id)
        text = " ".join(message.text.split())[:MAX_EXCERPT_CHARACTERS] or "(no text)"
        place = f"#{channel.name}"
        if channel.recipient is not None:
            place, text = f"@{channel.recipient.name}", f"{message.created_at:%H:%M:%S}"
        return {"id": str(message.id), "place": place, "text": text}

    def _move_clock(self, ask: Json) -> None:
        self._sandbox.clock.advance(timedelta(seconds=int(ask["seconds"])))

    def _add_fault(self, ask: Json) -> None:
        self._sandbox.faults.add(FAULTS[ask["fault"]]())

    def _clear_faults(self, _: Json) -> None:
        self._sandbox.faults.clear()

    def _deliver_twice(self, ask: Json) -> None:
        self._sandbox.faults.deliver_twice = bool(ask["on"])

    def _set_rate_limits(self, ask: Json) -> None:
        self._sandbox.faults.rate_limits = bool(ask["on"])

    def _quarantine(self, ask: Json) -> None:
        self._sandbox.faults.quarantined = bool(ask["on"])

    def _time_out(self, ask: Json) -> None:
        self._world.time_out(self._world.bot, TIME_OUT if ask["on"] else None)

    def _outage(self, ask: Json) -> None:
        (self._world.take_down if ask["on"] else self._world.bring_back)()

    def _close_direct(self, ask: Json) -> None:
        self._sandbox.person(int(ask["member"])).closed = bool(ask["on"])

    def _channel(self, ask: Json) -> Channel:
        return self._world.channel(int(ask["channel"]))

    def _deny(self, ask: Json, permission: Permission) -> None:
        channel = self._channel(ask)
        denied = sum(o.deny for o in channel.overwrites if o.id == self._world.bot.id)
        denied = denied | permission if ask["on"] else denied & ~permission
        self._world.set_permissions(channel, deny=denied)

    def _delete_message(self, ask: Json) -> None:
        message = self._world.messages.get(int(ask["message"]))
        if message is None:
            raise LookupError("This message doesn't exist anymore.")
        self._world.delete_message(message)
