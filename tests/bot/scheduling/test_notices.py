"""Who is told of what, when and how; what Discord gets is tested at the wire."""

import asyncio
from collections import Counter

import pytest

from bot.live.request_pace import RequestPace
from bot.live.slots import Tools
from bot.matches.agreements import Agreements
from bot.matches.nudges import Nudges
from bot.matches.pauses import Pauses
from bot.matches.rematches import Rematches
from bot.matches.timeouts import Timeouts
from bot.messaging.delivery import Arrived
from bot.messaging.failures import Failure, UndeliveredError
from bot.rendering.notices import SENTENCES
from bot.rendering.presentation import Presentations
from bot.scheduling.activity import Activity
from bot.scheduling.notices import Notices
from bot.settings.notices import EVENTS, NoticeSettings
from bot.storage import TABLE, MessageRef
from cogs.pico.presentation import PicoPresentation
from tests.support.clock import DAY, EVERY_SHARD, HOUR, MINUTE
from tests.support.match_records import ask, execute, forget_user, put_message
from tests.support.matches import ANN, BEA, CHANNEL, CYD, GUILD, A, B, begun, dealt, opened

TABLE_REF = MessageRef(channel=CHANNEL, message=500, shown="")


class Post:
    """Discord, as far as messages go there: what was sent by nonce, and what was deleted."""

    def __init__(self):
        self.sent = {}
        self.tries = Counter()
        self.deleted = []
        self.closed = set()
        self.failure = None

    def take(self, nonce, **message):
        if self.failure is not None:
            raise UndeliveredError(self.failure)
        self.tries[nonce] += 1
        if nonce not in self.sent:
            self.sent[nonce] = {**message, "message": 1000 + len(self.sent)}
        return Arrived(message["channel"], self.sent[nonce]["message"], None)


class Channels:
    """Where mentions go."""

    def __init__(self, post):
        self._post = post

    async def send(self, channel, content, nonce, *, pinged=()):
        return self._post.take(nonce, to=pinged[0], way="channel", channel=channel, said=content)

    async def delete(self, channel, message):
        del channel
        if self._post.failure is not None:
            raise UndeliveredError(self._post.failure)
        self._post.deleted.append(message)


class Inboxes:
    """Where direct messages go, to everybody who has not closed them."""

    def __init__(self, post):
        self._post = post

    async def send(self, user, content, nonce):
        if user in self._post.closed:
            return None
        return self._post.take(nonce, to=user, way="dm", channel=user, said=content)


class Hands:
    """Live messages: whose hand was brought by direct message."""

    def __init__(self, post):
        self._post = post
        self.brought = []

    async def bring_hand(self, match, seat):
        if self._post.failure is not None:
            raise UndeliveredError(self._post.failure)
        if seat in self._post.closed:
            return False
        self.brought.append((match, seat))
        return True


class Members:
    """Who is in the server: everybody but those who are gone."""

    def __init__(self):
        self.left = set()

    async def gone(self, guild, users):
        del guild
        return frozenset(self.left.intersection(users))


