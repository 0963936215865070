"""The server side of the page: members are sent what they can see, and nothing else."""

import asyncio
import sys
from datetime import timedelta

import aiohttp
import pytest
import pytest_asyncio

from sandbox.guilds import Thread
from sandbox.permissions import Overwrite, Permission
from sandbox.supervisor import Supervisor

pytestmark = pytest.mark.asyncio(loop_scope="session")

CHILD = "import signal; print('up'); signal.pause()"


async def test_both_panes_receive_the_messages_of_a_channel(page, ann, bo):
    await page.watch("left", ann)
    await page.watch("right", bo)

    await ann.say("games", "Hello")

    await page.shows("left", "Hello")
    await page.shows("right", "Hello")


async def test_an_ephemeral_message_reaches_only_its_reader(page, ann, bo, write):
    await page.watch("left", ann)
    await page.watch("right", bo)

    write("games", "for Ann's eyes", only=ann)
    write("games", "for all")

    await page.shows("left", "for Ann's eyes")
    await page.shows("right", "for all")
    assert "for Ann's eyes" not in page.raw["right"]


async def test_direct_messages_of_others_are_never_sent_whatever_the_page_asks_for(
    page, ann, bo, write
):
    write(ann.dm, "for Ann alone")
    await page.watch("left", ann, "direct")
    await page.shows("left", "for Ann alone")

    await page.watch("right", bo, str(ann.dm.id))
    write("games", "for all")

    await page.shows("right", "for all")
    assert page.panes["right"]["head"]["place"]["name"] == "games"
    assert "for Ann alone" not in page.raw["right"]


async def test_autocomplete_sends_all_other_options_whatever_their_names(page, console, ann):
    sandbox = console.sandbox
    word, other = (
        {"name": name, "description": "A word", "type": 3, "autocomplete": name == "word"}
        for name in ("word", "channel")
    )
    command = {"name": "guess", "description": "Guess", "options": [word, other]}
    sandbox.commands.overwrite(None, [command])
    about = {"option": "word", "text": "ap", "values": {"channel": "lobby"}}
    games = str(sandbox.world.channel("games").id)

    with sandbox.world.events.queue() as events:
        asking = asyncio.create_task(
            page.act(ann, "autocomplete", command="guess", channel=games, **about)
        )
        begun = (await events.get()).subject
        sandbox.clock.advance(timedelta(seconds=3))
        await asking

    sent = {option["name"]: option["value"] for option in begun.data["options"]}
    assert sent == {"word": "ap", "channel": "lobby"}


async def test_a_channel_that_a_member_cannot_see_is_neither_listed_nor_shown(
    page, console, bo, write
):
    world = console.sandbox.world
    hidden = world.add_channel("cellar")
    hidden.overwrites.append(Overwrite(id=bo.id, type=1, deny=Permission.VIEW_CHANNEL))
    write(hidden, "in the cellar")

    await page.watch("right", bo, str(hidden.id))
    write("games", "for all")

    await page.shows("right", "for all")
    assert "cellar" not in page.raw["right"]


async def test_in_a_locked_thread_only_members_who_manage_threads_can_type(page, console, ann, bo):
    world = console.sandbox.world
    now, games = world.clock.now(), world.channel("games")
    details = Thread(owner=world.bot.id, created_at=now, changed_at=now, locked=True)
    thread = world.add_thread(games, "match", details)

    await page.watch("left", ann, str(thread.id))
    await page.watch("right", bo, str(thread.id))

    places = [page.panes[side]["head"]["place"] for side in ("left", "right")]
    assert [(place["name"], place["writable"]) for place in places] == [
        ("match", True),
        ("match", False),
    ]


async def test_a_reply_does_not_quote_what_the_reader_cannot_see(page, ann, bo, write):
    secret = write("games", "only Ann knows", only=ann)
    await page.watch("right", bo)

    write("games", "indeed", reference={"type": 0, "message_id": str(secret.id)})

    await page.shows("right", "indeed")
    assert "only Ann knows" not in page.raw["right"]


