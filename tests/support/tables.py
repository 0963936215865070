"""The real bot, in this process, connected to a sandbox, and the actions that most tests need."""

import asyncio
import sqlite3
import time
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path

import pytest

from bot import codec
from bot.client import Facedown
from bot.interactions import router
from bot.messaging import discord_address
from bot.storage import Storage
from bot.storage.notices import NoticeRecord
from games import GAMES
from sandbox import Sandbox
from tests.support.clock import EVERY_SHARD, Watch
from tests.support.drawing import Blank
from tests.support.made_databases import copied
from tests.support.services import AT_ONCE, bot_of
from tests.support.waiting import until

NOT_IN_A_TEST = 4_000_000_000
"""A Unix time that no test reaches."""

READY_SECONDS = 0.05
"""Seconds that discord.py waits for one more server until the bot is ready; usually 2."""


class Table:
    """A sandbox with our bot connected to it."""

    def __init__(self, discord: Sandbox, database: Path, workers=None) -> None:
        self.discord = discord
        self.database = database
        self.workers = Blank() if workers is None else workers
        self.watch = Watch(time.time())
        self.bot: Facedown | None = None
        self._stack = AsyncExitStack()

    # The bot.

    async def start(self, **options) -> None:
        discord_address.use_address(self.discord.url)
        storage = await self._stack.enter_async_context(Storage.open(self.database))
        self.watch = options.setdefault("now", self.watch)
        pacing = options.pop("pacing", AT_ONCE)
        options["pacing"] = replace(pacing, sleep=self.watch.sleep)
        bot = bot_of(storage, self.workers, **options)
        bot._connection.guild_ready_timeout = READY_SECONDS
        await self._stack.enter_async_context(bot)
        running = asyncio.create_task(bot.start(self.discord.token))
        self._stack.push_async_callback(self._ended, running)
        self._stack.push_async_callback(bot.close)
        self.bot = bot
        ready = asyncio.create_task(self.discord.ready())
        await asyncio.wait({ready, running}, return_when=asyncio.FIRST_COMPLETED)
        if running.done():  # it couldn't start: raise its error
            ready.cancel()
            await running
        await ready
        # Until the bot knows that it is connected, time that passes counts as its absence.
        await until(lambda: len(bot.services.deadlines._awake) >= self.discord.shards)

    async def stop(self) -> None:
        await self._stack.aclose()
        self._stack = AsyncExitStack()

    async def die(self) -> None:
        """Stop without waiting for clicks that are being answered, as if its process had died."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(router, "ANSWERABLE_SECONDS", 0.0)
            await self.stop()

    async def restart(self, **options) -> None:
        await self.stop()
        await self.start(**options)

    @staticmethod
    async def _ended(running) -> None:
        await asyncio.gather(running)

    def pass_time(self, seconds) -> None:
        """Advance the bot's clock, which otherwise stands still, and wake its deadline loop."""
        self.watch.advance(seconds)
        self.bot.services.deadlines.clock_moved()

    async def told(self) -> None:
        """Wait until every click has been handled and every notice that is due has been sent."""
        await self.handled()
        services = self.bot.services
        notices = services.notices
        while True:
            await notices.look(EVERY_SHARD)
            await notices.finished()
            async with services.storage.reading() as reading:
                due = await reading.notices.due(self.watch(), EVERY_SHARD)
            if not due and not notices.sent.unsure:
                return

    async def told_of_turns(self) -> None:
        """Let time pass until every notice of a turn is sent, also those for active players."""
        while self.sql("SELECT * FROM notices WHERE event = 'turn'"):
            self.watch.advance(60)
            await self.told()

    def sql(self, query, *values):
        """The rows of a query on the bot's file; to write, use `change`."""
        with closing(sqlite3.connect(self.database)) as connection:
            connection.execute("PRAGMA query_only = 1")
            return connection.execute(query, values).fetchall()

    async def change(self, statement) -> None:
        """Execute a statement on the bot's file, without telling the bot."""
        # In a thread: the bot may be in a transaction, which only ends if the loop keeps running.
        await asyncio.to_thread(self._change, statement)

    def _change(self, statement) -> None:
        with closing(sqlite3.connect(self.database, timeout=10)) as connection:
            connection.execute(statement)
            connection.commit()

    # People.

    def person(self, name):
        return self.discord.person(name)

    async def ask(self, *names, channel="games", **options):
        """The answer to the first person's `/pico play` against the others; live, with hands."""
        opponents = [self.person(name) for name in names[1:]]
        if len(opponents) > 1:
            options["second_opponent"] = opponents[1]
        options.setdefault("pace", "live")
        options.setdefault("hand", "desk")
        return await self.person(names[0]).slash(
            "pico play", channel=channel, opponent=opponents[0], **options
        )

    async def challenge(self, *names, **options):
        """The table of a new challenge, by default from Ann to Bo."""
        message = (await self.ask(*(names or ("Ann", "Bo")), **options)).message
        await self.discord.until(lambda: message.is_v2)  # sent in words first, for notifications
        return message

    async def match(self, *names, **options):
        """The table of a match that has begun; everybody who takes direct messages has a desk."""
        names = names or ("Ann", "Bo")
        public = await self.challenge(*names, **options)
        for name in names[1:]:
            await self.person(name).click(public, "Accept")
        open_ = [name for name in names if not self.person(name).closed]
        await self.discord.until(
            lambda: all(self.has_hand(name, public) for name in open_) and "Round 1" in public.text
        )
        if len(open_) < len(names):
            await self.quiet_now()  # so that the bot has tried to reach the others too
        return public

    def has_hand(self, name, public=None) -> bool:
        """Whether somebody has a complete desk; it is first sent in words."""
        return (hand := self.desk(name, public)) is not None and hand.is_v2

    async def for_two(self, game, sign, *, closed=(), **options):
        """The table of a match of any game between Ann and Bo, once its text contains `sign`."""
        for name in closed:
            self.person(name).closed = True
        asked = await self.person("Ann").slash(
            f"{game} play",
            channel="games",
            opponent=self.person("Bo"),
            **{"pace": "live", **by_hand(game), **options},
        )
        public = asked.message
        await self.person("Bo").click(public, "Accept")
        open_ = [name for name in ("Ann", "Bo") if name not in closed]
        await self.discord.until(
            lambda: sign in public.text and all(self.has_hand(name, public) for name in open_)
        )
        await self.quiet_now()
        return public

    async def lay(self, public, state) -> None:
        """Replace the state of a match, and bring its table and desks up to date."""
        match, code = self.match_of(public), codec.encode(state)
        await self.change(
            f"UPDATE matches SET state = '{code}', step = step + 1 WHERE id = {match}"  # noqa: S608 - our own values
        )
        self.bot.services.live.note_changed(match)
        await self.quiet_now()

    def letters(self, name):
        """The direct messages from the bot to somebody, without private answers to commands."""
        return [m for m in self.person(name).direct_messages if m.ephemeral_to is None]

    def desk(self, name, public=None):
        """Somebody's newest desk, of one match if its table is given; None if there is none."""
        letters = [m for m in self.letters(name) if public is None or leads_to(m, public)]
        hands = [m for m in letters if ": your " in m.text]  # the others are notices
        return hands[-1] if hands else None

    async def bring(self, seat, match=1, event="turn"):
        """Notify a seat by sending its desk again, as the clock does; whether the desk was sent.

        The notice is stored meanwhile: for one that is gone, the bot would open no channel.
        """
        services = self.bot.services
        snapshot = (await services.matches.snapshots(match))[1 + seat]
        user, turn = snapshot.seats[seat].user, snapshot.turn
        about = f"match = {match} AND user = {user} AND event = '{event}'"
        found = self.sql(f"SELECT id FROM notices WHERE {about}")  # noqa: S608
        ((identity,),) = found or [(1000 + turn,)]
        if not found:
            await self.change(
                "INSERT INTO notices (id, match, user, event, turn, due_at) "  # noqa: S608
                f"VALUES ({identity}, {match}, {user}, '{event}', {turn}, {NOT_IN_A_TEST})"
            )
        notice = NoticeRecord(
            id=identity, match=match, user=user, event=event, actor=None, turn=turn
        )
        brought = await services.live.resend_hand(notice, seat)
        if not found:
            await self.change(f"DELETE FROM notices WHERE id = {identity}")  # noqa: S608
        return brought

    async def hand(self, name, public):
        """The private message that **My hand** opens for this person."""
        (button,) = [b for b in public.buttons if b.custom_id and ":hand" in b.custom_id]
        answer = await self.person(name).click(public, button.custom_id)
        return (await answer.settled()).message

    async def asked_to_resign(self, name, message=None):
        """The answer to Menu and Resign, clicked at `message`, by default this person's desk."""
        menu = await self.person(name).click(message or self.desk(name), "Menu")
        return await self.person(name).click(menu.message, "Resign")

    def cards(self, desk):
        return [b for b in desk.buttons if b.custom_id and ":pick:" in b.custom_id]

    def step(self, desk) -> int | None:
        """The step that a desk asks for a card in; None if it doesn't ask for one."""
        cards = self.cards(desk)
        return int(cards[0].custom_id.split(":")[2]) if cards else None

    def match_of(self, message) -> int:
        """The id of the match in the custom_ids of a message's buttons."""
        return int(next(b for b in message.buttons if b.custom_id).custom_id.split(":")[1])

    async def pick(self, name, desk, which=0):
        """Click the card with this index on a desk; the answer."""
        return await self.person(name).click(desk, self.cards(desk)[which].custom_id)

    async def play(self, name, which=0):
        return await self.pick(name, self.desk(name), which)

    async def trick(self, *names) -> None:
        """Let everybody choose their lowest card, and wait until all desks show the next step."""
        await self.trick_at({name: self.desk(name) for name in names})

    async def trick_at(self, desks) -> None:
        """As `trick`, with the desks given by name."""
        steps = {name: self.step(desk) for name, desk in desks.items()}
        for name, desk in desks.items():
            await self.pick(name, desk)
        await self.discord.until(
            lambda: all(self.step(desk) != steps[name] for name, desk in desks.items())
        )

    async def finish(self, public, *names) -> None:
        """Let everybody play lowest cards until the table and all desks show that it is over."""
        while self.step(self.desk(names[0])) is not None:
            await self.trick(*names)
        await self.over(public, *names)

    async def over(self, public, *names) -> None:
        await self.discord.until(
            lambda: "seed was" in public.text and not any(self.cards(self.desk(n)) for n in names)
        )

    # Requests.

    def requests(self, method=None, path="", since=0):
        """The bot's requests from index `since` on with this method, and `path` in their path."""
        return [
            r
            for r in self.discord.requests[since:]
            if method in (None, r.method) and path in r.path
        ]

    async def handled(self) -> None:
        """Return when every click has been handled; edits may still be queued."""
        await self.bot.services.router.handled()

    async def committed(self) -> None:
        """Return when the bot knows of what `sql` can read, which sees a commit before the bot."""
        async with self.bot.services.storage._writer._line:
            pass

    async def settled(self) -> None:
        """Return when every click has been handled, and all messages are up to date."""
        await self.handled()
        await self.quiet_now()

    async def repaired(self) -> None:
        """Return when the bot has compared every match that was behind when it started."""
        await asyncio.gather(*self.bot.services.repairs._tasks)

    async def repairs_looked(self) -> None:
        """Look for messages that stay behind, as one of several processes that owns all matches."""

        async def owned(matches):
            return set(matches)

        await self.bot.services.repairs.look(owned)
        await self.quiet_now()

    async def quiet_now(self) -> None:
        """Let the bot show at once what is queued, and return when nothing is.

        Queued openings of direct messages are waited for too, unless time has to pass first.
        """
        live, openings = self.bot.services.live, self.bot.services.direct_messages._openings
        queues = (live._comparing, live._updater.queue)
        while True:
            tasks = [queue.schedule(key) for queue in queues for key in list(queue._tasks)]
            if not tasks and openings._line and not self.watch.is_awaited:
                tasks = [asyncio.create_task(asyncio.sleep(0))]
            if not tasks:
                return
            await asyncio.wait(tasks, timeout=0.5)  # what is put off meanwhile is due at once too


