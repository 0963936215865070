"""Choices of computer players: what they choose and when, and what happens if one fails."""

import asyncio
from dataclasses import replace

import pytest
from cachetools import LRUCache
from structlog.testing import capture_logs

from bot.computers.pool import ComputerPool, SynchronousPool
from bot.errors import MatchError
from bot.matches import Matches
from bot.matches.computer_tasks import owed_tasks, past_matches, thinking_seed
from bot.scheduling import computer_moves
from bot.scheduling.computer_moves import MAX_UNSAVED_TRIES, ComputerMoves
from games.chance import Chance
from games.computers import COMPUTERS
from games.pico import PICO
from tests.support.broken_files import read_only
from tests.support.match_records import execute, record_of
from tests.support.matches import ANN, BEA, NOW, RETURNS, SEED, A, B, begun
from tests.support.opponents import Heard, made, play_out, playing, quiet
from tests.support.thinking import STRONG, Broken, Failing, Illegal
from tests.support.waiting import until

pytestmark = pytest.mark.usefixtures("lowest")


# Choosing.


async def test_a_computer_chooses_while_the_person_still_thinks(matches, computers, storage):
    match = await playing(matches)

    await quiet(computers)

    assert [(seat, how) for _, seat, _, how in await steps_begun(storage, match)] == [
        (B, "computer")
    ]
    assert computers._live.told[-1] == ("detail", match)


async def steps_begun(storage, match):
    record = await record_of(storage, match)
    rows = [(record.step, seat, move, "computer") for seat, move in record.choices.items()]
    assert all(record.seats[seat].computer for _, seat, _, _ in rows)
    return rows


@pytest.mark.sqlite
async def test_a_choice_that_could_not_be_stored_is_made_again(
    matches, computers, storage, monkeypatch
):
    monkeypatch.setattr(computer_moves, "UNSAVED_PAUSE_SECONDS", 0.01)
    match = await playing(matches)

    with capture_logs() as logs:
        async with read_only(storage):
            await until(lambda: storage.trouble.reason is not None, pause=0)
        await quiet(computers)

    assert len(await steps_begun(storage, match)) == 1
    assert [line["event"] for line in logs if line["log_level"] == "error"] == [
        "database unavailable"
    ]


async def test_closed_computer_moves_start_no_tasks(matches, computers):
    match = await playing(matches)
    await quiet(computers)
    await computers.close()

    computers.schedule(match)
    await computers.take_up()

    assert computers._tasks == {}


async def test_a_person_who_chooses_last_sees_the_step_resolved_at_once(matches, computers):
    match = await playing(matches)
    await quiet(computers)

    effect = await matches.submit(match, 0, ANN, "2")

    assert effect.resolved


async def test_a_person_who_chooses_first_waits_for_the_computer(matches, computers):
    match = await playing(matches)

    effect = await matches.submit(match, 0, ANN, "2")
    await quiet(computers)

    assert not effect.resolved
    assert (await matches.snapshot(match, ANN)).step == 1
    assert ("change", match) in computers._live.told


async def test_a_computers_choice_does_not_depend_on_other_choices_of_the_step(
    matches, storage, lowest
):
    """The task has the same view, seed and step, whether others have chosen or not."""
    match = await playing(matches, "strong")
    (before,) = await owed_tasks(storage, match)

    await matches.submit(match, 0, ANN, "8")
    (after,) = await owed_tasks(storage, match)

    assert (before.view, before.seed, before.step) == (after.view, after.seed, after.step)
    assert before.view == PICO.observe(PICO.setup(PICO.options(), 2, Chance(SEED, 0)), B)
    assert (before.alone, after.alone) == (False, True)


async def test_a_computers_randomness_is_not_that_of_the_match(matches, storage):
    match = await playing(matches, "strong")

    (task,) = await owed_tasks(storage, match)

    assert SEED not in repr(task)
    assert task.seed == thinking_seed(SEED, B)
    assert Chance(task.seed, 1).below(10**9) != Chance(SEED, 1).below(10**9)


async def test_a_whole_match_is_played_and_the_moves_are_marked_as_a_computers(
    matches, computers, storage
):
    match = await playing(matches, "easy")

    snapshot = await play_out(matches, computers, match)

    assert snapshot.status == "over"
    assert {(seat, how) for _, seat, _, how in await made(storage, match)} == {
        (A, "chosen"),
        (B, "computer"),
    }


