"""/history in the sandbox: finished matches by page, and how to replay and export them."""

from bot.stats.match_history import PER_PAGE
from tests.support.tables import labels, win
from tests.support.typed_commands import typed


async def history(table, name="Ann", channel="games", **options):
    answer = await table.person(name).slash("history", channel=channel, **options)
    return (await answer.settled()).message


def entries(message):
    return [line for line in message.text.splitlines() if line.startswith("**")]


RESULT = "guild, game, user, rank, score, won, drawn, lost, ended_at, rated"


async def many(table, count):
    """Insert copies of the first match, each ending after the one before."""
    columns = [row[1] for row in table.sql("PRAGMA table_info(matches)")]
    kept = ", ".join(c for c in columns if c not in {"id", "interaction", "predecessor"})
    copies = {
        f"matches (id, interaction, {kept})": f"i, i, {kept} FROM n, matches WHERE id",
        "seats (match, seat, user, accepted, strikes, rested, invited)": (
            "i, seat, user, accepted, strikes, rested, invited FROM n, seats WHERE match"
        ),
        f"results (match, seat, sequence, {RESULT})": (
            f"i, seat, i, {RESULT} FROM n, results WHERE match"
        ),
    }
    for into, what in copies.items():
        await table.change(
            "WITH RECURSIVE n(i) AS (VALUES (2) UNION SELECT i + 1 FROM n "  # noqa: S608 - our own
            f"WHERE i < {count}) INSERT INTO {into} SELECT {what} = 1"
        )


async def test_finished_matches_are_listed_with_result_opponent_end_and_rating(table):
    first = await win(table, "Ann", "Bo")
    at_first = int(table.watch())
    second = await win(table, "Cleo", "Ann", rated=False)

    message = await history(table, "Dan", user=table.person("Ann"))

    ann, bo, cleo = (table.person(name).mention for name in ("Ann", "Bo", "Cleo"))
    lines = message.text.splitlines()
    at = int(table.watch())
    assert message.ephemeral_to is None
    assert message.pinged == frozenset()
    assert lines[0] == f"### Finished matches · {ann}"
    assert f"/{second.channel_id}/{second.id}) · **Lost** · <t:{at}:R>" in lines[1]
    assert lines[2] == f"-# against {cleo} · **{cleo} wins**: {ann} resigned"
    assert lines[3].startswith("**2.** [Pico · 13 cards](https://discord.com/channels/")
    assert f"/{first.channel_id}/{first.id}) · **Won** · <t:{at_first}:R>" in lines[3]
    assert lines[4] == (
        f"-# against {bo} · **{ann} wins**: {bo} resigned · rating 1500? → **1563?**"
    )
    assert lines[5].startswith(
        "-# 1 to 2 of 2, newest first; without matches that were called off or closed, or can "
        "still be resumed"
    )


async def test_a_listed_match_can_be_replayed_and_exported(table):
    public = await win(table, "Ann", "Bo")
    dan = table.person("Dan")
    message = await history(table, "Dan", user=table.person("Bo"))

    chosen = await (await dan.select(message, "Replay or export a match", "1")).settled()
    replay = await (await dan.click(chosen.message, "Replay")).settled()
    export = await dan.click(chosen.message, "Export")

    assert chosen.ephemeral
    assert labels(chosen.message) == ["Replay", "Export", "Go to the table"]
    assert chosen.message.buttons[2].url.endswith(f"/{public.channel_id}/{public.id}")
    assert "### Replay · Pico" in replay.text
    assert {a.filename for a in export.message.attachments} == {"pico-1.txt", "pico-1.json"}


async def test_anybody_can_turn_pages_in_both_directions(table):
    await win(table, "Ann", "Bo")
    await many(table, 2 * PER_PAGE + 1)
    message = await history(table)
    first = message.text

    await table.person("Bo").click(message, "Older ▶")
    await table.discord.until(lambda: f"{PER_PAGE + 1} to {2 * PER_PAGE} of" in message.text)
    middle = labels(message)
    await table.person("Bo").click(message, "Older ▶")
    whole = 2 * PER_PAGE + 1
    await table.discord.until(lambda: f"-# {whole} of {whole}, " in message.text)
    last = (labels(message), len(entries(message)))
    await table.person("Ann").click(message, "◀ Newer")
    await table.discord.until(lambda: labels(message) == middle)
    await table.person("Ann").click(message, "◀ Newer")
    await table.discord.until(lambda: labels(message) == ["Older ▶", "Oldest ⏭"])

    assert middle == ["◀ Newer", "Older ▶"]
    assert last == (["⏮ Newest", "◀ Newer"], 1)
    assert message.text == first


