"""What follows the end of a match: rematch, replay, export and verification."""

import json
import re
from hashlib import sha256

import pytest

from bot.matches import exports, replays
from bot.matches.verification import MAX_EXPORT_BYTES
from sandbox import Fault
from tests.support.clock import MINUTE
from tests.support.drawing import Threads
from tests.support.tables import labels, leads_to, seated
from tests.support.waiting import with_others_going_on

NAMES = ("Ann", "Bo")


@pytest.fixture
async def ended(table):
    """The table of a match that has ended after two tricks."""
    return await _ended(table)


async def _ended(table, *names, **options):
    names = names or NAMES
    public = await table.match(*names, **options)
    await table.trick(*names)
    await table.trick(*names)
    for name in names[:-1]:
        asked = await table.asked_to_resign(name, public)
        await table.person(name).click(asked.message, "Resign")
    await table.over(public, *names)
    return public


async def rematch(table, public, *names):
    for name in names:
        await table.person(name).click(public, "Rematch")


async def test_a_rematch_begins_when_everybody_wants_it_and_the_old_table_links_to_it(table, ended):
    ann, bo = (table.person(name).mention for name in NAMES)
    await rematch(table, ended, "Bo")
    await table.discord.until(lambda: f"{bo} wants a rematch (1 of 2)." in ended.text)
    since = len(table.discord.requests)

    await rematch(table, ended, "Ann")
    await table.discord.until(lambda: "Go to the rematch" in labels(ended))

    (new,) = [m for m in table.discord.world.messages.values() if "is choosing" in m.text]
    assert leads_to(ended, new)
    assert labels(ended)[:5] == ["Go to the rematch", "Replay", "Share", "Coach", "Export"]
    assert "The rematch has started." in ended.text
    assert f"🔵 {bo} against 🔶 {ann}" in new.text
    assert (new.channel_id, new.pinged) == (ended.channel_id, frozenset())
    await table.discord.until(lambda: all(table.cards(table.desk(name)) for name in NAMES))
    assert all(leads_to(table.desk(name), new) for name in NAMES)
    await table.trick(*NAMES)
    await table.discord.until(lambda: "beats" in new.text or "scores" in new.text)
    await table.quiet_now()
    assert len(table.requests("POST", f"/channels/{ended.channel_id}/messages", since)) == 1
    assert table.sql("SELECT settled FROM matches ORDER BY id") == [(1,), (0,)]


async def test_the_link_to_a_rematch_appears_after_a_crash_before_its_table_was_posted(table):
    public = await _ended(table)
    await rematch(table, public, "Bo")
    await table.quiet_now()
    await table.bot.services.rematches.want(table.match_of(public), table.person("Ann").id, 12345)

    await table.restart()
    await table.repaired()
    await table.discord.until(lambda: "Go to the rematch" in labels(public))

    (new,) = [m for m in table.discord.world.messages.values() if "is choosing" in m.text]
    assert leads_to(public, new)


async def test_a_rematch_offer_expires_if_nobody_accepts_it(table, ended):
    await rematch(table, ended, "Bo")
    await table.discord.until(lambda: "1 of 2" in ended.text)

    table.watch.advance(10 * MINUTE)
    table.bot.services.deadlines.clock_moved()
    await table.discord.until(lambda: "1 of 2" not in ended.text)

    assert labels(ended)[:5] == ["Rematch", "Replay", "Share", "Coach", "Export"]


async def test_a_match_that_changes_while_it_is_being_settled_is_compared_again(
    table, ended, monkeypatch
):
    """Nothing else announces the change, as if another process had made it."""
    await table.quiet_now()
    match, live = table.match_of(ended), table.bot.services.live
    settle = live._settle

    async def overtaken(*shown):
        monkeypatch.setattr(live, "_settle", settle)
        async with table.bot.services.storage.transaction() as writing:
            await writing.matches.show_again(match)
        await settle(*shown)

    monkeypatch.setattr(live, "_settle", overtaken)
    live.compare_soon(match)
    await table.quiet_now()

    assert live._settle is settle
    assert table.sql(
        "SELECT DISTINCT settled, places.revision = matches.revision"
        " FROM matches JOIN places ON match = id"
    ) == [(1, 1)]
    assert live.slots._matches == {}


