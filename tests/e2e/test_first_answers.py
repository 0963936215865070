"""Every command and button gets its first answer within a second, whatever it has to wait for.

Discord accepts an answer for 3 seconds. The bot's own lists say what has to be tried here, so a new
command or button that isn't tried yet fails the test.
"""

import asyncio
from functools import partial

import pytest
from discord import AppCommandType, app_commands

from bot.messaging.first_answer import DEFER_AFTER_SECONDS
from games.computers import COMPUTERS
from games.pico import PICO
from tests.support import conquest_tables
from tests.support.every_message import ended, messages, paused, use
from tests.support.standstill import Halting, HaltingComputers, HaltingDrawing, standstill
from tests.support.tables import seated
from tests.support.thinking import Lowest

SECOND = 1.0
HUNG = 10.0
TICK = 0.01
STALLED = 0.05
"""Seconds; a turn of the loop is never longer, unless this machine is busy with other things."""

SIDE_BY_SIDE = 6
"""How many people click at the same time; more would only wait for this machine."""

IN_PLACE = 6
"""The callback type that defers a click without showing anything."""

BOTH = ("Ann", "Bo")


PATIENCE = (
    "bot.computers.coach.READING_SECONDS",
    "bot.matches.archive.CHECK_SECONDS",
    "bot.matches.archive.COURSE_SECONDS",
    "bot.matches.replays.REPLAY_SECONDS",
    "bot.messaging.layouts.MAX_DRAWING_SECONDS",
)
"""How long somebody who sees that the bot is thinking waits for another process."""