class World:
    """The bot's notices, and everything around them."""

    def __init__(self, storage, matches, watch):
        self.storage, self.matches, self.watch = storage, matches, watch
        self.post, self.members = Post(), Members()
        self.hands = Hands(self.post)
        self.settings = NoticeSettings(storage, now=watch)
        self.restart()

    def restart(self):
        """As after the death of the process: what was in memory is gone."""
        presentations = Presentations()
        presentations.add("pico", PicoPresentation())
        self.activity = Activity(now=self.watch)
        tools = Tools(
            storage=self.storage,
            delivery=Channels(self.post),
            direct_messages=Inboxes(self.post),
            presentations=presentations,
            threads=None,
            pace=RequestPace(),
            words_first=0.0,
        )
        self.notices = Notices(
            tools,
            matches=self.matches,
            live=self.hands,
            membership=self.members,
            activity=self.activity,
            now=self.watch,
        )
        self.storage.subscribe(lambda committed: self.notices.concerns(committed.changed))

    async def look(self):
        """Let everything be told that is due."""
        while True:
            await self.notices.look(EVERY_SHARD)
            tasks = list(self.notices._busy.values())
            if not tasks:
                return
            await asyncio.gather(*tasks)
            async with self.storage.reading() as reading:
                if not await reading.notices.due(self.watch(), EVERY_SHARD):
                    return

    async def later(self, seconds=2 * MINUTE):
        """Let time pass, and tell what is due then."""
        self.watch.advance(seconds)
        await self.look()

    async def begun(self, *opponents, **changes):
        """A match of which nobody was told anything, long after anybody clicked."""
        match = await begun(self.matches, *opponents, **changes)
        await put_message(self.storage, match, TABLE, TABLE_REF)
        await self.later()
        self.forget()
        return match

    def forget(self):
        self.post.sent.clear()
        self.hands.brought.clear()

    def told(self):
        """Who was told in which way, by the order of telling."""
        return [(sent["to"], sent["way"]) for sent in self.post.sent.values()]

    def said(self, user):
        """What somebody was told last."""
        return [s["said"].head for s in self.post.sent.values() if s["to"] == user][-1]


@pytest.fixture
def world(storage, matches, watch):
    return World(storage, matches, watch)


def low(seat, state=None):
    return str((state or dealt()).hands[seat][0])


# The table of events.


def test_every_event_has_a_line_and_a_sentence():
    assert EVENTS.keys() == SENTENCES.keys()
    assert all(kind.label and kind.default in {"dm", "channel", "none"} for kind in EVENTS.values())


async def by_turn(world):
    await world.settings.choose(ANN, "accepted", "none")  # it says the same
    match = await begun(world.matches)
    await put_message(world.storage, match, TABLE, TABLE_REF)
    await world.matches.submit(match, 0, BEA, low(B))
    return ANN


async def by_time(world):
    await world.begun()
    await world.settings.choose(BEA, "time", "none")
    world.watch.advance(DAY - 6 * HOUR)
    return ANN


async def by_nudge(world):
    match = await world.begun()
    await Nudges(world.storage, now=world.watch).nudge(match, BEA)
    return ANN


async def by_challenge(world):
    match = await opened(world.matches)
    await put_message(world.storage, match, TABLE, TABLE_REF)
    return BEA


async def by_acceptance(world):
    await world.settings.choose(ANN, "turn", "none")
    await world.settings.choose(BEA, "turn", "none")
    match = await begun(world.matches)
    await put_message(world.storage, match, TABLE, TABLE_REF)
    return ANN


async def by_refusal(world):
    match = await opened(world.matches)
    await put_message(world.storage, match, TABLE, TABLE_REF)
    await world.matches.decline(match, BEA)
    return ANN


async def by_expiry(world):
    match = await opened(world.matches)
    await put_message(world.storage, match, TABLE, TABLE_REF)
    world.watch.advance(3 * DAY)
    await timeouts_of(world).act(match)
    return ANN


def timeouts_of(world):
    return Timeouts(world.storage, now=world.watch)


async def by_offer(world):
    match = await world.begun()
    await Agreements(world.storage, now=world.watch).offer(match, BEA, "draw")
    return ANN


async def by_rematch(world):
    match = await world.begun()
    await world.matches.concede(match, BEA)
    await world.look()
    world.forget()
    await Rematches(world.storage, now=world.watch).want(match, BEA, 55)
    return ANN


async def by_end(world):
    match = await world.begun()
    await world.matches.concede(match, BEA)
    return ANN


async def by_watching(world):
    match = await world.begun()
    for user in (ANN, BEA):
        await world.settings.choose(user, "over", "none")
    async with world.storage.transaction() as writing:
        await writing.watches.add(match, CYD)
        await writing.watches.add(match, ANN)  # a player is told as a player
    await world.matches.concede(match, BEA)
    return CYD


