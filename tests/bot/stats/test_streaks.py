"""Streaks of results: the current one and the longest."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.stats.streaks import Streaks, streaks
from bot.storage.profiles import End

LETTERS: dict[str, End] = {"w": "won", "d": "drawn", "l": "lost"}


def read(text):
    return streaks(LETTERS[letter] for letter in text)


def longest(text, letters):
    """Return the longest part of a text with only these letters, by trying every part."""
    parts = (text[i:j] for i in range(len(text)) for j in range(i + 1, len(text) + 1))
    return max((len(part) for part in parts if set(part) <= set(letters)), default=0)


@pytest.mark.parametrize(
    ("text", "last", "length", "won", "unbeaten", "lost"),
    [
        ("w", "won", 1, 1, 1, 0),
        ("wwlw", "won", 1, 2, 2, 1),
        ("wwdww", "won", 2, 2, 5, 0),
        ("llwll", "lost", 2, 1, 1, 2),
        ("lldl", "lost", 1, 0, 1, 2),
        ("wdd", "drawn", 2, 1, 3, 0),
    ],
)
def test_a_draw_ends_streaks_of_wins_and_losses_and_leaves_one_unbeaten(
    text, last, length, won, unbeaten, lost
):
    assert read(text) == Streaks(last=last, length=length, won=won, unbeaten=unbeaten, lost=lost)


def test_before_the_first_match_there_is_no_streak():
    assert read("") == Streaks(last=None, length=0, won=0, unbeaten=0, lost=0)


@settings(max_examples=100)
@given(st.text("wdl", min_size=1, max_size=12))
def test_streaks_equal_a_search_of_every_part(text):
    found = read(text)

    assert (found.won, found.unbeaten, found.lost) == (
        longest(text, "w"),
        longest(text, "wd"),
        longest(text, "l"),
    )
    assert found.last == LETTERS[text[-1]]
    assert found.length == len(text) - len(text.rstrip(text[-1]))
