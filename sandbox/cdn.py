"""Uploaded files, their signed URLs and their metadata."""

import hashlib
import mimetypes
import re
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from PIL import Image, UnidentifiedImageError

from sandbox.clock import Clock
from sandbox.errors import Json

MAX_FILE_BYTES: Final = 10 * 1024 * 1024
MAX_REQUEST_BYTES: Final = 25 * 1024 * 1024
SIGNATURE_SECONDS: Final = 24 * 60 * 60
ISSUED_EACH: Final = 60 * 60
_ODD_CHARACTERS: Final = re.compile(r"[^A-Za-z0-9._-]+")


def stored_name(filename: str) -> str:
    """The name Discord stores a file under: spaces as underscores, no special characters."""
    return _ODD_CHARACTERS.sub("", filename.replace(" ", "_")) or "unknown"


def dimensions(data: bytes, content_type: str) -> tuple[int, int] | None:
    """Width and height in pixels; None if the file isn't a picture."""
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
    cdn: "Cdn"
    description: str | None = None
    title: str | None = None
    ephemeral: bool = False

    @property
    def path(self) -> str:
        return f"/attachments/{self.channel_id}/{self.id}/{self.filename}"

    @property
    def url(self) -> str:
        """Its URL, signed for a day."""
        return self.cdn.sign(self.path)

    def wire(self) -> Json:
        url = self.url
        attachment: Json = {
            "id": str(self.id),
            "filename": self.filename,
            "size": len(self.data),
            "url": url,
            "proxy_url": url,
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
        url = self.url
        return {
            "url": url,
            "proxy_url": url,
            "width": width,
            "height": height,
            "content_type": self.content_type,
        }


class Cdn:
    """All uploaded files, by id.

    A URL is signed at the time `is` and works until `ex`. Discord signs the URLs in everything
    it returns again, so those that a bot has stored expire and those that it fetches work.
    """

    def __init__(self, clock: Clock) -> None:
        self.origin = "http://127.0.0.1"
        self._clock = clock
        self._files: dict[int, Attachment] = {}

    def store(self, attachment: int, channel: int, filename: str, data: bytes) -> Attachment:
        name = stored_name(filename)
        content_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
        stored = Attachment(
            id=attachment,
            channel_id=channel,
            filename=name,
            data=data,
            content_type=content_type,
            size=dimensions(data, content_type),
            cdn=self,
            title=None if name == filename else filename.rsplit(".", 1)[0],
        )
        self._files[attachment] = stored
        return stored

    def forget(self, attachment: Attachment) -> None:
        self._files.pop(attachment.id, None)

    def sign(self, path: str) -> str:
        """The signed URL of a path, stable for an hour, as pages redraw a picture if it changes."""
        issued = int(self._clock.now().timestamp()) // ISSUED_EACH * ISSUED_EACH
        expires = issued + SIGNATURE_SECONDS
        mark = self._mark(path, f"{expires:x}", f"{issued:x}")
        return f"{self.origin}{path}?ex={expires:x}&is={issued:x}&hm={mark}&"

    def renewed(self, value: Any) -> Any:  # noqa: ANN401 - JSON
        """The JSON with all URLs of this CDN signed again."""
        if isinstance(value, dict):
            return {key: self.renewed(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.renewed(item) for item in value]
        if isinstance(value, str) and value.startswith(f"{self.origin}/attachments/"):
            return self.sign(urlsplit(value).path)
        return value

    def file(self, url: str) -> Attachment | None:
        """The file that a URL of this CDN names, whatever its signature; None if there is none."""
        parts = urlsplit(url)
        steps = parts.path.split("/")
        if len(steps) != 5 or steps[1] != "attachments" or not steps[3].isdigit():
            return None
        if parts.netloc and f"{parts.scheme}://{parts.netloc}" != self.origin:
            return None
        found = self._files.get(int(steps[3]))
        return found if found and found.path == parts.path else None

    def find(self, url: str) -> Attachment | None:
        """The file at a URL; None if there is none, or if the signature is wrong or expired."""
        parts = urlsplit(url)
        given = {name: values[0] for name, values in parse_qs(parts.query).items()}
        expires, issued = given.get("ex", ""), given.get("is", "")
        if given.get("hm") != self._mark(parts.path, expires, issued):
            return None
        return self.file(url) if self._clock.now().timestamp() < int(expires, 16) else None

    def _mark(self, path: str, expires: str, issued: str) -> str:
        return hashlib.sha256(f"sandbox{path}{expires}.{issued}".encode()).hexdigest()
