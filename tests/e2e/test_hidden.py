"""In whole random matches of all games, nobody is sent what only another player may know.

Each message is compared with those that would be sent if everything its reader may not know were
different: other hands, piles and orders, imagined from the reader's view, and other choices of the
others. A message that could be sent then as well reveals nothing.
"""

import functools
import json
import random
import re
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from bot import codec
from bot.matches.loaded import load_match
from bot.messaging.components import Press
from bot.messaging.content import Layout
from bot.rendering import render
from bot.rendering.hand import CLOSED, receipt_content
from bot.rendering.lessons import possible_newcomers, with_lesson_offer
from games import GAMES, Seat
from games.chance import Chance
from tests.soak.messages import Messages
from tests.soak.opener import OPPONENTS, Sitting
from tests.soak.player import Player
from tests.soak.record import Record
from tests.support.audiences import audience, interaction_of
from tests.support.match_records import record_of
from tests.support.snapshots import is_hand

NAMES = ("Ann", "Bo", "Cleo", "Dan")
PICTURE = re.compile(r'"(?:http|attachment)[^"]*/([^"/?]*\.png)[^"]*"')
SITTINGS = {
    "pico": Sitting("pico", 2, {"variant": "pico1", "hand": "desk"}),
    "pico for three": Sitting("pico", 3),
    "duel by one tap": Sitting("duel", 2, {"hand": "tap"}),
    "duel by desk": Sitting("duel", 2, {"hand": "desk"}),
    "conquest in teams": Sitting("conquest", 2, {"turn_limit": 3, "equal": "choice"}),
    "conquest of three": Sitting("conquest", 3, {"turn_limit": 3, "signal": True}),
    "conquest of four, together": Sitting(
        "conquest", 4, {"turn_limit": 2, "reinforce": "together", "redeployment": True}
    ),
    "prize": Sitting("prize", 2, {"hands": 2}),
    "prize, drawing is no pass": Sitting("prize", 2, {"hands": 2, "passes": "empty-stock"}),
    "spite": Sitting("spite", 2, {"stock": 2}),  # one card can be used up in a turn
    "spite, a series": Sitting(
        "spite", 2, {"stock": 1, "scoring": "games", "target": 2, "strict_draw": True}
    ),
}

FORCED_WORLDS = 5
"""How many worlds are imagined for each forced move."""

QUICK = ("pico", "duel by one tap", "conquest in teams", "prize", "spite")
"""One variant of each game; the others are left to the longer run."""

BO_HAS_HIS_DESK_HERE = (
    "pico for three",
    "duel by desk",
    "conquest in teams",
    "conquest of three",
    "prize, drawing is no pass",
    "spite, a series",
)


