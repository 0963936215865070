"""The pages of `/duel rules`; `manual_pictures` draws the picture of each.

What beats what is computed from the rule, never copied from a table (R7).
"""

from typing import Final

from bot.rendering.manuals import Page
from cogs.duel.text import beaten
from games.duel import HALVES, SETS


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
        title="The duel at a glance",
        text=(
            "Everyone can see both hands. Only one thing is secret: **which tile you play "
            "next**.\n\n"
            "You both choose a tile, then both are revealed. The **higher** tile wins, unless the "
            "lower one **divides** it or is exactly **one less**: then the lower one wins.\n\n"
            "Each pair is worth a point. When all tiles are played, you swap hands and play "
            "again, so the deal favors nobody."
        ),
        alt=(
            "Two tiles face down, one of blue circle and one of orange diamond: choose in secret. "
            "An arrow leads to the tiles face up: 10 and 5. The 5 has a frame and a crown: 5 "
            "divides 10, so 5 wins."
        ),
    ),
    Page(
        title="Who wins a pair",
        text=(
            "What counts is a tile's **total**: all its pips together.\n"
            "- **10 beats 7**: it's higher, 7 doesn't divide 10, and 7 isn't one less.\n"
            "- **5 beats 10**: 10 can be divided by 5 with nothing left over.\n"
            "- **8 beats 9**: 8 is exactly one less than 9.\n\n"
            "So no tile is safe. Small tiles bring down the large ones they divide, and every "
            "tile fears the one just below it."
        ),
        alt=(
            "Three pairs. 10 against 7: 10 is higher, 10 wins. 10 against 5: 5 divides 10, 5 wins. "
            "9 against 8: 8 is one less, 8 wins."
        ),
    ),
    Page(
        title="A round",
        text=(
            "Choose a tile from your hand; you can change it until you've both chosen. Then both "
            "tiles are revealed, and **both are out for the rest of the round**, won or lost.\n\n"
            "A revealed tile shows how it did: **lengthwise**, it won and scores **a point**; "
            "**sideways**, it lost.\n\n"
            "A round lasts until all tiles are played: five pairs, or seven with the large set. "
            "Watch which tiles your opponent still holds; that's all there is to know."
        ),
        alt=(
            "Blue circle has 2 points. In their hand: 3 and 12. Played: 10 sideways, lost; 8 "
            "lengthwise, won; 5 lengthwise, won. Orange diamond has 1 point. In their hand: 4 and "
            "7. Played: 2 lengthwise, won; 9 sideways, lost; 6 sideways, lost."
        ),
    ),
    Page(
        title="Swap, then play again",
        text=(
            "After round 1, you **swap the hands you were dealt** and play round 2 with the tiles "
            "your opponent just played.\n\n"
            "The points of both rounds add up.\n"
            "- 10 tiles: **first to 6** wins; 5 to 5 is a tie.\n"
            "- 14 tiles: **first to 8** wins; 7 to 7 is a tie.\n\n"
            "Round 2 is always played to the end. If you leave the match, you lose."
        ),
        alt=(
            "Round 1: blue circle has 3, 5, 8, 10, 12, and orange diamond has 2, 4, 6, 7, 9. Two "
            "arrows show the swap. Round 2: blue circle has 2, 4, 6, 7, 9, and orange diamond has "
            "3, 5, 8, 10, 12."
        ),
    ),
    Page(
        title="The tiles",
        text=(
            "- **10 tiles**: the totals 2 to 10 and 12; five each. Any double-six domino set has "
            "them.\n"
            "- **14 tiles**: the same plus 14, 15, 16 and 18; seven each. These come from a "
            "double-nine set.\n\n"
            "There's one tile of each total, so any tile you don't hold, your opponent does. It "
            "doesn't matter which two halves make up a total."
        ),
        alt=(
            f"The tiles as they are drawn, by their totals. Above, in both sets: "
            f"{_drawn(_SMALL)}. Below, only with 14 tiles: {_drawn(_LARGE[len(_SMALL) :])}."
        ),
    ),
    Page(
        title="What beats what: 10 tiles",
        text=(
            "Each tile is on the left; next to it are the tiles it beats. You don't need to learn "
            "this: it all follows from *higher*, *divides* and *one less*. But it shows how "
            "strong a tile is: the **2** and the **9** beat six others each, the **4** and the "
            "**6** only three."
        ),
        alt=_table(10),
    ),
    Page(
        title="What beats what: 14 tiles",
        text=(
            "The same for the large set. The ten small tiles beat each other as before; four large "
            "ones are new. Now the **2**, the **14**, the **15** and the **18** beat nine "
            "others each."
        ),
        alt=_table(14),
    ),
)
