"""Computers at their seats: what they choose, when, and what happens where one fails."""

import asyncio
from dataclasses import replace

import pytest

from bot.computers import TRIED, Computers, InPlace
from bot.errors import MatchError
from bot.matches import Matches
from bot.matches.agreements import Agreements
from bot.matches.computing import owed, pasts, thinking_seed
from bot.matches.interruptions import Interruptions
from bot.matches.nudges import Nudging
from bot.matches.rematches import Rematches
from bot.matches.timekeeping import Timekeeping
from bot.reminders import EARLY
from bot.storage.reminders import to_remind
from bot.storage.transcripts import transcript
from bot.thinkers import Thinkers
from games import Seat
from games.chance import Chance
from games.computers import COMPUTERS
from games.pico import PICO
from tests.bot.acts import ANN, BEA, GUILD, NOW, SEED, A, B, C, begun, challenge, opened, refusal
from tests.bot.records import ask
from tests.bot.thinking import STRONG, Broken, Failing, Illegal, Lowest

pytestmark = pytest.mark.usefixtures("lowest")


class Heard:
    """Whoever is told that a match has changed."""

    def __init__(self):
        self.told = []

    def changed(self, match):
        self.told.append(("changed", match))

    def now(self, match):
        self.told.append(("now", match))

    def soon(self, match):
        self.told.append(("soon", match))


@pytest.fixture
def lowest(monkeypatch):
    computer = Lowest(PICO)
    monkeypatch.setitem(COMPUTERS, "pico", computer)
    return computer


@pytest.fixture
async def computers(storage, matches):
    computers = Computers(storage, matches, Heard())
    computers.delay = 0.0
    yield computers
    await computers.close()


def against(*levels, **changes):
    """Ann alone with computers of these levels."""
    variant = {1: "standard", 2: "pico1-three"}[len(levels)]
    values = {"options": PICO.presets[variant], "wanted": 1 + len(levels), "computers": levels}
    return challenge(**{"opponents": (), **values, **changes})


async def playing(matches, *levels, **changes):
    turn = await matches.open(against(*(levels or ("easy",)), **changes))
    return turn.look(None).match


async def quiet(computers):
    """Until no computer owes anything any more."""
    while computers._tasks:
        await asyncio.gather(*computers._tasks.values())


async def made(storage, match):
    """Each move so far as (step, seat, move, who made it)."""
    async with storage.reading() as connection:
        found = await transcript(connection, match)
    return [(m.step, m.seat, m.move, m.how) for m in found.moves]


async def play_out(matches, computers, match, user=ANN):
    """The person plays her lowest card until the match is over."""
    await quiet(computers)
    while (look := await matches.look(match, user)).status == "running":
        await matches.submit(match, look.step, user, str(look.legal[0]))
        await quiet(computers)
    return look


# Beginning.


async def test_with_nobody_to_accept_a_match_begins_at_once_and_is_casual(matches):
    turn = await matches.open(against("strong"))

    look = turn.look_of(ANN)
    assert (look.status, look.seat, look.rated) == ("running", A, False)
    assert [place.computer for place in look.places] == [None, "strong"]


async def test_with_a_person_invited_too_it_waits_for_him_only(matches):
    match = await playing(
        matches, "easy", opponents=(BEA,), wanted=3, options=PICO.presets["pico1-three"]
    )
    assert (await matches.look(match, None)).status == "open"

    turn = await matches.accept(match, BEA)

    assert [place.computer for place in turn.look(None).places] == [None, None, "easy"]
    assert turn.look(None).status == "running"


async def test_whoever_has_many_open_challenges_can_play_a_computer_meanwhile(matches):
    for interaction in range(5):
        await opened(matches, interaction=interaction, opponents=(), wanted=2)

    match = await playing(matches, "easy", interaction=9)

    assert (await matches.look(match, None)).status == "running"


async def test_a_level_that_does_not_exist_is_refused_with_those_that_do(matches):
    refused = await refusal(matches.open(against("perfect")))

    assert refused[1] == "There is no such computer for Pico. Choose easy or steady or strong."


async def test_more_players_than_seats_are_refused():
    with pytest.raises(MatchError, match=r"that is 3 players for 2 seats\."):
        against("easy", opponents=(BEA,))


async def test_the_challenger_gives_an_open_seat_to_a_computer_and_the_match_begins(matches):
    match = await opened(matches, wanted=2, opponents=(), rated=True)

    turn = await matches.seat_computer(match, ANN, "easy")

    assert turn.look(None).status == "running"
    assert not turn.look(None).rated


