"""Reads the payload of a message or an edit, with every check that Discord makes."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from sandbox.cdn import MAX_FILE_BYTES, MAX_REQUEST_BYTES, Attachment, Cdn
from sandbox.components import read_components
from sandbox.components.tree import ComponentTree
from sandbox.embeds import read_embeds
from sandbox.emojis import Emoji
from sandbox.errors import Json, Path, Problems, refusal
from sandbox.forms import Form
from sandbox.guilds import Channel
from sandbox.media import Media
from sandbox.mentions import AllowedMentions, read_allowed_mentions
from sandbox.messages import Flag, Message
from sandbox.snowflakes import Snowflakes, is_snowflake

MAX_CONTENT_CHARACTERS: Final = 2000
MAX_FILES: Final = 10
SETTABLE_FLAGS: Final = Flag.SUPPRESS_EMBEDS | Flag.SUPPRESS_NOTIFICATIONS | Flag.COMPONENTS_V2
LEGACY_FIELDS: Final = ("content", "embeds", "poll", "sticker_ids")


@dataclass(frozen=True, slots=True)
class Upload:
    """One file uploaded with a request."""

    index: int
    filename: str
    content_type: str
    data: bytes


@dataclass(slots=True, kw_only=True)
class MessagePayload:
    """What a request body asks for. A field is None if the body doesn't have it."""

    content: str | None = None
    embeds: list[Json] | None = None
    components: list[Json] | None = None
    flags: int = 0
    v2: bool = False
    uploads: list[Attachment] = field(default_factory=list)
    kept: list[Attachment] | None = None
    used: dict[str, frozenset[int]] = field(default_factory=dict)
    """The ids of the files that the "embeds" and the "components" show."""

    allowed_mentions: AllowedMentions = field(default_factory=AllowedMentions)
    descriptions: list[tuple[Attachment, str | None]] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        return not (self.content or self.embeds or self.components or self.uploads)


@dataclass(slots=True, kw_only=True)
class PayloadReader:
    """Reads request bodies, and stores their files."""

    cdn: Cdn
    ids: Snowflakes
    emojis: dict[int, Emoji]
    find_channel: Callable[[int], Channel | None]

    def read(
        self,
        body: object,
        uploads: list[Upload],
        channel: int,
        *,
        edited: Message | None = None,
        path: Path = (),
        ephemeral: bool = False,
    ) -> MessagePayload:
        """The payload of a new message, or of an edit of `edited`.

        `ephemeral` allows that flag. Raises DiscordError, and stores no files, if it's invalid.
        """
        _check_sizes(uploads)
        problems = Problems()
        form = Form({} if body is None else body, path, problems)
        payload = _read_flags(form, edited, ephemeral=ephemeral)
        self._unsupported(form)
        if "content" in form.data:
            payload.content = (form.text("content", MAX_CONTENT_CHARACTERS) or "").strip()
        payload.uploads = [
            self.cdn.store(self.ids.next(), channel, upload.filename, upload.data)
            for upload in uploads
        ]
        by_index = dict(zip((upload.index for upload in uploads), payload.uploads, strict=True))
        self._read_content(form, payload, by_index, edited)
        if problems:
            for attachment in payload.uploads:
                self.cdn.forget(attachment)
        problems.check()
        for attachment, description in payload.descriptions:
            attachment.description = description
        for attachment in payload.uploads:
            attachment.ephemeral = bool(payload.flags & Flag.EPHEMERAL)
        return payload

    def _read_content(
        self,
        form: Form,
        payload: MessagePayload,
        new: dict[int, Attachment],
        edited: Message | None,
    ) -> None:
        """Read the embeds, the components, and the files that they refer to."""
        media = Media(self.cdn, self.ids.next)
        self._files(form, payload, new, media, edited)
        payload.embeds = read_embeds(form, media)
        payload.used["embeds"] = media.take_used()
        tree = ComponentTree(self.emojis, media, self.find_channel)
        payload.components = read_components(form, tree, v2=payload.v2)
        payload.allowed_mentions = read_allowed_mentions(form)
        payload.used["components"] = media.take_used()
        if payload.v2:
            _check_v2(form, payload, edited)

    def _unsupported(self, form: Form) -> None:
        for name in ("poll", "sticker_ids", "shared_client_theme"):
            if form.data.get(name):
                raise NotImplementedError(f"The sandbox has no {name}.")

    def _files(
        self,
        form: Form,
        payload: MessagePayload,
        new: dict[int, Attachment],
        media: Media,
        edited: Message | None,
    ) -> None:
        """Read which old files are kept, the descriptions of all files, and their names."""
        old = {file.id: file for file in edited.files} if edited else {}
        if "attachments" not in form.data:
            media.offer([*old.values(), *new.values()])
            return
        kept: list[Attachment] = []
        for entry in form.forms("attachments", MAX_FILES):
            identity = entry.snowflake("id", required=True) or 0
            description = entry.text("description", 1024)
            filename = entry.text("filename", 1024, low=1)
            if identity in old:
                kept.append(old[identity])
                # Discord knows an old file by name only if the edit names it.
                media.offer([old[identity]], by_name=filename == old[identity].filename)
            elif identity not in new:
                message = f"Attachment data for file {identity} was not found"
                entry.note("id", "ATTACHMENT_NOT_FOUND", message)
                continue
            if "description" in entry.data:
                file = old.get(identity) or new[identity]
                payload.descriptions.append((file, description))
        if len(kept) + len(new) > MAX_FILES:
            message = f"Must be {MAX_FILES} or fewer in length."
            form.note("attachments", "BASE_TYPE_MAX_LENGTH", message)
        media.offer(new.values())
        payload.kept = kept if edited else None


