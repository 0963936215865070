"""The options of a match of Prize Dominoes: read from `/prize play`, and described briefly."""

from typing import Final

from bot.interactions.game_options import checked_options
from games.prize import Options

ANY_TURN: Final = "any-turn"
EMPTY_STOCK: Final = "empty-stock"

PASSES: Final = {
    ANY_TURN: "Every turn that plays no tile",
    EMPTY_STOCK: "Only a turn with an empty stock",
}
"""What counts as a pass, with labels for `/prize play`; the first is the rulebook's rule."""


def options_from(passes: str = ANY_TURN, hands: int | None = None) -> Options:
    """The options for these parameters of the command; `hands` None means the default.

    Raises ChallengeError if the game refuses them.
    """
    only_then = passes == EMPTY_STOCK
    return checked_options(Options, pass_only_when_stock_is_empty=only_then, hand_limit=hands)


def named(options: Options) -> str:
    """What differs from the rulebook's game, in a few words; `standard` if nothing does."""
    parts = []
    if options.hand_limit != Options().hand_limit:
        parts.append("one hand" if options.hand_limit == 1 else f"{options.hand_limit} hands")
    if options.pass_only_when_stock_is_empty:
        parts.append("drawing isn't passing")
    return ", ".join(parts) or "standard"
