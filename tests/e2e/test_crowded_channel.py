"""Many tables in one channel, whose edits Discord counts: each takes its turn."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.storage import TABLE
from sandbox import Fault
from sandbox.permissions import Permission
from tests.support.services import AT_ONCE
from tests.support.tables import seated
from tests.support.waiting import until

HANGING = 3600.0
PAIRS = [("Ann", "Bo"), ("Cleo", "Dan"), ("Eve", "Finn"), ("Gil", "Hana")]


@pytest.fixture(autouse=True)
def unhurried(monkeypatch):
    """Let an edit under way hold up the others of its channel, however slow the machine is."""
    monkeypatch.setattr("bot.live.edit_turns.OVERDUE_SECONDS", HANGING)


@pytest.fixture
async def hasty(discord, tmp_path):
    """A table whose details ("has chosen") wait only briefly."""
    async with seated(discord, tmp_path, pacing=replace(AT_ONCE, detail=0.01)) as table:
        yield table


class Crowd:
    """Matches in one channel whose tables have no interaction token left to edit with."""

    def __init__(self, table, publics):
        self.table, self.publics = table, publics
        self.turns = table.bot.services.live.slots.services.turns
        self.channel = publics[0].channel_id

    async def busy(self):
        """Occupy the channel's edit turn; returns a function that frees it."""
        turn = self.turns.join(self.channel, 0.0)
        await turn.granted
        self.since = len(self.table.discord.requests)
        return lambda: self.turns.leave(turn)

    async def waiting(self, *publics):
        """Wait until the edits of exactly these tables are queued."""
        wanted = {self.table.match_of(public) for public in publics}
        slots = self.table.bot.services.live.slots
        tables = {match: await slots.table(match) for match in slots.known()}
        waiting = lambda: {m for m, t in tables.items() if t.waiting._future is not None}  # noqa: E731
        await until(lambda: waiting() == wanted, 30)

    @property
    def edited(self):
        """The tables edited since `busy()`, in order, each with the JSON that was sent."""
        by_id = {str(public.id): public for public in self.publics}
        return [
            (by_id[message], json.dumps(r.json))
            for r in self.table.discord.requests[self.since :]
            if r.method == "PATCH" and (message := r.path.rpartition("/")[-1]) in by_id
        ]


async def crowd(table, count):
    for name in {name for pair in PAIRS[:count] for name in pair}:
        if name not in {user.name for user in table.discord.world.users.values()}:
            table.discord.world.add_person(name)
    publics = [await table.match(*pair) for pair in PAIRS[:count]]
    await table.quiet_now()
    for public in publics:
        (await table.bot.services.live.slots.table(table.match_of(public))).token = None
    return Crowd(table, publics)


async def play(table, public, pair):
    """Let both players choose and wait until their hands show the next step."""
    await table.trick_at({name: table.desk(name, public) for name in pair})


async def test_a_hanging_edit_of_a_table_holds_up_no_hand_of_later_rounds(table):
    (public,) = (await crowd(table, 1)).publics
    path = f"/channels/{public.channel_id}/messages/{public.id}$"
    table.discord.faults.add(Fault(method="PATCH", path=path, delay=HANGING, times=None))
    edits = public.edits

    await play(table, public, PAIRS[0])
    await play(table, public, PAIRS[0])

    assert public.edits == edits
    assert table.step(table.desk("Ann")) == table.step(table.desk("Bo")) == 2


async def test_a_has_chosen_that_is_still_queued_is_never_sent_after_the_reveal(hasty):
    crowded = await crowd(hasty, 1)
    (public,) = crowded.publics
    free = await crowded.busy()

    await hasty.pick("Ann", hasty.desk("Ann"))
    await crowded.waiting(public)
    await hasty.pick("Bo", hasty.desk("Bo"))
    await hasty.discord.until(lambda: hasty.step(hasty.desk("Ann")) == 1)
    free()
    await hasty.quiet_now()

    ((edited, sent),) = crowded.edited
    assert edited is public
    assert "Last trick" in sent
    assert "has chosen" not in sent


