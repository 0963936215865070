"""What the contract tests try with each game besides its presets.

To add a game, add its key here with

- `bound`: the number of steps within which every match must end, whatever is played;
- `extra`: options that no preset has, by a name for the test's id; presets and extras together must
  have every value of every option (a test compares them with the annotations of `Options`);
- `refused`: keyword arguments that `Options` must refuse with a sentence;
- `is_open`: True if a state has no secrets, so that all views show the same;
- `seeds`: the number of matches to play, fewer if they are long.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Plan:
    bound: int
    extra: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    refused: tuple[Mapping[str, Any], ...] = ()
    is_open: bool = False
    seeds: int = 3


PLANS: Mapping[str, Plan] = {
    "pico": Plan(
        bound=39,  # three rounds of 13 tricks: somebody wins each trick, and five wins end a round
        refused=({"deck": "pico3"}, {"deck": None}, {"deck": []}, {"deck": "Standard"}),
        is_open=True,
    ),
    "duel": Plan(
        bound=14,  # two rounds of seven pairs
        refused=({"tiles": 12}, {"tiles": "10"}, {"tiles": 10.0}, {"tiles": None}, {"tiles": []}),
        is_open=True,
    ),
    "conquest": Plan(
        bound=900,  # 100 turns: one step for orders, at most 4 choices and 4 reinforcements
        extra={
            "choice": {
                "equal": "choice",
                "reinforce": "together",
                "redeployment": True,
                "signal": True,
                "goal": "both",
                "turn_limit": 40,
            },
            "bounce": {"equal": "bounce", "redeployment": True, "turn_limit": 25},
        },
        refused=(
            {"equal": "draw"},
            {"equal": None},
            {"reinforce": "in_order"},
            {"reinforce": []},
            {"redeployment": 1},
            {"signal": "yes"},
            {"goal": "Both"},
            {"turn_limit": 0},
            {"turn_limit": True},
            {"turn_limit": 2.0},
            {"turn_limit": None},
        ),
        seeds=2,
    ),
    "prize": Plan(
        bound=5000,  # fifty hands of less than 100 steps: there are 28 tiles to place and draw
        extra={
            "strict-pass": {"pass_only_when_stock_is_empty": True, "hand_limit": 4},
            "one-hand": {"hand_limit": 1},
        },
        refused=(
            {"pass_only_when_stock_is_empty": 1},
            {"pass_only_when_stock_is_empty": None},
            {"hand_limit": 0},
            {"hand_limit": -3},
            {"hand_limit": True},
            {"hand_limit": 2.0},
            {"hand_limit": "50"},
            {"hand_limit": None},
            {"hand_limit": []},
        ),
        seeds=2,
    ),
    "spite": Plan(
        bound=20_000,  # 500 turns a game; the series below are short
        extra={
            "three-foundations": {
                "stock": 13,
                "foundations": 3,
                "forced": "aces",
                "jokers": "with-kings",
                "strict_draw": True,
            },
            "four-foundations": {"foundations": 4, "forced": "aces-and-twos", "jokers": "instead"},
            "games": {"stock": 2, "scoring": "games", "target": 2, "turn_limit": 60},
            "points": {"stock": 4, "scoring": "points", "game_limit": 4, "strict_draw": True},
        },
        refused=(
            {"stock": 0},
            {"stock": 27},
            {"stock": True},
            {"stock": 13.0},
            {"stock": None},
            {"foundations": 2},
            {"foundations": 5},
            {"foundations": 3.0},
            {"foundations": []},
            {"forced": "twos"},
            {"forced": None},
            {"jokers": "with_kings"},
            {"jokers": []},
            {"strict_draw": 1},
            {"strict_draw": None},
            {"scoring": "match"},
            {"scoring": "game", "target": 3},
            {"scoring": "games", "target": 0},
            {"scoring": "points", "target": 26},
            {"scoring": "points", "target": "25"},
            {"turn_limit": 0},
            {"turn_limit": None},
            {"game_limit": 0},
            {"game_limit": 1.0},
        ),
        seeds=2,
    ),
}
