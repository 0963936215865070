"""Replays: who can see a match step by step, what they see of it, and what stays secret."""

import time

import pytest

from bot import codec
from bot.computers.pool import SynchronousPool
from bot.errors import MatchError, NoSuchMatchError, NotSeatedError
from bot.matches.archive import MatchArchive
from bot.matches.signals import Signals
from games import GAMES
from games.conquest import CONQUEST
from tests.support.conquest_states import GREEN, RED, position
from tests.support.match_records import change
from tests.support.matches import ANN, BEA, CYD, DAN, GUILD, begun, opened, refusal
from tests.support.playouts import SHORT, checked, exported, play, seated

pytestmark = pytest.mark.slow


async def replayed(archive, match, number, user=ANN):
    return await archive.replay(match, number, user=user, guild=GUILD)


def test_every_game_has_a_case_for_replays():
    assert {case.split()[0] for case in SHORT} == set(GAMES)


@pytest.mark.parametrize("case", SHORT)
async def test_a_replay_shows_what_everybody_saw(matches, archive, case):
    match, people = await seated(matches, case)
    seen = await play(matches, match, people)

    last = (await replayed(archive, match, 100_000)).last
    some = list(seen)[:: max(1, len(seen) // 8)]
    shown = [(await replayed(archive, match, step)).snapshot for step in some]

    assert last == (await matches.public(match)).step
    assert [snapshot.view for snapshot in shown] == [seen[step].view for step in some]
    assert [snapshot.awaiting for snapshot in shown] == [seen[step].awaiting for step in some]
    assert (await replayed(archive, match, last)).snapshot == await matches.public(match)


async def test_moves_replays_and_exports_of_a_person_are_counted_together(
    matches, storage, monkeypatch
):
    """Reading a long match takes a while, in which nobody else is answered."""
    monkeypatch.setattr("bot.matches.archive.REPLAYS_AN_HOUR", 3)
    archive = MatchArchive(storage, SynchronousPool(), SynchronousPool(), now=time.time)
    match, people = await seated(matches, "pico")
    await play(matches, match, people)

    def asks(user):
        return (
            archive.moves(match, user=user, guild=GUILD),
            replayed(archive, match, 0, user),
            archive.export(match, user=user, guild=GUILD, title=lambda _: ""),
        )

    for asked in asks(ANN):
        await asked

    for asked in asks(ANN):
        refused = await refusal(asked)
        assert refused[1].startswith("You've asked for 3 pages and files of matches")
    for asked in asks(BEA):
        await asked


@pytest.mark.parametrize("case", SHORT)
async def test_a_replay_shows_who_left_in_the_middle(matches, archive, case):
    match, people = await seated(matches, case)
    await play(matches, match, people, until=5)
    before = await matches.public(match)
    leaver = max(before.awaiting)
    left = (await matches.concede(match, people[leaver])).public()
    await play(matches, match, people)

    shown = await replayed(archive, match, before.step)
    after = await replayed(archive, match, before.step + 1)

    assert shown.snapshot.view == before.view
    assert not any(info.left for info in shown.snapshot.seats)
    assert after.snapshot.view == left.view
    assert [info.left for info in after.snapshot.seats] == [i == leaver for i in range(len(people))]
    assert [line.left for line in after.lines] == [(leaver, "resigned")]
    end = await replayed(archive, match, 100_000)
    assert (end.snapshot.step, end.last) == (end.steps, end.steps + 1)
    assert end.snapshot == await matches.public(match)
    assert checked((await exported(archive, match))[0]) == []


@pytest.mark.parametrize("what", ["draw", "call_off"])
@pytest.mark.parametrize("case", ["pico three", "conquest", "prize", "spite"])
async def test_an_agreed_end_is_the_last_frame_of_a_replay(
    matches, archive, agreements, case, what
):
    match, people = await seated(matches, case)
    await play(matches, match, people, until=4)
    await agreements.offer(match, ANN, what)
    for user in people[1:]:
        await agreements.accept(match, user, what)

    end = await replayed(archive, match, 100_000)

    assert (end.number, end.snapshot.ending) == (end.last, what)
    assert (await replayed(archive, match, end.last - 1)).snapshot.status == "running"
    assert checked((await exported(archive, match))[0]) == []


async def test_a_choice_that_was_never_played_stays_secret(matches, archive, agreements):
    match, _ = await seated(matches, "pico")
    await matches.submit(match, 0, ANN, str((await matches.snapshot(match, ANN)).legal[0]))
    await agreements.offer(match, ANN, "call_off")
    await agreements.accept(match, BEA, "call_off")

    moves = await archive.moves(match, user=BEA, guild=GUILD)

    assert moves.lines == ()
    assert (await exported(archive, match))[0]["steps"] == []


async def test_a_running_match_shows_only_its_resolved_moves(matches, archive):
    match, people = await seated(matches, "pico")
    await play(matches, match, people, until=2)
    await matches.submit(match, 2, ANN, str((await matches.snapshot(match, ANN)).legal[0]))

    moves = await archive.moves(match, user=BEA, guild=GUILD)

    assert [line.step for line in moves.lines] == [1, 2]
    assert [set(line.moves) for line in moves.lines] == [{0, 1}] * 2
    sentence = "This match is still being played. You can do that when it ends."
    assert await refusal(replayed(archive, match, 0)) == (MatchError, sentence)
    assert await refusal(exported(archive, match)) == (MatchError, sentence)


async def test_a_signal_appears_only_in_the_last_frame(matches, archive, storage):
    match = await begun(matches, game="conquest", options=CONQUEST.options(signal=True))
    await play(matches, match, (ANN, BEA), until=2)
    await Signals(storage).point(match, BEA, "0")
    await matches.concede(match, ANN)

    shown = [(await replayed(archive, match, number)).snapshot for number in (0, 1, 100_000)]

    assert [[info.signal for info in snapshot.seats] for snapshot in shown] == [
        [None, None],
        [None, None],
        [None, 0],
    ]


@pytest.fixture
async def contest(matches, database):
    """A match of Divide & Conquer for three, in which a Choice by Bea delays Cyd's order."""
    match = await begun(
        matches, BEA, CYD, game="conquest", options=CONQUEST.options(equal="choice")
    )
    state = position(3, {RED: "E5:9 D4:1", GREEN: "E6:7 D6:3"}, equal="choice")
    change(database, f"UPDATE matches SET state = '{codec.encode(state)}'")  # noqa: S608
    for user, plan in ((ANN, "E5-1-D5"), (BEA, "D6-1-D5"), (CYD, "F6-1-G6")):
        await matches.submit(match, 0, user, plan)
    return match


async def orders(archive, match):
    """Return the orders of the first turn as everybody can see them."""
    return dict((await archive.moves(match, user=DAN, guild=GUILD)).lines[0].moves)


async def test_an_order_that_waits_for_a_choice_is_not_shown(matches, archive, contest):
    assert (await matches.public(contest)).view.contest is not None

    assert await orders(archive, contest) == {0: "E5-1-D5", 1: "D6-1-D5", 2: "…"}

    await matches.submit(contest, 1, BEA, "hold")
    assert (await orders(archive, contest))[2] == "F6-1-G6"


async def test_an_order_whose_player_left_before_it_was_executed_is_not_shown(
    matches, archive, contest
):
    await matches.concede(contest, CYD)
    await matches.submit(contest, 1, BEA, "hold")

    assert await orders(archive, contest) == {0: "E5-1-D5", 1: "D6-1-D5", 2: "…"}


async def test_an_order_still_waiting_at_the_end_is_not_shown(
    matches, archive, agreements, contest
):
    await agreements.offer(contest, ANN, "draw")
    await agreements.accept(contest, BEA, "draw")
    await agreements.accept(contest, CYD, "draw")

    assert (await orders(archive, contest))[2] == "…"


async def test_only_its_server_and_its_players_can_see_a_match(matches, archive):
    match, people = await seated(matches, "duel")
    await play(matches, match, people)

    assert (await archive.moves(match, user=ANN, guild=None)).lines
    assert (await archive.replay(match, 0, user=DAN, guild=GUILD)).number == 0
    elsewhere = (
        NotSeatedError,
        "This match is in another server, and you're not playing in it. Use this there.",
    )
    assert await refusal(archive.moves(match, user=DAN, guild=1)) == elsewhere
    assert await refusal(archive.replay(match, 0, user=DAN, guild=1)) == elsewhere
    assert await refusal(archive.moves(404, user=ANN, guild=GUILD)) == (
        NoSuchMatchError,
        (
            "This match no longer exists, so its buttons don't work. "
            "Start a new one with a `play` command."
        ),
    )


async def test_a_match_that_never_began_has_no_replay(matches, archive):
    match = await opened(matches)
    await matches.withdraw(match, ANN)

    assert await refusal(replayed(archive, match, 0)) == (
        MatchError,
        "This match never started, so there's nothing to show.",
    )


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE moves SET move = '99' WHERE step = 3",
        "UPDATE matches SET seed = replace(seed, 'a', 'b')",
        """UPDATE matches SET state = replace(state, '"round":2', '"round":1')""",
    ],
    ids=["an illegal move", "another deal", "another end"],
)
async def test_a_match_played_by_other_rules_is_refused(matches, archive, database, damage):
    match, people = await seated(matches, "duel")
    await play(matches, match, people)
    change(database, damage)

    kind, sentence = await refusal(replayed(archive, match, 100_000))

    assert kind is MatchError
    assert sentence.startswith("The rules have changed since this match, so I can't replay it")
