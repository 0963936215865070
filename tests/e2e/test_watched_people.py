"""`/watch` of one person, and **Matches you follow** in its menu, at the wire."""

from tests.e2e.test_watch import follows, hide, watch
from tests.support.tables import labels


async def test_the_list_stays_with_the_person_whatever_is_clicked_in_it(table):
    await table.match("Bo", "Cleo")
    public = (await table.person("Ann").slash("pico play", channel="games")).message
    dan, ann = table.person("Dan"), table.person("Ann")
    shown = await watch(table, user=ann)
    heading = f"{ann.mention}'s matches in this server"
    assert heading in shown.text
    assert "1 match" in shown.text
    assert table.person("Cleo").mention not in shown.text

    await dan.select(shown, "Games", f"pico {ann.id}")
    assert f"{heading}: Pico" in shown.text

    await dan.click(shown, "Join")
    await table.discord.until(lambda: "Round 1" in public.text)
    await table.quiet_now()
    assert f"{heading}: Pico" in shown.text
    assert "you have a seat" in shown.text

    await dan.select(shown, "Games", "all")
    assert "2 matches" in shown.text


async def test_matches_in_channels_that_the_reader_cannot_see_are_not_listed(table):
    await table.match(channel="lobby")
    ann = table.person("Ann")
    await hide(table, "lobby", "Dan")

    shown = await watch(table, user=ann)

    assert f"No matches with {ann.mention} are on here right now." in shown.text


async def test_a_bot_cannot_be_watched(table):
    answer = await table.person("Dan").slash("watch", channel="games", user=table.discord.world.bot)

    assert answer.text.endswith("is a bot. Pick a person.")


async def test_somebody_who_follows_the_maximum_can_stop_following_from_their_list(
    table, monkeypatch
):
    monkeypatch.setattr("bot.matches.watching.MAX_FOLLOWED_MATCHES", 1)
    for other in ("Bo", "Cleo"):
        await table.match("Ann", other)
    dan = table.person("Dan")
    shown = await watch(table, user=table.person("Bo"))
    await dan.click(shown, "Follow")
    await dan.select(shown, "Games", "all")
    refused = await dan.click(shown, "Follow")
    assert "Stop following one first" in refused.text

    await dan.select(shown, "Games", "followed")
    assert labels(shown) == ["Stop following"]
    await dan.click(shown, "Stop following")

    assert follows(table) == []
    assert "You don't follow any matches here." in shown.text
