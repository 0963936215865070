"""Signals that are refused because the match has none."""

import pytest

from bot.errors import MatchError
from bot.matches.signals import Signals
from games import GAMES
from tests.support.matches import ANN, begun, refusal

NONE = "This match has no signals."
OPTION = f"{NONE} They're an option of `/conquest play`."


@pytest.mark.parametrize(("game", "said"), [("conquest", OPTION), ("pico", NONE)])
async def test_a_refused_signal_names_the_option_only_if_the_game_has_it(
    matches, storage, game, said
):
    match = await begun(matches, game=game, options=GAMES[game].presets["standard"])

    refused = await refusal(Signals(storage).point(match, ANN, "1"))

    assert refused == (MatchError, said)