@pytest.mark.parametrize("verb", ["click", "select", "context_menu"])
async def test_members_cannot_use_messages_that_they_cannot_see(page, ann, bo, write, verb):
    secret = write("games", "only Ann knows", only=ann)
    details = {
        "custom_id": "x",
        "values": [],
        "command": "Quote",
        "channel": str(secret.channel_id),
    }

    reply = await page.act(bo, verb, message=str(secret.id), **details)

    assert reply == {"error": "This message doesn't exist anymore."}


async def test_members_cannot_write_in_the_direct_messages_of_others(page, ann, bo):
    reply = await page.act(bo, "say", channel=str(ann.dm.id), text="Hi")

    assert reply == {"error": "This channel doesn't exist anymore."}
    assert not ann.direct_messages


async def test_the_page_cannot_act_as_the_bot(page, console):
    reply = await page.act(console.sandbox.world.bot, "say", channel="direct", text="Hi")

    assert "does not know" in reply["error"]


async def test_a_dismissed_message_is_gone_for_its_reader(page, ann, write):
    await page.watch("left", ann)
    secret = write("games", "read and burn", only=ann)
    await page.shows("left", "read and burn")

    await page.act(ann, "dismiss", message=str(secret.id))

    await page.until(lambda: "read and burn" not in page.texts("left"))


async def test_an_ephemeral_answer_does_not_count_as_unread(page, ann, write):
    await page.watch("left", ann)
    write("lobby", "for Ann's eyes", only=ann)
    write("games", "for all")
    await page.shows("left", "for all")

    channels = {c["name"]: c["unread"] for c in page.panes["left"]["head"]["channels"]}
    assert channels == {"games": False, "lobby": False}


async def test_a_public_message_cannot_be_dismissed(page, ann, bo, write):
    await page.watch("right", bo)
    public = write("games", "for all")
    await page.shows("right", "for all")

    await page.act(ann, "dismiss", message=str(public.id))
    await page.act(bo, "dismiss", message=str(public.id))

    write("games", "and this")
    await page.shows("right", "and this")
    assert page.texts("right") == ["for all", "and this"]


async def test_direct_messages_count_as_unread_until_they_are_viewed(page, ann, write):
    await page.watch("left", ann)
    write(ann.dm, "one")
    write(ann.dm, "two")
    await page.until(lambda: page.panes["left"]["head"]["direct"]["unread"] == 2)

    await page.watch("left", ann, "direct")

    await page.until(lambda: page.panes["left"]["head"]["direct"]["unread"] == 0)
    assert ann.unread == 0


async def test_a_ping_is_marked_for_the_person_it_mentions(page, ann, bo, write):
    await page.watch("left", ann)
    await page.watch("right", bo)

    ping = write("games", f"{bo.mention}, your turn")

    await page.shows("left", ping.content)
    await page.shows("right", ping.content)
    assert page.panes["right"]["messages"][str(ping.id)]["pings"]
    assert not page.panes["left"]["messages"][str(ping.id)]["pings"]


async def test_only_what_changed_is_sent_again(page, ann, write):
    await page.watch("left", ann)
    first = write("games", "first")
    write("games", "second")
    await page.shows("left", "second")
    before = page.raw["left"].count('"content":"first"')

    first.content = "changed"
    write("games", "third")

    await page.shows("left", "third")
    assert page.texts("left") == ["changed", "second", "third"]
    assert page.raw["left"].count('"content":"second"') == 1
    assert before == 1


async def test_viewing_the_same_channel_again_sends_no_messages_again(page, ann, write):
    """A needless redraw would remove the element that somebody is about to click."""
    await page.watch("left", ann)
    write("games", "first")
    await page.shows("left", "first")

    await page.watch("left", ann)
    await page.act(ann, "say", channel="direct", text="second")

    assert page.raw["left"].count('"content":"first"') == 1


