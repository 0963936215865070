"""Media that components and embeds refer to: by name of an upload, or by URL."""

from collections.abc import Callable, Iterable
from typing import Final

from sandbox.cdn import Attachment, Cdn
from sandbox.errors import Json
from sandbox.forms import Form

ATTACHMENT_SCHEME: Final = "attachment://"
URLS_REFER_TO_FILES: Final = False
"""Whether the URL of a message's file refers to that file in an edit, as its name does."""


class Media:
    """Resolves the URLs in one message, and records which of its files are used."""

    def __init__(self, cdn: Cdn, new_id: Callable[[], int]) -> None:
        self._cdn = cdn
        self._new_id = new_id
        self._named: dict[str, Attachment] = {}
        self._owned: dict[int, Attachment] = {}
        self._used: set[int] = set()

    def take_used(self) -> frozenset[int]:
        """The ids of the files that were referred to since the last call."""
        used, self._used = frozenset(self._used), set()
        return used

    def offer(self, attachments: Iterable[Attachment], *, by_name: bool = True) -> None:
        """Add files of the message that URLs can refer to, and names too if `by_name` is set."""
        for attachment in attachments:
            self._owned[attachment.id] = attachment
            if by_name:
                self._named[attachment.filename] = attachment

    def size(self, name: str) -> int | None:
        """The size in bytes of a file that can be referred to by name; None if there is none."""
        attachment = self._named.get(name)
        return None if attachment is None else len(attachment.data)

    def read(self, form: Form, name: str, *, embed: bool = False) -> Json | None:
        """The media object of the URL in a field; None, and a problem noted, if it's invalid."""
        url = form.url(name, schemes=("http", "https", "attachment"), required=True)
        if url is None:
            return None
        if url.startswith(ATTACHMENT_SCHEME):
            filename = url.removeprefix(ATTACHMENT_SCHEME)
            attachment = self._named.get(filename)
            if attachment is None:
                message = f"The referenced attachment '{filename}' was not found"
                form.note(name, "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND", message)
                return None
            return self._own(attachment, embed=embed)
        return self._foreign(url, embed=embed)

    def _own(self, attachment: Attachment, *, embed: bool) -> Json:
        self._used.add(attachment.id)
        if embed:
            return attachment.media()
        ids = {"id": str(self._new_id()), "attachment_id": str(attachment.id)}
        return ids | attachment.media()

    def _foreign(self, url: str, *, embed: bool) -> Json:
        attachment = self._cdn.find(url)
        is_own = attachment is not None and attachment.id in self._owned
        if URLS_REFER_TO_FILES and attachment is not None and is_own:
            return self._own(attachment, embed=embed)
        known = attachment.media() if attachment is not None else {"url": url, "proxy_url": url}
        if embed:
            return known
        unknown = {"width": None, "height": None, "content_type": None}
        return {"id": str(self._new_id())} | unknown | known
