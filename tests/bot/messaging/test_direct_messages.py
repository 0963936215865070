"""Where direct messages go while their channels are being opened."""

import asyncio

import pytest

from bot.errors import StorageUnavailableError
from bot.messaging.content import MessageContent
from bot.messaging.direct_messages import DirectMessages, ForgottenError, NotOpenError
from bot.messaging.failures import Failure, UndeliveredError
from bot.messaging.openings import Delay, OpeningPace, Waiter
from bot.storage.people import PersonRecord
from bot.storage.personal_data import Holdings
from tests.support.clock import DAY, HOUR, Watch
from tests.support.matches import begun
from tests.support.waiting import until

ANN, CHANNEL = 10, 100
HELLO = MessageContent(head="Hello")


class Door:
    """Opens channels once `open` is set; counts the requests."""

    def __init__(self):
        self.asked = 0
        self.channels = self
        self.open = asyncio.Event()
        self.open.set()

    async def open_dm(self, user):
        self.asked += 1
        await self.open.wait()
        return user * 10


@pytest.fixture
def door():
    return Door()


@pytest.fixture
def watch():
    return Watch(1000.0)


@pytest.fixture
async def direct_messages(storage, door, watch):
    pace = OpeningPace(most_per_hour=2, sleep=watch.sleep)
    direct_messages = DirectMessages(storage, door, hands="everybody", pace=pace, now=watch)
    yield direct_messages
    await direct_messages.close()


@pytest.fixture
async def notice(matches, storage):
    """A notice to Ann about a match."""
    match = await begun(matches)
    async with storage.transaction() as writing:
        await writing.notices.queue(match, "over", [ANN], due_at=1)
    async with storage.reading() as reading:
        return next(due for due in await reading.notices.due_in(match, 1) if due.user == ANN)


async def news_of_channel(direct_messages):
    """Wait for news of Ann's channel, as after a `NotOpenError`."""

    told = asyncio.Event()
    direct_messages.join_line(ANN, "late", Waiter(_yes, told.set))
    async with asyncio.timeout(60):  # otherwise it hangs
        await told.wait()


async def test_waiting_for_a_channel_opened_meanwhile_opens_no_second_one(direct_messages, door):
    assert await direct_messages.reach(ANN) == CHANNEL

    await news_of_channel(direct_messages)

    assert door.asked == 1
    assert await direct_messages.channel(ANN) == CHANNEL


async def test_waiting_for_a_channel_closed_meanwhile_does_not_try_it_again(
    direct_messages, door, storage
):
    async with storage.transaction() as writing:
        await writing.people.put(ANN, PersonRecord())
    await direct_messages._note_closed(ANN)

    await news_of_channel(direct_messages)

    assert door.asked == 0
    with pytest.raises(UndeliveredError) as refused:
        await direct_messages.channel(ANN)
    assert refused.value.failure is Failure.CLOSED


async def test_a_refusal_recorded_while_the_clock_was_ahead_does_not_count(
    direct_messages, storage
):
    async with storage.transaction() as writing:
        await writing.people.put(ANN, PersonRecord(dm_channel=CHANNEL, dm_closed_at=1000 + DAY))

    assert not await direct_messages.is_closed(ANN)
    assert await direct_messages.channel(ANN) == CHANNEL


async def test_a_channel_that_was_the_last_of_the_hour_can_be_used(
    direct_messages, storage, monkeypatch
):
    """It is opened between two checks: of the channel, and of the delay."""
    await direct_messages.reach(ANN + 1)
    delay = direct_messages._openings.delay

    async def opened_meanwhile():
        async with storage.transaction() as writing:
            await writing.people.put(ANN, PersonRecord(dm_channel=CHANNEL, dm_opened_at=1000))
        return await delay()

    monkeypatch.setattr(direct_messages._openings, "delay", opened_meanwhile)

    assert await direct_messages._openings.delay() is Delay.LIMIT
    async with storage.transaction() as writing:
        await writing.people.put(ANN, PersonRecord())
    assert await direct_messages.reach(ANN) == CHANNEL


async def test_somebody_who_would_have_to_wait_for_long_is_told_so(direct_messages):
    await direct_messages.reach(ANN)
    await direct_messages.reach(ANN + 1)

    with pytest.raises(NotOpenError):
        await direct_messages.reach(ANN + 2)