async def test_tables_take_turns_with_one_edit_each_and_details_come_last(hasty):
    crowded = await crowd(hasty, 4)
    detail, *revealed = crowded.publics
    free = await crowded.busy()

    await hasty.pick("Ann", hasty.desk("Ann", detail))
    await crowded.waiting(detail)
    for public, pair in zip(revealed, PAIRS[1:], strict=True):
        await play(hasty, public, pair)
    await play(hasty, revealed[0], PAIRS[1])  # shown by the edit that this table has queued already
    await crowded.waiting(*crowded.publics)
    free()
    await hasty.quiet_now()

    assert [public for public, _ in crowded.edited] == [*revealed, detail]
    images = [public.images[0].description for public in crowded.publics]
    assert "Last trick" not in images[0]
    assert all("Last trick" in image for image in images[1:])
    newest = hasty.bot.services.live.slots
    for public in crowded.publics:
        match = hasty.match_of(public)
        slot = await newest.table(match)
        assert slot.shown == (await hasty.bot.services.matches.public(match)).key


async def late_in_a_crowd(table, monkeypatch, deny=0):
    """Tables that are late with a reveal in a busy channel; and a function that frees it."""
    monkeypatch.setattr("bot.live.edit_turns.LATE_SECONDS", 0.05)
    monkeypatch.setattr("bot.live.edit_turns.CROWDED_TURNS", len(PAIRS))
    crowded = await crowd(table, len(PAIRS))
    free = await crowded.busy()
    table.discord.world.set_permissions(table.discord.world.channel("games"), deny=deny)
    for public, pair in zip(crowded.publics, PAIRS, strict=True):
        await play(table, public, pair)
    return crowded, free


async def all_revealed(table, crowded):
    """The tables in the channel, once each shows its reveal."""
    await table.quiet_now()
    channel = table.discord.world.history[crowded.channel]
    publics = [m for m in channel if not (m.deleted or m.ephemeral_to) and "### Pico" in m.text]
    assert len(publics) == len(PAIRS)
    for public in publics:
        pictures = [image.description for image in public.images]
        assert "Last trick" in " ".join([public.text, *pictures])  # text if there's no picture
    return publics


async def test_a_table_that_is_late_in_a_crowded_channel_is_posted_again(table, monkeypatch):
    crowded, free = await late_in_a_crowd(table, monkeypatch)
    late, *others = crowded.publics

    await table.discord.until(lambda: late.deleted)
    free()

    *edited, posted = await all_revealed(table, crowded)
    assert edited == others
    assert posted.pinged == frozenset()
    await play(table, posted, PAIRS[0])


async def test_a_late_table_that_cannot_be_posted_is_edited_in_its_turn(table, monkeypatch):
    crowded, free = await late_in_a_crowd(table, monkeypatch, deny=Permission.SEND_MESSAGES)
    late = await table.bot.services.live.slots.table(table.match_of(crowded.publics[0]))
    await until(lambda: late.stays, 30)
    free()

    assert await all_revealed(table, crowded) == crowded.publics


async def test_all_counted_edits_keep_the_pace_of_all_requests(table):
    crowded = await crowd(table, 4)
    delivery = table.bot.services.live.slots.services.delivery
    pace, joined, since = delivery.pace, [], len(table.discord.requests)
    join = pace.join

    def joining(turn, began):
        joined.append(turn)
        return join(turn, began)

    pace.join = joining

    for public, pair in zip(crowded.publics, PAIRS, strict=True):
        await play(table, public, pair)
    await table.quiet_now()

    edits = [
        request
        for request in table.discord.requests[since:]
        if request.counted and request.method == "PATCH"
    ]
    assert len(edits) >= len(PAIRS)
    assert len(edits) <= sum(turn.result() for turn in joined if not turn.cancelled())


async def test_a_table_that_is_clicked_while_it_waits_is_edited_by_the_click_at_once(hasty):
    public = await hasty.challenge(hand="tap")
    await hasty.person("Bo").click(public, "Accept")
    await hasty.discord.until(lambda: "Round 1" in public.text)
    await hasty.quiet_now()
    (await hasty.bot.services.live.slots.table(hasty.match_of(public))).token = None
    crowded = Crowd(hasty, [public])
    await crowded.busy()
    await tap(hasty, "Ann", public, 0)
    await crowded.waiting(public)

    await tap(hasty, "Bo", public, 1)  # the last choice gets no receipt; the table changes
    await hasty.discord.until(lambda: "Last trick" in public.images[0].description)

    assert await requested(hasty, crowded.since) == {"webhooks"}


