"""Orders that were never carried out stay secret after the end, and exports stay verifiable."""

import json
import re
import time
from dataclasses import replace

import pytest

from bot.computers.pool import SynchronousPool
from bot.errors import MatchError
from bot.matches.agreements import Agreements
from bot.matches.archive import MatchArchive
from bot.matches.exports import SLOW
from bot.matches.studies import load_study
from bot.matches.verification import verify
from games import history
from games.chance import Chance
from games.conquest import CONQUEST, TEAMS, Options
from games.conquest.battalions import owner
from games.core import HIDDEN, Seat
from games.history import Frame, History, InvalidHistoryError, frames
from games.seen_moves import last_frame_and_moves, seen_moves
from tests.support.conquest_states import BLUE, GREEN, RED
from tests.support.matches import ANN, BEA, CYD, DAN, NOW, RETURNS, SEED, begun, refusal
from tests.support.playouts import checked, exported

pytestmark = pytest.mark.slow

PEOPLE = (ANN, BEA, CYD)
CROWD = re.compile(r"\w\d-1-(D5|D6|F5|G5|G6)( / \w\d-1-(D5|D6|F5|G5|G6))?")
HOME = {RED: "E5", GREEN: "E6", BLUE: "F6"}
SECRET = {RED: "E5-7-D4", GREEN: "E6-7-D7", BLUE: "F6-7-G7"}
"""The order of the last battalion in the second turn, by battalion; nobody gets to see it."""


@pytest.fixture
async def contest(matches):
    """A match in which a Choice delays the last order.

    Returns it with the battalions that attack, defend (its owner chooses) and move last.
    """
    options = Options(equal="choice")
    match = await begun(matches, BEA, CYD, game="conquest", options=options)
    # The initiative moves on by one.
    last, attacker, defender = (await matches.public(match)).view.order
    await play(matches, match, 0, {defender: f"{HOME[defender]}-1-F5"})
    await play(matches, match, 1, {attacker: f"{HOME[attacker]}-1-F5", last: SECRET[last]})
    assert (await matches.public(match)).view.pending == (defender, last)
    return match, attacker, defender, last


async def play(matches, match, step, orders):
    for battalion in HOME:
        user = PEOPLE[owner(3, battalion)]
        await matches.submit(match, step, user, orders.get(battalion, "pass"))


async def call_it_a_draw(storage, match, users):
    agreements = Agreements(storage, SynchronousPool(), now=lambda: NOW, returns=RETURNS)
    await agreements.offer(match, users[0], "draw")
    for user in users[1:]:
        await agreements.accept(match, user, "draw")


def moves_at(data, step):
    return {made["seat"]: made["move"] for made in data["steps"][step]}


async def test_an_order_still_waiting_at_the_end_is_in_no_export(
    matches, storage, archive, contest
):
    match, attacker, _, last = contest
    await call_it_a_draw(storage, match, PEOPLE)

    for user in (*PEOPLE, DAN):
        data, files = await exported(archive, match, user)
        assert SECRET[last] not in files.json + files.transcript
        assert f"{HIDDEN} is what nobody ever saw" in files.transcript
        assert moves_at(data, 1)[owner(3, attacker)] == f"{HOME[attacker]}-1-F5"
        assert moves_at(data, 1)[owner(3, last)] == HIDDEN
        finding = verify(files.json.encode())
        assert finding.is_true
        assert any("2 moves are partly hidden" in said for _, said in finding.points)


async def test_a_step_with_an_unseen_order_is_marked_for_shared_results(matches, storage, contest):
    match, attacker, _, last = contest
    await call_it_a_draw(storage, match, PEOPLE)

    writer, other = (PEOPLE[owner(3, battalion)] for battalion in (last, attacker))

    assert (await load_study(storage, match, writer, "")).unseen == {1}
    assert (await load_study(storage, match, other, "")).unseen == set()


async def test_the_order_of_a_player_who_left_during_a_choice_stays_secret(
    matches, storage, archive, contest
):
    match, attacker, defender, last = contest
    user = {b: PEOPLE[owner(3, b)] for b in HOME}
    await matches.concede(match, user[last])
    await matches.submit(match, 2, user[attacker], "hold")
    await call_it_a_draw(storage, match, (user[attacker], user[defender]))

    data, files = await exported(archive, match)

    assert moves_at(data, 1) == {
        owner(3, attacker): f"{HOME[attacker]}-1-F5",
        owner(3, defender): "pass",
        owner(3, last): HIDDEN,
    }
    assert SECRET[last] not in files.json + files.transcript
    assert verify(files.json.encode()).is_true


async def test_an_order_that_everybody_saw_is_exported_even_if_its_player_left(
    matches, storage, archive, contest
):
    match, attacker, defender, last = contest
    user = {b: PEOPLE[owner(3, b)] for b in HOME}
    await matches.concede(match, user[attacker])
    await call_it_a_draw(storage, match, (user[defender], user[last]))

    data, _ = await exported(archive, match)

    assert moves_at(data, 1)[owner(3, attacker)] == f"{HOME[attacker]}-1-F5"
    assert moves_at(data, 1)[owner(3, last)] == SECRET[last]
    assert checked(data) == []


