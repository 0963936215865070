"""Messages: their fields, their JSON, and what a person sees of them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntFlag
from typing import Any

from sandbox.cdn import Attachment, Cdn
from sandbox.components.tree import SELECTS, ComponentType
from sandbox.errors import Json
from sandbox.guilds import text_id
from sandbox.members import User
from sandbox.mentions import texts_of


class Flag(IntFlag):
    SUPPRESS_EMBEDS = 1 << 2
    HAS_THREAD = 1 << 5
    EPHEMERAL = 1 << 6
    LOADING = 1 << 7
    SUPPRESS_NOTIFICATIONS = 1 << 12
    COMPONENTS_V2 = 1 << 15


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """A button as a person sees it."""

    label: str | None
    custom_id: str | None
    url: str | None
    disabled: bool
    style: int
    emoji: str | None

    def answers_to(self, name: str) -> bool:
        """Whether `name` is its label, its emoji, both together, or its custom id."""
        both = f"{self.emoji or ''} {self.label or ''}".strip()
        return name in {self.label, self.custom_id, self.emoji, both} - {None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Select:
    """A select menu as a person sees it."""

    kind: int
    custom_id: str
    placeholder: str | None
    options: tuple[Json, ...]
    channel_types: tuple[int, ...]
    """The types of channels it offers; all of them if empty."""

    low: int
    high: int
    disabled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A picture as a person sees it; `description` is its alt text."""

    url: str
    description: str | None
    filename: str | None


