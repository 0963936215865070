"""/stats in the sandbox: counted matches, opponents, the plot, and who can see it."""

import asyncio
import re
import sqlite3
from contextlib import closing

from games import GAMES
from sandbox import Fault
from tests.support.drawing import Threads
from tests.support.tables import labels, seated, win
from tests.support.typed_commands import typed
from tests.support.waiting import until

DAY = 1_790_000_000


async def stats(table, name="Ann", channel="games", **options):
    answer = await table.person(name).slash("stats", channel=channel, **options)
    return (await answer.settled()).message


def add(table, *, user, guild=None, game="pico", rivals, won=True):
    """Insert a finished rated match with each rival, which this person won or lost."""
    guild = guild or table.discord.world.guild.id
    with closing(sqlite3.connect(table.database, timeout=10)) as file, file:
        ((last,),) = file.execute("SELECT coalesce(max(id), 0) FROM matches")
        for n, rival in enumerate(rivals, last + 1):
            at, change = DAY + 86_400 * n, (1500 + n, 1501 + n, n)
            file.execute(
                "INSERT INTO matches (id, interaction, game, options, status, guild, channel,"
                " opener, wanted, pace, tap, rated, limited, step, turn, late, opened_at, ended_at,"
                " settled, revision, taken_back)"
                " VALUES (?, ?, ?, '{\"deck\":\"standard\"}', 'over', ?, 5, ?, 2, 'slow',"
                " 0, 1, 0, 1, 1, '', 1, ?, 1, 1, 0)",
                (n, n, game, guild, user, at),
            )
            for seat, (who, good) in enumerate(((user, won), (rival, not won))):
                file.execute(
                    "INSERT INTO results (match, seat, guild, game, user, rank, score, won, drawn,"
                    " lost, ended_at, sequence, rated, before, after, nth)"
                    " VALUES (?, ?, ?, ?, ?, ?, 0, ?, 0, ?, ?, ?, 1, ?, ?, ?)",
                    (n, seat, guild, game, who, 2 - good, good, not good, at, n, *change),
                )


async def added(table, **match):
    """Call `add` in a thread: the bot may be writing, and needs its event loop to finish."""
    await asyncio.to_thread(add, table, **match)


async def test_finished_matches_are_counted_and_everybody_can_see_it(table):
    await win(table, "Ann", "Bo")
    await win(table, "Ann", "Cleo", rated=False)
    await win(table, "Bo", "Ann")

    message = await stats(table, "Dan", user=table.person("Ann"), channel="lobby")

    ann, bo, cleo = (table.person(name).mention for name in ("Ann", "Bo", "Cleo"))
    lines = message.text.splitlines()
    assert message.ephemeral_to is None
    assert message.pinged == frozenset()
    assert lines[:5] == [
        f"### Statistics · {ann} · all games",
        "**3 matches**: 2 won, 1 lost · 67% won",
        "Streaks: now **1 loss** · longest 2 wins, 1 loss",
        "Favorite variant: **Pico · 13 cards**, 3 matches",
        "- **Pico** · 3 matches: 2 won, 1 lost · rating **1490?** (-73), best 1563?",
    ]
    assert f"- {bo} · 2 matches: 1 won, 1 lost" in lines
    assert f"- {cleo} · 1 match: 1 won, 0 lost" in lines
    assert len(message.images) == 1


async def test_the_plot_is_drawn_and_has_an_alt_text(discord, tmp_path):
    async with seated(discord, tmp_path, Threads()) as table:
        ann = table.person("Ann").id
        await added(table, user=ann, rivals=range(101, 108))

        message = await stats(table, game="pico")

        (image,) = message.images
        assert message.read(image.url).startswith(b"\x89PNG")
        assert re.fullmatch(
            r"Rating over time\. Pico, 7 rated matches: 1502\? on 22 Sep 2026, lowest 1506 on 26 "
            r"Sep 2026, best 1508 on 28 Sep 2026, now 1508 since 28 Sep 2026\.",
            image.description,
        )
        assert "Rating **1508** (+1)" in message.text


