"""Uploaded files, their signed URLs and their metadata."""

import hashlib
import mimetypes
import re
from dataclasses import dataclass
from io import BytesIO
from typing import Final
from urllib.parse import parse_qs, urlsplit

from PIL import Image, UnidentifiedImageError

from sandbox.errors import Json

MAX_FILE_BYTES: Final = 10 * 1024 * 1024
MAX_REQUEST_BYTES: Final = 25 * 1024 * 1024
_ODD_CHARACTERS: Final = re.compile(r"[^A-Za-z0-9._-]+")


def stored_name(filename: str) -> str:
    """The file name Discord keeps: spaces become underscores, special characters are dropped."""
    return _ODD_CHARACTERS.sub("", filename.replace(" ", "_")) or "unknown"


def dimensions(data: bytes, content_type: str) -> tuple[int, int] | None:
    """Width and height in pixels; None when the file is no picture."""
    if not content_type.startswith("image/"):
        return None
    try:
        with Image.open(BytesIO(data)) as image:
            return image.size
    except (UnidentifiedImageError, OSError):
        return None


@dataclass(slots=True, eq=False)
class Attachment:
    """One uploaded file."""

    id: int
    channel_id: int
    filename: str
    data: bytes
    content_type: str
    size: tuple[int, int] | None
    url: str
    description: str | None = None
    title: str | None = None
    ephemeral: bool = False

    def wire(self) -> Json:
        attachment: Json = {
            "id": str(self.id),
            "filename": self.filename,
            "size": len(self.data),
            "url": self.url,
            "proxy_url": self.url,
            "content_type": self.content_type,
            "content_scan_version": 0,
        }
        if self.size:
            attachment |= {"width": self.size[0], "height": self.size[1]}
        if self.description is not None:
            attachment["description"] = self.description
        if self.title is not None:
            attachment["title"] = self.title
        if self.ephemeral:
            attachment["ephemeral"] = True
        return attachment

    def media(self) -> Json:
        """The media object of a component or an embed."""
        width, height = self.size or (0, 0)
        return {
            "url": self.url,
            "proxy_url": self.url,
            "width": width,
            "height": height,
            "content_type": self.content_type,
        }


class Cdn:
    """All uploaded files by their id.

    Addresses are signed as Discord's are, but do not expire.
    """

    def __init__(self) -> None:
        self.origin = "http://127.0.0.1"
        self._files: dict[int, Attachment] = {}

    def store(self, attachment: int, channel: int, filename: str, data: bytes) -> Attachment:
        name = stored_name(filename)
        content_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
        path = f"/attachments/{channel}/{attachment}/{name}"
        stored = Attachment(
            id=attachment,
            channel_id=channel,
            filename=name,
            data=data,
            content_type=content_type,
            size=dimensions(data, content_type),
            url=f"{self.origin}{path}?ex=7fffffff&is=0&hm={self._signature(path)}&",
            title=None if name == filename else filename.rsplit(".", 1)[0],
        )
        self._files[attachment] = stored
        return stored

    def forget(self, attachment: Attachment) -> None:
        self._files.pop(attachment.id, None)

    def find(self, url: str) -> Attachment | None:
        """The file at an address of this CDN; None for a wrong or unsigned one."""
        parts = urlsplit(url)
        steps = parts.path.split("/")
        if len(steps) != 5 or steps[1] != "attachments" or not steps[3].isdigit():
            return None
        if parts.netloc and f"{parts.scheme}://{parts.netloc}" != self.origin:
            return None
        if parse_qs(parts.query).get("hm") != [self._signature(parts.path)]:
            return None
        found = self._files.get(int(steps[3]))
        return found if found and urlsplit(found.url).path == parts.path else None

    def _signature(self, path: str) -> str:
        return hashlib.sha256(f"sandbox{path}".encode()).hexdigest()