async def test_nobody_else_may_do_so(matches):
    match = await opened(matches, wanted=2, opponents=())

    _, sentence = await refusal(matches.seat_computer(match, BEA, "easy"))

    assert sentence == "Only the challenger can give an open seat to a computer."


async def test_a_computer_can_be_taken_away_again(matches):
    match = await opened(matches, wanted=3, opponents=(), options=PICO.presets["pico1-three"])
    await matches.seat_computer(match, ANN, "easy")

    turn = await matches.unseat_computer(match, ANN)

    assert [place.user for place in turn.look(None).places] == [ANN]
    assert (await refusal(matches.unseat_computer(match, ANN)))[1] == (
        "No computer sits at this table that you could take away."
    )


# Choosing.


async def test_it_chooses_while_the_person_still_thinks(matches, computers, storage):
    match = await playing(matches)

    await quiet(computers)

    assert [(seat, how) for _, seat, _, how in await steps_begun(storage, match)] == [
        (B, "computer")
    ]
    assert computers._updates.told[-1] == ("soon", match)


async def steps_begun(storage, match):
    record = await storage.match(match)
    rows = [(record.step, seat, move, "computer") for seat, move in record.choices.items()]
    assert all(record.seats[seat].computer for _, seat, _, _ in rows)
    return rows


async def test_whoever_chooses_last_sees_the_step_resolved_at_once(matches, computers):
    match = await playing(matches)
    await quiet(computers)

    turn = await matches.submit(match, 0, ANN, "2")

    assert turn.resolved


async def test_a_person_who_chooses_first_waits_for_the_computer_s_choice(matches, computers):
    match = await playing(matches)

    turn = await matches.submit(match, 0, ANN, "2")
    await quiet(computers)

    assert not turn.resolved
    assert (await matches.look(match, ANN)).step == 1
    assert ("now", match) in computers._updates.told


async def test_its_choice_never_depends_on_what_the_others_have_chosen(matches, storage, lowest):
    """It is asked for with the same view, seed and step, whether they have chosen or not."""
    match = await playing(matches, "strong")
    (before,) = await owed(storage, match)

    await matches.submit(match, 0, ANN, "8")
    (after,) = await owed(storage, match)

    assert (before.view, before.seed, before.step) == (after.view, after.seed, after.step)
    assert before.view == PICO.observe(PICO.setup(PICO.options(), 2, Chance(SEED, 0)), B)
    assert (before.alone, after.alone) == (False, True)


async def test_what_it_draws_is_nothing_of_what_the_match_will_draw(matches, storage):
    match = await playing(matches, "strong")

    (task,) = await owed(storage, match)

    assert SEED not in repr(task)
    assert task.seed == thinking_seed(SEED, B)
    assert Chance(task.seed, 1).below(10**9) != Chance(SEED, 1).below(10**9)


async def test_a_whole_match_is_played_and_told_as_the_computer_s(matches, computers, storage):
    match = await playing(matches, "easy")

    look = await play_out(matches, computers, match)

    assert look.status == "over"
    assert {(seat, how) for _, seat, _, how in await made(storage, match)} == {
        (A, "chosen"),
        (B, "computer"),
    }


async def test_three_seats_take_two_computers(matches, computers):
    match = await playing(matches, "easy", "strong")

    look = await play_out(matches, computers, match)

    assert look.status == "over"


async def test_after_a_restart_it_makes_the_choice_that_a_death_has_cost(storage, matches, lowest):
    match = await playing(matches, "strong")
    first = Computers(storage, matches, Heard())
    first.delay = 0.0
    (task,) = await owed(storage, match)
    chosen = await first._thought(task)
    await first.close()

    again = Computers(storage, matches, Heard())
    await again.start()
    await quiet(again)
    await again.close()

    assert (await storage.match(match)).choices == {B: chosen}


async def test_nobody_is_hurried_while_the_processes_that_think_begin(storage, matches, capsys):
    class Sleepy(InPlace):
        def __init__(self):
            self.woken = asyncio.Event()

        async def wake(self):
            await self.woken.wait()
            raise TimeoutError

    match = await playing(matches)
    again = Computers(storage, matches, Heard())
    again.thinkers, again.delay = Sleepy(), 0.0
    await again.start()
    for _ in range(20):
        await storage.match(match)
    assert (await storage.match(match)).choices == {}

    again.thinkers.woken.set()
    await quiet(again)
    await again.close()

    assert list((await storage.match(match)).choices) == [B]
    assert "thinkers not awake" in capsys.readouterr().out


async def test_a_level_that_fails_gives_way_to_a_quicker_one(
    matches, computers, storage, monkeypatch, capsys
):
    monkeypatch.setitem(COMPUTERS, "pico", Failing(PICO))
    match = await playing(matches, "strong")

    await quiet(computers)

    assert (await storage.match(match)).choices == {B: "4"}
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

    assert B in (await storage.match(match)).choices


