"""What was agreed upon, from the options of the command, and named in a few words."""

from dataclasses import replace
from functools import partial
from typing import Any, Final

from bot.errors import ChallengeError
from bot.interactions.wishes import granted
from bot.text import counted
from games.spite import SPITE, Options

VARIANTS: Final = {
    "standard": "Standard: stocks of 26",
    "short": "Short: stocks of 20",
    "quick": "Quick: stocks of 13",
}
FOUNDATIONS: Final = {3: "At most 3 at a time", 4: "At most 4 at a time"}
FORCED: Final = {
    "none": "Nothing: keep what you like",
    "aces": "Aces, before you can discard",
    "aces-and-twos": "Aces and twos, before you can discard",
}
JOKERS: Final = {
    "none": "No jokers; kings are wild",
    "with-kings": "Four jokers, wild like kings",
    "instead": "Four wild jokers; kings follow queens",
}
SCORING: Final = {
    "game": "One game",
    "games": "A series: each game won counts 1",
    "points": "A series: each game counts the cards left in the loser's stock",
}

NO_SERIES: Final = (
    "A single game needs no `game_limit`. Choose a series with `scoring`, by games or by points."
)


def agreed(variant: str | None, **changes: Any) -> Options:  # noqa: ANN401 - of the options' types
    """A preset with what the challenger wants otherwise; None leaves a thing as it is.

    Raises ChallengeError where the wishes do not go together.
    """
    options = granted(partial(replace, SPITE.presets[variant or "standard"]), **changes)
    if options.target is None and changes.get("game_limit") is not None:
        raise ChallengeError(NO_SERIES)
    return options


def named(options: Options) -> str:
    """All that differs from the plainest game, in a few words."""
    plain = Options()
    presets = {13: "quick, stocks of 13", 20: "short, stocks of 20", 26: "stocks of 26"}
    parts = [presets.get(options.stock, f"stocks of {options.stock}")]
    if options.foundations is not None:
        parts.append(f"at most {options.foundations} foundations")
    if options.forced != "none":
        parts.append("forced aces" if options.forced == "aces" else "forced aces and twos")
    if options.jokers != "none":
        wild = "jokers and kings wild" if options.jokers == "with-kings" else "only jokers wild"
        parts.append(wild)
    if options.strict_draw:
        parts.append("strict draw")
    parts += _series(options)
    if options.turn_limit != plain.turn_limit:
        parts.append(f"at most {counted(options.turn_limit, 'turn')} a game")
    return ", ".join(parts)


def goal(options: Options) -> str:
    """What a series is played to, such as `first to 3 games`."""
    if options.scoring == "games":
        assert options.target is not None  # a series has one
        return f"first to {counted(options.target, 'game')}"
    return f"first to {options.target} points"


def _series(options: Options) -> list[str]:
    if options.target is None:
        return []
    limit = options.game_limit
    usual = limit == Options().game_limit
    return [goal(options)] + ([] if usual else [f"at most {counted(limit, 'game')}"])