class Match:
    """A match that is played at random, and what is sent at each click."""

    def __init__(self, table, sitting, seed):
        self.table = table
        self.discord = table.discord
        self.sitting = sitting
        self.game = GAMES[sitting.game]
        self.chance = random.Random(seed)
        self.people = [table.person(name) for name in NAMES[: sitting.seats]]
        self.messages = Messages(table.discord)
        self.players = [
            Player(
                table.discord,
                person,
                self.messages,
                Record(),
                self.chance,
                reachable=table.discord.is_connected,
            )
            for person in self.people
        ]
        self.differing = 0
        """How often the imagined state or choices differed from the real ones."""

        self.compared = 0
        """How many messages were compared."""

        self.drafted = {}
        """The drafts that each seat has made in this step, which its hand may show."""

    async def begin(self):
        first, *others = self.people
        options = {"pace": "live", **self.sitting.options}
        named = dict(zip(OPPONENTS, others, strict=False))
        answer = await first.slash(f"{self.game.key} play", channel="games", **named, **options)
        self.public = answer.message
        for person in others:
            await person.click(self.public, "Accept")
        await self.table.settled()

    async def running(self):
        """Yield once for each click until the match is over."""
        while (await self.record()).status == "running":
            yield

    async def record(self):
        return await record_of(self.table.bot.services.storage, 1)

    async def click(self):
        """Let a player who owes a move do something; returns the messages that reveal too much."""
        before, since = await self.record(), len(self.discord.requests)
        player, seen = self.chance.choice([(p, s) for p in self.players if (s := p.due())])
        if seen.is_table and not player._own(seen):
            await player.act(seen)  # My hand
        else:
            await player.choose(seen.message)
        await self.table.settled()
        after = await self.record()
        if after.step != before.step:
            self.drafted.clear()
        self.imagined = functools.cache(functools.partial(self.imagine, (before, after)))
        self.may_say = functools.cache(self.allowed)
        return [
            f"{self.reader(request)}: {told}"
            for request in self.discord.requests[since:]
            for told in self.told(request)
            if not self.may_be_told(request, told)
            or (after.status == "running" and before.seed in told)
        ] + list(self.forced_by_secrets(before, after))

    def forced_by_secrets(self, before, after):
        """Forced moves that others can't know to be forced.

        If others consider it possible that the seat had a choice, the fact that it had none tells
        them more than the move does.
        """
        state = load_match(before).state
        for step in range(before.step, after.step):
            query = "SELECT seat, move, how FROM moves WHERE step = ? ORDER BY seat"
            made = [
                (Seat(seat), self.game.parse(move), how)
                for seat, move, how in self.table.sql(query, step)
            ]
            for seat, move, how in made:
                if how == "forced" and self.had_a_choice(state, seat, move):
                    yield f"at step {step}, {move} played itself"
            moves = {seat: move for seat, move, _ in made}
            state = self.game.play(state, moves, Chance(before.seed, step + 1))

    def had_a_choice(self, state, seat, move):
        """Whether another seat considers it possible that this one had another legal move."""
        for other in range(self.sitting.seats):
            view = self.game.observe(state, Seat(other))
            for _ in range(FORCED_WORLDS if other != seat else 0):
                world = self.game.imagine(view, Seat(other), Chance(str(self.chance.random()), 1))
                legal = self.game.legal_moves(world, seat)
                if move in legal and len(legal) > 1:
                    return True
        return False

    def told(self, request):
        """What the message of a request says and offers; nothing if it has none."""
        body = request.json if isinstance(request.json, dict) else {}
        body = body.get("data") or body
        if body.get("components"):
            yield plain(body["components"])
        elif body.get("content"):
            yield body["content"]

    def may_be_told(self, request, told):
        """Whether a message could be the same if what its reader does not know were different."""
        self.compared += 1
        reader = self.reader(request)
        draft = draft_of(interaction_of(self.discord, request))
        if draft:
            self.drafted.setdefault(reader, set()).add(draft)
        bases = range(self.sitting.seats) if reader is None else [reader]
        drafts = frozenset({"", *self.drafted.get(reader, ())})
        return all(told in self.may_say(reader, Seat(base), drafts) for base in bases)

    def reader(self, request):
        """The seat that sees a message, or None if everybody does."""
        user = audience(self.discord, request)
        return next((Seat(i) for i, p in enumerate(self.people) if p.id == user), None)

    def allowed(self, reader, base, drafts):
        """Every text that the reader may get before and after a click, as far as `base` knows."""
        snapshots = [
            found.public() if reader is None else found.for_seat(reader)
            for found in self.imagined(base)
        ]
        shown = [s for snapshot in snapshots for d in drafts for s in self.contents(snapshot, d)]
        if reader is not None:
            presentation = self.table.bot.services.presentations[self.game.key]
            shown += [receipt_content(snapshot, presentation) for snapshot in snapshots]
        tappable = self.table.bot.services.command_ids.tappable
        return {plain(components(s.with_text(tappable))) for s in shown}

    def contents(self, snapshot, draft):
        guild, channel = self.public.guild_id, self.public.channel_id
        url = f"https://discord.com/channels/{guild}/{channel}/{self.public.id}"
        url = url if is_hand(snapshot) else None
        presentations = self.table.bot.services.presentations
        shown = render(snapshot, presentations, url, draft)
        for content in (shown, replace(shown, foot=f"{shown.foot}\n{CLOSED}")):
            yield content
            if possible_newcomers(snapshot):  # nobody else knows whether they ever played
                yield with_lesson_offer(content, snapshot.game)

    def imagine(self, records, base):
        """The positions, with everything that a seat can't know imagined from its view."""
        return [self._imagined(record, base) for record in records]

    def _imagined(self, record, base):
        found = load_match(record)
        chance = Chance(str(self.chance.random()), 1)
        state = self.game.imagine(self.game.observe(found.state, base), base, chance)
        choices = dict(record.choices)
        for seat in choices.keys() - {base}:
            others = [m for m in self.game.legal_moves(state, seat) if str(m) != choices[seat]]
            choices[seat] = str(chance.pick(others)) if others else choices[seat]
        self.differing += state != found.state or choices != record.choices
        return load_match(replace(record, state=codec.encode(state), choices=choices))


def components(shown):
    """The components of a content as they are sent, before its picture has an address."""
    media = None if shown.picture is None else f"attachment://{shown.picture.file}"
    return Layout(shown, media).to_components()


def plain(parts):
    """Components as text; a picture by its file name, which differs if its subject does."""
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False)
    return PICTURE.sub(r'"\1"', text)


def draft_of(interaction):
    """The draft that a click asks for; empty if it asks for none."""
    data = {} if interaction is None else interaction.data
    if not data.get("custom_id", "").startswith("f1:"):
        return ""
    press = Press.parse(data["custom_id"])
    press = press.with_values(*data["values"]) if "values" in data else press
    return press.arg if press.act == "draft" else ""


def test_the_quick_run_has_every_game():
    assert {SITTINGS[name].game for name in QUICK} == set(GAMES)


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.long) for name in SITTINGS],
)
async def test_in_random_matches_nobody_is_sent_what_only_another_player_may_know(table, name):
    table.person("Bo").closed = name in BO_HAS_HIS_DESK_HERE
    match = Match(table, SITTINGS[name], seed=name)

    with capture_logs() as lines:
        await match.begin()
        told = [await match.click() async for _ in match.running()]

    moves = [move for (move,) in table.sql("SELECT move FROM moves")]
    assert [text for texts in told for text in texts] == []
    assert match.differing > 0
    assert match.compared >= len(told) > 2
    assert [line for line in lines if any(str(v) in moves for v in line.values())] == []
    assert (await match.record()).seed not in str(lines)