async def test_a_choice_that_cannot_be_written_is_not_made_for_ever(
    matches, computers, storage, monkeypatch, capsys
):
    async def refuse(match, step, seat, text):
        raise MatchError("Never.")

    monkeypatch.setattr(matches, "submit_for", refuse)
    await playing(matches)

    await quiet(computers)

    assert capsys.readouterr().out.count("computer too late") == TRIED


async def test_one_damaged_match_stops_no_other(matches, computers, storage, monkeypatch, capsys):
    damaged = await playing(matches, interaction=1)
    await quiet(computers)
    async with storage.transaction() as writing:
        await writing.connection.exec_driver_sql("UPDATE matches SET state = 'nonsense'")
        await writing.connection.exec_driver_sql("DELETE FROM moves")

    computers.mark(damaged)
    await quiet(computers)
    match = await playing(matches, interaction=2)
    await quiet(computers)

    assert B in (await storage.match(match)).choices
    assert "computer" in capsys.readouterr().out


class Crowded(InPlace):
    def __init__(self, crowd):
        self.crowd = crowd


@pytest.mark.parametrize(("crowd", "part"), [(1, 1), (2, 2), (3, 4), (4, 4), (20, 32)])
async def test_a_crowd_shrinks_what_each_may_use(matches, computers, lowest, crowd, part):
    computers.thinkers = Crowded(crowd)
    await playing(matches, "strong")

    await quiet(computers)

    assert lowest.asked[-1][2].budget == STRONG.budget / part


async def test_a_crowd_that_thinks_fast_is_not_hurried(matches, computers, lowest):
    computers._costs["pico", "strong"] = 0.1
    computers.thinkers = Crowded(20)
    await playing(matches, "strong")

    await quiet(computers)

    assert lowest.asked[-1][2].budget == STRONG.budget
    assert computers._costs["pico", "strong"] < 0.1


async def test_a_process_knows_how_much_waits_for_it():
    thinkers = Thinkers(2)
    crowds = []
    for urgent in (0, 1, 2, 3, 4, 19):
        thinkers._urgent = urgent
        crowds.append(thinkers.crowd)

    assert crowds == [1, 1, 2, 2, 3, 10]


async def test_where_a_person_looks_on_it_takes_its_time_and_less_within_a_turn(
    matches, computers, storage, monkeypatch
):
    waits = []

    async def note(seconds):
        waits.append(round(seconds, 1))

    monkeypatch.setattr("bot.computers.asyncio.sleep", note)
    computers.delay = 5.0
    match = await playing(matches)
    await quiet(computers)
    assert waits == []  # she has still to choose herself

    storage.computers_met = lambda match: None  # the next is for this test to play
    await matches.submit(match, 0, ANN, "2")
    (task,) = await owed_alone(matches, match)
    await computers._play(task)
    await computers._play(task)

    assert waits == [5.0, 3.0]


async def owed_alone(matches, match):
    await matches.submit(match, 1, ANN, "3")
    found = await owed(matches._storage, match)
    return [replace(task, alone=True) for task in found]


# Lessons.


async def test_a_level_that_reads_people_is_told_how_they_have_chosen(
    matches, computers, storage, lowest
):
    earlier = await begun(matches, BEA, interaction=1)
    while (look := await matches.look(earlier, ANN)).status == "running":
        for user in (ANN, BEA):
            legal = (await matches.look(earlier, user)).legal
            await matches.submit(earlier, look.step, user, str(legal[-1]))

    await playing(matches, "steady", interaction=2)
    await quiet(computers)

    lessons = lowest.asked[-1][3]
    own = [text for _, s, text, _ in await made(storage, earlier) if s == A]
    assert [str(lesson.move) for lesson in lessons] == own
    assert all(lesson.seat == lesson.view.seat == A for lesson in lessons)


async def test_what_ends_while_it_plays_tells_it_nothing(matches, storage):
    match = await playing(matches, "steady", interaction=1)
    later = Matches(storage, seed=lambda: SEED, now=lambda: NOW + 60)
    other = await begun(later, BEA, interaction=2)
    await later.submit(other, 0, ANN, "2")
    await later.concede(other, BEA)
    (task,) = await owed(storage, match)

    assert await pasts(storage, task) == ()


async def test_other_levels_are_told_nothing(matches, computers, lowest):
    first = await playing(matches, "easy", interaction=1)
    await play_out(matches, computers, first)

    await playing(matches, "strong", interaction=2)
    await quiet(computers)

    assert lowest.asked[-1][3] == ()