async def tap(table, name, public, seat):
    mine = [b for b in public.buttons if b.custom_id and f":tap:{seat} " in b.custom_id]
    await table.person(name).click(public, mine[0].custom_id)


async def test_a_hanging_edit_holds_up_the_others_of_its_channel_only_briefly(table, monkeypatch):
    monkeypatch.setattr("bot.live.edit_turns.OVERDUE_SECONDS", 0.2)
    first, second = (await crowd(table, 2)).publics
    await play(table, first, PAIRS[0])
    await table.discord.until(lambda: "Last trick" in first.images[0].description)
    edits = first.edits
    path = f"/channels/{first.channel_id}/messages/{first.id}$"
    table.discord.faults.add(Fault(method="PATCH", path=path, delay=HANGING, times=None))

    await play(table, first, PAIRS[0])
    await play(table, second, PAIRS[1])

    await table.discord.until(lambda: "Last trick" in second.images[0].description)
    assert first.edits == edits


async def requested(table, since=0):
    """The kinds of route by which messages were edited since then."""
    await table.quiet_now()
    edits = [r for r in table.discord.requests[since:] if r.method == "PATCH"]
    return {r.path.split("/")[1] for r in edits}


async def test_after_a_restart_messages_are_edited_with_the_tokens_from_before(table):
    public = await table.match()
    await table.play("Ann")
    await table.quiet_now()
    await table.restart()
    since = len(table.discord.requests)

    await table.play("Bo")

    await table.discord.until(
        lambda: "Last trick" in public.images[0].description and table.step(table.desk("Ann")) == 1
    )
    assert await requested(table, since) == {"webhooks"}


async def test_a_table_whose_token_expired_early_waits_for_its_turn_like_the_others(table):
    """Otherwise the library would keep the present content and send it before newer content."""
    public = await table.match()
    await table.play("Ann")
    await table.quiet_now()
    table.discord.clock.advance(timedelta(minutes=16))  # the bot's own clock doesn't advance
    crowded = Crowd(table, [public])
    free = await crowded.busy()

    await table.play("Bo")
    await crowded.waiting(public)
    counted = [
        request.path for request in table.discord.requests[crowded.since :] if request.counted
    ]
    free()
    await table.discord.until(lambda: "Last trick" in public.images[0].description)

    assert not any(path.endswith(f"/messages/{public.id}") for path in counted)
    ((_, sent),) = crowded.edited
    assert "Last trick" in sent


async def test_a_token_that_discord_refuses_is_not_kept(table):
    await table.match()
    await table.play("Ann")
    await table.bot.services.live.slots.flush()
    table.discord.clock.advance(timedelta(minutes=16))

    await table.play("Bo")
    await table.quiet_now()
    await table.bot.services.live.slots.flush()

    of_table = f"SELECT token, token_until, token_message FROM places WHERE place = {TABLE}"  # noqa: S608 - our own values
    assert table.sql(of_table) == [(None, None, None)]


async def test_a_choice_stores_its_token_together_with_what_its_message_shows(table, monkeypatch):
    """A choice that isn't the last costs two transactions: its own, and one flush for all."""
    monkeypatch.setattr("bot.live.message_slots.FLUSH_SECONDS", 3600)  # no flush by the timer
    await table.match()
    await table.bot.services.live.slots.flush()
    begun = []
    storage, transaction = table.bot.services.storage, table.bot.services.storage.transaction

    def counted(*args, **named):
        begun.append(1)
        return transaction(*args, **named)

    storage.transaction = counted

    await table.play("Ann")
    await table.bot.services.live.slots.flush()

    assert len(begun) == 1  # the choice itself is written by the batch of moves
    ((token,),) = table.sql("SELECT token FROM places WHERE place = 0")
    assert token
    assert token not in repr(table.bot.services.live.slots._matches)
    assert token not in repr(await table.bot.services.live.slots.hand(1, 0))
