"""How long an interaction can edit messages, whatever the clock of the machine says."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from discord import utils

from bot.messaging.first_answer import TOKEN_LIFE, FirstAnswer, Token

NOW = datetime(2026, 11, 26, 12, tzinfo=UTC)
MINUTES = timedelta(minutes=1)


@pytest.fixture
def clock(monkeypatch):
    """The clock of this machine, which tests can move."""
    clock = SimpleNamespace(now=NOW)
    monkeypatch.setattr(utils, "utcnow", lambda: clock.now)
    return clock


@pytest.mark.parametrize("ahead", [-20 * MINUTES, -10 * MINUTES, 0 * MINUTES, 10 * MINUTES])
def test_a_token_lasts_as_long_on_a_machine_whose_clock_is_wrong(clock, ahead):
    interaction = SimpleNamespace(id=1, token="t", created_at=NOW - ahead, extras={})
    FirstAnswer.of(interaction)  # as it arrives
    clock.now += 5 * MINUTES

    token = Token.of(interaction)

    assert token.until == NOW + TOKEN_LIFE
    assert token.fresh
    clock.now += 10 * MINUTES
    assert not token.fresh