async def test_a_stranger_cannot_want_a_rematch_and_nobody_can_want_one_twice(table, ended):
    await rematch(table, ended, "Bo")

    strange = await table.person("Dan").click(ended, "Rematch")
    again = await table.person("Bo").click(ended, "Rematch")

    assert strange.text == "You didn't play in this match. Start your own with a `play` command."
    assert again.text == "You've already asked for a rematch. Wait for an answer."


async def test_there_is_no_rematch_of_a_game_that_is_switched_off(table, ended):
    await table.change(
        "INSERT INTO servers (guild, threads, games_off, time_off_barred)"
        " SELECT guild, 0, 'pico', '' FROM matches"
    )

    answer = await table.person("Bo").click(ended, "Rematch")

    assert answer.text.startswith("Pico is turned off in this server")


async def test_a_replay_shows_the_match_privately_step_by_step(table, ended):
    answer = await (await table.person("Dan").click(ended, "Replay")).settled()
    replay = answer.message
    seen = [replay.text]
    for place in ("Step 1 of 2", "Step 2 of 2", "After step 2 of 2"):
        await table.person("Dan").click(replay, "Next ▶")
        await table.discord.until(lambda p=place: f"-# {p}" in replay.text)
        seen.append(replay.text)

    assert answer.ephemeral
    assert "The cards are dealt." in seen[0]
    moves = [move for (move,) in table.sql("SELECT move FROM moves ORDER BY step, seat")]
    assert f"`{moves[0]}`  🔶 `{moves[1]}`" in seen[1]
    assert f"{table.person('Ann').mention} resigned" in seen[3]
    assert f"wins**: {table.person('Ann').mention} resigned." in seen[3]
    assert [b.disabled for b in replay.buttons] == [False, False, True, True]

    await table.person("Dan").click(replay, "⏮ First")
    await table.discord.until(lambda: replay.text == seen[0])
    assert [b.disabled for b in replay.buttons] == [True, True, False, False]
    await table.person("Dan").click(replay, "Last ⏭")
    await table.discord.until(lambda: replay.text == seen[3])


async def test_a_replay_has_pictures_unless_its_reader_prefers_words(discord, tmp_path):
    async with seated(discord, tmp_path, Threads()) as table:
        public = await _ended(table)
        replay = (await (await table.person("Dan").click(public, "Replay")).settled()).message
        first = replay.images[0]

        await table.person("Dan").click(replay, "Next ▶")
        await table.discord.until(lambda: replay.images[0].url != first.url)

        assert "Last trick" in replay.images[0].description


async def test_a_running_match_can_be_neither_replayed_nor_exported(table):
    public = await table.match()
    number = table.match_of(public)
    ann = table.person("Ann")

    answers = [
        await ann.forge(public, custom_id=f"f1:{number}:0:{act}:")
        for act in ("replay", "export", "rematch")
    ]

    assert [answer.text for answer in answers[:2]] == [
        "This match is still being played. You can do that when it ends."
    ] * 2
    assert answers[2].text == (
        "This match is still being played. You can have a rematch when it ends."
    )


async def exported(table, public, name="Ann"):
    """The two files of an export, by name."""
    answer = await table.person(name).click(public, "Export")
    return answer, {a.filename: a.data for a in answer.message.attachments}


async def verify(table, name, data, where="games"):
    channel = table.person(name).dm if where == "dm" else where
    answer = await table.person(name).slash("verify", channel=channel, file=("m.json", data))
    await answer.settled()
    return answer