async def test_one_person_can_play_two_computers(matches, computers):
    match = await playing(matches, "easy", "strong")

    snapshot = await play_out(matches, computers, match)

    assert snapshot.status == "over"


async def test_a_choice_lost_in_a_crash_is_made_after_the_restart(storage, matches, lowest):
    match = await playing(matches, "strong")
    first = ComputerMoves(storage, matches, Heard(), SynchronousPool())
    first._delay = 0.0
    (task,) = await owed_tasks(storage, match)
    chosen = await first._think(task)
    await first.close()

    again = ComputerMoves(storage, matches, Heard(), SynchronousPool())
    await again.start()
    await quiet(again)
    await again.close()

    assert (await record_of(storage, match)).choices == {B: chosen}


async def test_computers_wait_until_the_worker_processes_have_started(storage, matches, capsys):
    class SleepingPool(SynchronousPool):
        def __init__(self):
            self.woken = asyncio.Event()

        async def wake(self):
            await self.woken.wait()
            raise TimeoutError

    match = await playing(matches)
    again = ComputerMoves(storage, matches, Heard(), SynchronousPool())
    again._pool, again._delay = SleepingPool(), 0.0
    await again.start()
    for _ in range(20):
        await record_of(storage, match)
    assert (await record_of(storage, match)).choices == {}

    again._pool.woken.set()
    await quiet(again)
    await again.close()

    assert list((await record_of(storage, match)).choices) == [B]
    assert "pool not ready" in capsys.readouterr().out


async def test_a_faster_level_replaces_one_that_fails(
    matches, computers, storage, monkeypatch, capsys
):
    monkeypatch.setitem(COMPUTERS, "pico", Failing(PICO))
    match = await playing(matches, "strong")

    await quiet(computers)

    assert (await record_of(storage, match)).choices == {B: "4"}
    logged = capsys.readouterr().out
    assert "computer failed" in logged
    assert "a card that nobody may know of" not in logged


@pytest.mark.parametrize("computer", [Broken, Illegal])
async def test_if_every_level_fails_the_fallback_is_played(
    matches, computers, storage, monkeypatch, computer
):
    monkeypatch.setitem(COMPUTERS, "pico", computer(PICO))
    match = await playing(matches, "strong")

    await quiet(computers)

    assert B in (await record_of(storage, match)).choices


async def test_an_illegal_choice_is_logged_without_its_card(matches, computers, monkeypatch):
    monkeypatch.setitem(COMPUTERS, "pico", Illegal(PICO))
    match = await playing(matches, "strong")

    with capture_logs() as logs:
        await quiet(computers)

    assert [line for line in logs if line["event"] == "wrong choice"] == [
        {"event": "wrong choice", "log_level": "error", "match": match, "level": "strong"}
    ]


async def test_a_choice_that_cannot_be_stored_is_given_up_in_the_end(
    matches, computers, storage, monkeypatch, capsys
):
    async def refuse(match, step, seat, text, *, turn):
        raise MatchError("Never.")

    monkeypatch.setattr(matches, "submit_for", refuse)
    await playing(matches)

    await quiet(computers)

    assert capsys.readouterr().out.count("computer too late") == MAX_UNSAVED_TRIES


async def test_a_damaged_match_does_not_stop_other_matches(
    matches, computers, storage, monkeypatch, capsys
):
    damaged = await playing(matches, interaction=1)
    await quiet(computers)
    await execute(storage, "UPDATE matches SET state = 'nonsense'")
    await execute(storage, "DELETE FROM moves")

    computers.schedule(damaged)
    await quiet(computers)
    match = await playing(matches, interaction=2)
    await quiet(computers)

    assert B in (await record_of(storage, match)).choices
    assert "computer" in capsys.readouterr().out


class CrowdedPool(SynchronousPool):
    def __init__(self, crowd):
        self.crowd = crowd


@pytest.mark.parametrize(("crowd", "part"), [(1, 1), (2, 2), (3, 4), (4, 4), (20, 32)])
async def test_waiting_tasks_shrink_the_budget_of_each(matches, computers, lowest, crowd, part):
    computers._pool = CrowdedPool(crowd)
    await playing(matches, "strong")

    await quiet(computers)

    assert lowest.asked[-1][2].budget == STRONG.budget / part


