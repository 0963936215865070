"""Every command and button has its first answer within a second, whatever it has to wait for.

Discord takes an answer for 3 seconds. The lists of what is tried are the bot's own: who adds a
command or a button is told here that it is not tried yet.
"""

import asyncio
from functools import partial

import pytest
from discord import AppCommandType, app_commands

from bot.messaging.first_answer import DEFER_AFTER_SECONDS
from games.computers import COMPUTERS
from games.pico import PICO
from tests.support import conquest_tables
from tests.support.standstill import Halting, HaltingComputers, HaltingDrawing, standstill
from tests.support.tables import seated
from tests.support.thinking import Lowest

SECOND = 1.0
HUNG = 10.0
SIDE_BY_SIDE = 6
"""So many people click at the same time: more would only wait for this machine."""

IN_PLACE = 6
"""How Discord calls the deferral of a click that nobody is shown."""

BOTH = ("Ann", "Bo")


PATIENCE = (
    "bot.computers.coach.READING_SECONDS",
    "bot.matches.archive.CHECK_SECONDS",
    "bot.matches.replays.REPLAY_SECONDS",
    "bot.messaging.delivery.MAX_DRAWING_SECONDS",
)
"""How long a process is waited for by somebody who sees that the bot is thinking."""

PAGES = (
    "bot.rendering.coach.CHOICES_PER_PAGE",
    "bot.rendering.moves.STEPS_PER_PAGE",
    "bot.stats.match_history.PER_PAGE",
)


@pytest.fixture
def processes():
    computers = HaltingComputers()
    return {"replays": Halting(), "verifier": Halting(), "computers": computers}


@pytest.fixture
async def table(discord, tmp_path, processes, monkeypatch):
    monkeypatch.setitem(COMPUTERS, "pico", Lowest(PICO))
    for size in PAGES:
        monkeypatch.setattr(size, 1)
    for seconds in PATIENCE:
        monkeypatch.setattr(seconds, 0.1)
    async with seated(discord, tmp_path, HaltingDrawing(), processes=processes) as table:
        yield table


@pytest.fixture(params=[DEFER_AFTER_SECONDS, 0.0], ids=["in time", "at once"])
def still(table, processes, monkeypatch, request):
    """Everything that somebody may have to wait for stands still within a block.

    Deferred at once, each answer shows how it was said to be deferred.
    """
    pools = [table.workers, *processes.values()]
    return partial(standstill, table, pools, monkeypatch, defer_after=request.param)


async def message_of(answering):
    return (await (await answering).settled()).message


async def ended(table):
    """The table of a rated match that is over."""
    public = await table.match(*BOTH)
    await table.trick(*BOTH)
    await table.trick(*BOTH)
    asked = await table.asked_to_resign("Ann", public)
    await table.person("Ann").click(asked.message, "Resign")
    await table.over(public, *BOTH)
    return public


async def offered(table):
    """The table of a match in which Bo offers a draw."""
    public = await table.match(*BOTH)
    menu = await table.person("Bo").click(public, "Menu")
    await table.person("Bo").click(menu.message, "Offer a draw")
    await table.discord.until(lambda: find(public, "agree"))
    return public


async def resting(table):
    """The table of a match that is paused by agreement."""
    public = await table.match("Ann", "Cleo")
    menu = await table.person("Ann").click(public, "Menu")
    await table.person("Ann").click(menu.message, "Offer a pause")
    await table.discord.until(lambda: find(public, "agree"))
    await table.person("Cleo").click(public, find(public, "agree").custom_id)
    await table.discord.until(lambda: find(public, "unpause"))
    return public


async def forfeited(table):
    """The table of a match that can be resumed, because its players missed their deadlines."""
    public = await table.match("Ann", "Cleo")
    match = table.match_of(public)
    for _ in range(2):
        await table.change(f"UPDATE matches SET due_at = 1, deadline = 1 WHERE id = {match}")  # noqa: S608
        table.bot.services.deadlines.wake()
        await table.discord.until(
            lambda: table.sql("SELECT due_at FROM matches WHERE id = ?", match) != [(1,)]
        )
    await table.discord.until(lambda: find(public, "reopen"))
    return public


async def tapped(table):
    public = await table.challenge(*BOTH, hand="tap")
    await table.person("Bo").click(public, "Accept")
    await table.discord.until(lambda: find(public, "tap"))
    return public


async def seats(table):
    """A challenge with open seats, of which Dan has taken one."""
    public = await message_of(
        table.person("Ann").slash("conquest play", channel="games", players=4)
    )
    await table.person("Dan").click(public, "Join")
    await table.discord.until(lambda: find(public, "vacate"))
    return public


