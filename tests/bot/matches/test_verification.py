"""Exports of finished matches: what they contain, and how files are verified."""

import asyncio
import json
import time
from concurrent.futures.process import BrokenProcessPool
from hashlib import sha256

import pytest

from bot.computers.pool import SynchronousPool
from bot.errors import HurriedError, MatchError
from bot.matches.archive import (
    CHECKING_OTHERS,
    CHECKS_AN_HOUR,
    MAX_CHECKS_AT_ONCE,
    UNCHECKED,
    MatchArchive,
)
from bot.matches.replays import SLOW
from bot.matches.verification import MAX_EXPORT_BYTES, MAX_STEPS, NOT_JSON, Finding, verify
from bot.text import escaped
from cogs.finished_match import finding_content
from games.spite import SPITE
from tests.support.matches import ANN, BEA, DAN, GUILD, SEED, begun, refusal
from tests.support.playouts import SHORT, checked, exported, play, seated

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("case", SHORT)
async def test_an_export_of_every_game_is_genuine(matches, archive, case):
    match, people = await seated(matches, case)
    await play(matches, match, people)

    data, files = await exported(archive, match)

    assert verify(files.json.encode()).is_true
    assert data["commitment"] == sha256(SEED.encode()).hexdigest()
    for user in people:
        assert str(user) not in files.json + files.transcript


async def test_a_transcript_is_readable(matches, archive):
    match, people = await seated(matches, "duel")
    await play(matches, match, people)

    _, files = await exported(archive, match, BEA)

    lines = files.transcript.splitlines()
    assert lines[:3] == [
        "duel",
        "Seats: 2, numbered in the order the table names the players.",
        "You had seat 2.",
    ]
    assert f"Seed: {SEED}" in lines
    assert lines[6].startswith("    1 seat 1: ")
    assert lines[-1].startswith("Result: 1. seat ")
    _, others = await exported(archive, match, DAN)
    assert "You sat" not in others.transcript


async def test_a_series_of_one_game_uses_the_singular(matches, archive):
    options = SPITE.options(stock=1, scoring="games", target=1)
    match = await begun(matches, game="spite", options=options)
    await play(matches, match, (ANN, BEA))

    data, files = await exported(archive, match)

    assert files.transcript.splitlines()[-1].endswith(": first to 1 game, 1 to 0")
    assert verify(json.dumps(data).encode()).points[-1][1].endswith(": first to 1 game, 1 to 0.")


@pytest.fixture
async def export(matches, archive):
    """A genuine export of a match of tiles, as a dictionary."""
    match, people = await seated(matches, "duel")
    await play(matches, match, people)
    return (await exported(archive, match))[0]


@pytest.mark.parametrize(
    ("steps", "said"),
    [(0, "no step was played."), (1, "its only step follows the rules.")],
)
async def test_the_verification_says_how_a_match_ended_early(matches, archive, steps, said):
    match, (first, *others) = await seated(matches, "duel")
    await play(matches, match, [first, *others], until=steps)
    await matches.concede(match, first)

    _, files = await exported(archive, match)

    found = verify(files.json.encode())
    assert found.is_true
    assert any(point.endswith(said) for _, point in found.points)


def test_the_wording_of_the_reason_can_be_that_of_another_version(export):
    true = export["outcome"]["reason"]
    export["outcome"]["reason"] = "first to 1 points"

    finding = verify(json.dumps(export).encode())

    assert finding.is_true
    assert finding.points[-1][1].endswith(f": {true}.")


def test_a_result_by_the_rules_needs_its_scores(export):
    export["outcome"]["scores"] = None

    (wrong,) = checked(export)
    assert wrong.startswith("The result is wrong; it should be: 1. seat ")


def test_a_changed_seed_is_detected(export):
    export["seed"] = "ab" * 32

    assert checked(export)[0] == "The fingerprint isn't the SHA-256 of the seed."


def test_an_illegal_move_is_detected_with_its_step(export):
    export["steps"][2][0]["move"] = export["steps"][0][0]["move"]

    (wrong,) = checked(export)
    assert wrong.startswith("Step 3: You've ")