@dataclass(slots=True, eq=False, kw_only=True)
class Message:
    """One message; an edit changes this object."""

    id: int
    channel_id: int
    guild_id: int | None
    author: User
    created_at: datetime
    cdn: Cdn
    type: int = 0
    content: str = ""
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    files: list[Attachment] = field(default_factory=list)
    """All its attachments, including those shown by a component or an embed."""

    shown_by: dict[str, frozenset[int]] = field(default_factory=dict)
    """The ids of the attachments that are shown by its "embeds" and its "components"."""

    flags: int = 0
    edited_at: datetime | None = None
    edits: int = 0
    deleted: bool = False
    ephemeral_to: int | None = None
    """The id of the one user who sees it; None if it's public."""

    mentions: list[User] = field(default_factory=list)
    mention_roles: list[int] = field(default_factory=list)
    mention_everyone: bool = False
    pinged: frozenset[int] = frozenset()
    """The ids of the users it pinged when it was sent; edits ping nobody."""

    preview: str = ""
    """The text of its push notification: the content when it was sent, without components."""

    nonce: int | str | None = None
    application_id: int | None = None
    webhook_id: int | None = None
    reference: Json | None = None
    metadata: Json | None = None
    """The `interaction_metadata` of the interaction it answers."""

    thread: int | None = None

    @property
    def is_v2(self) -> bool:
        return bool(self.flags & Flag.COMPONENTS_V2)

    @property
    def is_silent(self) -> bool:
        return bool(self.flags & Flag.SUPPRESS_NOTIFICATIONS)

    @property
    def is_loading(self) -> bool:
        """Whether it still shows "… is thinking"."""
        return bool(self.flags & Flag.LOADING)

    @property
    def shown(self) -> frozenset[int]:
        return frozenset().union(*self.shown_by.values())

    @property
    def attachments(self) -> list[Attachment]:
        """The files that no embed or component shows; they appear below the message."""
        shown = self.shown
        return [file for file in self.files if file.id not in shown]

    def wire(self) -> Json:
        edited = None if self.edited_at is None else self.edited_at.isoformat()
        message: Json = {
            "id": str(self.id),
            "channel_id": str(self.channel_id),
            "type": self.type,
            "content": self.content,
            "author": self.author.wire(),
            "timestamp": self.created_at.isoformat(),
            "edited_timestamp": edited,
            "tts": False,
            "mention_everyone": self.mention_everyone,
            "mentions": [user.wire() for user in self.mentions],
            "mention_roles": [str(role) for role in self.mention_roles],
            "attachments": [attachment.wire() for attachment in self.attachments],
            "embeds": self.cdn.renewed(self.embeds),
            "components": self.cdn.renewed(self.components),
            "pinned": False,
            "flags": int(self.flags),
        }
        optional: Json = {
            "nonce": self.nonce,
            "application_id": text_id(self.application_id),
            "webhook_id": text_id(self.webhook_id),
            "message_reference": self.reference,
            "interaction_metadata": self.metadata,
        }
        return message | {key: value for key, value in optional.items() if value is not None}

    # What a person sees.

    @property
    def text(self) -> str:
        """All readable text: content, text displays, embeds."""
        parts = [self.content, *texts_of(self.components)]
        for embed in self.embeds:
            parts += [embed.get("author", {}).get("name", ""), embed.get("title", "")]
            parts.append(embed.get("description", ""))
            for item in embed.get("fields", []):
                parts += [item["name"], item["value"]]
            parts.append(embed.get("footer", {}).get("text", ""))
        return "\n".join(part for part in parts if part)

    def parts(self) -> Iterator[Json]:
        """Every component, including nested ones, from top to bottom."""
        waiting: list[Any] = list(self.components)
        while waiting:
            component = waiting.pop(0)
            yield component
            children = [*component.get("components", [])]
            if component.get("accessory"):
                children.append(component["accessory"])
            waiting[:0] = children

    @property
    def buttons(self) -> list[Button]:
        return [_button(part) for part in self.parts() if part["type"] == ComponentType.BUTTON]

    @property
    def selects(self) -> list[Select]:
        return [_select(part) for part in self.parts() if part["type"] in SELECTS]

    @property
    def images(self) -> list[Picture]:
        """The pictures in galleries, thumbnails, embeds and attachments."""
        found = []
        for part in self.parts():
            items = [
                *part.get("items", []),
                *([part] if part["type"] == ComponentType.THUMBNAIL else []),
            ]
            found += [self._picture(i["media"]["url"], i.get("description")) for i in items]
        for embed in self.embeds:
            shown = [embed[name] for name in ("image", "thumbnail") if name in embed]
            found += [self._picture(image["url"], None) for image in shown]
        pictures = [file for file in self.attachments if file.size]
        return found + [self._picture(file.url, file.description) for file in pictures]

    def _picture(self, url: str, description: str | None) -> Picture:
        url = self.cdn.renewed(url)
        file = self.cdn.find(url)
        if file is None:
            return Picture(url=url, description=description, filename=None)
        return Picture(url=url, description=description or file.description, filename=file.filename)

    def read(self, url: str) -> bytes:
        """The bytes of the file at a URL; raises LookupError if there is none."""
        file = self.cdn.find(url)
        if file is None:
            raise LookupError(f"There is no file at {url}.")
        return file.data

    def find_button(self, name: str) -> Button | None:
        """The first button with that custom id, or else with that label or emoji."""
        exact = [button for button in self.buttons if button.custom_id == name]
        named = exact or [button for button in self.buttons if button.answers_to(name)]
        return named[0] if named else None

    def find_select(self, name: str) -> Select | None:
        """The first select with that custom id, or else with that placeholder."""
        exact = [select for select in self.selects if select.custom_id == name]
        named = exact or [select for select in self.selects if select.placeholder == name]
        return named[0] if named else None

    def __repr__(self) -> str:
        return f"<Message {self.id} by {self.author.name}: {self.text[:60]!r}>"


def _button(part: Json) -> Button:
    emoji = part.get("emoji") or {}
    return Button(
        label=part.get("label"),
        custom_id=part.get("custom_id"),
        url=part.get("url"),
        disabled=part.get("disabled", False),
        style=part["style"],
        emoji=emoji.get("name"),
    )


def _select(part: Json) -> Select:
    return Select(
        kind=part["type"],
        custom_id=part["custom_id"],
        placeholder=part.get("placeholder"),
        options=tuple(part.get("options", ())),
        channel_types=tuple(part.get("channel_types", ())),
        low=part["min_values"],
        high=part["max_values"],
        disabled=part.get("disabled", False),
    )
