"""A player who misses two deadlines in a row forfeits their seat, and the others play on."""

from tests.support.clock import DAY
from tests.support.deadlines import DEAL, card, strikes
from tests.support.match_records import ask
from tests.support.matches import ANN, BEA, CYD, DAN, A, B, C, begun, dealt


async def test_two_deadlines_missed_in_a_row_forfeit_the_seat(matches, match, late):
    await matches.submit(match, 0, ANN, card(DEAL, A))
    snapshot = (await late(match)).snapshot_of(ANN)
    await matches.submit(match, 1, ANN, str(snapshot.legal[0]))

    over = (await late(match)).public()

    assert (over.status, over.outcome.ranks) == ("over", (1, 2))
    assert [(info.left, info.left_why) for info in over.seats] == [
        (False, None),
        (True, "time"),
    ]


async def test_a_player_who_forfeited_is_notified_of_that_and_of_the_end(
    matches, three, late, database
):
    deal = dealt(3)
    for user, seat in ((ANN, A), (BEA, B)):
        await matches.submit(three, 0, user, card(deal, seat))
    effect = await late(three)
    told = "SELECT \"user\", event, actor FROM notices WHERE event IN ('out', 'over') ORDER BY id"
    before = ask(database, told)
    for user in (ANN, BEA):
        await matches.submit(three, 1, user, str(effect.snapshot_of(user).legal[0]))
    await late(three)
    out = ask(database, told)
    await matches.concede(three, BEA)

    assert (before, out) == ([], [(CYD, "out", None)])
    assert ask(database, told) == [(ANN, "over", None), (CYD, "over", None)]


async def test_with_three_players_the_other_two_play_on(matches, three, late):
    deal = dealt(3)
    for user, seat in ((ANN, A), (BEA, B)):
        await matches.submit(three, 0, user, card(deal, seat))
    effect = await late(three)
    for user in (ANN, BEA):
        await matches.submit(three, 1, user, str(effect.snapshot_of(user).legal[0]))

    snapshot = (await late(three)).public()

    assert (snapshot.status, snapshot.step, snapshot.awaiting) == ("running", 2, {A, B})
    assert [info.left_why for info in snapshot.seats] == [None, None, "time"]
    assert snapshot.late == ()


async def test_one_player_can_forfeit_while_the_clock_moves_for_another(
    matches, three, late, watch
):
    deal = dealt(3)
    for user, seat in ((ANN, A), (BEA, B)):
        await matches.submit(three, 0, user, card(deal, seat))
    effect = await late(three)
    await matches.submit(three, 1, ANN, str(effect.snapshot_of(ANN).legal[0]))

    snapshot = (await late(three)).public()

    assert [info.left_why for info in snapshot.seats] == [None, None, "time"]
    assert (snapshot.step, snapshot.late, strikes(snapshot)) == (2, (B,), [0, 1, 1])
    assert snapshot.due_at == int(watch()) + DAY


async def test_if_two_of_three_forfeit_at_once_the_third_wins(matches, three, late):
    await matches.submit(three, 0, BEA, card(dealt(3), B))
    effect = await late(three)
    await matches.submit(three, 1, BEA, str(effect.snapshot_of(BEA).legal[0]))

    snapshot = (await late(three)).public()

    assert (snapshot.status, snapshot.outcome.ranks) == ("over", (3, 1, 2))


async def test_if_nobody_is_left_nobody_wins(match, late, database):
    await late(match)

    snapshot = (await late(match)).public()

    assert (snapshot.status, snapshot.ending, snapshot.outcome) == ("closed", "absence", None)
    assert ask(database, "SELECT count(*) FROM results") == [(0,)]


async def test_a_player_who_left_earlier_does_not_win_when_the_others_forfeit(matches, three, late):
    await matches.concede(three, CYD)
    await late(three)

    snapshot = (await late(three)).public()

    assert (snapshot.status, snapshot.ending) == ("closed", "absence")


async def test_a_choice_made_illegal_by_a_forfeit_does_not_count_as_late(
    matches, late, watch, pointing
):
    """Bea points at Dan, who forfeits; she can point again and gets the full time for it."""
    options = pointing.presets["long"]
    match = await begun(matches, BEA, CYD, DAN, game="pointing", options=options)
    for user, at in ((ANN, 1), (BEA, 0), (CYD, 0)):
        await matches.submit(match, 0, user, f"at {at}")
    await late(match)
    for user, at in ((ANN, 1), (BEA, 3), (CYD, 0)):
        await matches.submit(match, 1, user, f"at {at}")

    snapshot = (await late(match)).public()

    assert (snapshot.step, snapshot.chosen, snapshot.awaiting) == (1, {A, C}, {A, B, C})
    assert (strikes(snapshot)[B], snapshot.due_at) == (0, int(watch()) + DAY)
