"""Snapshots never contain another player's choice or the seed of a running match."""

import hashlib
import sqlite3
from contextlib import closing

import pytest

from bot.errors import CorruptRecordError
from games.pico import PICO
from tests.support.cluster import ServerDatabase
from tests.support.match_records import ask, forget_user, record_of
from tests.support.matches import ANN, BEA, CYD, SEED, A, B, C, begun, dealt, opened


def damage(database, change):
    if isinstance(database, ServerDatabase):
        database.damage(change)
        return
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("PRAGMA foreign_keys=OFF")
        connection.execute(change)


@pytest.fixture
async def secretive(matches, pointing):
    """A match in which everybody has a hidden number; Ann and Bea have chosen."""
    match = await begun(matches, BEA, CYD, game="pointing", options=pointing.presets["long"])
    await matches.submit(match, 0, ANN, "at 2")
    await matches.submit(match, 0, BEA, "at 0")
    return match


async def test_nobody_sees_another_players_choice(matches, secretive):
    table, ann, bea, cyd = map(repr, await matches.snapshots(secretive))

    assert ("Finger(at=2)" in ann.split("legal=")[0], "Finger(at=0)" in ann) == (True, False)
    assert ("Finger(at=0)" in bea.split("legal=")[0], "choice=Finger(at=2)" in bea) == (True, False)
    assert "choice=None" in cyd
    assert "Finger" not in table


async def test_a_choice_does_not_change_the_keys_of_others(matches, secretive):
    """Keys of all messages are stored, and the table's isn't secret."""
    before = [snapshot.key for snapshot in await matches.snapshots(secretive)]

    await matches.submit(secretive, 0, ANN, "at 1")

    after = [snapshot.key for snapshot in await matches.snapshots(secretive)]
    assert [one == other for one, other in zip(before, after, strict=True)] == [
        True,
        False,
        True,
        True,
    ]


async def test_nobody_sees_the_hidden_number_of_another(matches, secretive, pointing):
    numbers = [str(number) for number in dealt(3, game=pointing).numbers]
    assert len(set(numbers)) == 3

    snapshots = [repr(snapshot) for snapshot in await matches.snapshots(secretive)]

    assert [[number in snapshot for number in numbers] for snapshot in snapshots] == [
        [False, False, False],
        [True, False, False],
        [False, True, False],
        [False, False, True],
    ]


async def test_the_repr_of_an_effect_contains_no_secret(matches, secretive, pointing):
    """It may appear in a log or a traceback."""
    effect = await matches.submit(secretive, 0, BEA, "at 2")

    assert (
        repr(effect)
        == "Effect(resolved=False, turn_continues=False, changes_choice=False, replaces=False)"
    )


async def test_the_seed_is_secret_until_the_match_is_over(matches):
    match = await begun(matches)
    for snapshot in await matches.snapshots(match):
        assert snapshot.seed is None
        assert SEED not in repr(snapshot)

    await matches.concede(match, ANN)

    assert {snapshot.seed for snapshot in await matches.snapshots(match)} == {SEED}


async def test_the_commitment_is_published_with_the_deal_and_stays(matches):
    match = await opened(matches)
    assert (await matches.public(match)).commitment is None

    running = await matches.accept(match, BEA)
    over = await matches.concede(match, BEA)

    commitment = hashlib.sha256(SEED.encode("ascii")).hexdigest()
    assert (running.public().commitment, over.public().commitment) == (
        commitment,
        commitment,
    )
    assert hashlib.sha256(over.public().seed.encode()).hexdigest() == commitment


async def test_legal_moves_are_only_in_the_seats_own_snapshot(matches, secretive, pointing):
    table, *hands = await matches.snapshots(secretive)

    assert not hasattr(table, "legal")
    assert [[str(move) for move in hand.legal] for hand in hands] == [
        ["at 1", "at 2"],
        ["at 0", "at 2"],
        ["at 0", "at 1"],
    ]


async def test_the_outcome_is_shown_when_the_match_is_over(matches):
    match = await begun(matches)
    assert (await matches.public(match)).outcome is None

    over = await matches.concede(match, ANN)

    assert over.snapshot_of(ANN).outcome.ranks == (2, 1)


async def test_the_tables_key_changes_with_everything_the_table_shows(matches):
    match = await opened(matches, BEA, CYD)
    cards = [str(hand[0]) for hand in dealt(3).hands]
    acts = (
        matches.accept(match, CYD),
        matches.accept(match, BEA),
        matches.submit(match, 0, BEA, cards[B]),
        matches.submit(match, 0, CYD, cards[C]),
        matches.submit(match, 0, ANN, cards[A]),
        matches.concede(match, CYD),
        matches.concede(match, ANN),
    )

    keys = [
        (await matches.public(match)).key,
        *[(await act).public().key for act in acts],
    ]

    assert [key.rpartition(".")[0] for key in keys[:2]] == ["open.0.", "open.0."]
    assert keys[0] != keys[1]
    assert [key.partition("@")[0] for key in keys[2:]] == [
        "running.0..",
        "running.0..1",
        "running.0..12",
        "running.1..",
        "running.1.2.",
        "over.1.02.",
    ]