async def test_only_the_latest_matches_are_remembered(matches, computers, monkeypatch):
    monkeypatch.setattr("bot.computers.REMEMBERED", 1)

    for interaction in (1, 2):
        last = await playing(matches, "steady", interaction=interaction)
        await quiet(computers)

    assert (list(computers._pasts), list(computers._turns)) == ([last], [(last, B)])


# What else happens to a match.


async def test_a_result_with_a_computer_is_marked_and_moves_no_rating(
    matches, computers, storage, database
):
    match = await playing(matches, "easy")

    await play_out(matches, computers, match)

    rows = ask(database, "SELECT user, computer, levels, rated, after FROM results ORDER BY seat")
    assert rows == [(ANN, None, "easy", 0, None), (0, "easy", "easy", 0, None)]
    assert ask(database, "SELECT * FROM ratings") == []


async def test_it_agrees_to_call_off_and_to_no_draw(matches, storage):
    match = await playing(matches)
    agreements = Agreements(storage, now=lambda: NOW)

    refused = await refusal(agreements.offer(match, ANN, "draw"))
    turn = await agreements.offer(match, ANN, "call_off")

    assert refused[1].startswith("Computers agree to no draw")
    assert (turn.look(None).status, turn.look(None).ending) == ("closed", "call_off")


async def test_among_people_calling_off_still_needs_all_of_them(matches, storage):
    match = await playing(
        matches, "easy", opponents=(BEA,), wanted=3, options=PICO.presets["pico1-three"]
    )
    await matches.accept(match, BEA)
    agreements = Agreements(storage, now=lambda: NOW)

    offered = await agreements.offer(match, ANN, "call_off")
    agreed = await agreements.accept(match, BEA, "call_off")

    assert (offered.look(None).status, agreed.look(None).status) == ("running", "closed")


async def test_a_rematch_begins_as_soon_as_the_person_wants_it(matches, computers, storage):
    match = await playing(matches)
    await play_out(matches, computers, match)
    rematches = Rematches(storage, seed=lambda: SEED, now=lambda: NOW)

    wanted = await rematches.want(match, ANN, 555)

    look = wanted.new.look(None)
    assert [(place.user, place.computer) for place in look.places] == [(0, "easy"), (ANN, None)]
    assert not look.rated


async def test_it_cannot_be_nudged(matches, storage):
    match = await playing(matches)
    await matches.submit(match, 0, ANN, "2")

    refused = await refusal(Nudging(storage, now=lambda: NOW).nudge(match, ANN))

    assert refused[1] == ("The computer is thinking; its move comes by itself in a few seconds.")


async def test_it_is_never_reminded(matches, storage):
    match = await playing(matches, pace="slow")
    due = (await storage.match(match)).due_at

    async with storage.reading() as connection:
        found = await to_remind(connection, due - 60, EARLY)

    assert found == [(match, A)]


async def test_it_has_no_desk(matches):
    match = await playing(matches)

    assert [look.seat for look in await matches.looks(match)] == [None, A]


async def test_the_clock_plays_for_it_and_never_forfeits_it(matches, storage):
    match = await playing(matches)
    for step in range(2):
        await matches.submit(match, step, ANN, str((await matches.look(match, ANN)).legal[0]))
        due = (await storage.match(match)).due_at
        await Timekeeping(storage, now=lambda due=due: due).act(match)

    record = await storage.match(match)
    assert (record.status, record.step, record.seats[B].strikes) == ("running", 2, 0)


async def test_where_the_last_person_leaves_nobody_watches_computers_play(matches):
    match = await playing(matches, "easy", "easy")

    turn = await matches.concede(match, ANN)

    look = turn.look(None)
    assert (look.status, look.outcome.ranks) == ("over", (3, 1, 1))


async def test_a_paused_match_waits_and_goes_on_when_it_is_resumed(matches, computers, storage):
    interruptions = Interruptions(storage, now=lambda: NOW)
    match = await playing(matches)
    await interruptions.pause(match)
    await quiet(computers)
    assert (await storage.match(match)).choices == {}

    await interruptions.resume(match, GUILD, 5, ANN)
    await quiet(computers)

    assert list((await storage.match(match)).choices) == [B]


async def test_a_computer_gives_its_own_moves_only(matches):
    match = await playing(matches)

    refused = await refusal(matches.submit_for(match, 0, A, "1"))

    assert refused[1] == "This seat has no choice to make any more."
    assert (await refusal(matches.submit_for(match, 7, B, "1")))[0].__name__ == "TooLateError"
    assert Seat(2) == C
    assert isinstance(matches, Matches)