async def test_people_who_want_words_get_the_plot_in_words_on_every_page(table):
    await added(table, user=table.person("Ann").id, rivals=range(101, 113))
    prefer = (await table.person("Ann").slash("preferences", channel="games")).message
    await table.person("Ann").select(prefer, "Pictures or words", "pictures off")

    message = await stats(table)
    first = message.text
    await table.person("Bo").click(message, "Next ▶")
    await table.discord.until(lambda: "page 2 of 2" in message.text)

    assert message.images == []
    assert "Rating over time. Pico, 12 rated matches" in first
    assert "Rating over time. Pico, 12 rated matches" in message.text
    assert labels(message) == ["◀ Previous"]
    assert [f"<@{n}>" in message.text for n in (102, 103)] == [True, False]


async def test_the_menu_leads_to_one_game_of_the_same_person(table):
    await win(table, "Ann", "Bo")
    message = await stats(table, "Cleo", user=table.person("Bo"))

    await table.person("Ann").select(message, "Game", f"{table.person('Bo').id} spite 0 p")
    await table.discord.until(lambda: "all games" not in message.text)

    bo = table.person("Bo").mention
    assert message.text.startswith(
        f"### Statistics · {bo} · Spite and Malice\n{bo} hasn't finished a match of "
        "Spite and Malice against people here yet. To start one in a server, use </spite play:"
    )


async def test_a_comparison_counts_for_both_and_links_to_the_last_tables(table):
    public = await win(table, "Ann", "Bo")
    await win(table, "Ann", "Bo")
    await win(table, "Ann", "Cleo")

    message = await stats(table, "Bo", versus=table.person("Ann"))

    ann, bo = (table.person(name).mention for name in ("Ann", "Bo"))
    assert message.text.startswith(
        f"### {bo} against {ann} · all games\n"
        f"**2 matches**: {ann} leads 2 to 0\n"
        f"{ann} has won the last 2.\n"
        f"Rating of {bo}: Pico **1388?**\n"
        f"Rating of {ann}: Pico **1659?**\n"
    )
    assert f"/{public.channel_id}/{public.id}) · {ann} won · <t:" in message.text


async def test_a_comparison_of_people_who_have_never_played_each_other_says_so(table):
    message = await stats(table, versus=table.person("Bo"), game="duel")

    assert "haven't finished a match of Divide and Conquer" in message.text


async def test_only_hidden_people_themselves_see_their_statistics(table):
    await win(table, "Ann", "Bo")
    public = await stats(table)
    await table.change("UPDATE people SET hidden = 1 WHERE user = (SELECT min(user) FROM people)")

    own = await stats(table)
    others = await table.person("Bo").slash("stats", channel="games", user=table.person("Ann"))
    rival = await stats(table, "Bo", versus=table.person("Ann"))
    of_bo = await stats(table, "Bo")
    turned = await table.person("Ann").forge(
        public, custom_id=f"f1:0:0:stats:{table.person('Ann').id} - 0 p"
    )

    assert own.ephemeral_to == table.person("Ann").id
    assert others.text.startswith(f"{table.person('Ann').mention} keeps their results private")
    assert others.ephemeral
    assert rival.ephemeral_to == table.person("Bo").id
    assert "- players who keep their results private · 1 match" in of_bo.text
    assert turned.text.startswith("This is private now, so I can't show it here")


async def test_in_direct_messages_people_see_all_servers_or_one_of_them(table):
    ann = table.person("Ann")
    elsewhere = table.discord.world.add_guild("Else *where* </help:7>", channels=("quiet",)).id
    await added(table, user=ann.id, rivals=range(101, 103))
    await added(table, user=ann.id, rivals=range(101, 105), guild=elsewhere, won=False)

    message = await stats(table, channel=ann.dm)
    everywhere = message.text
    await ann.select(message, "Server", f"s{elsewhere} - 0 p")
    await table.discord.until(lambda: "all servers" not in message.text)

    assert message.ephemeral_to == ann.id
    assert "**6 matches**: 2 won, 4 lost" in everywhere
    there = "Else \\*where\\* <\u200b/help:7>"
    assert f"- **{there}** · Pico **1507** (+1)" in everywhere
    assert "- **" + table.discord.world.guild.name + "** · Pico **1503?** (+1)" in everywhere
    assert f" · all games · {there}\n**4 matches**: 0 won, 4 lost" in message.text


