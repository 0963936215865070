"""Commands that are answered with a table, even if Discord refuses the answer."""

from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from bot.errors import SavedError, StorageUnavailableError
from bot.live.table_replies import TableReplies
from bot.messaging.failures import Failure, UndeliveredError
from bot.storage import SHOWN_POSTING, TABLE, MessageRef
from tests.support.match_records import messages_of, put_message
from tests.support.matches import ANN, CHANNEL, A
from tests.support.notice_world import low


async def test_a_table_whose_posting_elsewhere_failed_is_looked_for_there(
    live, tools, channels, matches, storage, match
):
    stands = MessageRef(channel=CHANNEL, message=500, shown="something")
    await put_message(storage, match, TABLE, stands)
    effect = await matches.submit(match, 0, ANN, low(A))
    replies = TableReplies(live, channels, tools.presentations)
    channels.failure = Failure.FORBIDDEN
    elsewhere = SimpleNamespace(
        id=900, token="t", created_at=datetime.now(UTC), extras={}, channel_id=CHANNEL + 1
    )

    with pytest.raises(UndeliveredError):
        await replies.post_resumed(effect.public(), elsewhere)

    sought = MessageRef(channel=CHANNEL + 1, message=900, shown=SHOWN_POSTING)
    assert (await live.slots.table(match)).ref == sought
    assert (await messages_of(storage, match))[TABLE] == sought


async def test_a_resumed_match_is_compared_even_if_its_table_cannot_be_read_for_the_answer(
    live, tools, channels, matches, match, monkeypatch
):
    effect = await matches.submit(match, 0, ANN, low(A))
    replies = TableReplies(live, channels, tools.presentations)

    marked = []

    async def fail(_):
        raise StorageUnavailableError("the disk does not work")

    with monkeypatch.context() as disk:
        disk.setattr(live.slots, "table", fail)
        disk.setattr(live._comparing, "schedule", lambda match, _: marked.append(match))
        with pytest.raises(SavedError):
            await replies.post_resumed(effect.public(), SimpleNamespace())

    assert marked == [match]
