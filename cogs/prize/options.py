"""What was agreed upon, from the options of the command, and named in a few words."""

from typing import Final

from bot.interactions.wishes import granted
from games.prize import Options

ANY_TURN: Final = "any-turn"
EMPTY_STOCK: Final = "empty-stock"

PASSES: Final = {
    ANY_TURN: "Every turn that plays no tile",
    EMPTY_STOCK: "Only a turn with an empty stock",
}
"""What counts as a pass, by what stands in the command; the first is the rulebook's."""


def agreed(passes: str = ANY_TURN, hands: int | None = None) -> Options:
    """The options that were wished for; None leaves the number of hands as it is.

    Raises ChallengeError where a match cannot be played like that.
    """
    only_then = passes == EMPTY_STOCK
    return granted(Options, pass_only_when_stock_is_empty=only_then, hand_limit=hands)


def named(options: Options) -> str:
    """All that differs from the rulebook's game, in a few words."""
    parts = []
    if options.hand_limit != Options().hand_limit:
        parts.append("one hand" if options.hand_limit == 1 else f"{options.hand_limit} hands")
    if options.pass_only_when_stock_is_empty:
        parts.append("drawing isn't passing")
    return ", ".join(parts) or "standard"
