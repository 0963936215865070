"""Commands that are answered with a table, also where Discord does not take the answer."""

from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from bot.live.table_replies import TableReplies
from bot.messaging.failures import Failure, UndeliveredError
from bot.storage import TABLE, MessageRef
from tests.support.match_records import messages_of, put_message
from tests.support.matches import ANN, CHANNEL, A
from tests.support.told import low


async def test_a_table_that_could_not_be_posted_elsewhere_still_stands_where_it_was(
    live, tools, channels, matches, storage, match
):
    stands = MessageRef(channel=CHANNEL, message=500, shown="something")
    await put_message(storage, match, TABLE, stands)
    turn = await matches.submit(match, 0, ANN, low(A))
    replies = TableReplies(live, channels, tools.presentations)
    channels.failure = Failure.FORBIDDEN
    elsewhere = SimpleNamespace(
        id=900, token="t", created_at=datetime.now(UTC), extras={}, channel_id=CHANNEL + 1
    )

    with pytest.raises(UndeliveredError):
        await replies.resumed(turn, elsewhere)

    assert (await live.slots.table(match)).ref == stands
    assert (await messages_of(storage, match))[TABLE] == stands