CAUSES = {
    "turn": by_turn,
    "time": by_time,
    "nudged": by_nudge,
    "challenged": by_challenge,
    "accepted": by_acceptance,
    "declined": by_refusal,
    "expired": by_expiry,
    "offered": by_offer,
    "rematch": by_rematch,
    "over": by_end,
    "watched": by_watching,
}


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("way", ["dm", "channel", "none"])
async def test_every_event_is_told_once_in_the_way_that_was_chosen(world, event, way):
    for user in (ANN, BEA, CYD):
        await world.settings.choose(user, event, way)

    user = await CAUSES[event](world)
    await world.later()
    await world.later()

    # The challenge itself mentions whom it invites, and a turn is told by the hand.
    by_itself = {("challenged", "channel"), ("turn", "dm")}
    told = [] if way == "none" or (event, way) in by_itself else [(user, way)]
    assert [line for line in world.told() if line[0] == user] == told
    assert world.hands.brought == ([(1, A)] if (event, way) == ("turn", "dm") else [])


@pytest.mark.parametrize("event", [event for event in EVENTS if event != "turn"])
async def test_every_event_says_what_to_do_with_a_way_there_and_where_to_change_it(world, event):
    await world.settings.choose(BEA, "challenged", "dm")

    user = await CAUSES[event](world)
    await world.later()

    content = next(s["said"] for s in world.post.sent.values() if s["to"] == user)
    links = [button.url for row in content.rows for button in row if hasattr(button, "url")]
    assert "**Pico" in content.head
    assert content.head.endswith("`/notify` sets what I tell you and how.")
    assert links[-1] == f"https://discord.com/channels/{GUILD}/{CHANNEL}/500"


async def test_whoever_did_it_is_told_nothing(world):
    match = await world.begun()

    await Agreements(world.storage, now=world.watch).offer(match, BEA, "draw")
    await world.later()
    await world.matches.concede(match, BEA)
    await world.later()
    await Rematches(world.storage, now=world.watch).want(match, BEA, 55)
    await world.later()

    assert world.told() == [(ANN, "dm")] * 3


async def test_the_winner_reads_who_resigned_and_that_a_rematch_is_wanted(world):
    match = await world.begun()
    await world.matches.concede(match, BEA)
    await world.look()
    over = world.said(ANN)
    await Rematches(world.storage, now=world.watch).want(match, BEA, 55)
    await world.look()

    assert f"is over. **<@{ANN}> wins**: <@{BEA}> resigned." in over
    assert f"<@{BEA}> wants a rematch of **Pico" in world.said(ANN)


# People who are there.


async def test_two_people_online_get_no_message_between_the_first_and_the_last(world):
    """They choose within a minute, all through a match; each sees the end on the hand."""
    match = await begun(world.matches)
    await put_message(world.storage, match, TABLE, TABLE_REF)
    for user in (ANN, BEA):
        world.activity.note(match, user)
    while (snapshot := await world.matches.public(match)).status == "running":
        for user in (ANN, BEA):
            hand = await world.matches.snapshot(match, user)
            await world.matches.submit(match, snapshot.step, user, str(hand.legal[0]))
            await world.later(25)
    await world.later()
    await world.later()

    assert world.told() == []
    assert world.hands.brought == []
    assert ask_notices(world) == []


def ask_notices(world):
    return ask(world.storage_file, "SELECT user, event FROM notices ORDER BY id")


@pytest.fixture(autouse=True)
def _file(request, database):
    if "world" in request.fixturenames:
        request.getfixturevalue("world").storage_file = database


async def test_a_turn_is_told_a_minute_after_it_began_and_once(world):
    match = await world.begun()
    for user, seat in ((ANN, A), (BEA, B)):
        await world.matches.submit(match, 0, user, low(seat))
    await world.later(2 * MINUTE - 1)
    assert world.hands.brought == []

    await world.later(1)
    await world.later(HOUR)

    assert world.hands.brought == [(match, A), (match, B)]


async def test_who_has_chosen_within_the_minute_is_not_told_of_the_turn(world):
    match = await begun(world.matches)
    await world.matches.submit(match, 0, ANN, low(A))

    await world.later(10 * MINUTE)

    assert world.hands.brought == [(match, B)]


