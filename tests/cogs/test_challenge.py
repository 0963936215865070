"""Right-click a person, Apps, Challenge: the form, and the challenge that it sends."""

import asyncio

import pytest

from bot.errors import ButtonError
from bot.matches.levels import levels_of
from bot.messaging.components import Press
from bot.rendering.challenge_form import ChallengeForm
from bot.rendering.phrases import NO_MATCH, shortened
from games import GAMES
from games.pico import PICO
from tests.support.tables import labels
from tests.support.typed_commands import typed


async def right_click(table, name="Ann", other="Bo"):
    return await table.person(name).context_menu(
        "Challenge", channel="games", user=table.person(other)
    )


def offered(chooser):
    return {s.placeholder: [o["label"] for o in s.options] for s in chooser.selects}


def option(chooser, placeholder, label):
    select = next(s for s in chooser.selects if s.placeholder == placeholder)
    return next(o["value"] for o in select.options if o["label"] == label)


async def choose(table, chooser, placeholder, label):
    value = option(chooser, placeholder, label)
    await table.person("Ann").select(chooser, placeholder, value)


def chosen(chooser):
    return [next(o["label"] for o in s.options if o.get("default")) for s in chooser.selects]


async def test_the_form_offers_every_game_and_the_standard_variant_of_the_first(table):
    answer = await right_click(table)

    assert answer.ephemeral
    assert offered(answer.message)["Game"] == [game.title for game in GAMES.values()]
    assert chosen(answer.message) == ["Pico", "13 cards", "Slow: 1 day a move", "Rated"]
    assert labels(answer.message) == ["Send", "Rules"]
    assert table.sql("SELECT count(*) FROM matches") == [(0,)]


async def test_one_click_sends_the_standard_variant_and_pings_the_opponent(table):
    chooser = (await right_click(table)).message

    answer = await table.person("Ann").click(chooser, "Send")

    ann, bo = table.person("Ann"), table.person("Bo")
    assert not answer.ephemeral
    assert f"{ann.mention} challenges {bo.mention}." in answer.text
    sent = table.requests("POST", "/callback")[-1].json["data"]
    assert sent["allowed_mentions"]["users"] == [bo.id]
    assert table.sql("SELECT game, pace, wanted FROM matches") == [("pico", "slow", 2)]


async def test_the_sent_challenge_can_be_accepted_and_is_kept_up_to_date(table):
    chooser = (await right_click(table)).message
    public = (await table.person("Ann").click(chooser, "Send")).message

    await table.person("Bo").click(public, "Accept")

    await table.discord.until(lambda: "Round 1" in public.text and len(public.buttons) > 12)


async def test_game_variant_and_pace_can_be_chosen_from_menus(table):
    chooser = (await right_click(table)).message
    await choose(table, chooser, "Game", GAMES["spite"].title)
    variants = offered(chooser)["Variant"]
    await choose(table, chooser, "Variant", variants[1])
    await choose(table, chooser, "Pace", "Live: 2 minutes a move")

    await choose(table, chooser, "Rated or casual", "Casual")

    assert chosen(chooser) == [
        GAMES["spite"].title,
        variants[1],
        "Live: 2 minutes a move",
        "Casual",
    ]
    await table.person("Ann").click(chooser, "Send")

    assert table.sql("SELECT game, pace, rated FROM matches") == [("spite", "live", 0)]


async def test_a_variant_for_three_leaves_the_third_seat_open(table):
    chooser = (await right_click(table)).message
    await choose(table, chooser, "Variant", "Pico I for three")

    answer = await table.person("Ann").click(chooser, "Send")

    assert "and is looking for 1 more player." in answer.text


async def test_a_game_with_one_variant_offers_no_choice_of_variants(table):
    chooser = (await right_click(table)).message
    await choose(table, chooser, "Game", GAMES["prize"].title)

    assert set(offered(chooser)) == {"Game", "Pace", "Rated or casual"}


async def test_pressing_send_twice_sends_one_challenge(table):
    chooser = (await right_click(table)).message
    await table.person("Ann").click(chooser, "Send")

    again = await table.person("Ann").click(chooser, "Send")

    assert again.text.startswith(
        "There's already [an open challenge](https://discord.com/channels/"
    )
    assert table.sql("SELECT count(*) FROM matches") == [(1,)]