async def test_hiding_an_order_that_was_carried_out_is_detected(matches, storage, archive, contest):
    match, attacker, defender, _ = contest
    await call_it_a_draw(storage, match, PEOPLE)
    data, _ = await exported(archive, match)

    for battalion, step in ((defender, 0), (attacker, 1)):
        forged = json.loads(json.dumps(data))
        (made,) = [m for m in forged["steps"][step] if m["seat"] == owner(3, battalion)]
        made["move"] = HIDDEN
        assert checked(forged) != []
    data["steps"][1][0]["move"] = "A1-…-J9"
    assert checked(data) == ["Step 2: What is hidden here can't have been a legal move."]


async def test_an_export_from_before_orders_were_hidden_is_still_genuine(
    matches, storage, archive, contest
):
    match, _, defender, last = contest
    await call_it_a_draw(storage, match, PEOPLE)
    data, _ = await exported(archive, match)
    assert data["facedown"] == 2

    data["facedown"] = 1
    for made in data["steps"][1]:
        if made["seat"] == owner(3, last):
            made["move"] = SECRET[last]
        if made["seat"] == owner(3, defender):
            made["move"] = "pass"

    assert checked(data) == []


class Late:
    async def run_within(self, seconds, work, *args):
        del seconds, work, args
        raise TimeoutError


async def test_an_export_that_takes_too_long_is_refused_and_reveals_nothing(
    matches, storage, contest
):
    match, _, _, last = contest
    await matches.concede(match, PEOPLE[owner(3, last)])
    await call_it_a_draw(storage, match, [p for i, p in enumerate(PEOPLE) if i != owner(3, last)])
    archive = MatchArchive(storage, Late(), SynchronousPool(), now=time.time)

    assert await refusal(exported(archive, match)) == (MatchError, SLOW)


async def test_if_the_rules_have_changed_an_order_is_hidden_to_be_safe(
    matches, storage, archive, contest, monkeypatch
):
    match, attacker, _, _ = contest
    await matches.concede(match, PEOPLE[owner(3, attacker)])
    await call_it_a_draw(
        storage, match, [p for i, p in enumerate(PEOPLE) if i != owner(3, attacker)]
    )

    def refuse(step, *_):
        raise InvalidHistoryError(step + 1, "No longer.")

    monkeypatch.setattr(history, "_lawful", refuse)

    data, _ = await exported(archive, match)

    assert moves_at(data, 1)[owner(3, attacker)] == HIDDEN


def crowding(state, seat):
    """Return moves by which single troops meet in the middle, if any, so Choices are common."""
    legal = CONQUEST.legal_moves(state, seat)
    return [move for move in legal if CROWD.fullmatch(str(move))] or legal


def random_match(number):
    """Play a match with random orders and occasional departures; returns its history."""
    chance, seats = Chance(f"match {number}", 0), 4 - number % 5 % 3
    options = Options(equal="choice", turn_limit=4)
    steps, departures = [], []
    state = CONQUEST.setup(options, seats, Chance(SEED, 0))
    while CONQUEST.awaiting(state):
        waits_for_choice = state.contest is not None
        staying = [Seat(i) for i in range(seats) if i not in state.left]
        if chance.below(2 if waits_for_choice else 30) == 0:
            seat = chance.pick(staying)
            departures.append((len(steps), seat))
            state = CONQUEST.concede(state, seat, Chance("", 0))
            continue
        moves = {s: chance.pick(crowding(state, s)) for s in sorted(CONQUEST.awaiting(state))}
        steps.append({seat: str(move) for seat, move in moves.items()})
        state = CONQUEST.play(state, moves, Chance(SEED, len(steps)))
    return History(
        game="conquest",
        options=options,
        seats=seats,
        seed=SEED,
        steps=tuple(steps),
        departures=tuple(departures),
    )


def revealed(history):
    """Return the turn of each planning step, and the battalions in the reports of each turn."""
    turns, shown = {}, {}
    before: Frame | None = None
    for frame in frames(history):
        if frame.moves is not None and before.state.phase == "planning":
            turns[before.step] = before.state.turn
        for report in (frame.state.last, frame.state.current):
            if report is not None:
                shown.setdefault(report.turn, set()).update(m.battalion for m in report.movements)
        before = frame
    return turns, shown


def test_exactly_the_orders_that_no_report_shows_are_hidden():
    secrets = 0
    for number in range(40):
        history = random_match(number)
        turns, shown = revealed(history)
        for step, (moves, told) in enumerate(zip(history.steps, seen_moves(history), strict=True)):
            if step not in turns:
                assert told == moves
                continue
            for seat, text in moves.items():
                parts = zip(
                    TEAMS[history.seats][seat],
                    text.split(" / "),
                    told[seat].split(" / "),
                    strict=True,
                )
                for battalion, order, said in parts:
                    assert said == (order if battalion in shown[turns[step]] else HIDDEN)
                    secrets += said == HIDDEN
    assert secrets > 20


def test_replaying_without_the_hidden_orders_reaches_the_same_end():
    for number in range(20):
        history = random_match(number)
        last, told = last_frame_and_moves(history, frames(history))

        again, _ = last_frame_and_moves(
            replace(history, steps=told), frames(replace(history, steps=told))
        )

        assert again.state.board == last.state.board
        assert again.state.banks == last.state.banks
        assert CONQUEST.outcome(again.state) == CONQUEST.outcome(last.state)
