"""The rules of Prize Dominoes for players, a page at a time: `manual_pictures` draws it."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Page:
    title: str
    text: str
    """Discord markdown."""

    alt: str
    """What the page's picture shows, in words."""


PAGES: Final = (
    Page(
        title="The idea",
        text=(
            "Two players and one set of dominoes, from 0-0 to 6-6. You play hand after hand. "
            "**Whoever wins a hand takes one tile of the loser as a prize**, and the prizes stay "
            "in front of you, open for all to see.\n\n"
            "Whoever first has **every number from 0 to 6** on the own prizes wins the match. A "
            "tile has two numbers at most, so that takes four prizes or more."
        ),
        alt=(
            "Four prizes: 5-2, 6-0, 4-4 and 3-1. Together they show all numbers from 0 to 6, 7 of "
            "7, and a crown says that they win."
        ),
    ),
    Page(
        title="The line",
        text=(
            "At the start of a hand each player gets seven tiles, hidden from the other; the rest "
            "is the **stock**, face down. Chance says who opens the first hand, later the **loser "
            "of the last hand** does, with any tile. It lies higher number left.\n\n"
            "Then you take turns. **A tile of your hand that fits must be played**: one of its "
            "numbers has to meet the number at an end of the line. Doubles lie in the line like "
            "all others, so there are always exactly two ends. Where both show the same number, "
            "there is only one place to play, which is called the right end."
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
            "If no tile of your hand fits, **draw one** from the stock.\n"
            "- It fits one end: it is laid there at once.\n"
            "- It fits two different ends: you say at which one.\n"
            "- It fits neither: you keep it, and your turn counts as a **pass**.\n\n"
            "The other player sees that you drew, never what you kept. With an empty stock you "
            "pass without drawing. **Two passes in a row end the hand**, even with stock left."
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
            "If no tile of your hand fits, you may also **play one of your own prizes** that "
            "does, instead of drawing or passing. You never have to, and no hand can be opened "
            "with one.\n\n"
            "The prize leaves your row for good and is mixed with all other tiles before the next "
            "hand. So its numbers may be missing again. It is a good way out with a prize whose "
            "numbers you have twice."
        ),
        alt=(
            "A prize row with 6-1, 3-1 and 5-5, which lacks 0, 2 and 4. An arrow leads from the "
            "3-1, which has a frame, to the line 6-4, 4-4, 4-1, 1-3, where it now lies last, "
            "joined by its 3, and leaves the right end at 1."
        ),
    ),
    Page(
        title="Who wins a hand",
        text=(
            "Whoever plays the **last tile of the hand** has won it at once.\n\n"
            "After **two passes in a row** the pips left in both hands are counted. **Fewer pips** "
            "win; if both hold equally many, whoever **passed first** wins.\n\n"
            "Prizes are no part of a hand: they are not counted, and you are out with prizes "
            "left in your row."
        ),
        alt=(
            "Two hands after two passes. Seat 1 holds 2-0 and 5-1, 8 pips, and has a frame and a "
            "crown. Seat 2 holds 2-2, 4-0 and 5-5, 18 pips."
        ),
    ),
    Page(
        title="The prize",
        text=(
            "When a hand is won, both hands are opened. The winner takes **any one tile** of the "
            "loser's hand and puts it into the own prize row. Numbers that the row lacks are worth "
            "most; the sign **+2** below a tile says that both its numbers would be new.\n\n"
            "Then all tiles but the prizes of both are mixed and dealt anew. The more prizes there "
            "are, the fewer tiles are left: both get equally many, seven at most, and what does "
            "not go into two equal hands is the stock."
        ),
        alt=(
            "The opened hand of the loser: 1-0, one new number; 4-2 with a frame, two new numbers; "
            "5-5, none; 6-3, none. An arrow leads to the prize row of the winner, which is now "
            "6-1, 5-3 and 4-2 and lacks only 0."
        ),
    ),
    Page(
        title="The end, and what can be changed",
        text=(
            "The match ends as soon as a prize row has all seven numbers. It also ends after the "
            "last agreed hand, usually the 50th, or when there are too few tiles to deal. Then "
            "**more different numbers** win, then **more prizes**; if these are equal too, it is a "
            "draw. Whoever leaves the match loses it.\n\n"
            "With `/prize play` you can change two things:\n"
            "- `hands`: after how many hands the match is judged; one hand makes a short match.\n"
            "- `passes`: a drawn tile that is kept does **not** count as a pass, so a hand ends by "
            "passes only when the stock is empty."
        ),
        alt=(
            "Two prize rows at the end. Seat 1 has 6-1, 5-3 and 2-1, 5 of 7 numbers, and wins: it "
            "has a frame and a crown; it lacks 0 and 4. Seat 2 has 6-6, 5-1, 6-5 and 4-1, 4 of 7 "
            "numbers; it lacks 0, 2 and 3."
        ),
    ),
)