async def test_an_export_can_be_read_and_verified_also_in_direct_messages(table, ended):
    answer, files = await exported(table, ended)
    found = await verify(table, "Dan", files["pico-1.json"], "dm")

    assert answer.ephemeral
    assert set(files) == {"pico-1.txt", "pico-1.json"}
    transcript = files["pico-1.txt"].decode()
    assert transcript.startswith("Pico · 13 cards\n")
    assert "You had seat 1." in transcript
    assert "seat 1 leaves (resigned)" in transcript
    ids = [str(table.person(name).id) for name in NAMES]
    assert not [i for i in ids if i in transcript or i in files["pico-1.json"].decode()]
    assert found.ephemeral
    assert "Pico, 2 seats, 2 steps" in found.text
    assert "This export is genuine." in found.text


async def test_the_commitment_at_a_table_links_to_its_explanation(table):
    public = await table.match()
    ((ids,),) = table.sql("SELECT ids FROM synced_commands")
    link = f"</verify:{json.loads(ids)['verify']}>"
    menu = await table.person("Dan").click(public, "Menu")
    explained = await table.person("Dan").slash("verify", channel="games")

    assert re.search(f"Sealed deal `[0-9a-f]{{8}}`: {link} explains it", public.text)
    assert f"{link} says how to check it." in menu.text
    assert explained.ephemeral
    assert explained.text.startswith("### Is the deal fair?\n")
    assert f"{link} checks that file" in explained.text


async def test_an_export_that_discord_refuses_is_explained(table, ended):
    refusal = Fault(method="POST", path=r"^/interactions/", status=403, code=400001)
    table.discord.faults.add(refusal)

    answer = await table.person("Ann").click(ended, "Export")

    assert answer.ephemeral
    assert answer.text == (
        "Discord won't take files here right now. Try again in our direct messages, or later."
    )


@pytest.mark.parametrize("work", ["public_lines", "_files"])
async def test_nobody_waits_while_the_export_of_a_long_match_is_written(
    table, ended, monkeypatch, work
):
    export = table.person("Ann").click(ended, "Export")

    answer = await with_others_going_on(monkeypatch, exports, work, export)

    assert "The match as text and as JSON." in answer.text


async def test_nobody_waits_while_the_steps_of_a_long_match_are_read(table, ended, monkeypatch):
    replay = await (await table.person("Ann").click(ended, "Replay")).settled()
    turned = table.person("Ann").click(replay.message, "Next ▶")

    answer = await with_others_going_on(monkeypatch, replays, "public_lines", turned)

    await answer.settled()
    assert "Step 1 of 2" in replay.message.text


async def test_a_manipulated_export_is_detected(table, ended):
    _, files = await exported(table, ended, "Dan")
    data = json.loads(files["pico-1.json"])
    data["steps"][1][0]["move"] = "99"

    found = await verify(table, "Ann", json.dumps(data).encode())

    assert "❌ Step 2: You don't have the 99" in found.text
    assert "This export is **not** genuine." in found.text


async def test_a_file_that_is_no_export_gets_a_sentence(table):
    garbage = await verify(table, "Ann", b"\x89PNG" * 100)
    huge = await verify(table, "Ann", b"[" * (MAX_EXPORT_BYTES + 1))

    assert "❌ I can only check the JSON file from **Export**" in garbage.text
    assert "genuine" not in garbage.text
    assert huge.text.startswith(
        "This file is too large: exports have at most 4 MB. Attach the JSON file you got from "
        "Export."
    )


async def test_a_match_that_was_called_off_reveals_its_seed_and_can_be_exported(table):
    public = await table.match()
    menu = await table.person("Ann").click(public, "Menu")
    await table.person("Ann").click(menu.message, "Call it off")
    await table.discord.until(lambda: "Call it off" in labels(public))
    await table.person("Bo").click(public, "Call it off")
    await table.over(public, *NAMES)
    ((seed,),) = table.sql("SELECT seed FROM matches")

    _, files = await exported(table, public)
    found = await verify(table, "Bo", files["pico-1.json"])

    assert json.loads(files["pico-1.json"])["seed"] == seed
    assert f"Sealed deal `{sha256(seed.encode()).hexdigest()[:8]}`" in public.text
    assert "The result is right: none, the match was called off." in found.text
    assert "This export is genuine." in found.text