async def test_keys_in_play_change_when_a_player_who_has_left_is_deleted(matches, storage):
    match = await begun(matches, BEA, CYD)
    before = await matches.concede(match, CYD)

    await forget_user(storage, CYD)

    after = await matches.snapshots(match)
    public = before.public().key
    assert [one.key for one in after][:2] == [
        public.replace(".2.", ".2-.", 1),
        before.snapshot_of(ANN).key.replace(".2.", ".2-.", 1),
    ]


async def test_the_keys_of_an_ended_match_stay_when_a_player_is_deleted(matches, storage):
    """Its table is edited all the same, and other hands keep the names that they had."""
    match = await begun(matches)
    over = await matches.concede(match, BEA)

    await forget_user(storage, BEA)

    public, hand, *_ = await matches.snapshots(match)
    assert (public.key, hand.key) == (over.public().key, over.snapshot_of(ANN).key)


async def test_a_hands_key_contains_only_its_own_choice(matches):
    match = await begun(matches)
    card = dealt().hands[A][0]

    await matches.submit(match, 0, ANN, str(card))

    keys = [snapshot.key.partition("@")[0] for snapshot in await matches.snapshots(match)]
    assert keys == [
        "running.0..0",
        f"running.0..{card}",
        "running.0..",
    ]


@pytest.mark.parametrize(
    ("change", "what"),
    [
        pytest.param("state = NULL", "was never dealt", id="no state"),
        pytest.param("schema = NULL", "was never dealt", id="no schema"),
        pytest.param("seed = NULL", "was never dealt", id="no seed"),
        pytest.param("state = ''", "State does not read back", id="an empty state"),
        pytest.param("state = substr(state, 1, 50)", "State does not read back", id="half a state"),
        pytest.param(
            "state = replace(state, 'spare', 'spore')",
            "State does not read back: spare",
            id="a field renamed",
        ),
        pytest.param("schema = 2", "written by a newer version", id="a newer state"),
        pytest.param("game = 'whist'", "unknown game or move", id="an unknown game"),
        pytest.param("options = '{}'", "Options does not read back", id="options cut down"),
        pytest.param(
            """options = '{"deck":"tarot"}'""", "Options does not read back", id="an unknown option"
        ),
    ],
)
async def test_a_damaged_row_is_reported_as_corrupt_and_left_unchanged(
    matches, storage, database, change, what
):
    match = await begun(matches)
    damage(database, f"UPDATE matches SET {change}")  # noqa: S608 - written above
    before = await record_of(storage, match)

    for act in (
        matches.snapshot(match, ANN),
        matches.snapshots(match),
        matches.sit(match, ANN),
        matches.submit(match, 0, ANN, "9"),
        matches.concede(match, ANN),
        matches.accept(match, BEA),
    ):
        with pytest.raises(CorruptRecordError, match=what):
            await act
    assert await record_of(storage, match) == before


async def test_a_damaged_choice_is_reported_as_corrupt(matches, database):
    match = await begun(matches)
    await matches.submit(match, 0, ANN, str(dealt().hands[A][0]))
    damage(database, "UPDATE moves SET move = 'the ace'")

    with pytest.raises(CorruptRecordError, match="unknown game or move"):
        await matches.submit(match, 0, BEA, str(dealt().hands[B][0]))


async def test_a_finished_match_without_a_state_is_reported_as_corrupt(matches, database):
    match = await begun(matches)
    await matches.concede(match, ANN)
    damage(database, "UPDATE matches SET state = NULL")

    with pytest.raises(CorruptRecordError, match="is over and was never dealt"):
        await matches.public(match)


async def test_an_old_state_is_upgraded_when_it_is_read(matches, database, monkeypatch):
    match = await begun(matches)
    damage(database, "UPDATE matches SET state = replace(state, 'spare', 'leftover')")
    monkeypatch.setattr("bot.matches.state_upgrades.SCHEMAS", {"pico": 2})
    monkeypatch.setattr(
        "bot.matches.state_upgrades.UPGRADES",
        {("pico", 1): lambda text: text.replace("leftover", "spare")},
    )

    assert (await matches.public(match)).view == PICO.observe(dealt(), None)

    await matches.submit(match, 0, ANN, str(dealt().hands[A][0]))
    await matches.submit(match, 0, BEA, str(dealt().hands[B][0]))
    (row,) = ask(database, "SELECT schema, state LIKE '%spare%' FROM matches")
    assert row == (2, 1)
