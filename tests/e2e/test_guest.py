"""The bot as a guest, where only a person has installed it: it only answers, privately."""

from dataclasses import replace
from datetime import timedelta

import pytest

from games import GAMES
from sandbox.guilds import ChannelType
from sandbox.permissions import Overwrite, Permission
from tests.support.services import AT_ONCE
from tests.support.solo import begin, choose, group_of, guest_of, offered, play_out, resign, step_of
from tests.support.tables import labels, seated
from tests.support.waiting import written

PLACES = {
    "a server without the bot": lambda table: guest_of(table, "Ann"),
    "a group": lambda table: group_of(table, "Ann", "Bo", "Cleo"),
    "messages of two people": lambda table: group_of(table, "Ann", "Bo"),
}

pytestmark = pytest.mark.usefixtures("lowest")


A_SERVER, *OTHERS = PLACES


@pytest.fixture(
    params=[A_SERVER, *(pytest.param(place, marks=pytest.mark.long) for place in OTHERS)]
)
def place(table, request):
    return PLACES[request.param](table)


@pytest.fixture
def novels(table):
    """A channel of a server without the bot, which Ann has installed for herself."""
    return guest_of(table, "Ann")


async def test_a_match_is_played_to_its_end_in_one_private_message(table, place):
    ann = table.person("Ann")
    message = await begin(table, place, game="duel")

    await play_out(table, message)

    assert message.ephemeral_to == ann.id
    assert ann.see(place) == [message]
    assert table.person("Bo").see(place) == []
    assert [r for r in table.requests(path="/channels") if r.counted] == []
    assert table.sql("SELECT guild, channel FROM matches") == [(None, None)]
    assert table.sql("SELECT count(*) FROM places") == [(0,)]


@pytest.mark.parametrize("kind", [ChannelType.VOICE, ChannelType.STAGE])
async def test_a_match_can_be_played_in_the_chat_of_a_voice_channel(table, novels, kind):
    """For guests, Discord's payload lacks the fields that only these channels have."""
    server = table.discord.world.guild_of(novels)
    lounge = table.discord.world.add_channel("lounge", kind=kind, guild=server)
    message = await begin(table, lounge, game="duel")

    await play_out(table, message)

    assert table.person("Ann").see(lounge) == [message]


async def test_after_fifteen_minutes_a_click_draws_the_match_again(table, novels):
    message = await begin(table, novels)
    await choose(table, message)
    await table.discord.until(lambda: step_of(message) == 1)

    table.discord.clock.advance(timedelta(minutes=20))
    await choose(table, message)

    await table.discord.until(lambda: step_of(message) == 2)


async def test_an_expired_token_stops_nothing_and_the_next_click_shows_the_current_step(
    table, novels
):
    ann, matches = table.person("Ann"), table.bot.services.matches
    message = await begin(table, novels)
    table.discord.clock.advance(timedelta(minutes=20))
    await matches.submit(1, 0, ann.id, str((await matches.sit(1, ann.id)).legal[0]))
    await written(table, "SELECT step FROM matches", [(1,)])
    table.bot.services.live.note_changed(1)
    await table.discord.until(lambda: [r for r in table.requests("PATCH") if r.status == 401])
    await table.settled()
    assert step_of(message) == 0

    await ann.click(message, offered(message)[0])
    await table.quiet_now()

    assert step_of(message) == 1


async def test_a_click_on_a_message_with_an_old_round_brings_the_current_one(table, novels):
    """After a restart, the bot doesn't know the message until it is clicked."""
    message = await begin(table, novels)
    ann = table.person("Ann")
    await table.restart()
    legal = (await table.bot.services.matches.sit(1, ann.id)).legal
    await table.bot.services.matches.submit(1, 0, ann.id, str(legal[0]))
    table.bot.services.live.note_changed(1)
    await written(table, "SELECT step FROM matches", [(1,)])
    await table.quiet_now()
    assert step_of(message) == 0

    answer = await (await ann.click(message, offered(message)[0])).settled()

    assert "That round is over" in answer.text
    await table.quiet_now()
    assert step_of(message) == 1


async def test_a_command_brings_back_a_lost_match(table, novels):
    """Private messages disappear when Discord is restarted."""
    ann = table.person("Ann")
    message = await begin(table, novels)
    table.discord.world.delete_message(message)
    table.discord.clock.advance(timedelta(minutes=20))

    listed = (await ann.slash("games", channel=novels)).message
    answer = await (await ann.click(listed, "Play 1")).settled()

    assert answer.ephemeral
    await choose(table, answer.message)
    await table.discord.until(lambda: step_of(answer.message) == 1)


async def test_a_match_begun_as_a_guest_can_be_continued_in_direct_messages(table, novels):
    ann = table.person("Ann")
    message = await begin(table, novels)

    listed = (await ann.slash("games", channel=ann.dm)).message
    answer = await (await ann.click(listed, "Play 1")).settled()
    await table.settled()
    shown = [m for m in ann.direct_messages if m.ephemeral_to is None][-1]
    await choose(table, shown)

    await table.discord.until(lambda: step_of(shown) == step_of(message) == 1)
    del answer