async def test_all_processes_share_the_hourly_limit(direct_messages, storage, door):
    """Otherwise each could open as many, but Discord counts them all for one bot."""
    await direct_messages.reach(ANN)
    watch = Watch(1000.0)
    pace = OpeningPace(most_per_hour=2, sleep=watch.sleep)
    other = DirectMessages(storage, door, hands="everybody", pace=pace, now=watch)
    before = await other.delay(ANN + 2)
    await other.reach(ANN + 1)

    delays = [await each.delay(ANN + 2) for each in (direct_messages, other)]

    assert (before, delays, door.asked) == (None, [Delay.LIMIT] * 2, 2)
    await other.close()


async def test_somebody_who_asks_just_while_discord_refuses_another_is_told_so(
    direct_messages, monkeypatch
):
    """Otherwise they would wait for an hour, although a mention could reach them at once."""
    openings = direct_messages._openings
    opened_since = openings._opened_since

    async def refused_meanwhile(moment):
        monkeypatch.setattr(openings, "_opened_since", opened_since)
        told = asyncio.Event()
        direct_messages.join_line(ANN + 1, "hand", Waiter(_yes, told.set))
        openings.refused(ANN + 1)
        await told.wait()
        return await opened_since(moment)

    monkeypatch.setattr(openings, "_opened_since", refused_meanwhile)

    async with asyncio.timeout(60):  # otherwise it hangs
        with pytest.raises(NotOpenError):
            await direct_messages.reach(ANN)


@pytest.mark.parametrize("way", ["reach", "send"])
async def test_nobody_waits_for_a_person_who_was_forgotten_meanwhile(
    direct_messages, door, notice, storage, way
):
    door.open.clear()
    asked = {"reach": (ANN,), "send": (notice, HELLO)}[way]
    waiting = asyncio.create_task(getattr(direct_messages, way)(*asked))
    await until(lambda: door.asked, pause=0)

    direct_messages.forget(ANN)
    async with asyncio.timeout(60):  # otherwise it hangs
        with pytest.raises(ForgottenError):
            await waiting
    door.open.set()
    await direct_messages.reach(ANN + 1)

    assert door.asked == 2
    async with storage.reading() as reading:
        assert await reading.people.load(ANN) == PersonRecord()


@pytest.mark.parametrize("way", ["reach", "send"])
async def test_no_channel_is_opened_for_a_notice_to_a_person_who_was_just_forgotten(
    direct_messages, door, notice, storage, way
):
    """The notice was read before its row was deleted with the person it was for."""
    async with storage.transaction() as writing:
        await writing.erasure.forget(ANN)
    direct_messages.forget(ANN)

    asked = {"reach": (ANN, notice), "send": (notice, HELLO)}[way]
    async with asyncio.timeout(60):  # otherwise it hangs
        with pytest.raises(ForgottenError):
            await getattr(direct_messages, way)(*asked)

    assert door.asked == 0
    async with storage.reading() as reading:
        assert await reading.people.load(ANN) == PersonRecord()


@pytest.mark.parametrize("failure", [Failure.CLOSED, Failure.REFUSED])
async def test_nothing_is_stored_about_a_refusal_of_a_person_deleted_meanwhile(
    direct_messages, door, notice, storage, failure
):
    async def refused(*_of_message, **_more):
        async with storage.transaction() as writing:
            await writing.erasure.forget(ANN)
        raise UndeliveredError(failure)

    door.send = refused

    assert await direct_messages.send(notice, HELLO) is None

    async with storage.reading() as reading:
        assert await reading.personal_data.holdings(ANN) == Holdings()


async def test_a_channel_that_is_not_ours_is_opened_again(direct_messages, door, notice, storage):
    """It belongs to another bot that used this database before."""
    async with storage.transaction() as writing:
        await writing.people.put(ANN, PersonRecord(dm_channel=7, dm_opened_at=1))
    sent_to = []

    async def send(channel, *_of_message, **_more):
        sent_to.append(channel)
        raise UndeliveredError(Failure.NOWHERE)

    door.send = send

    assert await direct_messages.send(notice, HELLO) is None
    assert await direct_messages.send(notice, HELLO) is None
    assert await direct_messages.send(notice, HELLO) is None

    assert sent_to == [7, CHANNEL, CHANNEL]
    assert door.asked == 1, "not again where the new one can't be reached either"


