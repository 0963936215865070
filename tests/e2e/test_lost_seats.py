"""A player who loses their seat to a moderator or to time is told once, in the way they chose."""

import pytest

from bot.storage import MatchId
from tests.e2e.test_notices import mentions, playing, set_way
from tests.support.clock import DAY, HOUR
from tests.support.notices import away, notices
from tests.support.waiting import written

OUT = "🚪 **You're out of this match.**\n### Pico"
OVER = "🏁 **This match is over.**\n### Pico"


async def unseat(table, name, public):
    """Let Dan, who moderates, remove somebody from the match."""
    services, user = table.bot.services, table.person(name).id
    match = MatchId(table.match_of(public))
    ((guild,),) = table.sql("SELECT guild FROM matches")
    await services.moderation.unseat(match, guild, user, table.person("Dan").id)
    services.live.note_changed(match)
    await away(table)


async def of_three(table):
    public = await table.match("Ann", "Bo", "Cleo", pace="slow")
    await away(table)
    return public


async def test_a_player_removed_from_a_match_of_two_is_told_that_it_is_over(table):
    public = await playing(table)

    await unseat(table, "Bo", public)

    (bo,), (ann,) = notices(table, "Bo"), notices(table, "Ann")
    assert (bo.text[: len(OVER)], ann.text[: len(OVER)]) == (OVER, OVER)
    assert f"a moderator removed {table.person('Bo').mention}" in bo.text
    assert table.letters("Bo") == [bo]


async def test_a_player_removed_while_others_play_on_is_told_once(table):
    public = await of_three(table)

    await unseat(table, "Bo", public)
    (told,) = notices(table, "Bo")
    await away(table, HOUR)

    assert told.text.startswith(OUT)
    assert "\nA moderator removed you from this match. The others play on.\n" in told.text
    assert notices(table, "Bo") == table.letters("Bo") == [told]


@pytest.mark.parametrize(("way", "times"), [("channel", 1), ("none", 0)])
async def test_a_removed_player_is_told_in_the_way_they_chose(table, way, times):
    public = await of_three(table)
    await set_way(table, "Bo", "out", way)

    await unseat(table, "Bo", public)

    said = [m.text for m in mentions(table, "Bo")]
    assert sum("A moderator removed you from **Pico" in text for text in said) == times
    assert len(said) == times
    assert notices(table, "Bo") == []


async def test_a_player_who_forfeits_by_time_while_others_play_on_is_told_once(table):
    await of_three(table)
    for step in (1, 2):
        for name in ("Ann", "Cleo"):
            await table.play(name)
        table.pass_time(DAY)
        await written(table, "SELECT step FROM matches", [(step,)])
        await table.told()
        await table.quiet_now()

    (told,) = notices(table, "Bo")
    await away(table, HOUR)

    assert told.text.startswith(OUT)
    assert "\nYou missed two deadlines in a row and lost your seat. The others" in told.text
    assert notices(table, "Bo") == table.letters("Bo") == [told]