PAGES = (
    "bot.puzzles.answers.PER_PAGE",
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
    """Let everything that an answer may have to wait for hang within a block.

    If answers are deferred at once, each shows how its deferral was declared.
    """
    pools = [table.workers, *processes.values()]
    return partial(standstill, table, pools, monkeypatch, defer_after=request.param)


ACTS = {
    "accept": ("Cleo", "asked"),
    "agree": ("Ann", "running"),
    "answer": ("Dan", "exercise"),
    "again": ("Ann", "history"),
    "board": ("Ann", "leaderboard"),
    "bottom": ("Ann", "menu"),
    "choose": ("Ann", "form"),
    "coach": ("Bo", "over"),
    "coachpage": ("Ann", "coach"),
    "computer": ("Ann", "seats"),
    "count": ("Cleo", "held"),
    "decline": ("Cleo", "asked"),
    "digests": ("Ann", "settings"),
    "draft": ("Ann", "war"),
    "endchallenge": ("Ann", "withdrawing"),
    "endmatch": ("Ann", "moderated"),
    "erase": ("Ann", "erase"),
    "exercise": ("Dan", "solved"),
    "export": ("Ann", "over"),
    "frame": ("Ann", "replay"),
    "follow": ("Ann", "watch"),
    "games": ("Ann", "games"),
    "hand": ("Bo", "running"),
    "help": ("Ann", "help"),
    "history": ("Ann", "history"),
    "join": ("Bo", "seats"),
    "keepmatch": ("Ann", "moderated"),
    "learn": ("Ann", "help"),
    "leave": ("Ann", "question"),
    "lessons": ("Dan", "exercise"),
    "limit": ("Ann", "settings"),
    "menu": ("Bo", "running"),
    "moves": ("Ann", "menu"),
    "nudge": ("Ann", "menu"),
    "offer": ("Ann", "menu"),
    "next": ("Ann", "listed"),
    "newseason": ("Ann", "season"),
    "notify": ("Ann", "notify"),
    "oldseason": ("Ann", "other season"),
    "openboard": ("Cleo", "announced"),
    "openhelp": ("Cleo", "announced"),
    "page": ("Ann", "rules"),
    "pick": ("Ann", "hand"),
    "prefer": ("Ann", "preferences"),
    "puzzle": ("Bo", "post"),
    "puzzles": ("Ann", "settings"),
    "refuse": ("Ann", "running"),
    "rematch": ("Ann", "over"),
    "reopen": ("Ann", "held"),
    "replay": ("Bo", "over"),
    "resign": ("Ann", "menu"),
    "rules": ("Bo", "running"),
    "send": ("Ann", "form"),
    "setting": ("Ann", "settings"),
    "share": ("Ann", "over"),
    "sharepuzzle": ("Ann", "puzzle"),
    "signal": ("Bo", "signals"),
    "solution": ("Ann", "puzzle"),
    "solutions": ("Ann", "solution"),
    "solve": ("Ann", "puzzle"),
    "solvers": ("Ann", "solvers"),
    "start": ("Ann", "seats"),
    "stats": ("Ann", "stats"),
    "stay": ("Ann", "question"),
    "switch": ("Ann", "settings"),
    "takeseat": ("Ann", "watch"),
    "takeup": ("Cleo", "invited"),
    "tap": ("Ann", "tapped"),
    "timeoff": ("Ann", "settings"),
    "turndown": ("Cleo", "invited"),
    "turnmoves": ("Ann", "moves"),
    "unpause": ("Cleo", "resting"),
    "unfollow": ("Ann", "watch"),
    "unseat": ("Ann", "removing"),
    "vacate": ("Dan", "seats"),
    "watch": ("Ann", "watch"),
    "withdraw": ("Ann", "asked"),
}
"""Who uses each button, and on which of the messages."""


class LoopTime:
    """Seconds in which the loop could have answered, without those that other programs took."""

    def __init__(self):
        self.seconds = 0.0

    async def count(self):
        clock = asyncio.get_running_loop().time
        while True:
            before = clock()
            await asyncio.sleep(TICK)
            self.seconds += min(clock() - before, STALLED)


async def first_answer(using, waited):
    """Seconds until an interaction has its first answer, and the answer; None if it hangs."""
    began = waited.seconds
    try:
        async with asyncio.timeout(HUNG):
            answer = await using
    except TimeoutError:
        return None, None
    return waited.seconds - began, answer


async def first_answers(uses):
    """`first_answer` of many interactions by name, a few at a time."""
    names, found, waited = list(uses), {}, LoopTime()
    counting = asyncio.create_task(waited.count())
    for i in range(0, len(names), SIDE_BY_SIDE):
        some = names[i : i + SIDE_BY_SIDE]
        answers = await asyncio.gather(*(first_answer(uses[n], waited) for n in some))
        found |= zip(some, answers, strict=True)
    counting.cancel()
    return found


def late(answers):
    return {name: took for name, (took, _) in answers.items() if took is None or took > SECOND}


def commands(table):
    """Every slash command by its qualified name."""
    walked = table.bot.tree.walk_commands()
    return {c.qualified_name: c for c in walked if isinstance(c, app_commands.Command)}


async def settled(table, answers):
    """Wait until all answers have content and no message is shown as loading."""
    shown = table.discord.world.messages.values()

    def waiting():
        silent = [name for name, (_, answer) in answers.items() if not answer.text]
        return silent + [m for m in shown if m.is_loading and not m.deleted]

    await table.discord.until(lambda: not waiting())


def taken_back(answers):
    """The names of answers whose "thinking" message was deleted, not filled."""
    return {name for name, (_, answer) in answers.items() if answer.message.deleted}


def misplaced(answers):
    """The names of answers that came as new messages instead of editing the clicked one."""
    return {
        name
        for name, (_, answer) in answers.items()
        if answer.kind == IN_PLACE and any(message.components for message in answer.followups)
    }


async def test_every_button_is_answered_within_a_second(table, still):
    found = await messages(table)
    assert set(table.bot.services.router._routes) == set(ACTS)

    async with still():
        answers = await first_answers(
            {act: use(table.person(who), found[where], act) for act, (who, where) in ACTS.items()}
        )
        assert late(answers) == {}
    await settled(table, answers)
    await table.discord.until(lambda: misplaced(answers))

    assert taken_back(answers) == {"send"}  # it mentions somebody
    assert misplaced(answers) == {"tap"}  # its receipt is a message of its own


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
