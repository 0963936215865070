"""The coach: it checks only a player's own choices, says what they cost, and shows progress."""

import asyncio
import time
from dataclasses import replace

import pytest

from bot.computers.coach import BUSY, KEPT_SECONDS, SLOW, Coach, CoachBusyError
from bot.computers.jobs import assess
from bot.computers.pool import SynchronousPool
from bot.errors import ButtonError, HurriedError
from bot.rendering.coach import coach_content
from cogs.pico.presentation import PicoPresentation
from games.computer import Assessment
from games.computers import COMPUTERS
from games.pico import PICO
from tests.support.match_records import execute
from tests.support.matches import ANN, BEA, CYD, A, begun, choose, refusal
from tests.support.thinking import Lowest

PICO_SHOWN = PicoPresentation()


class RecordingComputer(Lowest):
    """Records the views that it's asked about, each with the seat that chose."""

    def __init__(self, game, **failing):
        super().__init__(game)
        self.views = []
        self.deals = []
        self._failing = failing

    def assess(self, view, seat, move, chance):
        self.views.append((view, seat))
        if self._failing.get("assess"):
            raise KeyError("a card")
        return super().assess(view, seat, move, chance)

    def luck(self, view, seat):
        self.deals.append((view, seat))
        return None if self._failing.get("luck") else super().luck(view, seat)


def moment(game, view):
    return f"{game} {view.round}"


@pytest.fixture
def computer(monkeypatch):
    computer = RecordingComputer(PICO)
    monkeypatch.setitem(COMPUTERS, "pico", computer)
    return computer


@pytest.fixture
def coach(storage, computer):
    return Coach(storage, SynchronousPool(), moment, now=time.time)


async def ended(matches, **changes):
    """Play a match of three steps; Ann plays her highest card first, then her lowest twice."""
    match = await begun(matches, BEA, **changes)
    for step, which in enumerate((-1, 0, 0)):
        for user, card in ((BEA, 0), (ANN, which)):
            legal = (await matches.snapshot(match, user)).legal
            await matches.submit(match, step, user, str(legal[card]))
    await matches.concede(match, BEA)
    return match


async def all_of(coach, match, user=ANN):
    return [study async for study in coach.studies(await coach.asked(match, user))]


async def test_each_of_a_players_choices_is_checked_against_what_they_saw(coach, matches, computer):
    match = await ended(matches)

    (study,) = await all_of(coach, match)

    assert study.complete
    assert {(view.seat, seat) for view, seat in computer.views} == {(A, A)}
    assert study.total == study.checked == len(study.said) == 3
    assert [said.when for said in study.said] == ["pico 1"] * 3
    assert len(computer.views) == 2 * study.total  # only a result on which two runs agree is used
    assert [(said.step, said.cost) for said in study.said if said.better is not None] == [
        (1, 0.125)
    ]
    assert study.luck == pytest.approx(0.55)


async def test_luck_is_judged_from_the_first_view_even_if_the_clock_moved_first(
    coach, matches, late, computer
):
    match = await begun(matches, BEA)
    dealt = (await matches.snapshot(match, ANN)).view
    await choose(matches, match, BEA)
    await late(match)  # the clock moves for Ann
    await choose(matches, match, BEA, ANN)
    await matches.concede(match, BEA)

    (study,) = await all_of(coach, match)

    assert computer.deals == [(dealt, A)]
    assert (study.total, [said.step for said in study.said]) == (1, [2])


@pytest.mark.parametrize(("cost", "told"), [(0.0019, 0.0), (0.002, 0.001)])
async def test_a_cost_too_small_to_notice_counts_as_no_cost(
    coach, matches, computer, monkeypatch, cost, told
):
    monkeypatch.setattr(computer, "assess", lambda *_: Assessment(PICO.parse("2"), cost))

    (study,) = await all_of(coach, await ended(matches))

    assert [said.cost for said in study.said] == [told] * 3
    assert [said.better is None for said in study.said] == [not told] * 3


async def test_a_long_check_reports_its_progress(coach, matches, monkeypatch):
    monkeypatch.setattr("bot.computers.coach.PROGRESS_SECONDS", 0.0)
    match = await ended(matches)

    *partly, whole = await all_of(coach, match)

    assert [study.checked for study in partly] == list(range(whole.total))
    assert (
        "⏳ Checking your choices: 2 of 12"
        in coach_content(replace(partly[2], total=12), PICO_SHOWN).head
    )


