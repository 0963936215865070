"""The rules of the tile duel for players, a page at a time; `manual_pictures` draws each.

What beats what is told from the rule itself, never from a table (R7).
"""

from dataclasses import dataclass
from typing import Final

from cogs.duel.text import beaten
from games.duel import HALVES, SETS


@dataclass(frozen=True, slots=True)
class Page:
    title: str
    text: str
    """Discord markdown."""

    alt: str
    """What the page's picture shows, in words."""


def _table(tiles: int) -> str:
    lines = (
        f"{total} beats {', '.join(str(other) for other in beaten(tiles, total))}."
        for total in SETS[tiles].totals
    )
    return " ".join(lines)


def _drawn(totals: tuple[int, ...]) -> str:
    halves = (f"{total} as {HALVES[total][0]}-{HALVES[total][1]}" for total in totals)
    return ", ".join(halves)


_SMALL, _LARGE = SETS[10].totals, SETS[14].totals

PAGES: Final = (
    Page(
        title="The duel in one glance",
        text=(
            "Both hands lie open for everybody to see. Only one thing is secret: **which tile you "
            "play now**.\n\n"
            "Both choose a tile, then both are turned up. The **higher** tile wins, unless the "
            "lower one **divides** it or is exactly **one less**: then the lower one wins.\n\n"
            "Each pair is worth a point. When all tiles are played, you swap hands and play once "
            "more, so the deal favors nobody."
        ),
        alt=(
            "Two tiles face down, one of seat 1 and one of seat 2: choose in secret. An arrow "
            "leads to the tiles face up: 10 and 5. The 5 has a frame and a crown: 5 divides 10, "
            "so 5 wins."
        ),
    ),
    Page(
        title="Who wins a pair",
        text=(
            "What counts is the **total** of a tile, all its pips together.\n"
            "- **10 beats 7**: it is higher, 7 does not divide 10, and 7 is not one less.\n"
            "- **5 beats 10**: 10 can be divided by 5 with nothing left over.\n"
            "- **8 beats 9**: 8 is exactly one less than 9.\n\n"
            "So no tile is safe. The small ones bring down the large ones that they divide, and "
            "each tile fears the one just below it."
        ),
        alt=(
            "Three pairs. 10 against 7: 10 is higher, 10 wins. 10 against 5: 5 divides 10, 5 wins. "
            "9 against 8: 8 is one less, 8 wins."
        ),
    ),
    Page(
        title="A round",
        text=(
            "Choose one tile of your hand; you may change it until the other has chosen too. Then "
            "both tiles lie open, and **each is out for the rest of the round**, whether it won or "
            "lost.\n\n"
            "An exposed tile is turned as it fared: **lengthwise** it won and scores **a point**, "
            "**sideways** it lost.\n\n"
            "A round lasts until all tiles are played: five pairs, or seven with the large set. "
            "Count what the other still holds; that is all there is to know."
        ),
        alt=(
            "Seat 1 has 2 points. In its hand: 3 and 12. Played: 10 sideways, lost; 8 lengthwise, "
            "won; 5 lengthwise, won. Seat 2 has 1 point. In its hand: 4 and 7. Played: 2 "
            "lengthwise, won; 9 sideways, lost; 6 sideways, lost."
        ),
    ),
    Page(
        title="Swap, then play again",
        text=(
            "After round 1 you **swap the hands that were dealt**, every tile of them, and play "
            "round 2 with the tiles that the other has just played.\n\n"
            "The points of both rounds are added.\n"
            "- 10 tiles: **6 of 10** points win; 5 to 5 is a tie.\n"
            "- 14 tiles: **8 of 14** points win; 7 to 7 is a tie.\n\n"
            "Round 2 is always played to its end. A player who leaves the match loses it."
        ),
        alt=(
            "Round 1: seat 1 has 3, 5, 8, 10, 12, and seat 2 has 2, 4, 6, 7, 9. Two arrows show "
            "the swap. Round 2: seat 1 has 2, 4, 6, 7, 9, and seat 2 has 3, 5, 8, 10, 12."
        ),
    ),
    Page(
        title="The tiles",
        text=(
            "- `standard`: **10 tiles** with the totals 2 to 10 and 12; five each. They are found "
            "in every set of dominoes up to the double six.\n"
            "- `large`: **14 tiles**, the same and 14, 15, 16 and 18; seven each. These are from a "
            "set up to the double nine.\n\n"
            "There is one tile of each total, so what you do not hold, the other does. Which two "
            "halves make up a total does not matter."
        ),
        alt=(
            f"The tiles as they are drawn, by their totals. Both sets: {_drawn(_SMALL)}. Only with "
            f"14 tiles: {_drawn(_LARGE[len(_SMALL) :])}."
        ),
    ),
    Page(
        title="What beats what: 10 tiles",
        text=(
            "At the left each tile, beside it all those that it beats. Nobody needs to learn this: "
            "it all follows from *higher*, *divides* and *one less*. But it shows where a tile is "
            "strong: the **2** and the **9** beat six others each, the **4** and the **6** only "
            "three."
        ),
        alt=_table(10),
    ),
    Page(
        title="What beats what: 14 tiles",
        text=(
            "The same for the large set: at the left each tile, beside it those that it beats. The "
            "small ten beat each other as before; the four large ones are added. Now the "
            "**2**, the **14**, the **15** and the **18** beat nine others each."
        ),
        alt=_table(14),
    ),
)