async def test_who_has_just_clicked_is_told_of_a_turn_once_they_have_been_away(world):
    match = await begun(world.matches)
    world.watch.advance(50)
    world.activity.note(match, ANN)

    await world.later(2 * MINUTE - 1)
    assert world.hands.brought == [(match, B)]
    await world.later(1)

    assert world.hands.brought == [(match, B), (match, A)]


async def test_a_choice_that_is_a_row_counts_after_a_restart_too(world):
    match = await world.begun()
    for user, seat in ((ANN, A), (BEA, B)):
        await world.matches.submit(match, 0, user, low(seat))
    world.restart()

    await world.matches.concede(match, BEA)
    await world.look()

    assert world.told() == []  # Ann has just chosen, so she sees it happen


async def test_what_asks_something_is_told_when_they_stay_away_and_what_informs_is_not(world):
    match = await world.begun()
    world.activity.note(match, ANN)
    await Agreements(world.storage, now=world.watch).offer(match, BEA, "draw")
    await world.look()
    assert world.told() == []

    await world.later()

    assert world.told() == [(ANN, "dm")]


async def test_in_a_live_match_a_turn_is_told_after_a_minute(world):
    match = await begun(world.matches, time_control="live")
    await put_message(world.storage, match, TABLE, TABLE_REF)
    for user in (ANN, BEA):
        world.activity.note(match, user)

    await world.later(MINUTE)

    assert world.hands.brought == [(match, A), (match, B)]


# What holds no more.


async def test_an_offer_that_was_answered_is_not_told(world):
    match = await world.begun()
    agreements = Agreements(world.storage, now=world.watch)
    world.activity.note(match, ANN)
    await agreements.offer(match, BEA, "draw")
    await agreements.decline(match, ANN, "draw")

    await world.later()

    assert world.told() == []
    assert ("offered",) not in ask(world.storage_file, "SELECT event FROM notices")


async def test_a_turn_of_a_match_that_is_over_is_not_told(world):
    match = await begun(world.matches)
    await Pauses(world.storage, now=world.watch).end(match, GUILD, ANN)

    await world.later()

    assert world.hands.brought == []
    assert world.told() == [(BEA, "dm")]
    assert "Closed without a result** by a moderator" in world.said(BEA)


async def test_who_was_forgotten_is_told_nothing_and_named_nowhere(world):
    match = await world.begun()
    await world.matches.concede(match, BEA)
    await forget_user(world.storage, ANN)

    await world.later()

    assert world.told() == []


async def test_somebody_who_forfeited_by_time_is_told_that_the_match_is_over(world):
    match = await world.begun()
    for step in range(2):
        await world.matches.submit(
            match, step, ANN, str((await world.matches.snapshot(match, ANN)).legal[0])
        )
        world.watch.advance(DAY)
        await timeouts_of(world).act(match)
    world.forget()

    await world.look()

    assert sorted(line for line in world.told() if line[0] == BEA) == [(BEA, "dm")]
    assert f"<@{BEA}> ran out of time" in world.said(BEA)


async def test_who_was_blocked_asks_for_no_rematch_by_a_message(world):
    match = await world.begun()
    async with world.storage.transaction() as writing:
        await writing.blocks.add(ANN, BEA)
    await world.matches.concede(match, BEA)
    await world.look()
    await Rematches(world.storage, now=world.watch).want(match, BEA, 55)

    await world.later()

    assert len(world.told()) == 1
    assert "is over" in world.said(ANN)


async def test_a_paused_match_tells_nothing_until_it_goes_on(world):
    match = await begun(world.matches)
    pauses = Pauses(world.storage, now=world.watch)
    await pauses.pause(match)
    await world.later(10 * MINUTE)
    assert world.hands.brought == []
    await pauses.resume(match, GUILD, CHANNEL, ANN)

    await world.later(MINUTE)

    assert world.hands.brought == [(match, A), (match, B)]


