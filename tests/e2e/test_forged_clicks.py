"""Forged clicks: every act, from places where it is never offered, with arbitrary arguments.

Discord vouches only for who clicks and where. Each of these clicks gets a sentence, changes no row,
and isn't logged as a bug.
"""

import asyncio
import sqlite3
from contextlib import closing
from functools import cache, partial
from types import SimpleNamespace

import discord as library
import pytest
from structlog.testing import capture_logs

from bot.interactions.match_access import NO_MODERATOR
from bot.messaging.components import LARGEST_ID
from bot.messaging.first_answer import FirstAnswer
from games.computers import COMPUTERS
from games.pico import PICO
from sandbox.command_options import find_command
from sandbox.interactions import InteractionType
from sandbox.permissions import Overwrite, Permission
from tests.e2e.test_first_answers import ACTS, PAGES, SIDE_BY_SIDE
from tests.support.every_message import ended, find, messages
from tests.support.standstill import Halting, HaltingComputers
from tests.support.thinking import Lowest

DIGITS = "9" * 55
STRANGE = (
    *("", str(2**64), f"{10**30} pico standard - r", "0", "1", "-1", "007", "1e9", "٣٣", "²"),
    *("\x00", "😀" * 20, "x" * 55, DIGITS, f"-{DIGITS[1:]}", str(LARGEST_ID), str(LARGEST_ID + 1)),
    *("0 pico standard - r", "1 pico standard - r", "easy chess standard - r", "1 pico no - r"),
    *(f"{10**40} - 0 w", f"s{10**40} - 0 w", f"1 - {10**40} p", "-1 - 0 w", "1 chess 0 w"),
    *("7 <999999999999999999", f"{10**30} >1", "pico s999999999999999999", "- never", "chess all"),
    *(f"early {10**40}", "show nothing", "turn pigeon", "' OR 1=1", "E5-99-D4", f"E5-{10**40}-D4"),
    *(f"0 {10**40}", "fight / / pass", f"{10**20}@{10**20}", "H0>1", "../../etc/passwd", "%s%n"),
)
"""Arguments that are meaningless or forbidden for every act."""

OWN = {"prefer", "notify", "erase", "stay"}
"""Acts on the clicker's own settings or data, possible anywhere, with any argument."""

ANYBODYS = {"join", "takeseat", "follow"}
"""What anybody who can see a table can do."""

SOLVERS = {"sharepuzzle"}
"""What players of these tables can do in any server, because they have solved that puzzle."""


@pytest.fixture
async def table(table, monkeypatch):
    """A table without worker processes, whose answers are counted and not sent.

    The coach has an opinion about every choice, whatever was dealt, and so has pages to turn.
    """
    monkeypatch.setitem(COMPUTERS, "pico", Lowest(PICO))
    for size in PAGES:
        monkeypatch.setattr(size, 1)
    processes = {"replays": Halting(), "verifier": Halting(), "computers": HaltingComputers()}
    await table.restart(processes=processes)
    await table.bot.services.puzzles.note_presence()  # a start does it later
    return table


class Answers:
    """The answers to clicks that are passed to the bot directly, as there are thousands of them."""

    def __init__(self, table, monkeypatch):
        self._table = table
        self.said = {}
        """What was said first, by the id of the interaction."""

        self._payloads = {}

        async def send(answer, *, private, **message):
            del private
            answer.has_message = answer.is_seen = True
            self._note(answer, message.get("content") or message.get("view"))
            return SimpleNamespace(
                id=1, channel=SimpleNamespace(id=1), attachments=[], components=[]
            )

        async def edit(answer, **message):
            self._note(answer, message.get("view") or "changed")

        async def defer(answer):
            self._note(answer, "deferred")

        monkeypatch.setattr(FirstAnswer, "send", send)
        monkeypatch.setattr(FirstAnswer, "edit", edit)
        monkeypatch.setattr(FirstAnswer, "_defer", defer)
        monkeypatch.setattr(table.discord.interactions, "deliver", lambda guild, payload: None)

    def _note(self, answer, said):
        self.said.setdefault(answer._interaction.id, said)

    def _payload(self, person, channel, message):
        """What Discord sends with this person's clicks on the message, without what was clicked."""
        key = person.id, channel.id, message.id
        if key not in self._payloads:
            interactions = self._table.discord.interactions
            begun = interactions.start(
                InteractionType.COMPONENT, person.user, channel, {}, source=message
            )
            payload = interactions.payload(begun)
            payload["message"]["components"] = []  # unused, and long to read
            self._payloads[key] = payload
        return self._payloads[key]

    async def click(self, person, channel, custom_id, message, values=None):
        """What this person is told after a forged click; None for silence."""
        data = {"custom_id": custom_id, "component_type": 2}
        if values is not None:
            data |= {"component_type": 3, "values": values}
        world, state = self._table.discord.world, self._table.bot._connection
        forged = {**self._payload(person, channel, message), "data": data, "id": world.ids.next()}
        clicked = library.Interaction(data=forged, state=state)
        await self._table.bot.services.router.dispatch(clicked)
        return self.said.get(clicked.id)


