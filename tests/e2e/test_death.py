"""The bot is killed, really, at random moments of matches in play, and nothing is lost."""

import asyncio
import random
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial

import pytest

from bot import codec
from bot.matches import Matches
from bot.presentation import Presentations
from bot.storage import Storage
from bot.storage.engine import readers
from bot.storage.writer import Writer
from bot.tables import sheet
from cogs.pico.presentation import PicoPresentation
from games import Seat
from games.chance import Chance
from games.pico import PICO, Options, State
from tests.e2e.processes import Process

KILLS = 25
PATIENCE = 300  # seconds that anything may take on a slow machine
FOREVER = float("inf")  # people wait until they are taken away
PAIRS = (("Ann", "Bo"), ("Cleo", "Dan"), ("Ann", "Cleo"), ("Bo", "Dan"))


@dataclass
class Record:
    """What people were told, and what they did without being told yet."""

    told: dict[tuple[int, int, int], str] = field(default_factory=dict)
    """(match, step, user) to the card of the last click that was answered."""

    hoped: dict[tuple[int, int, int], set[str]] = field(default_factory=dict)
    """The cards of clicks since then that were not answered: each may have been written or not."""

    def clicked(self, where, card):
        self.hoped.setdefault(where, set()).add(card)

    def answered(self, where, card):
        self.told[where] = card
        self.hoped[where].discard(card)


class Player:
    """Somebody who answers every desk he has with a random card, and sometimes thinks again."""

    def __init__(self, discord, name, record, chance):
        self.discord = discord
        self.person = discord.person(name)
        self.record = record
        self.chance = chance

    async def play(self):
        while True:
            await self.discord.until(self.discord.is_connected, FOREVER)
            desk = await self.discord.until(self.undecided, FOREVER)
            await self.choose(desk)
            if self.chance.random() < 0.2 and self.cards(desk):
                await self.choose(desk)

    async def choose(self, desk):
        button = self.chance.choice(self.cards(desk))
        _, match, step, _, card = button.custom_id.split(":")
        where = (int(match), int(step), self.person.id)
        self.record.clicked(where, card)
        answer = await self.person.click(desk, button.custom_id)
        if answer.kind in (6, 7):  # acknowledged, or answered with the desk itself
            self.record.answered(where, card)

    def undecided(self):
        """A desk on which nothing has been chosen, and no click is waiting to be."""
        desks = [m for m in self.person.direct_messages if self.cards(m) and not self.chosen(m)]
        return self.chance.choice(desks) if desks else None

    def cards(self, desk):
        return [b for b in desk.buttons if ":pick:" in (b.custom_id or "")]

    def chosen(self, desk):
        return any("✓" in (b.label or "") for b in desk.buttons)


class Opener:
    """A pair that always has a match: when one ends, they begin the next."""

    def __init__(self, discord, pair):
        self.discord = discord
        self.first, self.second = (discord.person(name) for name in pair)
        self.tables = []

    async def open(self):
        while True:
            await self.discord.until(self.discord.is_connected, FOREVER)
            answer = await self.first.slash(
                "pico play",
                channel="games",
                opponent=self.second,
                variant="pico1",
                pace="live",
            )
            if answer.message is not None:
                self.tables.append(answer.message)
                await self.begin(answer.message)
                await self.discord.until(partial(self.says, answer.message, "seed was"), FOREVER)

    async def begin(self, table):
        while self.offers(table, "Accept"):
            await self.discord.until(self.discord.is_connected, FOREVER)
            await self.second.click(table, "Accept")
            await self.discord.until(
                lambda: not (self.offers(table, "Accept") and self.discord.is_connected()), FOREVER
            )

    def offers(self, table, label):
        return label in [button.label for button in table.buttons]

    def says(self, table, words):
        return words in table.text


@pytest.fixture
async def bot(discord, tmp_path):
    process = Process(discord, tmp_path / "facedown.sqlite3", tmp_path / "bot.log")
    yield process
    if process.is_running:  # the test has failed
        await process.kill()


@pytest.mark.death
@pytest.mark.timeout(1500)
@pytest.mark.parametrize("seed", [1, 2])
async def test_killed_at_random_moments_the_bot_loses_nothing(discord, bot, seed):
    chance = random.Random(seed)
    record = Record()
    await bot.start()
    openers = [Opener(discord, pair) for pair in PAIRS]
    people = [Player(discord, name, record, chance) for name in ("Ann", "Bo", "Cleo", "Dan")]
    acts = [*(opener.open() for opener in openers), *(player.play() for player in people)]
    acting = [asyncio.create_task(act) for act in acts]
    try:
        for _ in range(KILLS):
            await _random_moment(discord, record, chance)
            await bot.kill()
            discord.clock.advance(timedelta(seconds=3))  # who waits for an answer gets none
            _choices_are_there(bot.database, record)
            await bot.start()
    finally:
        for task in acting:
            task.cancel()
        ends = await asyncio.gather(*acting, return_exceptions=True)
    assert all(isinstance(end, asyncio.CancelledError) for end in ends), ends
    await discord.person("Ann").slash("leaderboard", channel="lobby", game="pico")
    await _everything_shows_the_truth(discord, bot.database)
    assert await bot.stop() == 0
    _rounds_were_resolved_once(bot.database)
    _nothing_stands_twice(discord, bot.database)
    assert len(record.told) > KILLS


