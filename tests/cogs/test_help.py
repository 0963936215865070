"""What /help says: it names every command that is loaded, and no other."""

import re
from dataclasses import replace
from functools import partial

import pytest

from bot.client import EXTENSIONS
from bot.config import Support
from bot.errors import ButtonError
from bot.messaging.components import Section
from bot.rendering.help import FIRST, Help
from bot.storage import Storage
from bot.text import tappable
from games import GAMES
from tests.support.drawing import Blank
from tests.support.services import bot_of, settings
from tests.support.tables import database, seated

pytestmark = pytest.mark.slow

TOPICS = ("play", "computers", "time", "commands", "managers", "rules", "fair", "privacy")
NAMED = re.compile(r"`/([a-z ]+)`")
EVERYWHERE = Support(channel=1, url="https://example.com/help")
POLICY, TERMS = "https://example.com/privacy", "https://example.com/terms"

each_topic = pytest.mark.parametrize("topic", TOPICS)


@pytest.fixture
async def bot(tmp_path):
    """The bot without cogs, not connected to Discord."""
    async with (
        Storage.open(await database(tmp_path)) as storage,
        bot_of(storage, Blank()) as bot,
    ):
        yield bot


async def guide(bot, *extensions, support=EVERYWHERE, **where):
    """The help after these cogs are loaded."""
    for extension in extensions:
        await bot.load_extension(extension)
    return Help.of(bot.tree, bot.services.presentations, support, **where)


def solo(content):
    """The games that a page offers to play against the computer, in order."""
    rows = [row for row in content.rows if isinstance(row, tuple)]
    return [b.label for row in rows for b in row if b.press.act == "choose"]


def words(content):
    """All text of a content, as Discord counts it."""
    rows = [row for row in content.rows if isinstance(row, str)]
    return "\n".join([content.head, content.foot, *rows])


def named(guide):
    """Every command that any page names."""
    return {name for topic in TOPICS for name in NAMED.findall(words(guide.content(topic)))}


async def test_help_names_every_command_and_no_other(bot):
    everything = await guide(bot, *EXTENSIONS)

    assert named(everything) == set(everything.commands)
    assert len(everything.commands) >= 25


@pytest.mark.parametrize("left_out", EXTENSIONS)
async def test_without_a_cog_its_commands_are_not_named(bot, left_out):
    some = await guide(bot, *(e for e in EXTENSIONS if e != left_out))

    assert named(some) == set(some.commands)


async def test_without_any_cog_every_page_still_has_text(bot):
    nothing = await guide(bot)

    assert named(nothing) == set()
    assert [len(nothing.content(topic).head) > 60 for topic in TOPICS] == [True] * 8
    assert not [
        game.title for game in GAMES.values() if game.title in words(nothing.content(FIRST))
    ]


async def test_only_players_who_can_get_it_are_promised_a_warning_of_silence(bot):
    """Nobody is waiting in a solo match."""
    page = words((await guide(bot, *EXTENSIONS)).content("time"))

    assert "I tell you 3 days before if it's your turn, except in solo matches." in page


@each_topic
async def test_every_page_fits_a_message_with_room_to_spare(bot, topic):
    everything = await guide(bot, *EXTENSIONS)

    assert len(words(everything.content(topic))) <= (
        3000 if topic == "computers" else 2500
    )  # of 4000


async def test_every_game_is_listed_with_its_players_and_its_command(bot):
    everything = await guide(bot, *EXTENSIONS)
    page = words(everything.content(FIRST))

    about = everything.commands["pico play"].says
    assert f"**Pico** · 2 or 3 players\n- `/pico play` · {about}\n" in page
    assert "**Divide & Conquer (board)** · 2 to 4 players\n- `/conquest play` · " in page
    assert "**Spite and Malice** · 2 players\n- `/spite play` · " in page


async def test_the_first_page_begins_with_matches_against_the_computer(bot):
    here = await guide(bot, *EXTENSIONS, off=())
    page = here.content(FIRST)

    assert page.head.endswith("**On your own, right now: play the computer.** Tap a game:")
    assert solo(page) == [GAMES[game].title for game in GAMES]
    assert "**With other people**" not in page.head
    kinds = [type(row).__name__ for row in page.rows]
    assert kinds == ["tuple", "tuple", "Section", "str", "Select"]


@pytest.mark.parametrize(
    ("channels", "said"),
    [
        ((7,), "Matches are played in <#7>."),
        ((7, 8, 9), "Matches are played in <#7>, <#8> and <#9>."),
        ((), "All channels for matches are gone. A server manager can choose others with "),
    ],
)
async def test_where_no_match_can_start_none_is_promised_right_now(bot, channels, said):
    here = replace(await guide(bot, *EXTENSIONS, off=()), elsewhere=channels)
    page = here.content(FIRST)

    assert said in page.head
    assert page.head.endswith("**On your own: play the computer.** Tap a game:")


async def test_if_all_games_are_turned_off_help_says_who_can_change_that(bot):
    page = (await guide(bot, *EXTENSIONS, off=tuple(GAMES))).content(FIRST)

    assert page.head.endswith(
        "All games are turned off in this server. A server manager can turn them on with "
        "`/settings`."
    )
    assert solo(page) == []
    assert "**With other people**" not in words(page)
    assert "Apps" not in words(page)


async def test_the_first_page_leads_to_the_lessons(bot):
    page = (await guide(bot, *EXTENSIONS)).content(FIRST)

    (section,) = [row for row in page.rows if isinstance(row, Section)]
    assert "`/learn` teaches you a game" in section.text
    assert section.accessory.press.act == "learn"