async def test_nobody_can_challenge_themselves(table):
    own = await right_click(table, "Ann", "Ann")

    assert own.text == "You can't challenge yourself. Pick someone else in this server."


async def on_the_bot(table):
    return await table.person("Ann").context_menu(
        "Challenge", channel="games", user=table.discord.world.bot
    )


async def test_a_right_click_on_the_bot_itself_plays_the_computer(table):
    chooser = (await on_the_bot(table)).message
    assert chooser.text.startswith("### Play the computer")
    await choose(table, chooser, "Game", GAMES["duel"].title)
    await choose(table, chooser, "Level", "Easy")
    assert chosen(chooser)[:3] == [GAMES["duel"].title, "10 tiles", "Easy"]
    assert labels(chooser) == ["Play", "Rules", "Learn it"]

    answer = await table.person("Ann").click(chooser, "Play")

    assert "Computer (easy)" in answer.text
    assert table.sql("SELECT game, status, rated FROM matches") == [("duel", "running", 0)]


async def test_a_level_that_the_new_variant_lacks_is_replaced_by_one_that_it_has(table):
    chooser = (await on_the_bot(table)).message
    await choose(table, chooser, "Level", offered(chooser)["Level"][-1])
    await choose(table, chooser, "Variant", "Pico I for three")

    assert chosen(chooser)[2] in offered(chooser)["Level"]
    await table.person("Ann").click(chooser, "Play")

    assert table.sql("SELECT count(*) FROM seats WHERE computer IS NOT NULL") == [(2,)]


async def test_a_game_that_is_turned_off_is_not_offered(table):
    guild = table.discord.world.guild.id
    await table.bot.services.guild_settings.switch(guild, on=(), off=("pico",))

    answer = await right_click(table)

    assert GAMES["pico"].title not in offered(answer.message)["Game"]
    assert chosen(answer.message)[0] != "Pico"


async def test_the_servers_pace_comes_first_and_no_pace_has_a_reserve_if_they_are_turned_off(table):
    guild = table.discord.world.guild.id
    await table.bot.services.guild_settings.change(guild, "pace today_reserve")
    await table.bot.services.guild_settings.allow(guild, ())

    answer = await right_click(table)

    assert chosen(answer.message)[2] == "Today: 1 hour a move"
    paces = offered(answer.message)["Pace"]
    assert paces[:2] == ["Today: 1 hour a move", "Live: 2 minutes a move"]
    assert len(paces) == len(set(paces)) == 5
    assert not [pace for pace in paces if "reserve" in pace]


async def test_if_all_games_are_turned_off_the_form_says_so(table):
    guild = table.discord.world.guild.id
    await table.bot.services.guild_settings.switch(guild, on=(), off=tuple(GAMES))

    answer = await right_click(table)

    assert typed(answer.text) == (
        "All games are turned off in this server. A server manager can turn them on with "
        "`/settings`."
    )


@pytest.mark.parametrize("key", GAMES)
def test_every_choice_in_the_form_fits_a_custom_id_and_can_be_read_back(key):
    for variant in GAMES[key].presets:
        form = ChallengeForm(opponent=2**63 - 1, game=key, variant=variant, time_control="relaxed")
        alone = ChallengeForm(level="perfect", game=key, variant=variant, time_control="relaxed")
        assert all(len(str(one)) <= 55 for one in (form, alone))
        assert [ChallengeForm.parse(str(one)) for one in (form, alone)] == [form, alone]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1 pico",
        "1 pico standard -",
        "x pico standard - r",
        "1 chess standard - r",
        "1 pico no - r",
        "1 pico standard y r",
        "1 pico standard - y",
    ],
)
def test_a_forged_choice_is_refused(text):
    with pytest.raises(ButtonError):
        ChallengeForm.parse(text)


def test_a_challenge_is_for_the_fewest_players_that_its_variant_allows():
    two = ChallengeForm(opponent=1, game="conquest").proposal()
    three = ChallengeForm(
        opponent=1, game="pico", variant="pico2-three", time_control="live"
    ).proposal()

    assert (two.seats, two.time_control) == (2, None)
    assert (three.seats, three.time_control, three.options) == (
        3,
        "live",
        PICO.presets["pico2-three"],
    )


