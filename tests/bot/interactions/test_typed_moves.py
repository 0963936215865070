"""Which matches a move typed in one line can be for, depending on where it is typed."""

import time
from types import SimpleNamespace

import pytest

from bot.errors import MatchError
from bot.interactions.typed_moves import TypedMoves
from bot.matches import Matches
from tests.support.counted_storage import Counted
from tests.support.matches import ANN, CHANNEL, CYD, GUILD, RETURNS, begun, refusal

ELSEWHERE = GUILD + 1


@pytest.fixture
def typed_moves(storage, matches):
    return TypedMoves(storage, matches, live=None, replies=None)


def written(guild, user=ANN):
    """A command in a server that has the bot; None for direct messages with the bot."""
    return SimpleNamespace(
        user=SimpleNamespace(id=user),
        guild_id=guild,
        channel_id=CHANNEL + 1,
        context=SimpleNamespace(private_channel=False),
        is_user_integration=lambda: False,
        is_guild_integration=lambda: True,
    )


async def test_in_a_server_only_its_matches_count_and_elsewhere_all(matches, typed_moves):
    here = await begun(matches, interaction=1)
    there = await begun(matches, interaction=2, guild=ELSEWHERE)

    async def meant(guild):
        return [snapshot.match for snapshot in await typed_moves.awaited(written(guild), "pico")]

    assert await meant(GUILD) == [here]
    assert await meant(ELSEWHERE) == [there]
    assert await meant(None) == [here, there]


async def test_a_match_in_another_server_is_never_meant(matches, typed_moves):
    await begun(matches, guild=ELSEWHERE)

    assert await typed_moves.typed(written(GUILD), "pico", None) is None
    kind, sentence = await refusal(typed_moves.meant(written(GUILD), "pico", None))
    assert kind is MatchError
    assert sentence.startswith("No match of Pico in this server is waiting for you.")


async def test_a_match_in_another_server_cannot_be_named_by_its_number_either(matches, typed_moves):
    match = await begun(matches, guild=ELSEWHERE)

    kind, sentence = await refusal(typed_moves.meant(written(GUILD), "pico", match))

    assert kind is MatchError
    assert sentence == (
        f"Match {match} is in another server. Use this there or in our direct messages."
    )
    assert (await typed_moves.meant(written(None), "pico", match)).match == match


async def test_matches_of_other_people_are_never_meant(matches, typed_moves):
    await begun(matches)

    assert await typed_moves.awaited(written(GUILD, CYD), "pico") == []


async def test_all_matches_of_somebody_are_read_together(storage):
    """They are read at each letter typed, and the event loop waits for it."""
    counted = Counted(storage)
    matches = Matches(counted, returns=RETURNS, now=time.time)
    typed_moves = TypedMoves(counted, matches, live=None, replies=None)
    for interaction in range(1, 6):
        await begun(matches, interaction=interaction)
    counted.readings = 0

    assert len(await typed_moves.awaited(written(GUILD), "pico")) == 5
    assert counted.readings == 2