@pytest.mark.parametrize(
    ("opened_at", "closed_at"),
    [(1000 - HOUR + 1, None), (1000 - HOUR, 1000), (1002, None), (1000 + HOUR, 1000)],
    ids=[
        "before the start",
        "long ago",
        "by another process, a little ahead",
        "the clock was set back",
    ],
)
async def test_the_first_message_to_a_channel_opened_elsewhere_counts_as_first_too(
    direct_messages, door, notice, storage, opened_at, closed_at
):
    """Otherwise a quarantine would be mistaken for a person with closed direct messages."""
    async with storage.transaction() as writing:
        await writing.people.put(ANN, PersonRecord(dm_channel=CHANNEL, dm_opened_at=opened_at))

    async def refused(*_of_message, **_more):
        raise UndeliveredError(Failure.REFUSED)

    door.send = refused

    assert await direct_messages.send(notice, HELLO) is None

    async with storage.reading() as reading:
        assert (await reading.people.load(ANN)).dm_closed_at == closed_at
    assert await direct_messages.delay(ANN + 1) is (Delay.REFUSED if closed_at is None else None)


async def test_a_refusal_that_could_not_be_stored_does_not_hide_closed_direct_messages(
    direct_messages, door, notice, storage, watch, monkeypatch
):
    """Otherwise the channel stays in its row, and the bot tries it again and again."""
    knocks = 0

    async def refused(channel, *_of_message, **_more):
        nonlocal knocks
        if channel == CHANNEL:
            knocks += 1
            raise UndeliveredError(Failure.REFUSED)

    async def fail(*_of_person, **_values):
        raise StorageUnavailableError("the disk is full")

    door.send = refused
    with monkeypatch.context() as disk:
        disk.setattr(direct_messages, "_change", fail)
        with pytest.raises(StorageUnavailableError):
            await direct_messages.send(notice, HELLO)

    assert await direct_messages.send(notice, HELLO) is None
    assert knocks == 2
    async with storage.reading() as reading:
        assert (await reading.people.load(ANN)).dm_channel is None
    await news_of_channel(direct_messages)  # told at once that Discord is left alone for an hour
    watch.advance(HOUR)
    await direct_messages.reach(ANN + 1)
    direct_messages.arrived(ANN + 1)
    assert await direct_messages.send(notice, HELLO) is None

    assert await direct_messages.is_closed(ANN)
    assert knocks == 3
    assert await direct_messages.send(notice, HELLO) is None
    assert knocks == 3


async def test_a_channel_opened_by_another_process_after_a_refusal_here_is_not_retried_in_a_loop(
    direct_messages, door, notice, storage
):
    """It is opened again, with the usual pauses, before anything else is sent there."""
    direct_messages._openings.refused(ANN)
    async with storage.transaction() as writing:
        await writing.people.put(ANN, PersonRecord(dm_channel=CHANNEL, dm_opened_at=1000))

    async def refused(*_of_message, **_more):
        raise UndeliveredError(Failure.REFUSED)

    door.send = refused

    assert await direct_messages.send(notice, HELLO) is None

    with pytest.raises(NotOpenError):
        await direct_messages.channel(ANN)


async def test_a_person_refused_here_but_reached_in_another_process_is_no_longer_refused(
    direct_messages, door, notice, storage
):
    direct_messages._openings.refused(ANN)
    async with storage.transaction() as writing:
        await writing.people.put(ANN, PersonRecord(dm_channel=CHANNEL, dm_opened_at=1000))

    async def sent(*_of_message, **_more):
        return "arrived"

    door.send = sent

    assert await direct_messages.send(notice, HELLO) == "arrived"

    assert not direct_messages._openings.is_refused(ANN)


async def test_a_first_message_is_known_as_first_before_anybody_can_send_it(
    direct_messages, door, storage, monkeypatch
):
    """Code that writes to a channel as soon as it is stored learns from refusals like any other."""
    note, unproven = direct_messages._note, []

    async def noted(user, record):
        await note(user, record)
        unproven.append(direct_messages._openings.is_unproven(user))

    monkeypatch.setattr(direct_messages, "_note", noted)

    await direct_messages.reach(ANN)

    assert unproven == [True]


async def _yes():
    return True
