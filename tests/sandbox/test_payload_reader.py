"""How many files a message can have, and how large they can be together."""

import pytest

from tests.support.rest_client import png

MIB = 1024 * 1024


async def test_the_files_of_an_invalid_message_are_not_kept(refusing, rest):
    body = {"content": "x" * 2001}

    reply = await rest("POST", f"{rest.games}/messages", body, files={"a.png": png()})

    assert reply.status == 400
    assert refusing.world.cdn._files == {}


@pytest.mark.parametrize(
    ("number", "size", "status"),
    [(10, 1, 200), (11, 1, 413), (3, 8 * MIB, 200), (3, 9 * MIB, 413)],
    ids=["10 files", "11 files", "24 mebibytes", "27 mebibytes"],
)
async def test_a_message_can_have_at_most_10_files_and_25_mebibytes(rest, number, size, status):
    files = {f"{n}.bin": b"x" * size for n in range(number)}

    reply = await rest("POST", f"{rest.games}/messages", {"content": "x"}, files=files)

    assert reply.status == status
    assert reply.code == (None if status == 200 else 40005)


async def test_files_that_an_edit_keeps_count_too(rest):
    old = {f"{n}.txt": b"x" for n in range(8)}
    sent = await rest("POST", f"{rest.games}/messages", {"content": "x"}, files=old)
    kept = [{"id": file["id"]} for file in sent.body["attachments"]]
    path = f"{rest.games}/messages/{sent.body['id']}"

    more = {f"{n}.md": b"x" for n in range(3)}
    reply = await rest("PATCH", path, {"attachments": kept}, files=more)
    fewer = await rest("PATCH", path, {"attachments": kept[1:]}, files=more)

    assert reply.problems == {"attachments BASE_TYPE_MAX_LENGTH"}
    assert (fewer.status, len(fewer.body["attachments"])) == (200, 10)