@pytest.fixture
def answers(table, monkeypatch):
    return lambda: Answers(table, monkeypatch)


def rows(table):
    """The content of all tables."""
    with closing(sqlite3.connect(table.database)) as connection:
        return set(connection.iterdump())


class Rows:
    """The content of all tables, read again only after something was committed."""

    def __init__(self, table):
        self._table = table
        self._watching = sqlite3.connect(table.database)
        self._known = None, None

    def now(self):
        # A number that every commit of another connection changes.
        version = self._watching.execute("PRAGMA data_version").fetchone()
        if version != self._known[0]:
            self._known = version, rows(self._table)
        return self._known[1]

    def close(self):
        self._watching.close()


def server(table, name, *people):
    """A channel of another server that has the bot and these people as members."""
    guild = table.discord.world.add_guild(name)
    return next(iter(guild.text_channels())), [table.person(person) for person in people]


async def hidden_from(table, person, *channels):
    for name in channels:
        channel = table.discord.world.channel(name)
        denied = Overwrite(id=person.id, type=1, deny=int(Permission.VIEW_CHANNEL))
        channel.overwrites = [*channel.overwrites, denied]
        heard = table.bot.wait_for("guild_channel_update", timeout=30)
        table.discord.world.emit("channel_updated", channel)
        await heard


async def swept(answers, uses):
    """Acts left unanswered, warnings and errors logged by acts, and acts that changed a row."""
    silent, changing, lines = [], set(), []
    with closing(Rows(answers._table)) as written:
        for act, clicks in uses.items():
            before = written.now()
            with capture_logs() as logged:
                said = [
                    told
                    for i in range(0, len(clicks), SIDE_BY_SIDE)
                    for told in await asyncio.gather(
                        *(answers.click(*click) for click in clicks[i : i + SIDE_BY_SIDE])
                    )
                ]
                if written.now() != before:
                    changing.add(act)
                    await answers._table.quiet_now()  # the edits that follow are stored too
            told = zip(clicks, said, strict=True)
            silent += [(act, click[2]) for click, answer in told if not answer]
            bad = [line for line in logged if line["log_level"] not in {"info", "debug"}]
            lines += [(act, line) for line in bad]
    return silent, lines, changing


def custom_id(component, argument):
    """A button's custom_id with another argument; None if it's longer than Discord accepts."""
    found = ":".join([*component.custom_id.split(":")[:4], argument])
    return found if len(found) <= 100 else None


def uses(found, who, where, most, *, but=()):
    """For each act, somebody's clicks in a channel, on a message that offers the act.

    An act without a match gets every strange argument, because nothing else can be wrong with its
    clicks; the others get the first `most`, and their real argument.
    """
    made = {}
    for act, (_, place) in ACTS.items():
        if act in {*OWN, *but}:
            continue
        message = found[place]
        component = find(message, act)
        assert component, f"{place} has nothing for {act}: {message.text}"
        match = match_of(component)
        arguments = STRANGE[:most] if match else STRANGE
        forged = [custom_id(component, argument) for argument in arguments]
        real = [component.custom_id] if match else []
        made[act] = [(who(match), where, one, message) for one in [*forged, *real] if one]
    return made


def match_of(component):
    """The number of the match that a button or menu belongs to; 0 for none."""
    return int(component.custom_id.split(":")[1])


@pytest.mark.parametrize("most", [1, pytest.param(len(STRANGE), marks=pytest.mark.long)])
async def test_no_act_can_be_forged_with_any_argument_from_any_place(table, answers, most):
    found = await messages(table)
    eve = table.discord.person(table.discord.world.add_person("Eve").id)
    elsewhere, _ = server(table, "Elsewhere")
    here, lobby = (table.discord.world.channel(name) for name in ("games", "lobby"))
    await hidden_from(table, eve, "games")
    people = [table.person(name) for name in ("Bo", "Cleo", "Dan")]  # none of them manages a server

    @cache  # no click here changes the seats
    def seated(match):
        return {user for (user,) in table.sql("SELECT user FROM seats WHERE match = ?", match)}

    def player(match):
        return next((p for p in people if p.id in seated(match)), people[0])

    def other(match):
        return next((p for p in people if p.id not in seated(match)), people[0])

    await table.quiet_now()
    await table.bot.services.live.slots.flush()  # store what was shown until now
    told = answers()
    sweeps = {
        "a stranger's direct messages": uses(found, lambda _: eve, eve.dm, most),
        "a player in another server": uses(found, player, elsewhere, most, but={"games", *SOLVERS}),
        "somebody who can't see the table": uses(found, lambda _: eve, lobby, most),
        "another player": uses(found, other, here, most, but=ANYBODYS | SOLVERS),
    }
    results = {name: await swept(told, sweep) for name, sweep in sweeps.items()}

    assert {name: silent for name, (silent, *_) in results.items() if silent} == {}
    assert {name: lines for name, (_, lines, _) in results.items() if lines} == {}
    assert {name: changing for name, (*_, changing) in results.items() if changing} == {}


