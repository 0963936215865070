"""The owner's bans: people can use only the commands for their data, and servers are left."""

import pytest

from tests.support.services import settings
from tests.support.waiting import until, written

REFUSED = "This bot's owner has banned you from using it. You can still use "
HELP = "https://example.com/help"


@pytest.fixture
def ban(table):
    async def restarted(*banned, **options):
        ids = frozenset(each.id for each in banned)
        await table.restart(settings_=settings(banned=ids, **options))

    return restarted


async def test_a_banned_person_cannot_use_any_other_command(table, ban):
    bo = table.person("Bo")
    await ban(bo)

    answers = [
        await bo.slash("help", channel="games"),
        await bo.slash("pico play", channel="games"),
        await bo.slash("games", channel=bo.dm),
    ]

    assert [answer.text.startswith(REFUSED) for answer in answers] == [True] * 3
    assert all(answer.ephemeral for answer in answers[:2])
    assert table.sql("SELECT count(*) FROM matches") == [(0,)]


async def test_a_banned_person_is_told_where_to_ask(table, ban):
    await ban(table.person("Bo"), support_url=HELP)

    refused = await table.person("Bo").slash("help", channel="games")

    assert refused.text.startswith(REFUSED)
    assert refused.text.endswith(f" to delete it. To ask about it: <{HELP}>.")


async def test_a_banned_persons_click_changes_nothing_and_the_others_play_on(table, ban):
    await table.match()
    await ban(table.person("Bo"))
    before = table.sql("SELECT * FROM matches"), table.sql("SELECT * FROM moves")

    refused = await table.play("Bo")
    after = table.sql("SELECT * FROM matches"), table.sql("SELECT * FROM moves")
    await table.play("Ann")

    assert refused.text.startswith(REFUSED)
    assert after == before
    assert table.sql("SELECT seat FROM moves") == [(0,)]


async def test_a_banned_person_cannot_accept(table, ban):
    public = await table.challenge()
    await ban(table.person("Bo"))

    refused = await table.person("Bo").click(public, "Accept")

    assert refused.text.startswith(REFUSED)
    assert table.sql("SELECT status FROM matches") == [("open",)]


@pytest.mark.parametrize("way", ["Accept", "Accept 1"])
async def test_no_match_begins_with_a_challenger_who_was_banned_meanwhile(table, ban, way):
    public = await table.challenge()
    shown = (await table.person("Bo").slash("games", channel="lobby")).message
    await ban(table.person("Ann"))

    answer = await table.person("Bo").click(public if way == "Accept" else shown, way)
    await table.settled()

    said = [answer.text, *(message.text for message in answer.followups)]
    ann = table.person("Ann").mention
    assert f"{ann} can't play anymore, so this challenge is over." in " ".join(said)
    assert table.sql("SELECT status FROM matches") == [("withdrawn",)]


async def test_the_seat_of_a_banned_person_reopens_when_somebody_joins(table, ban):
    ask = table.person("Ann").slash("conquest play", channel="games", players=4)
    public = (await ask).message
    await table.person("Bo").click(public, "Join")
    await ban(table.person("Bo"))

    await table.person("Cleo").click(public, "Join")
    await table.settled()

    seated = [user for (user,) in table.sql("SELECT user FROM seats ORDER BY seat")]
    assert seated == [table.person(name).id for name in ("Ann", "Cleo")]
    assert table.sql("SELECT status FROM matches") == [("open",)]


async def test_a_banned_person_cannot_be_challenged_and_nobody_is_told_why(table, ban):
    bo = table.person("Bo")
    await ban(bo)

    refused = await table.ask("Ann", "Bo")
    cleo = await table.ask("Ann", "Cleo")

    assert refused.text == (
        f"You can't challenge {bo.mention} at the moment. Ask someone else, or leave the seat open."
    )
    assert refused.ephemeral
    assert not cleo.ephemeral


async def test_a_banned_person_can_delete_all_their_data(table, ban):
    bo = table.person("Bo")
    await table.match()
    await ban(bo)

    asked = await bo.slash("privacy delete", channel="games")
    sure = await bo.click(asked.message, "Delete…")
    await bo.click(sure.message, "Delete it for good")

    assert (bo.id,) not in table.sql("SELECT user FROM seats")


async def test_a_banned_server_is_left_at_startup(table, ban):
    await table.match()

    await ban(table.discord.world.guild)

    await until(lambda: table.discord.world.bot.id not in table.discord.world.guild.members)
    await written(table, "SELECT paused_why FROM matches", [("lost",)])


async def test_a_banned_server_is_left_when_the_bot_is_added_to_it(table, ban):
    world = table.discord.world
    world.remove_bot()
    await ban(world.guild)
    await table.bot.wait_until_ready()

    world.add_bot()

    await until(lambda: world.bot.id not in world.guild.members)


async def test_a_server_that_is_not_banned_is_kept(table, ban):
    await ban(table.person("Bo"))

    await table.ask("Ann", "Cleo")

    assert table.discord.world.bot.id in table.discord.world.guild.members