async def test_the_first_match_of_many_is_one_tap_away(table):
    await win(table, "Ann", "Bo")
    whole = 4 * PER_PAGE
    await many(table, whole)
    message = await history(table)
    first = message.text

    await table.person("Ann").click(message, "Oldest ⏭")
    await table.discord.until(lambda: f"-# {whole - PER_PAGE + 1} to {whole} of" in message.text)
    last = labels(message)
    await table.person("Ann").click(message, "⏮ Newest")
    await table.discord.until(lambda: message.text == first)

    assert last == ["⏮ Newest", "◀ Newer"]


async def test_the_list_can_be_limited_to_one_game_and_has_its_own_pages(table):
    await win(table, "Ann", "Bo")
    await many(table, 3 * PER_PAGE)
    ann = table.person("Ann")
    message = await history(table, game="pico")

    await ann.click(message, "Oldest ⏭")
    await table.discord.until(lambda: f"to {3 * PER_PAGE} of {3 * PER_PAGE}, " in message.text)
    of_pico = message.text.splitlines()[0]
    await ann.select(message, "Game", f"{ann.id} duel")
    await table.discord.until(lambda: "hasn't finished" in message.text)
    of_duel = typed(message.text).splitlines()
    await ann.select(message, "Game", str(ann.id))
    await table.discord.until(lambda: f"1 to {PER_PAGE} of {3 * PER_PAGE}, " in message.text)

    head = f"### Finished matches · {ann.mention}"
    assert of_pico == f"{head} · Pico"
    assert of_duel[0] == f"{head} · Divide and Conquer (tiles)"
    assert of_duel[1].startswith(
        f"{ann.mention} hasn't finished a match of Divide and Conquer (tiles) here yet. To start "
        "one, use `/duel play`;"
    )
    assert message.text.splitlines()[0] == head


async def test_a_person_without_finished_matches_is_told_how_to_start_one(table):
    await table.match("Ann", "Bo")

    message = await history(table)

    ann = table.person("Ann").mention
    assert f"{ann} hasn't finished a match here yet." in message.text


async def test_only_hidden_people_themselves_see_their_history(table):
    await win(table, "Ann", "Bo")
    await table.change("UPDATE people SET hidden = 1 WHERE user = (SELECT min(user) FROM people)")

    own = await history(table)
    other = await table.person("Bo").slash("history", channel="games", user=table.person("Ann"))

    assert own.ephemeral_to == table.person("Ann").id
    assert other.text.startswith(f"{table.person('Ann').mention} keeps their results private")


async def test_in_direct_messages_people_see_their_own_matches_of_all_servers(table):
    await win(table, "Ann", "Bo")
    ann = table.person("Ann")

    message = await history(table, channel=ann.dm)
    chosen = await (await ann.select(message, "Replay or export a match", "1")).settled()
    other = await ann.slash("history", channel=ann.dm, user=table.person("Bo"))

    assert message.ephemeral_to == ann.id
    assert " · all servers" in message.text
    assert entries(message)[0].endswith(f":R> · {table.discord.world.guild.name}")
    assert "Replay" in labels(chosen.message)
    assert other.text.startswith("Here I only show your own matches")


async def test_markup_in_the_name_of_a_server_has_no_effect(table):
    await win(table, "Ann", "Bo")
    table.bot.get_guild(table.discord.world.guild.id).name = f"<@{10**19 - 1}>"

    message = await history(table, channel=table.person("Ann").dm)

    assert entries(message)[0].endswith(f":R> · <\u200b@{10**19 - 1}>")
    assert message.pinged == frozenset()


async def test_matches_of_other_servers_are_not_listed_in_a_server(table):
    await win(table, "Ann", "Bo")
    elsewhere = table.discord.world.add_guild("Elsewhere", channels=("quiet",))
    (channel,) = elsewhere.channels.values()
    message = await history(table)

    empty = await history(table, channel=channel)
    strange = await table.person("Dan").forge(message, custom_id="f1:0:0:again:404")
    forged = await table.person("Dan").forge(message, custom_id="f1:0:0:history:x")

    assert "hasn't finished a match here yet" in empty.text
    assert strange.text.startswith("This match no longer exists, so its buttons don't work")
    assert typed(forged.text) == "This button is out of date. Use `/history` again."
