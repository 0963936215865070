"""Edits of messages in Discord's older form, whether it is known that they are or not."""

import io
from types import SimpleNamespace

import discord
import pytest

from bot.messaging.plain import edit_plain


def malformed(field):
    errors = {field: {"_errors": [{"code": "ANY", "message": "Any words"}]}}
    return {"code": 50035, "message": "No", "errors": errors}


FORBIDDEN = {"code": 50013, "message": "Missing Permissions"}


class Discord:
    """Accepts an edit with `content: null`, and refuses any other in this way."""

    def __init__(self, status, refusal):
        self._answer = SimpleNamespace(status=status, reason="")
        self._refusal = refusal
        self.edits = []

    async def edit(self, **changes):
        self.edits.append(changes)
        for file in changes["attachments"]:
            assert file.fp.read() == b"all of it"
        if changes.get("content", "") is not None:
            raise discord.HTTPException(self._answer, self._refusal)


def picture():
    return discord.File(io.BytesIO(b"all of it"), filename="hand.png")


async def test_a_message_known_to_be_plain_is_edited_at_once():
    discord_ = Discord(400, malformed("content"))

    await edit_plain(discord_.edit, [picture()], plain=True)

    assert len(discord_.edits) == 1


async def test_a_message_not_known_to_be_plain_is_edited_once_more():
    discord_ = Discord(400, malformed("content"))

    await edit_plain(discord_.edit, [picture()], plain=False, view="hand")

    assert [edit["view"] for edit in discord_.edits] == ["hand", "hand"]


@pytest.mark.parametrize(("status", "refusal"), [(400, malformed("attachments")), (403, FORBIDDEN)])
async def test_an_edit_refused_for_another_reason_is_not_repeated(status, refusal):
    discord_ = Discord(status, refusal)

    with pytest.raises(discord.HTTPException):
        await edit_plain(discord_.edit, [picture()], plain=False)

    assert len(discord_.edits) == 1
