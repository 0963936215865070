"""The digest of a week in words."""

from dataclasses import replace

import pytest

from bot.messaging.content import MAX_TEXT_LENGTH
from bot.puzzles.calendar import date_of
from bot.rendering.digest import digest_content
from bot.stats.digests import Digest, monday_of
from bot.storage.digests import CountRecord, PairRecord, UpsetRecord, WeekRecord

MONDAY = 20_773  # November 16, 2026
FULL = WeekRecord(
    matches={"pico": 7, "duel": 3},
    players=6,
    with_computers=1,
    upsets=(UpsetRecord("pico", 11, 1432, False, 12, 1611),),
    streaks=(CountRecord(user=11, number=6), CountRecord(user=13, number=3)),
    pairs=(PairRecord(users=(12, 13), ahead=(2, 3), matches=6),),
    answers=23,
    solved=15,
    solvers=(CountRecord(user=12, number=7),),
)
EMPTY = WeekRecord(
    matches={},
    players=0,
    with_computers=0,
    upsets=(),
    streaks=(),
    pairs=(),
    answers=0,
    solved=0,
    solvers=(),
)


def told(found, first_day=MONDAY):
    return digest_content(Digest(first_day=first_day, found=found, complete=True))


def test_a_full_week_is_described_in_short_lines():
    content, games = told(FULL), "Pico **7** · Divide and Conquer (tiles) **3**"

    assert content.head.splitlines() == [
        "### The week here: November 16 to 22",
        f"🎲 **10 matches**, 6 players: {games}. And 1 match against computers.",
        "**Upsets**",
        "- <@11> (1432?) beat <@12> (1611) at Pico",
        "🔥 **Wins in a row**: <@11> **6** · <@13> **3**",
        "⚔️ **Rivalry of the week**: <@13> **3** · <@12> **2** · 1 drawn",
        "🧩 **Daily puzzle**: 23 answers, 15 right. Most solved: <@12> **7**",
    ]
    assert len(content.head + content.foot) < MAX_TEXT_LENGTH


@pytest.mark.parametrize(
    ("found", "line"),
    [
        (replace(EMPTY, with_computers=2), "🎲 **2 matches** against computers."),
        (
            replace(EMPTY, pairs=(PairRecord(users=(12, 13), ahead=(2, 2), matches=4),)),
            "⚔️ **Rivalry of the week**: <@12> **2** · <@13> **2**",
        ),
        (replace(EMPTY, answers=1), "🧩 **Daily puzzle**: 1 answer, 0 right."),
        (replace(EMPTY, matches={"pico": 1}, players=2), "🎲 **1 match**, 2 players: Pico **1**."),
    ],
)
def test_a_week_with_little_has_few_lines(found, line):
    assert told(found).head.splitlines()[1:] == [line]


def test_a_week_in_two_months_names_both():
    assert "November 30 to December 6" in told(FULL, MONDAY + 14).head


def test_only_a_week_without_any_events_is_empty():
    digest = Digest(first_day=MONDAY, found=EMPTY, complete=True)
    assert digest.is_empty
    assert not replace(digest, found=replace(EMPTY, answers=1)).is_empty


def test_a_week_begins_on_monday():
    assert date_of(MONDAY).weekday() == 0
    assert {monday_of(MONDAY + day) for day in range(7)} == {MONDAY}
    assert monday_of(MONDAY - 1) == MONDAY - 7