async def test_on_vacation_nobody_is_told_that_it_is_their_turn(world):
    match = await world.begun()
    until = int(world.watch()) + 5 * DAY
    await execute(world.storage, f"UPDATE seats SET away_until = {until} WHERE seat = 0")  # noqa: S608 - ours
    for user, seat in ((ANN, A), (BEA, B)):
        await world.matches.submit(match, 0, user, low(seat))
    await world.later(10 * MINUTE)
    assert world.hands.brought == [(match, B)]

    world.watch.now = until
    await world.look()

    assert (match, A) in world.hands.brought


async def test_what_is_due_is_found_by_an_index(storage, database):
    query = (
        "EXPLAIN QUERY PLAN SELECT notices.id FROM notices JOIN matches "
        "ON matches.id = notices.match WHERE notices.due_at <= 5 "
        "ORDER BY notices.due_at, notices.id LIMIT 500"
    )

    plan = [row[3] for row in ask(database, query)]

    assert "SEARCH notices USING INDEX ix_notices_due_at (due_at<?)" in plan[0]
    assert not any("SCAN" in line or "TEMP B-TREE" in line for line in plan)


# Deaths, and what does not arrive.


async def test_a_death_between_sending_and_noting_it_sends_nothing_twice(world, monkeypatch):
    match = await world.begun()
    await world.matches.concede(match, BEA)
    real = Notices._note_told

    async def die(self, message, arrived):
        del self, message, arrived
        raise asyncio.CancelledError

    monkeypatch.setattr(Notices, "_note_told", die)
    await world.notices.look(EVERY_SHARD)
    await asyncio.gather(*world.notices._busy.values(), return_exceptions=True)
    assert world.told() == [(ANN, "dm")]
    monkeypatch.setattr(Notices, "_note_told", real)
    world.restart()

    await world.look()
    await world.later()

    assert world.told() == [(ANN, "dm")]
    assert max(world.post.tries.values()) == 2  # with one nonce, so Discord has one message


async def test_a_death_before_sending_loses_nothing(world):
    match = await world.begun()
    await world.matches.concede(match, BEA)
    world.restart()

    await world.notices.start()
    await world.look()

    assert world.told() == [(ANN, "dm")]


async def test_what_discord_has_trouble_with_is_tried_again(world):
    match = await world.begun()
    await world.matches.concede(match, BEA)
    world.post.failure = Failure.TROUBLE
    await world.look()
    world.post.failure = None

    await world.later(5 * MINUTE)

    assert world.told() == [(ANN, "dm")]


@pytest.mark.parametrize("failure", [Failure.NOWHERE, Failure.FORBIDDEN])
async def test_what_can_never_arrive_is_given_up(world, failure):
    match = await world.begun()
    await world.matches.concede(match, BEA)
    world.post.failure = failure

    await world.look()

    assert ask_notices(world) == []


async def test_closed_direct_messages_become_a_mention_that_pings_only_them(world):
    match = await world.begun()
    world.post.closed |= {ANN, A}
    await world.matches.concede(match, BEA)

    await world.look()

    assert world.told() == [(ANN, "channel")]
    assert world.said(ANN).startswith(f"🏁 <@{ANN}>: **Pico")


async def test_who_has_left_the_server_is_not_mentioned_there(world):
    match = await world.begun()
    world.post.closed.add(ANN)
    world.members.left.add(ANN)
    await world.matches.concede(match, BEA)

    await world.look()

    assert world.told() == []


# Messages that stand.


async def test_a_mention_goes_when_its_reader_has_chosen(world):
    await world.settings.choose(ANN, "accepted", "none")
    await world.settings.choose(ANN, "turn", "channel")
    match = await begun(world.matches)
    await put_message(world.storage, match, TABLE, TABLE_REF)
    await world.later()
    (mention,) = world.post.sent.values()

    await world.matches.submit(match, 0, ANN, low(A))
    await world.look()

    assert mention["to"] == ANN
    assert world.post.deleted == [mention["message"]]
    assert ask(world.storage_file, "SELECT * FROM sent_notices") == []