# From direct messages


async def test_a_hand_of_an_ended_match_offers_what_its_table_offers(table, ended):
    table_ = [label for label in labels(ended) if label != "Rules"]

    assert set(labels(table.desk("Ann"))) == {*table_, "Go to the table"}
    assert {"Rematch", "Replay", "Coach"} < set(table_)


async def test_a_rematch_can_be_agreed_in_direct_messages_and_hands_link_to_it(table, ended):
    hands = {name: table.desk(name) for name in NAMES}
    bo = table.person("Bo").mention

    first = await table.person("Bo").click(hands["Bo"], "Rematch")
    await table.discord.until(
        lambda: all(f"{bo} wants a rematch (1 of 2)." in m.text for m in (ended, hands["Ann"]))
    )
    await table.person("Ann").click(hands["Ann"], "Rematch")
    await table.discord.until(
        lambda: all("Go to the rematch" in labels(m) for m in (ended, *hands.values()))
    )

    await table.quiet_now()
    (new,) = [m for m in table.discord.world.messages.values() if "is choosing" in m.text]
    assert first.kind == 6
    assert new.channel_id == ended.channel_id
    assert all(leads_to(hand, new) for hand in hands.values())
    assert [len(table.letters(name)) for name in NAMES] == [2, 2]


async def test_a_private_hand_offers_the_rematch_too(table):
    table.person("Ann").closed = True
    public = await table.match()
    here = await table.hand("Ann", public)
    asked = await table.asked_to_resign("Bo", public)
    await table.person("Bo").click(asked.message, "Resign")
    await table.discord.until(lambda: "Rematch" in labels(here))

    await table.person("Ann").click(here, "Rematch")

    wish = f"{table.person('Ann').mention} wants a rematch"
    await table.discord.until(lambda: wish in public.text and wish in here.text, 10)


async def test_replay_and_coach_are_answered_in_direct_messages(table, ended):
    hand = table.desk("Ann")

    replay = await (await table.person("Ann").click(hand, "Replay")).settled()
    coach = await (await table.person("Ann").click(hand, "Coach")).settled()

    assert "Replay" in replay.text
    assert coach.text
    assert "went wrong" not in coach.text


async def test_a_game_that_is_switched_off_cannot_be_started_from_direct_messages(table, ended):
    await table.bot.services.guild_settings.switch(table.discord.world.guild.id, [], ["pico"])

    answer = await table.person("Ann").click(table.desk("Ann"), "Rematch")

    assert "switched off" in answer.text or "turned off" in answer.text
    assert table.sql("SELECT count(*) FROM seats WHERE agrees = 'rematch'") == [(0,)]


LEFT = "I'm not in that server anymore, so you can't play there. Start a match in another one."
AWAY = "I can't reach that server right now. Try again in a minute."


@pytest.mark.parametrize(("left", "rematch"), [(True, LEFT), (False, AWAY)])
async def test_nothing_can_be_started_from_direct_messages_in_an_unknown_server(
    table, ended, left, rematch
):
    """The bot has left it, or its shard belongs to another process or isn't connected yet."""
    hand, guild = table.desk("Ann"), table.discord.world.guild.id
    table.bot._connection._guilds.clear()
    if left:
        await table.bot.services.guild_lifecycle.server_left(guild)

    answer = await table.person("Ann").click(hand, "Rematch")
    share = await (await table.person("Ann").click(hand, "Share")).settled()

    assert answer.text == rematch
    assert (share.text == AWAY) == (not left)