async def resign(table, name, public):
    """Let somebody resign, and send all notices about it."""
    await _leave(table, name, public)
    await table.told()
    await table.quiet_now()


async def win(table, winner, loser, **options):
    """The table of a match that is over because `loser` resigned."""
    public = await table.match(winner, loser, **options)
    await _leave(table, loser, public)
    await table.over(public, winner, loser)
    return public


async def _leave(table, name, public):
    await table.person(name).forge(public, custom_id=f"f1:{table.match_of(public)}:0:leave:")


def listen(table, message):
    """A list to which every text of this message is added, from the current one on."""
    said = [message.text]
    table.discord.world.events.subscribe(
        lambda change: said.append(message.text) if change.subject is message else None
    )
    return said


async def database(folder) -> Path:
    """Create a database file with the current tables; its path."""
    return await copied(folder / "facedown.sqlite3")


@asynccontextmanager
async def seated(discord, folder, workers=None, **options):
    """A table whose bot is ready and has synced its commands.

    The sandbox's clock is stopped, so that even on a slow machine no answer is later than Discord's
    3 seconds.
    """
    discord.clock.freeze()
    table = Table(discord, await database(folder), workers)
    try:
        await table.start(**options)
        yield table
    finally:
        await table.stop()


def by_hand(game):
    """The options for a match with hands instead of taps; empty for games without taps."""
    return {"hand": "desk"} if game in GAMES and GAMES[game].hands_are_public else {}


def leads_to(desk, public) -> bool:
    """Whether a message has a button that links to this table."""
    return any(b.url and b.url.endswith(f"/{public.id}") for b in desk.buttons)


def labels(message):
    return [button.label for button in message.buttons]