async def test_waiting_tasks_do_not_shrink_the_budget_of_a_fast_level(matches, computers, lowest):
    computers._costs["pico", "strong"] = 0.1
    computers._pool = CrowdedPool(20)
    await playing(matches, "strong")

    await quiet(computers)

    assert lowest.asked[-1][2].budget == STRONG.budget
    assert computers._costs["pico", "strong"] < 0.1


async def test_the_crowd_is_the_number_of_tasks_per_process():
    pool = ComputerPool(2)
    crowds = []
    for urgent in (0, 1, 2, 3, 4, 19):
        pool._urgent = urgent
        crowds.append(pool.crowd)

    assert crowds == [1, 1, 2, 2, 3, 10]


async def test_a_computer_moves_after_a_delay_that_is_shorter_within_a_turn(
    matches, computers, storage, monkeypatch
):
    waits = []

    async def note(seconds):
        if seconds:  # 0 only yields to other tasks
            waits.append(round(seconds, 1))

    monkeypatch.setattr("bot.scheduling.computer_moves.asyncio.sleep", note)
    computers._delay = 5.0
    match = await playing(matches)
    await quiet(computers)
    assert waits == []  # she hasn't chosen yet

    storage.unsubscribe(computers._note)  # this test plays the next task itself
    await matches.submit(match, 0, ANN, "2")
    (task,) = await owed_alone(matches, match)
    await computers._play(task)
    await computers._play(task)

    assert waits == [5.0, 3.0]


async def owed_alone(matches, match):
    await matches.submit(match, 1, ANN, "3")
    found = await owed_tasks(matches._storage, match)
    return [replace(task, alone=True) for task in found]


# Lessons.


async def test_a_level_that_reads_people_gets_their_earlier_choices(
    matches, computers, storage, lowest
):
    earlier = await begun(matches, BEA, interaction=1)
    while (snapshot := await matches.snapshot(earlier, ANN)).status == "running":
        for user in (ANN, BEA):
            legal = (await matches.snapshot(earlier, user)).legal
            await matches.submit(earlier, snapshot.step, user, str(legal[-1]))

    await playing(matches, "steady", interaction=2)
    await quiet(computers)

    lessons = lowest.asked[-1][3]
    own = [text for _, s, text, _ in await made(storage, earlier) if s == A]
    assert [str(lesson.move) for lesson in lessons] == own
    assert all(lesson.seat == lesson.view.seat == A for lesson in lessons)


async def test_matches_that_end_during_a_match_are_not_used(matches, storage):
    match = await playing(matches, "steady", interaction=1)
    later = Matches(storage, seed=lambda: SEED, now=lambda: NOW + 60, returns=RETURNS)
    other = await begun(later, BEA, interaction=2)
    await later.submit(other, 0, ANN, "2")
    await later.concede(other, BEA)
    (task,) = await owed_tasks(storage, match)

    assert await past_matches(storage, task) == ()


async def test_other_levels_get_no_earlier_choices(matches, computers, lowest):
    first = await playing(matches, "easy", interaction=1)
    await play_out(matches, computers, first)

    await playing(matches, "strong", interaction=2)
    await quiet(computers)

    assert lowest.asked[-1][3] == ()


async def test_earlier_choices_are_cached_during_a_match(matches, computers):
    match = await playing(matches, "steady", interaction=1)
    await quiet(computers)
    during = list(computers._pasts)

    await matches.concede(match, ANN)
    await quiet(computers)

    assert (during, list(computers._pasts)) == ([match], [])


async def test_earlier_choices_are_dropped_when_the_match_is_deleted(matches, computers, storage):
    match = await playing(matches, "steady", interaction=1)
    await quiet(computers)

    await execute(storage, f"DELETE FROM matches WHERE id = {match}")  # noqa: S608 - our own
    computers.schedule(match)
    await quiet(computers)

    assert list(computers._pasts) == []


async def test_only_the_latest_matches_are_cached(matches, computers):
    computers._pasts, computers._turns = LRUCache(1), LRUCache(1)

    for interaction in (1, 2):
        last = await playing(matches, "steady", interaction=interaction)
        await quiet(computers)

    assert (list(computers._pasts), list(computers._turns)) == ([last], [(last, B)])