async def test_outside_servers_the_same_games_are_offered_against_the_computer(bot):
    page = (await guide(bot, *EXTENSIONS)).content(FIRST)

    assert solo(page) == [GAMES[game].title for game in GAMES]
    assert "**With other people**: in a server that has me, name an opponent" in words(page)


async def test_outside_servers_help_says_which_commands_work_only_in_servers(bot):
    outside = await guide(bot, *EXTENSIONS)
    inside = replace(outside, off=())

    assert "join or follow, use `/watch`." in words(inside.content(FIRST))
    assert "join or follow, use `/watch` in a server that has me." in words(outside.content(FIRST))
    assert "unrated. They count on the" in words(inside.content("computers"))
    assert "unrated. Those in a server that has me count" in words(outside.content("computers"))


async def test_a_game_that_is_turned_off_is_not_offered(bot):
    here = await guide(bot, *EXTENSIONS, off=("pico", "spite"))
    page = here.content(FIRST)

    assert solo(page) == [game.title for key, game in GAMES.items() if key not in {"pico", "spite"}]
    assert "**Pico**" not in words(page)
    assert "`/spite play`" not in words(page)
    assert "-# Turned off in this server: Pico and Spite and Malice." in words(page)
    assert "**Pico**" not in words(here.content("computers"))
    assert "**Divide & Conquer (board)**" in words(here.content("computers"))


async def test_commands_become_links_once_their_ids_are_known(bot):
    await guide(bot, *EXTENSIONS)
    ids = {command.name: 10**18 + i for i, command in enumerate(bot.tree.get_commands())}
    pages = await guide(bot, off=())

    def tapped(topic):
        return words(pages.content(topic).with_text(partial(tappable, ids=ids)))

    assert f"</pico play:{ids['pico']}> · " in tapped(FIRST)
    assert f"</privacy export:{ids['privacy']}>" in tapped("privacy")
    for topic in TOPICS:
        assert len(tapped(topic)) <= 3500
        assert not NAMED.findall(tapped(topic))


async def test_a_game_that_is_not_loaded_is_not_offered(bot):
    only = await guide(bot, "cogs.pico", "cogs.help")

    assert "Pico" in words(only.content(FIRST))
    assert "Spite" not in words(only.content(FIRST))
    assert "Spite" not in str(only.content("rules"))


async def test_challenge_by_right_click_is_explained_if_it_is_loaded(bot):
    without = await guide(bot, "cogs.pico")
    await bot.load_extension("cogs.challenge")
    with_it = await guide(bot)

    assert "**Apps**" not in words(without.content(FIRST))
    assert "**Apps**, then **Challenge**" in words(with_it.content(FIRST))


async def test_commands_that_work_anywhere_are_listed_separately(bot):
    page = (await guide(bot, *EXTENSIONS)).content("commands").head
    here, there = page.split("**In a server that has me**")

    assert "`/games`" in here
    assert "`/leaderboard`" in there
    assert "`/conquest order`" in here


async def test_commands_of_managers_are_listed_with_the_permission_they_need(bot):
    everything = await guide(bot, *EXTENSIONS)
    page = everything.content("managers").head
    managers, moderators = page.split("**Needs Manage Messages**")

    assert "**Needs Manage Server**" in managers
    assert NAMED.findall(managers) == ["season start", "settings"]
    assert NAMED.findall(moderators) == ["moderate end", "moderate unseat"]
    assert "`/settings`" not in everything.content("commands").head


async def test_permissions_have_the_names_that_discord_gives_them(bot):
    page = (await guide(bot)).content("managers").head

    assert (
        "I need View Channel, Send Messages, Embed Links and Attach Files, and for matches in "
        "threads Create Public Threads and Send Messages in Threads;"
    ) in page


@pytest.mark.parametrize(
    ("support", "report", "page"),
    [
        (Support(), False, False),
        (Support(channel=1), True, False),
        (Support(url="https://example.com/help"), False, True),
        (EVERYWHERE, True, True),
    ],
    ids=["nowhere", "channel", "page", "both"],
)
async def test_only_configured_ways_to_report_are_named(bot, support, report, page):
    said = (await guide(bot, *EXTENSIONS, support=support)).content("privacy").head

    assert ("`/report`" in said) is report
    instead = "Trouble with someone? `/block` them, and tell your server's moderators or Discord."
    assert (instead in said) is not report
    assert ("<https://example.com/help>" in said) is page


@pytest.mark.parametrize(
    ("support", "said"),
    [
        (Support(), []),
        (Support(privacy=POLICY), [f"In full: [privacy policy](<{POLICY}>)."]),
        (Support(terms=TERMS), [f"In full: [terms](<{TERMS}>)."]),
        (
            Support(privacy=POLICY, terms=TERMS),
            [f"In full: [privacy policy](<{POLICY}>) and [terms](<{TERMS}>)."],
        ),
    ],
    ids=["neither", "privacy", "terms", "both"],
)
async def test_the_terms_are_summarized_and_link_to_the_owners_pages(bot, support, said):
    page = (await guide(bot, *EXTENSIONS, support=support)).content("privacy").head

    assert "**Terms**: " in page
    assert "`/privacy policy`" in page
    assert [line for line in page.splitlines() if line.startswith("In full")] == said


async def test_both_pages_of_the_settings_are_named(discord, tmp_path):
    chosen = settings(privacy_url=POLICY, terms_url=TERMS)
    async with seated(discord, tmp_path, settings_=chosen) as table:
        ann = table.person("Ann")
        page = (await ann.slash("help", channel="games")).message
        await ann.select(page, "Topics", "privacy")

    assert POLICY in page.text
    assert TERMS in page.text


async def test_help_on_an_unknown_topic_is_refused(bot):
    nothing = await guide(bot)

    with pytest.raises(ButtonError, match="I have no help on that"):
        nothing.content("moon")