@pytest.mark.parametrize(
    ("change_it", "said"),
    [
        (lambda d: d["steps"][1][0].update(seat=7), "Step 2: Seat 7 owes no move now."),
        (lambda d: d["steps"][1].append(d["steps"][1][0]), "Step 2: A seat moves twice."),
        (lambda d: d["steps"][1].pop(), "Step 2: The move of seat 1 is still missing."),
        (lambda d: d["steps"][1][0].update(move="x"), "Step 2: "),
        (lambda d: d["steps"].append(d["steps"][0]), "Step 11: This match is over"),
        (lambda d: d["steps"].pop(), "These steps don't lead to the ending in the file"),
        (lambda d: d.update(ending="draw"), "These steps don't lead to the ending in the file"),
        (lambda d: d.update(status="closed"), "These steps don't lead to the ending in the file"),
        (lambda d: d.update(ending="silence"), "These steps don't lead to the ending in the file"),
        (lambda d: d["outcome"]["scores"].append(1), "The result is wrong; it should be: 1. seat "),
        (lambda d: d.update(outcome=None), "The result is wrong"),
        (
            lambda d: d["departures"].append({"seat": 0, "step": 99, "why": "time"}),
            "Step 100: A departure does not fit into this match.",
        ),
        (
            lambda d: d["departures"].append({"seat": 5, "step": 2, "why": "time"}),
            "Step 3: There's no such seat in this match.",
        ),
    ],
)
def test_every_kind_of_change_is_detected(export, change_it, said):
    change_it(export)

    assert any(point.startswith(said) for point in checked(export))


FOREIGN = "This isn't one of my exports"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00\xff\xfe",
        b"null",
        b"[" * 100_000,
        b"[" + b"[]," * 200_000 + b"[]]",
        b'{"a":' * 50_000,
        b"1" * 100_000,
        b"{}",
        json.dumps({"facedown": 3}).encode(),
    ],
    ids=[
        "empty",
        "binary",
        "null",
        "deep lists",
        "many lists",
        "deep objects",
        "number",
        "nothing",
        "newer",
    ],
)
def test_a_file_that_is_not_an_export_is_refused_in_a_sentence(data):
    finding = verify(data)

    assert not finding.is_true
    assert not finding.is_read
    assert finding.points[0][1].startswith((FOREIGN, NOT_JSON))
    assert len(finding.points[0][1]) < 300


async def test_attaching_the_transcript_says_which_file_to_attach(matches, archive):
    match, people = await seated(matches, "duel")
    await play(matches, match, people)
    _, files = await exported(archive, match)

    shown = finding_content(verify(files.transcript.encode())).head

    assert shown == (
        "### I can't check this file\n❌ I can only check the JSON file from **Export** (its name "
        "ends in .json). Attach that one."
    )


def test_the_verification_says_whether_an_export_is_genuine(export):
    assert finding_content(verify(json.dumps(export).encode())).head.endswith(
        "\nThis export is genuine."
    )
    export["seed"] = "ab" * 32
    assert finding_content(verify(json.dumps(export).encode())).head.endswith(
        "\nThis export is **not** genuine."
    )


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("game", "chess", f"{FOREIGN}: I don't know its game."),
        ("options", {"tiles": 11}, f"{FOREIGN}: its options don't make sense."),
        ("options", {"tiles": 10, "more": 1}, f"{FOREIGN}: it has options "),
        ("seats", 3, "Divide and Conquer (tiles) can't be played like this with 3 seats."),
        ("seats", True, f"{FOREIGN}: `seats` is wrong."),
        ("seats", 10**30, f"{FOREIGN}: `seats` is wrong"),
        ("seed", "x", f"{FOREIGN}: `seed` is wrong"),
        ("steps", {"0": []}, f"{FOREIGN}: `steps` is wrong"),
        ("steps", [[]] * 60_000, f"{FOREIGN}: `steps` is wrong"),
        ("`**<@1>", 1, f"{FOREIGN}: `'**<@1>` doesn't belong there."),
    ],
)
def test_an_export_with_invalid_values_is_refused_in_a_sentence(export, key, value, said):
    export[key] = value

    (wrong,) = checked(export)
    assert wrong.startswith(said)


@pytest.mark.parametrize(
    ("change_it", "said"),
    [
        (lambda d, n: d["steps"][0][0].update(seat=n), "`steps.0.0.seat` is wrong."),
        (lambda d, n: d["departures"].append(left(n, 0)), "`departures.0.seat` is wrong."),
        (lambda d, n: d["departures"].append(left(5, n)), "`departures.0.step` is wrong."),
        (lambda d, n: d["outcome"]["ranks"].append(n), "The result is wrong; it should be: "),
    ],
    ids=["seat", "departed seat", "departed step", "rank"],
)
def test_a_number_with_thousands_of_digits_gets_a_short_message(export, change_it, said):
    """Python can read such a number but not write a longer one, and Discord limits messages."""
    change_it(export, "number")

    finding = verify(json.dumps(export).replace('"number"', "9" * 4300).encode())

    assert said in finding.points[-1][1]
    assert len(finding_content(finding).head) < 1000


def left(seat, step):
    return {"seat": seat, "step": step, "why": "time"}


