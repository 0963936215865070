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


async def test_it_chooses_while_the_person_still_thinks(matches, computers, storage):
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
async def test_a_choice_that_could_not_be_saved_is_made_again(
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


async def test_once_it_is_closed_it_takes_nothing_up_any_more(matches, computers):
    match = await playing(matches)
    await quiet(computers)
    await computers.close()

    computers.schedule(match)
    await computers.take_up()

    assert computers._tasks == {}


async def test_whoever_chooses_last_sees_the_step_resolved_at_once(matches, computers):
    match = await playing(matches)
    await quiet(computers)

    effect = await matches.submit(match, 0, ANN, "2")

    assert effect.resolved


async def test_a_person_who_chooses_first_waits_for_the_computer_s_choice(matches, computers):
    match = await playing(matches)

    effect = await matches.submit(match, 0, ANN, "2")
    await quiet(computers)

    assert not effect.resolved
    assert (await matches.snapshot(match, ANN)).step == 1
    assert ("change", match) in computers._live.told


async def test_its_choice_never_depends_on_what_the_others_have_chosen(matches, storage, lowest):
    """The task has the same view, seed and step, whether others have chosen or not."""
    match = await playing(matches, "strong")
    (before,) = await owed_tasks(storage, match)

    await matches.submit(match, 0, ANN, "8")
    (after,) = await owed_tasks(storage, match)

    assert (before.view, before.seed, before.step) == (after.view, after.seed, after.step)
    assert before.view == PICO.observe(PICO.setup(PICO.options(), 2, Chance(SEED, 0)), B)
    assert (before.alone, after.alone) == (False, True)


async def test_what_it_draws_is_nothing_of_what_the_match_will_draw(matches, storage):
    match = await playing(matches, "strong")

    (task,) = await owed_tasks(storage, match)

    assert SEED not in repr(task)
    assert task.seed == thinking_seed(SEED, B)
    assert Chance(task.seed, 1).below(10**9) != Chance(SEED, 1).below(10**9)


async def test_a_whole_match_is_played_and_told_as_the_computer_s(matches, computers, storage):
    match = await playing(matches, "easy")

    snapshot = await play_out(matches, computers, match)

    assert snapshot.status == "over"
    assert {(seat, how) for _, seat, _, how in await made(storage, match)} == {
        (A, "chosen"),
        (B, "computer"),
    }


async def test_three_seats_take_two_computers(matches, computers):
    match = await playing(matches, "easy", "strong")

    snapshot = await play_out(matches, computers, match)

    assert snapshot.status == "over"


async def test_after_a_restart_it_makes_the_choice_that_a_death_has_cost(storage, matches, lowest):
    match = await playing(matches, "strong")
    first = ComputerMoves(storage, matches, Heard(), SynchronousPool())
    first._delay = 0.0
    (task,) = await owed_tasks(storage, match)
    chosen = await first._thought(task)
    await first.close()

    again = ComputerMoves(storage, matches, Heard(), SynchronousPool())
    await again.start()
    await quiet(again)
    await again.close()

    assert (await record_of(storage, match)).choices == {B: chosen}


async def test_nobody_is_hurried_while_the_processes_that_think_begin(storage, matches, capsys):
    class Sleepy(SynchronousPool):
        def __init__(self):
            self.woken = asyncio.Event()

        async def wake(self):
            await self.woken.wait()
            raise TimeoutError

    match = await playing(matches)
    again = ComputerMoves(storage, matches, Heard(), SynchronousPool())
    again._pool, again._delay = Sleepy(), 0.0
    await again.start()
    for _ in range(20):
        await record_of(storage, match)
    assert (await record_of(storage, match)).choices == {}

    again._pool.woken.set()
    await quiet(again)
    await again.close()

    assert list((await record_of(storage, match)).choices) == [B]
    assert "pool not ready" in capsys.readouterr().out


async def test_a_level_that_fails_gives_way_to_a_quicker_one(
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
async def test_where_no_level_can_the_rules_choose_for_it(
    matches, computers, storage, monkeypatch, computer
):
    monkeypatch.setitem(COMPUTERS, "pico", computer(PICO))
    match = await playing(matches, "strong")

    await quiet(computers)

    assert B in (await record_of(storage, match)).choices


async def test_a_wrong_choice_is_logged_without_the_card_that_it_names(
    matches, computers, monkeypatch
):
    monkeypatch.setitem(COMPUTERS, "pico", Illegal(PICO))
    match = await playing(matches, "strong")

    with capture_logs() as logs:
        await quiet(computers)

    assert [line for line in logs if line["event"] == "wrong choice"] == [
        {"event": "wrong choice", "log_level": "error", "match": match, "level": "strong"}
    ]


async def test_a_choice_that_cannot_be_written_is_not_made_for_ever(
    matches, computers, storage, monkeypatch, capsys
):
    async def refuse(match, step, seat, text, *, turn):
        raise MatchError("Never.")

    monkeypatch.setattr(matches, "submit_for", refuse)
    await playing(matches)

    await quiet(computers)

    assert capsys.readouterr().out.count("computer too late") == MAX_UNSAVED_TRIES


async def test_one_damaged_match_stops_no_other(matches, computers, storage, monkeypatch, capsys):
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


class Crowded(SynchronousPool):
    def __init__(self, crowd):
        self.crowd = crowd


@pytest.mark.parametrize(("crowd", "part"), [(1, 1), (2, 2), (3, 4), (4, 4), (20, 32)])
async def test_a_crowd_shrinks_what_each_may_use(matches, computers, lowest, crowd, part):
    computers._pool = Crowded(crowd)
    await playing(matches, "strong")

    await quiet(computers)

    assert lowest.asked[-1][2].budget == STRONG.budget / part


async def test_a_crowd_that_thinks_fast_is_not_hurried(matches, computers, lowest):
    computers._costs["pico", "strong"] = 0.1
    computers._pool = Crowded(20)
    await playing(matches, "strong")

    await quiet(computers)

    assert lowest.asked[-1][2].budget == STRONG.budget
    assert computers._costs["pico", "strong"] < 0.1


async def test_a_process_knows_how_much_waits_for_it():
    pool = ComputerPool(2)
    crowds = []
    for urgent in (0, 1, 2, 3, 4, 19):
        pool._urgent = urgent
        crowds.append(pool.crowd)

    assert crowds == [1, 1, 2, 2, 3, 10]


async def test_where_a_person_looks_on_it_takes_its_time_and_less_within_a_turn(
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


async def test_a_level_that_reads_people_is_told_how_they_have_chosen(
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


async def test_what_ends_while_it_plays_tells_it_nothing(matches, storage):
    match = await playing(matches, "steady", interaction=1)
    later = Matches(storage, seed=lambda: SEED, now=lambda: NOW + 60, returns=RETURNS)
    other = await begun(later, BEA, interaction=2)
    await later.submit(other, 0, ANN, "2")
    await later.concede(other, BEA)
    (task,) = await owed_tasks(storage, match)

    assert await past_matches(storage, task) == ()


async def test_other_levels_are_told_nothing(matches, computers, lowest):
    first = await playing(matches, "easy", interaction=1)
    await play_out(matches, computers, first)

    await playing(matches, "strong", interaction=2)
    await quiet(computers)

    assert lowest.asked[-1][3] == ()


async def test_how_somebody_chose_before_is_remembered_while_they_play(matches, computers):
    match = await playing(matches, "steady", interaction=1)
    await quiet(computers)
    during = list(computers._pasts)

    await matches.concede(match, ANN)
    await quiet(computers)

    assert (during, list(computers._pasts)) == ([match], [])


async def test_how_somebody_chose_before_is_forgotten_with_a_match_that_is_deleted(
    matches, computers, storage
):
    match = await playing(matches, "steady", interaction=1)
    await quiet(computers)

    await execute(storage, f"DELETE FROM matches WHERE id = {match}")  # noqa: S608 - our own
    computers.schedule(match)
    await quiet(computers)

    assert list(computers._pasts) == []


async def test_only_the_latest_matches_are_remembered(matches, computers):
    computers._pasts, computers._turns = LRUCache(1), LRUCache(1)

    for interaction in (1, 2):
        last = await playing(matches, "steady", interaction=interaction)
        await quiet(computers)

    assert (list(computers._pasts), list(computers._turns)) == ([last], [(last, B)])