async def _random_moment(discord, record, chance):
    """Some choices from now, then some requests, then a few thousandths of a second."""
    choices = len(record.told) + chance.randrange(0, 6)
    await discord.until(lambda: len(record.told) >= choices, PATIENCE)
    requests = len(discord.requests) + chance.randrange(0, 5)
    await discord.until(lambda: len(discord.requests) >= requests, PATIENCE)
    await asyncio.sleep(chance.uniform(0, 0.02))  # the random moment itself, not a wait for one


def _rows(database, query, *values):
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute(query, values).fetchall()


def _choices_are_there(database, record):
    """Every choice that was acknowledged is in the file, or a later one of the same person."""
    query = "SELECT m.match, m.step, s.user, m.move FROM moves m JOIN seats s USING (match, seat)"
    kept = {(match, step, user): move for match, step, user, move in _rows(database, query)}
    for where, card in record.told.items():
        assert kept[where] in {card, *record.hoped.get(where, ())}, where


def _rounds_were_resolved_once(database):
    """Every match is exactly what its seed and its moves make of it; every result stands once."""
    matches = _rows(database, "SELECT id, options, seed, state, step, status FROM matches")
    for match, options, seed, state, step, status in matches:
        results = _rows(database, "SELECT count(*) FROM results WHERE match = ?", match)
        assert results == [(2 if status == "over" else 0,)]
        if state is None:
            continue
        replayed = PICO.setup(codec.decode(Options, options), 2, Chance(seed, 0))
        made = "SELECT seat, move FROM moves WHERE match = ? AND step = ?"
        for n in range(step):
            moves = {Seat(s): PICO.parse(move) for s, move in _rows(database, made, match, n)}
            replayed = PICO.play(replayed, moves, Chance(seed, n + 1))
        assert codec.decode(State, state) == replayed


async def _everything_shows_the_truth(discord, database):
    """Table and desks of every match come to say, all at once, what the database says.

    The database is read anew after each change: a click that was under way when its player was
    taken away may still be written, and what was wanted before it never stands anywhere.
    """
    presentations = Presentations()
    presentations.add("pico", PicoPresentation())
    with discord.world.changes.queue() as changes:
        try:
            async with asyncio.timeout(PATIENCE):
                while await _behind(discord, database, presentations):
                    await changes.get()
        except TimeoutError:
            pass  # told below, with what is behind
    behind = await _behind(discord, database, presentations)
    assert not behind, "\n".join(behind)


async def _behind(discord, database, presentations):
    """The places that do not say what the database says."""
    begun = _rows(database, "SELECT id FROM matches WHERE state IS NOT NULL")
    looks = [look for (match,) in begun for look in await _looks(database, match)]
    return [
        f"match {look.match}, place {look.place} does not show {look.key}"
        for look in looks
        if not _shows(discord, look, sheet(look, presentations))
    ]


def _shows(discord, look, wanted):
    """Whether a message says at its place what it should; it may still be on its way."""
    if look.seat is None:
        messages = discord.person("Ann").see("games")
    else:
        messages = discord.person(look.places[look.seat].user).direct_messages
    return any(wanted.head in m.text and wanted.foot in m.text for m in messages)


async def _looks(database, match):
    """What everybody and each seat may know, read beside the running bot."""
    engine = readers(database)
    try:
        return await Matches(Storage(Writer(engine), engine)).looks(match)
    finally:
        await engine.dispose()


def _nothing_stands_twice(discord, database):
    """One table a match in the channel, one desk a seat in the direct messages."""
    begun = _rows(database, "SELECT count(*) FROM matches WHERE state IS NOT NULL")[0][0]
    tables = [m for m in discord.person("Ann").see("games") if "seed" in m.text]
    assert len(tables) == begun
    seats = (
        "SELECT count(*) FROM seats JOIN matches ON matches.id = seats.match "
        "WHERE user = ? AND state IS NOT NULL"
    )
    for name in ("Ann", "Bo", "Cleo", "Dan"):
        person = discord.person(name)
        desks = [m for m in person.direct_messages if "your desk" in m.text]
        assert len(desks) == _rows(database, seats, person.id)[0][0]
