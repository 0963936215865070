"""What an act returns is computed, and yet what is read after its commit, whatever the act was."""

from collections import Counter
from dataclasses import replace
from itertools import product

import pytest

from bot.matches.effect import Effect, truth_of
from bot.matches.loaded import load_match
from bot.storage.matches import MatchRepository
from games.pico import Card
from tests.support.matches import ANN, BEA, CYD, GUILD, NOW, A, B, begun, dealt, opened
from tests.support.playouts import SHORT
from tests.support.races import at_once
from tests.support.walks import Walk

pytestmark = pytest.mark.slow

LOWEST = [Card(min(hand)) for hand in dealt().hands]
ACTS = 200


async def read(storage, match):
    async with storage.reading() as reading:
        return load_match(await reading.matches.load(match))


async def must_be_as_read(storage, effect):
    """The truth, and what everybody sees of it, is as somebody reads it now."""
    now, found = await read(storage, effect.public().match), truth_of(effect)
    # What was decoded is compared below, and no snapshot has the texts.
    texts = {"state": now.record.state, "choices": now.record.choices}
    assert replace(found.record, **texts) == now.record
    assert (found.state, found.choices) == (now.state, now.choices)
    assert effect.public() == now.public()
    for user in now.record.people:
        assert effect.snapshot_of(user) == now.snapshot_of(user)


WALKS = [
    *[(case, {"time_control": "slow"}) for case in SHORT],
    *[(case, {"time_control": "slow_reserve"}) for case in SHORT],
    *[(case, {"time_control": "none", "levels": ("easy",)}) for case in SHORT],
    *[(case, {"time_control": "live", "tap": True}) for case in ("pico", "duel", "conquest")],
]


@pytest.mark.parametrize(("case", "how"), WALKS)
async def test_every_effect_on_a_match_is_as_it_is_read(storage, matches, watch, case, how):
    walk, resolved = Walk(storage, matches, watch, f"{case} {how}"), Counter()
    for number in range(ACTS):
        if not number or walk.is_over:
            await walk.begin(case, interaction=number, **how)
        act, effect = await walk.go()
        if effect is not None:
            await must_be_as_read(storage, effect)
            resolved[act, effect.public().status] += effect.resolved

    assert resolved.total() > 10


async def test_last_choices_amid_those_of_other_processes_are_as_they_are_committed(
    processes, storages
):
    people = (ANN, BEA, CYD)
    matches = [await begun(processes[0], BEA, CYD, interaction=number) for number in range(5)]
    for _ in range(6):
        clicks = []
        for match, (process, user) in product(matches, zip(processes, people, strict=True)):
            _, *hands = await process.snapshots(match)
            hand = hands[people.index(user)]
            clicks.append(process.submit(match, hand.step, user, str(hand.legal[-1])))
        nudges = [nudged(storage, match) for storage, match in product(storages, matches)]

        done = await at_once(*clicks, *nudges)

        last = [effect for effect in done if isinstance(effect, Effect) and effect.resolved]
        assert {effect.public().match for effect in last} == set(matches)
        for effect in last:
            now = await read(storages[0], effect.public().match)
            assert effect.public() == now.public()
            assert [effect.snapshot_of(user) for user in people] == [
                now.snapshot_of(user) for user in people
            ]


async def nudged(storage, match):
    """Another transaction that waits for the match, and changes nothing that is shown."""
    async with storage.transaction() as writing:
        await writing.seats.note_nudged(match, [A], int(NOW))


@pytest.fixture
def readings(monkeypatch):
    """The matches that were read, each as often as it was."""
    read, one, several = [], MatchRepository.load, MatchRepository.load_all

    async def load(repository, match):
        read.append(match)
        return await one(repository, match)

    async def load_all(repository, matches):
        read.extend(matches)
        return await several(repository, matches)

    monkeypatch.setattr(MatchRepository, "load", load)
    monkeypatch.setattr(MatchRepository, "load_all", load_all)
    return read


async def test_a_last_choice_is_not_read_again(matches, match, readings):
    await matches.submit(match, 0, ANN, str(LOWEST[A]))
    del readings[:]

    effect = await matches.submit(match, 0, BEA, str(LOWEST[B]))

    assert (effect.resolved, readings) == (True, [match])


ENDS = {
    "called off": lambda walk, match: walk.agreements.accept(match, BEA, "call_off"),
    "a draw": lambda walk, match: walk.agreements.accept(match, BEA, "draw"),
    "by a moderator": lambda walk, match: walk.moderation.end(match, GUILD),
    "resigned": lambda walk, match: walk.matches.concede(match, ANN),
    "withdrawn": lambda walk, match: walk.matches.withdraw(match, ANN),
    "given up": lambda walk, match: walk.matches.vacate(match, ANN),
    "declined": lambda walk, match: walk.matches.decline(match, BEA),
}


@pytest.mark.parametrize("how", ENDS)
async def test_a_match_that_ends_is_read_before_and_afterwards(
    storage, matches, watch, readings, how
):
    walk = Walk(storage, matches, watch, how)
    is_open = how in {"withdrawn", "given up", "declined"}
    match = await (opened if is_open else begun)(matches)
    if how in {"called off", "a draw"}:
        await walk.agreements.offer(match, ANN, "call_off" if how == "called off" else "draw")
    del readings[:]

    effect = await ENDS[how](walk, match)

    assert readings == [match] * 2
    await must_be_as_read(storage, effect)
    assert effect.public().status not in {"open", "running"}
