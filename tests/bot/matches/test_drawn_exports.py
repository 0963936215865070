"""Exports of agreed draws: they claim no scores, as the table may show others than zeros."""

import json

import pytest

from bot.matches.verification import verify
from tests.support.matches import ANN, BEA
from tests.support.playouts import exported, play, seated


@pytest.fixture
async def drawn(matches, agreements, archive):
    """The data and the transcript of a match in which a draw was agreed after two steps."""
    match, people = await seated(matches, "duel")
    await play(matches, match, people, until=2)
    await agreements.offer(match, ANN, "draw")
    await agreements.accept(match, BEA, "draw")
    data, files = await exported(archive, match)
    return data, files.transcript


def test_an_agreed_draw_has_no_scores(drawn):
    data, transcript = drawn

    assert data["outcome"]["scores"] is None
    assert transcript.splitlines()[-1] == "Result: 1. seat 1, 1. seat 2: a draw was agreed"
    finding = verify(json.dumps(data).encode())
    assert finding.is_true
    assert finding.points[-1][1] == (
        "The result is right: 1. seat 1, 1. seat 2: a draw was agreed."
    )


@pytest.mark.parametrize(("scores", "is_true"), [([0, 0], True), ([1, 0], False), ([0], False)])
def test_an_agreed_draw_can_have_the_zeros_of_earlier_versions(drawn, scores, is_true):
    data, _ = drawn
    data["outcome"]["scores"] = scores

    assert verify(json.dumps(data).encode()).is_true is is_true