async def given_up(table):
    """The table of a second match that is over, which its challenger has left at once."""
    public = await table.match("Ann", "Cleo")
    await table.person("Ann").forge(public, custom_id=f"f1:{table.match_of(public)}:0:leave:")
    await table.over(public, "Ann", "Cleo")


async def pointing(table):
    """Bo's hand in a match with signals, where he is about to give one."""
    public = await conquest_tables.begun(table, signal=True)
    hand = table.desk("Bo", public)
    await table.person("Bo").click(hand, "Signal …")
    await table.discord.until(lambda: find(hand, "signal"))
    return hand, table.desk("Ann", public)


async def paused(table):
    """The number of a match whose channel is gone."""
    public = await table.match("Cleo", "Dan", channel="lobby")
    table.discord.world.delete_channel("lobby")
    await table.discord.until(lambda: table.sql("SELECT 1 FROM matches WHERE paused_at NOT NULL"))
    return table.match_of(public)


async def watched(table):
    """Ann's list of matches: one to join, one to follow, and one that she follows."""
    await table.match("Cleo", "Dan")
    await table.match("Bo", "Dan")
    await message_of(table.person("Dan").slash("duel play", channel="games"))
    shown = await message_of(table.person("Ann").slash("watch", channel="games"))
    await use(table.person("Ann"), shown, "follow")
    return shown


async def messages(table):
    """Messages that have all the buttons there are, by a word for each."""
    ann = table.person("Ann")
    await given_up(table)
    held = await forfeited(table)
    rest = await resting(table)
    over, running = await ended(table), await offered(table)
    signals, war = await pointing(table)
    found = {
        "over": over,
        "running": running,
        "resting": rest,
        "held": held,
        "hand": table.desk("Ann", running),
        "signals": signals,
        "war": war,
        "tapped": await tapped(table),
        "asked": await table.challenge("Ann", "Cleo"),
        "seats": await seats(table),
        "form": await message_of(
            ann.context_menu("Challenge", channel="games", user=table.person("Dan"))
        ),
        "erase": await message_of(ann.slash("privacy delete", channel="games")),
    }
    found["watch"] = await watched(table)
    found["menu"] = await message_of(ann.click(running, "Menu"))
    found["question"] = await message_of(ann.click(found["menu"], "Resign"))
    found["moves"] = await message_of(
        ann.forge(over, custom_id=f"f1:{table.match_of(over)}:0:moves:")
    )
    for label in ("Replay", "Coach", "Rules"):
        found[label.lower()] = await message_of(ann.click(over, label))
    for name in (
        "games",
        "help",
        "leaderboard",
        "stats",
        "history",
        "notify",
        "preferences",
        "settings",
    ):
        found[name] = await message_of(ann.slash(name, channel="games"))
    await table.settled()
    return found


def find(message, act):
    """The button or menu of a message that stands for an act; None if it has none."""
    return next(
        (
            component
            for component in (*message.buttons, *message.selects)
            if component.custom_id
            and component.custom_id.split(":")[3] == act
            and not component.disabled
        ),
        None,
    )


def use(person, message, act):
    """Somebody clicks the button of a message, or takes the first of its menu."""
    component = find(message, act)
    if component in message.buttons:
        return person.click(message, component.custom_id)
    values = [option["value"] for option in component.options[: max(component.low, 1)]]
    return person.select(message, component.custom_id, values)


ACTS = {
    "accept": ("Cleo", "asked"),
    "agree": ("Ann", "running"),
    "again": ("Ann", "history"),
    "board": ("Ann", "leaderboard"),
    "bottom": ("Ann", "menu"),
    "choose": ("Ann", "form"),
    "coach": ("Bo", "over"),
    "coachpage": ("Ann", "coach"),
    "computer": ("Ann", "seats"),
    "count": ("Cleo", "held"),
    "decline": ("Cleo", "asked"),
    "draft": ("Ann", "war"),
    "erase": ("Ann", "erase"),
    "export": ("Ann", "over"),
    "frame": ("Ann", "replay"),
    "follow": ("Ann", "watch"),
    "games": ("Ann", "games"),
    "hand": ("Bo", "running"),
    "help": ("Ann", "help"),
    "history": ("Ann", "history"),
    "join": ("Bo", "seats"),
    "leave": ("Ann", "question"),
    "limit": ("Ann", "settings"),
    "menu": ("Bo", "running"),
    "moves": ("Ann", "menu"),
    "nudge": ("Ann", "menu"),
    "offer": ("Ann", "menu"),
    "notify": ("Ann", "notify"),
    "page": ("Ann", "rules"),
    "pick": ("Ann", "hand"),
    "prefer": ("Ann", "preferences"),
    "refuse": ("Ann", "running"),
    "rematch": ("Ann", "over"),
    "reopen": ("Ann", "held"),
    "replay": ("Bo", "over"),
    "resign": ("Ann", "menu"),
    "rules": ("Bo", "running"),
    "send": ("Ann", "form"),
    "setting": ("Ann", "settings"),
    "signal": ("Bo", "signals"),
    "start": ("Ann", "seats"),
    "stats": ("Ann", "stats"),
    "stay": ("Ann", "question"),
    "switch": ("Ann", "settings"),
    "takeseat": ("Ann", "watch"),
    "tap": ("Ann", "tapped"),
    "timeoff": ("Ann", "settings"),
    "turnmoves": ("Ann", "moves"),
    "unpause": ("Cleo", "resting"),
    "unfollow": ("Ann", "watch"),
    "vacate": ("Dan", "seats"),
    "watch": ("Ann", "watch"),
    "withdraw": ("Ann", "asked"),
}
"""Who uses each button, and on which of the messages."""