async def test_no_interaction_gets_more_than_five_followups(table, novels):
    ann = table.person("Ann")
    message = await begin(table, novels, game="duel")
    await resign(table, message)

    answers = [
        await (await ann.click(message, label)).settled()
        for label in ("Replay", "Export", "Coach", "Share", "Rules", "Rematch")
        if label in labels(message)
    ]
    await table.settled()

    assert max(len(answer.followups) for answer in answers) == 1
    assert not any(r.status == 400 for r in table.requests("POST", "/webhooks"))
    assert all(m.ephemeral_to == ann.id for m in ann.see(novels))


async def test_a_rematch_is_a_new_private_message(table, novels):
    ann = table.person("Ann")
    message = await begin(table, novels, game="duel")
    await resign(table, message)

    answer = await (await ann.click(message, "Rematch")).settled()
    await table.settled()

    (new,) = answer.followups
    assert new.ephemeral_to == ann.id
    assert "The rematch has started" in message.text
    assert offered(new)


@pytest.mark.parametrize("command", ["help", "games", "stats", "history", "pico rules"])
async def test_personal_commands_answer_privately(table, novels, command):
    ann = table.person("Ann")

    answer = await (await ann.slash(command, channel=novels)).settled()

    assert answer.ephemeral
    assert table.person("Bo").see(novels) == []


async def test_help_offers_a_match_that_can_be_played_there(table, novels):
    ann = table.person("Ann")
    shown = (await ann.slash("help", channel=novels)).message
    assert "play the computer" in shown.text

    form = (await ann.click(shown, "Pico")).message
    answer = await (await ann.click(form, "Play")).settled()

    found = answer.followups[-1] if answer.followups else answer.message
    assert found.ephemeral_to == ann.id
    assert offered(found)
    assert "Pace" not in [s.placeholder for s in form.selects]


async def test_other_people_cannot_be_challenged_there(table, novels):
    ann, bo = table.person("Ann"), table.person("Bo")

    answer = await ann.slash("pico play", channel=novels, opponent=bo)

    assert "Here you can only play the computer" in answer.text
    assert answer.ephemeral


async def test_commands_that_need_a_server_are_not_offered_there(table, place):
    offered_here = {command["name"] for command in table.person("Ann").commands(place)}

    assert (
        offered_here & {"leaderboard", "settings", "watch", "vacation", "notify", "block"} == set()
    )
    assert {*GAMES, "help", "games"} <= offered_here


async def test_a_command_that_needs_a_server_says_so_if_it_is_used_there_anyway(table, novels):
    ann = table.person("Ann")
    data = {"id": "1", "name": "leaderboard", "type": 1, "options": []}

    answer = await ann._do(2, novels, data)

    assert answer.text == "This command only works in a server that has me."


async def test_people_who_have_not_installed_the_bot_are_offered_nothing_there(table, place):
    assert table.person("Bo").commands(place) == []


async def test_nothing_changes_if_external_apps_cannot_speak_publicly(table):
    novels = guest_of(table, "Ann")
    guild = table.discord.world.guild_of(novels)
    novels.overwrites.append(Overwrite(guild.id, 0, deny=int(Permission.USE_EXTERNAL_APPS)))

    message = await begin(table, novels)
    await choose(table, message)

    await table.discord.until(lambda: step_of(message) == 1)


async def test_a_forged_click_from_another_place_or_person_chooses_nothing(table):
    novels, ann, bo = guest_of(table, "Ann", "Bo"), table.person("Ann"), table.person("Bo")
    message = await begin(table, novels)
    other = await begin(table, novels, "Bo")
    first = offered(message)[0]

    answer = await bo.forge(other, custom_id=first)

    assert "This match is somewhere else" in answer.text
    assert table.sql("SELECT count(*) FROM moves WHERE match = 1 AND how = 'chosen'") == [(0,)]
    assert ann.mention not in other.text


async def test_in_a_server_that_has_the_bot_matches_are_public_as_usual(table):
    """Even for people who have also installed the bot for themselves."""
    table.discord.world.install_for(table.person("Ann").user)

    public = await table.match()

    assert table.sql("SELECT guild FROM matches") == [(table.discord.world.guild.id,)]
    assert public.ephemeral_to is None


async def test_slow_answers_are_deferred_privately(discord, tmp_path):
    """The deferral decides who sees the answer, and `play` elsewhere answers everybody."""
    async with seated(discord, tmp_path, pacing=replace(AT_ONCE, defer=0.0)) as table:
        novels, ann = guest_of(table, "Ann"), table.person("Ann")

        message = await begin(table, novels)
        await choose(table, message)
        await table.discord.until(lambda: step_of(message) == 1)

        assert {m.ephemeral_to for m in discord.world.history[novels.id]} == {ann.id}