async def test_settings_accept_only_what_their_menus_offer(table, answers):
    shown = (await table.person("Ann").slash("settings", channel="games")).message
    games, told = table.discord.world.channel("games"), answers()
    clicks = {
        act: [
            (table.person("Ann"), games, custom_id(find(shown, act), ""), shown, [argument])
            for argument in STRANGE
        ]
        for act in ("setting", "limit", "puzzles", "digests")
    }

    silent, lines, changing = await swept(told, clicks)

    assert (silent, lines, changing) == ([], [], set())


async def test_a_rematch_is_of_the_game_of_the_match_whatever_the_button_says(table):
    over = await ended(table)
    await table.bot.services.guild_settings.switch(table.discord.world.guild.id, (), ("pico",))

    answer = await table.person("Ann").forge(
        over, custom_id=f"f1:{table.match_of(over)}:0:rematch:duel"
    )

    assert "Pico is turned off in this server." in answer.text
    assert table.sql("SELECT count(*) FROM matches") == [(1,)]


async def challenged(table, whom):
    """The answer to a forged challenge form that names this id."""
    ann = table.person("Ann")
    form = await ann.context_menu("Challenge", channel="games", user=table.person("Bo"))
    return await ann.forge(form.message, custom_id=f"f1:0:0:send:{whom} pico standard - r")


@pytest.mark.parametrize("whom", ["0", "1", str(2**62)])
async def test_nobody_outside_the_server_can_be_challenged(table, whom):
    answer = await challenged(table, whom)

    assert answer.ephemeral
    assert "person" in answer.text
    assert table.sql("SELECT count(*) FROM matches") == [(0,)]


async def test_looking_up_a_challenged_member_keeps_the_pace_of_all_requests(table):
    ann, bo = table.person("Ann"), table.person("Bo")
    form = await ann.context_menu("Challenge", channel="games", user=bo)
    pace = table.bot.services.delivery.pace
    before = [asyncio.create_task(pace.turn()) for _ in range(20)]
    await asyncio.sleep(0)

    await ann.forge(form.message, custom_id=f"f1:0:0:send:{bo.id} pico standard - r")

    assert all(turn.done() for turn in before)
    assert table.sql("SELECT count(*) FROM matches") == [(1,)]


async def test_a_forged_challenge_of_the_bot_is_a_match_against_a_computer(table):
    await challenged(table, table.discord.world.bot.id)

    assert table.sql("SELECT user, computer IS NULL FROM seats ORDER BY seat") == [
        (table.person("Ann").id, 1),
        (0, 0),
    ]


@pytest.mark.parametrize(
    ("command", "values"),
    [
        ("watch", {"game": "chess"}),
        ("leaderboard", {"period": "s" + "9" * 40}),
        ("stats", {"game": "chess"}),
        ("resume", {"match": 10**30}),
        ("vacation start", {"days": -5}),
        ("season start", {"name": "x" * 500}),
        ("report", {"text": ""}),
    ],
)
async def test_a_command_accepts_no_value_that_it_does_not_offer(
    table, monkeypatch, command, values
):
    monkeypatch.setattr("sandbox.clients.fill_options", _unchecked)
    before = rows(table)

    with capture_logs() as lines:
        answer = await table.person("Ann").slash(command, channel="games", options=values)

    assert answer.text.startswith(("Pick one of the choices", "The number for", "The text for"))
    assert rows(table) == before
    assert not [line for line in lines if line["log_level"] == "error"]


def _unchecked(command, values, resolved):
    """The options as a forged client sends them."""
    del resolved
    kinds = {option["name"]: option["type"] for option in command["options"]}
    return [{"name": name, "type": kinds[name], "value": value} for name, value in values.items()]


async def test_somebody_without_manage_messages_cannot_moderate_even_if_the_command_arrives(
    table, monkeypatch
):
    public = await table.match("Ann", "Cleo")
    match = table.match_of(public)
    monkeypatch.setattr("sandbox.clients.find_command", partial(_offered, find_command))

    ended = await table.person("Bo").slash("moderate end", channel="games", match=match)
    listed = await table.person("Bo").autocomplete("moderate end", "match", "", channel="games")

    assert ended.text == NO_MODERATOR
    assert listed == []
    assert table.sql("SELECT status FROM matches") == [("running",)]


async def test_somebody_who_manages_messages_elsewhere_cannot_moderate_this_table(table):
    public = await table.match("Ann", "Cleo")
    lobby = table.discord.world.channel("lobby")
    allowed = Overwrite(id=table.person("Bo").id, type=1, allow=int(Permission.MANAGE_MESSAGES))
    lobby.overwrites = [*lobby.overwrites, allowed]
    heard = table.bot.wait_for("guild_channel_update", timeout=30)
    table.discord.world.emit("channel_updated", lobby)
    await heard

    answer = await table.person("Bo").slash(
        "moderate end", channel="lobby", match=table.match_of(public)
    )

    assert answer.text == NO_MODERATOR
    assert table.sql("SELECT status FROM matches") == [("running",)]


def _offered(find, world, commands, user, *rest):
    """The command, even if this person isn't offered it."""
    del user
    return find(world, commands, world.guild.owner, *rest)
