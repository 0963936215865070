"""People use everything at random while the server changes: all is answered, and nothing breaks."""

import random
from collections import Counter
from datetime import timedelta

import pytest
from structlog.testing import capture_logs

from games import GAMES
from sandbox import ImpossibleError
from sandbox.command_forms import (
    ATTACHMENT,
    BOOLEAN,
    CHANNEL_OPTION,
    GROUP,
    NUMERIC_OPTIONS,
    SLASH,
    STRING,
    SUBCOMMAND,
    USER,
    USER_OPTION,
)
from sandbox.components.tree import ComponentType
from tests.support.tables import seated

NAMES = ("Ann", "Bo", "Cleo", "Dan", "Eve")
CHOOSING = ("pick", "draft", "tap")
BEGINNING = ("accept", "join", "send")
TYPED = ("", " ", "1", "-1", "Ann", "today", "9" * 18, "ä" * 90, "</b>", "@everyone", "1 2 3")
FILES = (b"", b"{}", b"no export", b"\xff\xfe")
HOUR, DAY = 60 * 60, 24 * 60 * 60
NEWEST = 14
"""How many of the newest messages of each channel are considered."""


class Monkey:
    """People who use whatever they are offered while their server changes, one act after another.

    `did` has every act as a tuple, the newest last.
    """

    def __init__(self, table, rng):
        self.table = table
        self.world = table.discord.world
        self.rng = rng
        self.did = []
        self.used = Counter()
        self.world.add_person("Eve")
        self.world.add_guild("The Attic", channels=("general", "board"))
        self.people = [table.person(name) for name in NAMES]
        self.away = []

    async def act(self):
        """Do something at random; returns the answer, or None if there is none."""
        what = self.rng.choices(
            (self.happen, self.wait, self.command, self.play, self.use), (4, 4, 22, 12, 58)
        )[0]
        try:
            answer = await what(self.rng.choice(self.people))
            if answer is not None and answer.modal is not None:
                answer = await self._fill_in(answer)
        except ImpossibleError:
            return None  # Discord's client would not let them
        return answer

    def _note(self, what, *how):
        self.used[what] += 1
        self.did.append((what, *how))

    # What happens around the bot

    async def happen(self, person):
        """Change something in the first server."""
        guild = self.world.guild
        is_owner = person.user is guild.owner
        match self.rng.choice(("leaves", "returns", "closed", "timed out", "deleted", "role")):
            case "leaves" if not is_owner and not self.away:
                self.world.remove_member(person.user)
                self.away.append(person)
            case "returns" if self.away:
                self.world.add_member(self.away.pop().user)
            case "closed":
                person.closed = not person.closed
            case "timed out" if not is_owner and person.id in guild.members:
                self.world.time_out(person.user, self.rng.choice((None, timedelta(hours=1))))
            case "deleted":
                stand = [m for m in self.world.messages.values() if self._can_be_deleted(m)]
                if stand:
                    self.world.delete_message(self.rng.choice(stand))
            case "role":
                self.world.add_role("Helpers")
            case _:
                return
        self._note("happened")

    @staticmethod
    def _can_be_deleted(message):
        return not message.deleted and message.ephemeral_to is None

    async def wait(self, person):
        del person
        seconds = self.rng.choice((60, 600, HOUR, DAY // 2, 2 * DAY))
        self._note("time", seconds)
        self.table.discord.clock.advance(timedelta(seconds=seconds))
        self.table.pass_time(seconds)

    # Commands

    async def play(self, person):
        return await self.command(person, GAMES)

    async def command(self, person, names=None):
        places = [c for c in person.channels if c.takes_messages and not self._is_archived(c)]
        place = self.rng.choice([*places, person.dm, person.dm])
        offered = [c for c in person.commands(place) if names is None or c["name"] in names]
        if not offered:
            return None
        command = self.rng.choice(offered)
        if command["type"] != SLASH:
            return await self._right_click(person, command, place)
        path, last = command["name"], command
        while any(o["type"] in {SUBCOMMAND, GROUP} for o in last.get("options", ())):
            last = self.rng.choice(last["options"])
            path += f" {last['name']}"
        values = await self._filled(person, path, last.get("options", ()), place)
        self._note(path, person.name, place.name, values)
        return await person.slash(path, channel=place, options=values)

    async def _right_click(self, person, command, place):
        self._note(command["name"], person.name, place.name)
        if command["type"] == USER:
            whom = self.rng.choice([*self.people, self.world.bot])
            return await person.context_menu(command["name"], channel=place, user=whom)
        seen = person.see(place)
        if not seen:
            return None
        message = self.rng.choice(seen)
        return await person.context_menu(command["name"], channel=place, message=message)

    async def _filled(self, person, path, options, place):
        values = {}
        for option in options:
            if option.get("required") or self.rng.random() < 0.35:
                values[option["name"]] = await self._value(person, path, option, place, values)
        return {name: value for name, value in values.items() if value is not None}

    async def _value(self, person, path, option, place, others):
        if option.get("choices"):
            return self.rng.choice(option["choices"])["value"]
        if option.get("autocomplete") and self.rng.random() < 0.8:
            typed = self.rng.choice(("", "p", "1"))
            found = await person.autocomplete(
                path, option["name"], typed, channel=place, options=others
            )
            if found:
                return self.rng.choice(found)["value"]
        return self._of_kind(person, option)

    def _of_kind(self, person, option):
        """A value as it would be typed or picked; None to leave the option out."""
        low, high = option.get("min_value", -5), option.get("max_value", 400)
        among = {
            STRING: [text[: option.get("max_length", 100)] for text in TYPED],
            **dict.fromkeys(NUMERIC_OPTIONS, (low, high, self.rng.randint(low, high))),
            BOOLEAN: (True, False),
            USER_OPTION: [*self.people, self.world.bot],
            CHANNEL_OPTION: person.channels or [None],
            ATTACHMENT: [("export.txt", data) for data in FILES],
        }
        return self.rng.choice(among[option["type"]])

    # Buttons, selects and forms

    async def use(self, person):
        """Use a control of a message, most often one that chooses a move or begins a match."""
        found = [use for place in (*person.channels, person.dm) for use in self._at(person, place)]
        choosing = [use for use in found if _act(use[1]) in CHOOSING]
        beginning = [use for use in found if _act(use[1]) in BEGINNING]
        roll = self.rng.random()
        among = (choosing if roll < 0.5 else beginning if roll < 0.7 else found) or found
        if not among:
            return None
        message, control = self.rng.choice(among)
        self._note(_act(control), person.name, control.custom_id)
        if control in message.buttons:
            return await person.click(message, control.custom_id)
        return await person.select(message, control.custom_id, self._picked(control))

    def _at(self, person, place):
        if self._is_archived(place):
            return
        for message in person.see(place)[-NEWEST:]:
            for control in (*message.buttons, *message.selects):
                if control.custom_id and not control.disabled and not message.deleted:
                    yield message, control

    @staticmethod
    def _is_archived(place):
        """Whether Discord accepts no answer there."""
        return place.thread is not None and place.thread.archived

    def _picked(self, select):
        if select.kind == ComponentType.STRING_SELECT:
            number = self.rng.randint(select.low, min(select.high, len(select.options)))
            return [option["value"] for option in self.rng.sample(select.options, number)]
        kinds = select.channel_types
        channels = [c for c in self.world.guild.channels.values() if not kinds or c.type in kinds]
        number = self.rng.randint(select.low, min(select.high, len(channels)))
        return self.rng.sample(channels, number)

    async def _fill_in(self, answer):
        person = self.table.discord.person(answer.interaction.user.id)
        values = {
            field["custom_id"]: self._written(field)
            for label in answer.modal["components"]
            for field in (label.get("component"), *label.get("components", ()))
            if field is not None and "custom_id" in field
        }
        self._note("form", person.name, values)
        return await person.submit(answer, values)

    def _written(self, field):
        if field["type"] == ComponentType.TEXT_INPUT:
            return self.rng.choice(TYPED)[: field.get("max_length", 4000)]
        number = max(1, field.get("min_values", 1))
        return [option["value"] for option in self.rng.sample(field["options"], number)]


def _act(control):
    """The act in the custom_id of a control."""
    return control.custom_id.split(":")[3]


NO_FAULTS = frozenset({50083, 160004, 160005})
"""Error codes that anybody can meet: the thread is archived or locked, or exists already."""


async def let_loose(table, seed, actions, *, is_enough=None):
    """Do this many acts, or stop once `is_enough`; none may fail or send a malformed request."""
    monkey = Monkey(table, random.Random(seed))
    since = len(table.discord.requests)
    with capture_logs() as logs:
        for _ in range(actions):
            if is_enough is not None and is_enough(monkey):
                break
            answer = await monkey.act()
            assert answer is None or not answer.failed, monkey.did[-1]
            faults = [entry for entry in logs if entry["log_level"] in {"error", "critical"}]
            assert not faults, (monkey.did[-5:], faults)
            logs.clear()
        await table.settled()
    for request in table.discord.requests[since:]:
        is_refused = request.status == 400 and request.response["code"] not in NO_FAULTS
        assert not is_refused, request
    return monkey


def has_done_much(monkey):
    """Whether matches were played, and many different acts were used."""
    chosen = sum(monkey.used[act] for act in CHOOSING)
    return monkey.used.total() >= 200 and chosen > 30 and len(monkey.used) > 40


async def test_whatever_people_do_is_answered(discord, tmp_path):
    """How soon it has done enough varies: what is offered depends on how far the bot has come."""
    async with seated(discord, tmp_path) as table:
        monkey = await let_loose(table, 1, 1_000, is_enough=has_done_much)

        assert has_done_much(monkey), monkey.used


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10, 15))
async def test_whatever_people_do_for_long_is_answered(discord, tmp_path, seed):
    async with seated(discord, tmp_path) as table:
        await let_loose(table, seed, 2_500)