async def test_the_message_before_it_is_deleted_when_a_new_one_comes(world):
    match = await world.begun()
    await world.matches.concede(match, BEA)
    await world.look()
    await Rematches(world.storage, now=world.watch).want(match, BEA, 55)
    await world.look()

    over, rematch = (sent["message"] for sent in world.post.sent.values())
    assert world.post.deleted == [over]
    assert ask(world.storage_file, "SELECT message FROM sent_notices") == [(rematch,)]


async def test_a_message_that_held_no_more_while_the_bot_was_away_goes_at_the_start(world):
    await world.settings.choose(ANN, "accepted", "none")
    await world.settings.choose(ANN, "turn", "channel")
    match = await begun(world.matches)
    await put_message(world.storage, match, TABLE, TABLE_REF)
    await world.later()
    world.notices.concerns = lambda changed: False  # it dies before it hears of the choice
    await world.matches.submit(match, 0, ANN, low(A))
    world.restart()

    await world.notices.start()
    await world.look()

    assert len(world.post.deleted) == 1


@pytest.mark.parametrize(("failure", "kept"), [(Failure.GONE, 0), (Failure.TROUBLE, 1)])
async def test_a_message_that_is_gone_already_is_forgotten(world, failure, kept):
    await world.settings.choose(ANN, "accepted", "none")
    await world.settings.choose(ANN, "turn", "channel")
    match = await begun(world.matches)
    await put_message(world.storage, match, TABLE, TABLE_REF)
    await world.later()
    world.post.failure = failure

    await world.matches.submit(match, 0, ANN, low(A))
    await world.look()

    assert len(ask(world.storage_file, "SELECT * FROM sent_notices")) == kept


# The reminder.


@pytest.mark.parametrize(
    "case",
    [
        ("today", None, 15 * MINUTE),
        ("today", 10 * MINUTE, 10 * MINUTE),
        ("today", 8 * HOUR, 30 * MINUTE),
        ("slow", 8 * HOUR, 8 * HOUR),
        ("slow", 10 * MINUTE, 10 * MINUTE),
        ("relaxed", None, 18 * HOUR),
        ("relaxed", HOUR, HOUR),
    ],
)
async def test_reminders_come_as_early_as_wished_but_not_in_the_first_half(world, case):
    time_control, before, seconds = case
    await world.settings.choose(BEA, "time", "none")
    match = await world.begun(time_control=time_control)
    await world.settings.remind_before(ANN, before)
    await world.look()
    moment = (await world.matches.public(match)).due_at - seconds

    world.watch.now = moment - 1
    await world.look()
    assert world.told() == []
    world.watch.now = moment
    await world.look()

    assert world.told() == [(ANN, "dm")]


@pytest.mark.parametrize("time_control", ["live", "none"])
async def test_where_moves_are_fast_or_have_no_clock_nobody_is_reminded(world, time_control):
    match = await begun(world.matches, time_control=time_control)
    await world.later(61)
    world.forget()

    world.watch.now = (await world.matches.public(match)).due_at - 1
    await world.look()

    assert world.told() == []


async def test_time_that_was_put_off_puts_off_its_reminder(world):
    match = await world.begun()
    due_at = (await world.matches.public(match)).due_at + DAY
    await execute(world.storage, f"UPDATE matches SET deadline = {due_at}")  # noqa: S608 - ours
    await world.later(18 * HOUR)
    assert world.told() == []

    world.watch.now = due_at - 6 * HOUR
    await world.look()

    assert world.told() == [(ANN, "dm"), (BEA, "dm")]


async def test_of_the_next_turn_one_is_reminded_again(world):
    match = await world.begun()
    await world.later(18 * HOUR)
    for user, seat in ((ANN, A), (BEA, B)):
        await world.matches.submit(match, 0, user, low(seat))

    await world.later(18 * HOUR)

    assert world.told() == [(ANN, "dm"), (BEA, "dm")] * 2
