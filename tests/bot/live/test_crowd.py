"""Which messages go first if very many have to be shown, and who leaves the queue."""

from types import SimpleNamespace

import pytest

from bot.cluster.share import EVERYTHING
from bot.live.slot_updater import CROWDED_SLOTS, HANDS_YIELD_SECONDS, NotOwnedError, SlotUpdater
from bot.storage import TABLE


class Queue:
    def __init__(self, busy):
        self.busy, self.marked = busy, []

    def schedule(self, key, delay=0.0):
        self.marked.append((key, delay))


def updater(direct_messages):
    services = SimpleNamespace(direct_messages=direct_messages, share=EVERYTHING)
    return SlotUpdater(SimpleNamespace(services=services), None, None, None)


def marked(busy, place):
    """The delay with which a slot is marked while this many are busy."""
    showing = updater(direct_messages=None)
    queue = Queue(busy)
    showing.queue = queue
    waiting = SimpleNamespace(fall_behind=lambda is_detail: None)
    showing.schedule(SimpleNamespace(match=1, place=place, waiting=waiting))
    ((_, delay),) = queue.marked
    return delay


@pytest.mark.parametrize(
    ("busy", "place", "delay"),
    [
        (CROWDED_SLOTS, 0, 0.0),
        (CROWDED_SLOTS + 1, 0, HANDS_YIELD_SECONDS),
        (CROWDED_SLOTS + 1, TABLE, 0.0),
    ],
)
def test_hands_yield_only_if_there_are_many_and_tables_never(busy, place, delay):
    assert marked(busy, place) == delay


async def test_somebody_in_line_for_a_match_of_another_process_leaves_the_line(monkeypatch):
    made = []
    direct_messages = SimpleNamespace(join_line=lambda user, key, waiter: made.append(waiter.holds))
    showing = updater(direct_messages)
    monkeypatch.setattr(showing, "_wanted", anothers)

    showing._wish(7, SimpleNamespace(match=1, place=0))

    (holds,) = made
    assert not await holds()


async def anothers(slot):
    raise NotOwnedError
