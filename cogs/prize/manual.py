"""The pages of `/prize rules`; `manual_pictures` draws the picture of each."""

from typing import Final

from bot.rendering.manuals import Page

PAGES: Final = (
    Page(
        title="The idea",
        text=(
            "Two players share a set of dominoes, from 0-0 to 6-6, and play hand after hand. "
            "**If you win a hand, you take one of the loser's tiles as a prize.** Prizes stay in "
            "front of you for everyone to see.\n\n"
            "The first player with **every number from 0 to 6** on their prizes wins the match. A "
            "tile has at most two numbers, so that takes at least four prizes."
        ),
        alt=(
            "Four prizes: 5-2, 6-0, 4-4 and 3-1. Together they show all numbers from 0 to 6: you "
            "win, with a crown and 7 of 7."
        ),
    ),
    Page(
        title="The line",
        text=(
            "In each hand, both players get seven hidden tiles; the rest are the **stock**, face "
            "down. The player who opens the first hand is chosen at random; after that, the "
            "**loser of the last hand** opens, with any tile. Its higher number goes left.\n\n"
            "Then you take turns. **If a tile in your hand fits, you must play one**: one of its "
            "numbers has to match the number at an end of the line. Doubles don't branch, so "
            "there are always exactly two ends. If both show the same number, you play at the "
            "right end."
        ),
        alt=(
            "A line: 6-4, 4-4, 4-1, 1-3. Its left end shows 6, its right end 3. Below it a hand "
            "with arrows to where its tiles fit: 3-2 to the right, 6-3 to both ends, 6-6 to the "
            "left. The 2-0 and the 5-1 fit nowhere and are dim."
        ),
    ),
    Page(
        title="When nothing fits",
        text=(
            "If nothing in your hand fits, **draw a tile** from the stock.\n"
            "- It fits one end: it's played there right away.\n"
            "- It fits both ends: you choose one.\n"
            "- It fits neither: you keep it, and your turn counts as a **pass**.\n\n"
            "Your opponent sees that you drew, never what you kept. If the stock is empty, you "
            "pass without drawing. **Two passes in a row end the hand**, even with stock left. If "
            "drawing or passing is all you can do, that happens by itself."
        ),
        alt=(
            "A line whose ends show 6 and 3, with the stock beside it, and three tiles that were "
            "drawn: the 3-2 fits one end and is laid at once; the 6-3 fits both, you say where; "
            "the 5-2 fits neither, it is kept, a pass."
        ),
    ),
    Page(
        title="Playing a prize",
        text=(
            "If nothing in your hand fits, you can also **play one of your prizes** that does, "
            "instead of drawing or passing. You never have to, and you can't open a hand with "
            "one.\n\n"
            "The prize leaves your row for good and is shuffled back in before the next hand, so "
            "you may need its numbers again. It's a good way out if you have those numbers "
            "twice."
        ),
        alt=(
            "A prize row with 6-1, 3-1 and 5-5, which needs 0, 2 and 4. An arrow leads from the "
            "3-1, which has a frame, to the line 6-4, 4-4, 4-1, 1-3, where it now lies last, "
            "joined by its 3, and leaves the right end at 1."
        ),
    ),
    Page(
        title="Who wins a hand",
        text=(
            "Play the **last tile in your hand** and you win right away.\n\n"
            "After **two passes in a row**, you both count the pips left in your hands. **Fewer "
            "pips** win; if they're equal, the player who **passed first** wins.\n\n"
            "Prizes aren't part of your hand: they don't count, and you can go out with prizes in "
            "your row."
        ),
        alt=(
            "Two hands after two passes. Blue circle holds 2-0 and 5-1, 8 pips, and has a frame "
            "and a crown. Orange diamond holds 2-2, 4-0 and 5-5, 18 pips."
        ),
    ),
    Page(
        title="The prize",
        text=(
            "After a hand, both hands are revealed. The winner takes **any one tile** from the "
            "loser's hand as a prize. Numbers you still need are worth the most: **+2** below a "
            "tile means both its numbers would be new.\n\n"
            "Then all tiles except the prizes are shuffled and dealt again. The more prizes "
            "there are, the fewer tiles are left: you both get the same number, at most seven, "
            "and the rest are the stock."
        ),
        alt=(
            "The loser's revealed hand: 1-0, one new number; 4-2 with a frame, two new numbers; "
            "5-5, none; 6-3, none. An arrow leads to the winner's prize row, which is now 6-1, 5-3 "
            "and 4-2 and needs only 0."
        ),
    ),
    Page(
        title="The end and the options",
        text=(
            "The match ends as soon as someone's prizes have all seven numbers. It also ends "
            "after 50 hands, or when there are too few tiles to deal. Then **more different "
            "numbers** win, then **more prizes**; if those are equal too, it's a draw. If you "
            "leave the match, you lose.\n\n"
            "With `/prize play`, you can change two things:\n"
            "- `hands`: how many hands decide the match; one hand makes a short match.\n"
            "- `passes`: keeping a drawn tile does **not** count as a pass, so passes only end a "
            "hand when the stock is empty."
        ),
        alt=(
            "Two prize rows at the end. Blue circle has 6-1, 5-3 and 2-1, 5 of 7 numbers, and wins "
            "with a frame and a crown; 0 and 4 are missing. Orange diamond has 6-6, 5-1, 6-5 and "
            "4-1, 4 of 7 numbers; 0, 2 and 3 are missing."
        ),
    ),
)