async def first_answer(using):
    """The seconds until an interaction has its first answer, and the answer; None if it hangs."""
    clock = asyncio.get_running_loop().time
    began = clock()
    try:
        async with asyncio.timeout(HUNG):
            answer = await using
    except TimeoutError:
        return None, None
    return clock() - began, answer


async def first_answers(uses):
    """The same of many, by their names; a few at a time."""
    names, found = list(uses), {}
    for i in range(0, len(names), SIDE_BY_SIDE):
        some = names[i : i + SIDE_BY_SIDE]
        found |= zip(
            some, await asyncio.gather(*(first_answer(uses[n]) for n in some)), strict=True
        )
    return found


def late(answers):
    return {name: took for name, (took, _) in answers.items() if took is None or took > SECOND}


def commands(table):
    """Every slash command by its whole name."""
    walked = table.bot.tree.walk_commands()
    return {c.qualified_name: c for c in walked if isinstance(c, app_commands.Command)}


async def settled(table, answers):
    """Return once each has its answer, and nobody is shown any more that the bot is thinking."""
    shown = table.discord.world.messages.values()

    def waiting():
        silent = [name for name, (_, answer) in answers.items() if not answer.text]
        return silent + [m for m in shown if m.is_loading and not m.deleted]

    await table.discord.until(lambda: not waiting())


def taken_back(answers):
    """Those that did not fill what says that the bot is thinking, but came as new messages."""
    return {name for name, (_, answer) in answers.items() if answer.message.deleted}


def misplaced(answers):
    """Those that came as new messages though the one that was clicked was to be changed."""
    return {
        name
        for name, (_, answer) in answers.items()
        if answer.kind == IN_PLACE and any(message.components for message in answer.followups)
    }


async def test_every_button_is_answered_within_a_second(table, still):
    found = await messages(table)
    assert set(table.bot.services.router._handlers) == set(ACTS)

    async with still():
        answers = await first_answers(
            {act: use(table.person(who), found[where], act) for act, (who, where) in ACTS.items()}
        )
        assert late(answers) == {}
    await settled(table, answers)

    assert taken_back(answers) == {"send"}  # it pings somebody
    assert misplaced(answers) == set()


async def test_every_command_is_answered_within_a_second(table, still):
    over = await ended(table)
    war = await conquest_tables.begun(table)
    lost = await paused(table)
    exported = await table.person("Ann").click(over, "Export")
    values = {
        "days": 3,
        "file": ("match.json", exported.message.attachments[1].data),
        "match": table.match_of(war),
        "name": "Winter",
        "order": "E5-9-D4",
        "person": table.person("Cleo"),
        "text": "Something is wrong here.",
        "user": table.person("Cleo"),
    }
    special = {"resume": {"match": lost}}

    def used(name, command):
        given = special.get(name, values)
        return table.person("Cleo" if name in special else "Ann").slash(
            name,
            channel="games",
            options={p.name: given[p.name] for p in command.parameters if p.required},
        )

    menus = [menu.name for menu in table.bot.tree.get_commands(type=AppCommandType.user)]
    uses = {name: used(name, command) for name, command in commands(table).items()}
    for name in menus:
        uses[name] = table.person("Ann").context_menu(
            name, channel="games", user=table.person("Dan")
        )

    async with still():
        answers = await first_answers(uses)
        assert late(answers) == {}
    await settled(table, answers)

    assert menus == ["Challenge"]
    assert taken_back(answers) == set()