@pytest.mark.parametrize("game", GAMES)
def test_no_description_of_a_computers_level_is_cut_off(game):
    said = [level.says for level in levels_of(game)]

    assert said
    assert [shortened(sentence) for sentence in said] == said


async def next_level(table, message, pace):
    """Press the button for the next level after a match at this pace."""
    form = ChallengeForm(game="pico", variant="pico1", level="easy", time_control=pace)
    press = Press(NO_MATCH, 0, "send", str(form))
    answer = await table.person("Ann").forge(message, custom_id=str(press))
    return await answer.settled()


async def test_the_next_level_from_a_hand_by_direct_message_begins_a_solo_match_without_a_clock(
    table,
):
    await table.match()

    answer = await next_level(table, table.desk("Ann"), "slow")

    assert "Computer (easy)" in answer.text
    assert table.sql("SELECT guild, pace, status FROM matches WHERE id = 2") == [
        (None, "none", "running")
    ]


async def test_the_next_level_has_no_reserve_if_the_server_has_turned_reserves_off(table):
    public = await table.match()
    await table.bot.services.guild_settings.allow(table.discord.world.guild.id, ())

    await next_level(table, public, "slow_reserve")

    assert table.sql("SELECT pace, status FROM matches WHERE id = 2") == [("slow", "running")]


async def test_two_quick_taps_on_play_begin_one_match(table):
    chooser = (await on_the_bot(table)).message
    ann = table.person("Ann")

    answers = await asyncio.gather(ann.click(chooser, "Play"), ann.click(chooser, "Play"))

    assert table.sql("SELECT count(*) FROM matches") == [(1,)]
    assert sorted(answer.text.startswith("You've just pressed that.") for answer in answers) == [
        False,
        True,
    ]


async def test_a_play_that_was_refused_can_be_tried_again_at_once(table):
    guild, games = table.discord.world.guild.id, tuple(GAMES)
    chooser = (await on_the_bot(table)).message
    await table.bot.services.guild_settings.switch(guild, on=(), off=games)
    refused = await table.person("Ann").click(chooser, "Play")
    await table.bot.services.guild_settings.switch(guild, on=games, off=())

    await table.person("Ann").click(chooser, "Play")

    assert "is turned off in this server" in refused.text
    assert table.sql("SELECT status FROM matches") == [("running",)]


async def test_a_form_that_is_still_open_after_all_games_were_turned_off_says_so(table):
    chooser = (await right_click(table)).message
    value = option(chooser, "Pace", "Live: 2 minutes a move")
    guild = table.discord.world.guild.id
    await table.bot.services.guild_settings.switch(guild, on=(), off=tuple(GAMES))

    refused = await table.person("Ann").select(chooser, "Pace", value)

    assert refused.text.startswith("All games are turned off in this server.")


async def play_only_in_lobby(table):
    """Limit matches to the lobby, as a manager does; the refusal in any other channel."""
    world = table.discord.world
    lobby = world.channel("lobby").id
    await table.bot.services.guild_settings.set_channels(world.guild.id, [lobby])
    return f"You can't start matches in this channel. Play in <#{lobby}>."


async def test_no_form_opens_in_a_channel_where_no_match_can_start(table):
    refusal = await play_only_in_lobby(table)

    answers = [await right_click(table), await on_the_bot(table)]

    assert [answer.text for answer in answers] == [refusal, refusal]
    assert not [answer for answer in answers if answer.message.selects]


async def test_a_form_opens_in_a_channel_for_matches(table):
    await play_only_in_lobby(table)

    answer = await table.person("Ann").context_menu(
        "Challenge", channel="lobby", user=table.person("Bo")
    )

    assert labels(answer.message) == ["Send", "Rules"]


async def test_a_form_says_at_the_next_tap_that_no_match_can_start_here_anymore(table):
    form = (await right_click(table)).message
    refusal = await play_only_in_lobby(table)

    answer = await table.person("Ann").select(
        form, "Rated or casual", option(form, "Rated or casual", "Casual")
    )

    assert answer.text == refusal