def _read_flags(form: Form, edited: Message | None, *, ephemeral: bool) -> MessagePayload:
    """A payload with only its flags, which decide what else it can have."""
    flags = form.integer("flags", low=0) or 0
    settable = SETTABLE_FLAGS | (Flag.EPHEMERAL if ephemeral else 0)
    before = edited.is_v2 if edited else False
    if before and form.has("flags") and not flags & Flag.COMPONENTS_V2:
        message = "The IS_COMPONENTS_V2 flag cannot be removed from a message"
        form.note("flags", "MESSAGE_CANNOT_REMOVE_COMPONENTS_V2_FLAG", message)
    return MessagePayload(flags=flags & settable, v2=before or bool(flags & Flag.COMPONENTS_V2))


def _check_sizes(uploads: list[Upload]) -> None:
    if any(len(upload.data) > MAX_FILE_BYTES for upload in uploads):
        raise refusal(40005)
    if sum(len(upload.data) for upload in uploads) > MAX_REQUEST_BYTES or len(uploads) > MAX_FILES:
        raise refusal(40005)


def _check_v2(form: Form, payload: MessagePayload, edited: Message | None) -> None:
    """Check that a Components V2 message has no legacy fields and shows all its new files."""
    for name in LEGACY_FIELDS:
        stays = edited is not None and name not in form.data and getattr(edited, name, None)
        if form.data.get(name) or stays:
            message = f"The '{name}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
            form.note(name, "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", message)
    for number, attachment in enumerate(payload.uploads):
        if attachment.id not in payload.used["components"] and not form.problems:
            message = "Attachments must be referenced by a component in a components v2 message"
            path = (*form.path, "attachments", str(number))
            form.problems.note(path, "MESSAGE_ATTACHMENT_NOT_REFERENCED", message)


def read_nonce(body: Json) -> int | str | None:
    """The body's nonce, which lets Discord post a message once even if it's sent twice."""
    nonce: Any = body.get("nonce")
    problems = Problems()
    if isinstance(nonce, str) and len(nonce) > 25:
        message = "Must be 25 or fewer in length."
        problems.note(("nonce",), "BASE_TYPE_MAX_LENGTH", message)
    elif nonce is not None and not isinstance(nonce, str) and not is_snowflake(nonce):
        problems.note(("nonce",), "NONCE_TYPE_INVALID", "Nonce must be a string or an integer")
    problems.check()
    return nonce if isinstance(nonce, int | str) else None