async def test_a_member_who_views_a_deleted_channel_is_moved_to_another(page, console, ann):
    lobby = console.sandbox.world.channel("lobby")
    await page.watch("left", ann, str(lobby.id))

    await page.order("delete-channel", channel=str(lobby.id))

    await page.until(lambda: page.panes["left"]["head"]["place"]["name"] == "games")
    assert [entry["name"] for entry in page.panes["left"]["head"]["channels"]] == ["games"]


@pytest_asyncio.fixture(loop_scope="session")
async def supervised(console):
    """A function that starts processes of a bot that prints a line and waits."""
    command = (sys.executable, "-c", CHILD)

    async def start(processes=1):
        console.bots = [
            Supervisor(command, {}, on_line=lambda _: console.wake()) for _ in range(processes)
        ]
        for bot in console.bots:
            await bot.start()
        return console.bots

    yield start
    for bot in console.bots:
        await bot.kill()


async def test_the_panel_restarts_the_bot_and_shows_what_it_prints(page, supervised):
    (bot,) = await supervised()
    await page.until(lambda: page.panel["lines"] == ["up"])

    await page.order("restart-bot")

    await page.until(lambda: page.panel["lines"] == ["up", "up"])
    assert bot.starts == 2


async def test_the_panel_kills_the_bot_and_starts_it_again(page, supervised):
    (bot,) = await supervised()

    await page.order("kill-bot")
    killed = {"state": "stopped", "exit_code": -9, "exited_alone": False}
    await page.until(lambda: page.panel["bot"]["processes"] == [killed])
    await page.order("start-bot")

    assert bot.state == "running"


async def test_the_panel_can_kill_and_start_one_of_several_processes(page, supervised):
    bots = await supervised(3)
    await page.until(lambda: sorted(page.panel["lines"]) == ["1 | up", "2 | up", "3 | up"])

    await page.order("kill-bot", process=2)
    states = [bot.state for bot in bots]
    await page.order("start-bot", process=2)
    await page.until(lambda: page.panel["lines"][3:] == ["2 | up"])
    refused = [await page.order("kill-bot", process=n) for n in (0, 4, "2")]

    assert states == ["running", "stopped", "running"]
    assert [bot.state for bot in bots] == ["running"] * 3
    assert refused == [{"error": f"There is no process {n!r} of the bot."} for n in (0, 4, "2")]


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "http://elsewhere.example"}, {"Host": "rebound.example"}],
    ids=["another page", "another name of this machine"],
)
async def test_only_the_sandboxs_own_page_can_connect(console, headers):
    async with aiohttp.ClientSession() as session:
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await session.ws_connect(f"{console.sandbox.url}/console/socket", headers=headers)

    assert refused.value.status == 403


async def test_only_the_files_of_the_page_are_served(console):
    async with aiohttp.ClientSession() as session:
        url = f"{console.sandbox.url}/console"
        found = await session.get(f"{url}/js/main.js")
        missing = await session.get(f"{url}/js/none.js")
        outside = await session.get(f"{url}/js/..%2f..%2f..%2fserver.py")

        assert (found.status, missing.status, outside.status) == (200, 404, 404)
        assert "default-src 'self'" in found.headers["Content-Security-Policy"]


async def test_a_member_sees_other_servers_and_groups_and_can_install_the_bot(console, page):
    world, ann = console.sandbox.world, console.sandbox.person("Ann")
    strange = world.add_guild("Book Club", channels=("novels",))
    group = world.add_channel_without_bot(
        ann.user, console.sandbox.person("Bo").user, name="Ann and Bo"
    )
    await page.watch("left", ann)
    head = page.panes["left"]["head"]

    places = {each["name"]: [c["name"] for c in each["channels"]] for each in head["elsewhere"]}
    assert places == {"Book Club": ["novels"], "Friends": ["Ann and Bo"]}
    assert strange.name == "Book Club"
    await page.watch("left", ann, str(group.id))
    await page.until(lambda: page.panes["left"]["head"]["place"]["kind"] == "group")
    for installed in (True, False):
        await page.act(ann, "install", installed=installed)
        await page.until(lambda i=installed: page.panes["left"]["head"]["installed"] is i)
        assert (ann.id in world.user_installs) is installed