async def test_a_study_is_cached_for_its_player_only(coach, matches, computer):
    match = await ended(matches)
    (study,) = await all_of(coach, match)
    asked = len(computer.views)

    assert await all_of(coach, match) == [study]
    assert len(computer.views) == asked
    assert coach.known(match, ANN) is study
    with pytest.raises(ButtonError, match=r"Press \*\*Coach\*\*"):
        coach.known(match, BEA)


async def test_forgetting_a_player_drops_their_studies_but_not_their_count(
    storage, matches, monkeypatch
):
    monkeypatch.setattr("bot.computers.coach.STUDIES_AN_HOUR", 1)
    coach, match = Coach(storage, SynchronousPool(), moment, now=time.time), await ended(matches)
    await all_of(coach, match)

    coach.forget(ANN)

    with pytest.raises(ButtonError):
        coach.known(match, ANN)
    with pytest.raises(HurriedError):
        await all_of(coach, match)


async def test_forgetting_everybody_drops_all_studies(coach, matches, computer):
    match = await ended(matches)
    for user in (ANN, BEA):
        await all_of(coach, match, user)

    coach.forget_all()

    for user in (ANN, BEA):
        with pytest.raises(ButtonError):
            coach.known(match, user)
    assert (await all_of(coach, match))[-1].complete


async def test_a_study_is_kept_for_a_limited_time(storage, matches, computer, watch):
    """Another process may delete somebody and die before it tells the others."""
    coach, match = Coach(storage, SynchronousPool(), moment, now=watch), await ended(matches)
    await all_of(coach, match)

    watch.advance(KEPT_SECONDS)

    with pytest.raises(ButtonError, match=r"Press \*\*Coach\*\*"):
        coach.known(match, ANN)


async def test_a_study_is_dropped_if_its_player_is_forgotten_meanwhile(coach, matches, monkeypatch):
    monkeypatch.setattr("bot.computers.coach.PROGRESS_SECONDS", 0.0)
    match = await ended(matches)
    studies = coach.studies(await coach.asked(match, ANN))
    await anext(studies)

    coach.forget(ANN)

    with pytest.raises(ButtonError):
        [study async for study in studies]
    assert not coach._studies
    assert not coach._under_way


async def test_the_number_of_cached_studies_is_limited(storage, matches, monkeypatch):
    monkeypatch.setattr("bot.computers.coach.MAX_KEPT_STUDIES", 1)
    coach = Coach(storage, SynchronousPool(), moment, now=time.time)
    match = await ended(matches)

    await all_of(coach, match, ANN)
    await all_of(coach, match, BEA)

    assert list(coach._studies) == [(match, BEA)]


async def test_only_players_of_a_match_can_ask_the_coach(coach, matches):
    match = await ended(matches)

    assert "Only players can ask the coach" in (await refusal(coach.asked(match, CYD)))[1]


async def test_a_running_match_has_no_coach(coach, matches):
    match = await begun(matches, BEA)

    assert "still being played" in (await refusal(coach.asked(match, ANN)))[1]


async def test_a_player_who_made_no_choices_is_refused(coach, matches):
    match = await begun(matches, BEA)
    await matches.concede(match, ANN)

    assert ("You made no choices in this match, so there's nothing to check.") in (
        await refusal(coach.asked(match, BEA))
    )[1]


async def test_a_game_without_a_computer_has_no_coach(coach, matches, monkeypatch):
    match = await ended(matches)
    monkeypatch.delitem(COMPUTERS, "pico")

    assert ("I don't know this game well enough to coach it.") in (
        await refusal(coach.asked(match, ANN))
    )[1]


async def test_a_second_request_for_the_same_match_is_refused_meanwhile(
    coach, matches, monkeypatch
):
    monkeypatch.setattr("bot.computers.coach.PROGRESS_SECONDS", 0.0)
    match = await ended(matches)
    studies = coach.studies(await coach.asked(match, ANN))
    await anext(studies)

    refused = await refusal(coach.asked(match, ANN))
    await studies.aclose()

    assert refused[1] == BUSY
    assert (await coach.asked(match, ANN)).snapshot.seat == A


