"""URLs of files: how they are signed, when they expire, and what an edit can do with them."""

from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from sandbox import media
from tests.support.rest_client import gallery, png, send_picture

DAY = timedelta(days=1)


async def status(rest, url):
    async with rest._session.get(url) as served:
        return served.status


def address(reply):
    """The URL of the picture in the last component."""
    return reply.body["components"][-1]["items"][0]["media"]["url"]


@pytest.fixture
def by_address(monkeypatch):
    """Let a file's own URL keep the file in an edit, as Discord used to."""
    monkeypatch.setattr(media, "URLS_REFER_TO_FILES", True)


@pytest.fixture
def not_by_address(monkeypatch):
    """Don't let a file's own URL keep the file in an edit."""
    monkeypatch.setattr(media, "URLS_REFER_TO_FILES", False)


async def test_files_are_served_only_at_their_signed_urls(refusing, rest):
    url = address(await send_picture(rest))

    async with rest._session.get(url) as served:
        assert (served.status, await served.read()) == (200, png())
        assert served.content_type == "image/png"
    assert set(parse_qs(urlsplit(url).query)) == {"ex", "is", "hm"}
    assert await status(rest, url.partition("?")[0]) == 404


async def test_a_url_expires_in_a_day_and_reading_the_message_signs_a_new_one(refusing, rest):
    refusing.clock.freeze()
    sent = await send_picture(rest)
    early, path = address(sent), f"{rest.games}/messages/{sent.body['id']}"
    refusing.clock.advance(DAY / 2)
    assert await status(rest, early) == 200

    refusing.clock.advance(DAY / 2)
    refusing.world.set_permissions("games", allow=1 << 16)
    late = address(await rest("GET", path))

    assert await status(rest, early) == 404
    assert await status(rest, late) == 200
    assert urlsplit(late).path == urlsplit(early).path
    assert refusing.world.messages[int(sent.body["id"])].read(late) == png()


async def test_the_expiry_of_a_url_cannot_be_changed(refusing, rest):
    url = address(await send_picture(rest))
    expires = parse_qs(urlsplit(url).query)["ex"][0]

    assert (
        await status(rest, url.replace(f"ex={expires}", f"ex={int(expires, 16) + 9999:x}")) == 404
    )


async def test_a_signature_is_valid_only_for_its_own_file(rest):
    first, second = [urlsplit(address(await send_picture(rest))) for _ in range(2)]
    origin = f"{first.scheme}://{first.netloc}"

    assert await status(rest, f"{origin}{first.path}?{first.query}") == 200
    assert await status(rest, f"{origin}{first.path}?{second.query}") == 404


async def shown(rest, url):
    """Send a message with an embed of this URL; its image."""
    body = {"embeds": [{"image": {"url": url}}]}
    return (await rest("POST", f"{rest.games}/messages", body)).body["embeds"][0]["image"]


async def test_a_files_url_is_valid_only_with_its_own_name_and_host(refusing, rest):
    """Discord gives the size of a file that it knows; it also signs URLs that a bot made up."""
    url = address(await send_picture(rest))
    renamed = await shown(rest, url.replace("board.png", "bored.png").partition("?")[0])
    elsewhere = await shown(rest, url.replace(refusing.url, "https://example.com"))
    known = await shown(rest, url)

    assert await status(rest, renamed["url"]) == 404
    assert "width" not in elsewhere
    assert known["width"] == 40


async def test_a_file_is_gone_when_its_message_is_deleted_or_an_edit_drops_it(refusing, rest):
    first, second = await send_picture(rest), await send_picture(rest)
    body = {"components": [{"type": 10, "content": "no picture"}], "attachments": []}

    await rest("PATCH", f"{rest.games}/messages/{first.body['id']}", body)
    await rest("DELETE", f"{rest.games}/messages/{second.body['id']}")

    assert [await status(rest, address(sent)) for sent in (first, second)] == [404, 404]


async def test_an_edit_keeps_a_file_by_its_id_and_name(refusing, rest, not_by_address):
    sent = await send_picture(rest)
    identity = sent.body["components"][1]["items"][0]["media"]["attachment_id"]
    kept = [{"id": identity, "filename": "board.png"}]
    body = {"components": [gallery("attachment://board.png")], "attachments": kept}

    edited = await rest("PATCH", f"{rest.games}/messages/{sent.body['id']}", body)

    assert edited.body["components"][0]["items"][0]["media"]["attachment_id"] == identity
    assert await status(rest, address(edited)) == 200


async def test_the_url_of_a_file_in_a_gallery_does_not_keep_it(refusing, rest, not_by_address):
    sent = await send_picture(rest)
    before = sent.body["components"][1]["items"][0]["media"]
    kept = [{"id": before["attachment_id"], "filename": "board.png"}]
    body = {"components": [gallery(before["url"])], "attachments": kept}

    edited = await rest("PATCH", f"{rest.games}/messages/{sent.body['id']}", body)

    assert edited.status == 200
    assert "attachment_id" not in edited.body["components"][0]["items"][0]["media"]
    assert await status(rest, before["url"]) == 404  # no message shows the file anymore
    assert refusing.world.messages[int(sent.body["id"])].images[0].filename is None


async def test_the_url_of_a_file_in_an_embed_does_not_keep_it(refusing, rest, not_by_address):
    """The file is then shown a second time, below the message."""
    embeds = [{"title": "t", "image": {"url": "attachment://a.png"}}]
    body = {"embeds": embeds, "attachments": [{"id": 0, "filename": "a.png"}]}
    sent = await rest("POST", f"{rest.games}/messages", body, files={"a.png": png()})
    (file,) = refusing.world.messages[int(sent.body["id"])].files
    changed = [{"title": "u", "image": {"url": sent.body["embeds"][0]["image"]["url"]}}]
    kept = [{"id": str(file.id), "filename": "a.png"}]

    path = f"{rest.games}/messages/{sent.body['id']}"
    edited = await rest("PATCH", path, {"embeds": changed, "attachments": kept})

    assert sent.body["attachments"] == []
    assert [attachment["id"] for attachment in edited.body["attachments"]] == [str(file.id)]


async def test_an_edit_can_keep_a_picture_by_its_url(rest, by_address):
    sent = await send_picture(rest)
    path = f"{rest.games}/messages/{sent.body['id']}"
    media = sent.body["components"][1]["items"][0]["media"]

    edited = await rest("PATCH", path, {"components": [gallery(media["url"])]})

    again = edited.body["components"][0]["items"][0]["media"]
    assert again["attachment_id"] == media["attachment_id"]
    assert edited.body["attachments"] == []


@pytest.mark.parametrize("name", ["page.html", "drawing.svg", "board.png"])
async def test_uploaded_files_are_served_as_downloads_not_as_pages(rest, name):
    body = {"attachments": [{"id": 0, "filename": name}]}
    script = b"<script>alert(1)</script>"
    sent = await rest("POST", f"{rest.games}/messages", body, files={name: script})
    async with rest._session.get(sent.body["attachments"][0]["url"]) as served:
        assert await served.read() == script
        headers = served.headers

    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Content-Disposition"] == "attachment"
    assert headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
