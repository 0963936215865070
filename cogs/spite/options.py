"""The options of a match of Spite and Malice: read from `/spite play`, and described briefly."""

from dataclasses import replace
from functools import partial
from typing import Any, Final

from bot.errors import ChallengeError
from bot.interactions.game_options import checked_options
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
    "points": "A series: each game counts the difference between the stocks",
}

NO_SERIES: Final = "`{}` is only for a series. Choose one with `scoring`, by games or by points."


def options_from(variant: str | None, **changes: Any) -> Options:  # noqa: ANN401 - options vary in type
    """The options of a preset with changes to its fields; None leaves a field as it is.

    Raises ChallengeError if the options don't go together.
    """
    preset = SPITE.presets[variant or "standard"]
    if (changes.get("scoring") or preset.scoring) == "game":
        for name in ("target", "game_limit"):
            if changes.get(name) is not None:
                raise ChallengeError(NO_SERIES.format(name))
    options = checked_options(partial(replace, preset), **changes)
    if options.target is not None and options.target > options.highest_score:
        raise ChallengeError(_out_of_reach(options))
    return options


def _out_of_reach(options: Options) -> str:
    """Why nobody can reach the target of a series, and what to choose instead."""
    games = counted(options.game_limit, "game")
    if options.scoring == "games":
        return (
            f"In {games}, nobody can win {options.target}. "
            "Choose a smaller `target`, or a higher `game_limit`."
        )
    return (
        f"In {games} with stocks of {options.stock}, nobody can get {options.target} points. "
        "Choose a higher `game_limit`, a larger `stock` or a smaller `target`."
    )


def named(options: Options) -> str:
    """What differs from the default game, the most important first; if nothing does, the stocks."""
    plain = Options()
    stocks = f"stocks of {options.stock}"
    parts = [] if options.target is None else [goal(options)]
    if options.stock != plain.stock:
        parts.append(stocks)
    if options.jokers != "none":
        wild = "jokers and kings wild" if options.jokers == "with-kings" else "only jokers wild"
        parts.append(wild)
    if options.foundations is not None:
        parts.append(f"at most {options.foundations} foundations")
    if options.forced != "none":
        parts.append("forced aces" if options.forced == "aces" else "forced aces and twos")
    if options.strict_draw:
        parts.append("strict draw")
    if options.turn_limit != plain.turn_limit:
        parts.append(f"at most {counted(options.turn_limit, 'turn')} a game")
    if options.target is not None and options.game_limit != plain.game_limit:
        parts.append(f"at most {counted(options.game_limit, 'game')}")
    return ", ".join(parts or [stocks])


def goal(options: Options) -> str:
    """What wins a series: `first to 3 games`."""
    if options.scoring == "games":
        assert options.target is not None  # a series has one
        return f"first to {counted(options.target, 'game')}"
    return f"first to {options.target} points"