async def test_a_failed_check_is_left_out_and_its_error_reveals_no_card(
    coach, matches, monkeypatch, capsys
):
    monkeypatch.setitem(COMPUTERS, "pico", RecordingComputer(PICO, assess=True, luck=True))
    match = await ended(matches)

    (study,) = await all_of(coach, match)

    assert (study.said, study.luck) == ((), None)
    assert "couldn't judge any" in coach_content(study, PICO_SHOWN).head
    assert "a card" not in capsys.readouterr().out


async def test_a_choice_on_which_two_runs_disagree_is_left_out(coach, matches, monkeypatch):
    class Doubtful(RecordingComputer):
        def assess(self, view, seat, move, chance):
            found = super().assess(view, seat, move, chance)
            return found if len(self.views) % 2 else Assessment(None, 0.0)

    monkeypatch.setitem(COMPUTERS, "pico", Doubtful(PICO))

    (study,) = await all_of(coach, await ended(matches))

    assert [(said.step, said.better) for said in study.said] == [(2, None), (3, None)]
    assert (study.checked, study.is_whole) == (3, True)


async def test_a_check_that_takes_too_long_skips_the_remaining_choices(coach, matches, monkeypatch):
    match = await ended(matches)
    monkeypatch.setattr("bot.computers.coach.MAX_STUDY_SECONDS", -1.0)

    (study,) = await all_of(coach, match)

    assert (study.checked, study.complete) == (0, True)


async def test_a_match_played_by_older_rules_is_refused(coach, matches, storage):
    match = await ended(matches)
    await execute(storage, "UPDATE moves SET move = '1' WHERE step = 0")

    refused = await refusal(all_of(coach, match))

    assert (
        "The rules have changed since this match, so I can't replay it. Its table shows how it "
        "ended."
    ) in refused[1]


async def test_a_coach_without_a_free_process_says_so(storage, matches, computer):
    class Busy(SynchronousPool):
        async def run(self, seconds, work, *args, urgent=True):
            raise TimeoutError

    coach = Coach(storage, Busy(), moment, now=time.time)
    match = await ended(matches)

    for _ in range(2):  # the failed request doesn't count as under way
        assert (await refusal(all_of(coach, match)))[1] == SLOW


class HaltedPool(SynchronousPool):
    """Runs nothing until `go_on` is set."""

    def __init__(self):
        self.go_on = asyncio.Event()

    async def run(self, seconds, work, *args, urgent=True):
        await self.go_on.wait()
        return await super().run(seconds, work, *args, urgent=urgent)


async def test_one_person_has_one_match_checked_at_a_time(storage, matches, computer):
    pool = HaltedPool()
    coach = Coach(storage, pool, moment, now=time.time)
    first, second = await ended(matches), await ended(matches, interaction=2)
    first_asked = await coach.asked(first, ANN)
    first_study = asyncio.create_task(anext(coach.studies(first_asked)))
    await asyncio.sleep(0)

    refused = await refusal(coach.asked(second, ANN))
    await coach.asked(second, BEA)
    pool.go_on.set()
    await first_study

    assert refused == (CoachBusyError, BUSY)
    assert (await all_of(coach, second))[-1].complete


async def test_the_number_of_matches_checked_per_person_and_hour_is_limited(
    storage, matches, computer, monkeypatch, watch
):
    monkeypatch.setattr("bot.computers.coach.STUDIES_AN_HOUR", 1)
    coach = Coach(storage, SynchronousPool(), moment, now=watch)
    first, second = await ended(matches), await ended(matches, interaction=2)
    await all_of(coach, first)

    with pytest.raises(
        HurriedError, match=r"1 reviews by the coach within an hour\. Try again in 60"
    ):
        await all_of(coach, second)
    await all_of(coach, first)  # answered from the cache, so it isn't counted
    await all_of(coach, second, BEA)
    watch.advance(KEPT_SECONDS)
    await all_of(coach, second)


async def test_a_choice_whose_check_failed_is_checked_again_on_request(storage, matches, computer):
    class Tired(SynchronousPool):
        failing = True

        async def run(self, seconds, work, *args, urgent=True):
            if self.failing and work is assess and args[2].step:
                raise TimeoutError
            return await super().run(seconds, work, *args, urgent=urgent)

    pool = Tired()
    coach = Coach(storage, pool, moment, now=time.time)
    match = await ended(matches)

    tired = (await all_of(coach, match))[-1]
    pool.failing = False
    whole = (await all_of(coach, match))[-1]

    assert len(tired.said) < len(whole.said) == whole.total
    assert (tired.is_whole, whole.is_whole) == (False, True)