@pytest.mark.parametrize("move", ["**[a](https://e.example)**", "<@77>"])
@pytest.mark.parametrize("case", ["spite", "prize"])
async def test_markup_in_a_forged_move_has_no_effect(matches, archive, case, move):
    match, people = await seated(matches, case)
    await play(matches, match, people)
    data, _ = await exported(archive, match)
    data["steps"][0][0]["move"] = move

    shown = finding_content(verify(json.dumps(data).encode()))

    assert "Step 1: " in shown.head
    assert move not in shown.head
    assert escaped(move) in shown.head


def test_a_verification_that_takes_too_long_is_given_up(export, monkeypatch):
    monkeypatch.setattr("bot.matches.verification.MAX_CHECK_SECONDS", -1.0)

    assert "This takes too long to check" in checked(export)[0]


class Slow:
    """A worker pool that yields once, so that concurrent requests overlap."""

    async def run_within(self, seconds, work, *args):
        del seconds
        await asyncio.sleep(0)
        return work(*args)


@pytest.fixture
def slow(storage):
    return MatchArchive(storage, SynchronousPool(), Slow(), now=time.time)


async def checked_at_once(archive, *users):
    """Check a file of each user concurrently; returns their refusals or result types."""
    checks = (archive.check(b"{}", user) for user in users)
    ends = await asyncio.gather(*checks, return_exceptions=True)
    return [str(end) if isinstance(end, MatchError) else type(end) for end in ends]


async def test_one_file_per_person_is_checked_at_a_time(slow):
    told = await checked_at_once(slow, ANN, ANN, BEA)
    then = await checked_at_once(slow, ANN)

    assert told == [Finding, "I'm still checking your last file. Wait until that's done.", Finding]
    assert then == [Finding]


async def test_a_file_that_is_too_large_is_refused(archive):
    archive.must_be_small(MAX_EXPORT_BYTES)

    with pytest.raises(MatchError, match="This file is too large"):
        archive.must_be_small(MAX_EXPORT_BYTES + 1)


class Failing:
    """A worker pool whose jobs all fail."""

    def __init__(self, error):
        self._error = error

    async def run_within(self, seconds, work, *args):
        del seconds, work, args
        raise self._error


@pytest.mark.parametrize("error", [TimeoutError(), BrokenProcessPool()], ids=["late", "dead"])
async def test_after_a_failed_check_the_next_file_can_be_checked(storage, error):
    archive = MatchArchive(storage, SynchronousPool(), Failing(error), now=time.time)

    for _ in range(2):
        assert await refusal(archive.check(b"{}", ANN)) == (MatchError, UNCHECKED)


async def test_the_number_of_people_waiting_for_a_check_is_limited(slow):
    people = range(2000, 2000 + MAX_CHECKS_AT_ONCE)

    told = await checked_at_once(slow, *people, ANN)
    then = await checked_at_once(slow, ANN)

    assert told == [Finding] * MAX_CHECKS_AT_ONCE + [CHECKING_OTHERS]
    assert then == [Finding]


async def test_the_size_of_the_downloaded_file_is_checked_too(archive):
    with pytest.raises(MatchError, match="This file is too large"):
        await archive.check(b" " * (MAX_EXPORT_BYTES + 1), ANN)


@pytest.mark.parametrize("error", [TimeoutError(), BrokenProcessPool()], ids=["late", "dead"])
async def test_a_replay_that_fails_in_its_process_is_reported_as_slow(matches, storage, error):
    match, people = await seated(matches, "duel")
    await play(matches, match, people)
    archive = MatchArchive(storage, Failing(error), SynchronousPool(), now=time.time)

    refused = await refusal(archive.replay(match, 1, user=ANN, guild=GUILD))

    assert refused == (MatchError, SLOW)


def test_a_file_with_too_many_steps_is_refused_without_replaying_it(export, monkeypatch):
    """A series to 100 games of Spite and Malice can have that many."""
    monkeypatch.setattr("bot.matches.verification.frames", None)  # must not be called
    export["steps"] = [[]] * (MAX_STEPS + 1)

    finding = verify(json.dumps(export).encode())

    assert finding.points == (
        (False, "The match has more than 20,000 steps, and I can't check longer ones."),
    )


async def test_the_number_of_checks_per_person_and_hour_is_limited(archive):
    for _ in range(CHECKS_AN_HOUR):
        await archive.check(b"{}", ANN)

    kind, said = await refusal(archive.check(b"{}", ANN))
    await archive.check(b"{}", BEA)

    assert kind is HurriedError
    assert said.startswith("You've asked for 20 checks of files within an hour. Try again in ")