def menu(message, placeholder):
    """The options of a menu, with their descriptions; empty if the message has no such menu."""
    found = [s for s in message.selects if s.placeholder == placeholder]
    return [(o["label"], o.get("description")) for select in found for o in select.options]


async def pick(table, message, placeholder, label):
    (select,) = [s for s in message.selects if s.placeholder == placeholder]
    (value,) = [o["value"] for o in select.options if o["label"] == label]
    await table.person("Ann").select(message, placeholder, value)
    await table.settled()


async def test_a_comparison_in_direct_messages_counts_matches_by_server(table):
    ann, bo = table.person("Ann"), table.person("Bo")
    elsewhere = table.discord.world.add_guild("Elsewhere", channels=("quiet",)).id
    await added(table, user=ann.id, rivals=[bo.id, bo.id])
    await added(table, user=ann.id, rivals=[*range(101, 105), bo.id], guild=elsewhere)

    message = await stats(table, channel=ann.dm, versus=bo)
    offered = menu(message, "Server")
    await pick(table, message, "Server", "Elsewhere")

    home = table.discord.world.guild.name
    assert offered == [("All servers", None), (home, "2 matches"), ("Elsewhere", "1 match")]
    assert menu(message, "Server") == offered
    assert "1 match**" in message.text


async def test_the_menu_offers_all_servers_even_where_a_game_was_not_played(table):
    ann = table.person("Ann")
    elsewhere = table.discord.world.add_guild("Elsewhere", channels=("quiet",)).id
    await added(table, user=ann.id, rivals=[101], game="duel")
    await added(table, user=ann.id, rivals=[102], guild=elsewhere)

    message = await stats(table, channel=ann.dm)
    await pick(table, message, "Server", "Elsewhere")
    await pick(table, message, "Game", GAMES["duel"].title)

    assert ("All servers", None) in menu(message, "Server")


async def test_servers_of_other_processes_are_named_too(table):
    """discord.py doesn't know them here, as after `LeasedBot.let_go`; a server left isn't named."""
    ann, world = table.person("Ann"), table.discord.world
    there = world.add_guild("There", channels=("quiet",))
    left, away = (world.add_guild(name, channels=("quiet",)) for name in ("Left", "Away"))
    for guild in (there.id, left.id, away.id):
        await added(table, user=ann.id, rivals=range(101, 103), guild=guild)
    await table.bot.wait_until_ready()
    world.remove_bot(left)
    await until(lambda: table.sql("SELECT 1 FROM servers WHERE left_at NOT NULL"))
    for guild in (there, left, away):
        if (known := table.bot.get_guild(guild.id)) is not None:
            table.bot._connection._remove_guild(known)
    table.discord.faults.add(
        Fault(method="GET", path=f"/guilds/{away.id}$", status=503, times=None)
    )

    since = len(table.discord.requests)

    message = await stats(table, channel=ann.dm)

    assert table.requests(path=str(left.id), since=since) == []  # Discord counts refusals
    assert "- **There** · Pico" in message.text
    assert "- **a server I've left** · Pico" in message.text
    assert "- **a server I can't reach right now** · Pico" in message.text
    assert "Away" not in message.text


async def test_statistics_of_others_are_refused_in_direct_messages(table):
    ann = table.person("Ann")

    bo = table.person("Bo")
    other = await ann.slash("stats", channel=ann.dm, user=bo)
    against_her = await ann.slash("stats", channel=ann.dm, user=bo, versus=ann)
    nothing = await stats(table, channel=ann.dm)

    assert other.text.startswith("Here I only show your own matches")
    assert against_her.text.startswith("Here I only show your own matches")
    assert f"{ann.mention} hasn't finished a match against people yet." in nothing.text


async def test_statistics_of_bots_and_forged_buttons_are_refused(table):
    message = await stats(table)

    robot = await table.person("Ann").slash("stats", channel="games", user=table.discord.world.bot)
    forged = await table.person("Ann").forge(message, custom_id="f1:0:3:stats:nonsense")

    assert "> is a bot. Pick a person." in robot.text
    assert typed(forged.text) == "This button is out of date. Use `/stats` again."
