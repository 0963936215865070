"""The rules of Divide & Conquer (board) for players; `manual_pictures` draws each page."""

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
        title="Divide & Conquer in one glance",
        text=(
            "Ten troops of yours stand in the middle of the board, and four squares at its edge "
            "are your **objectives**. Hold all four, with at least one troop on each, and you "
            "have won at once.\n\n"
            "Every turn everybody writes **one order in secret**. Then the orders are opened and "
            "executed one after another, and whoever marches into others has to fight.\n\n"
            "So divide your troops, but not too soon: what stands alone is conquered."
        ),
        alt=(
            "A board of ten by ten squares, rows A to J from the top, columns 1 to 10. Red, a "
            "circle, has its headquarters on E5 with 5 troops. Gold frames show two objectives "
            "held: 1 troop on A9, 2 on G10. The other two, J7 and I1, are empty marks. An arrow "
            "with the number 2 leads from I6 to J7: the next order. Beside it the words: secret "
            "orders, march, 4 objectives."
        ),
    ),
    Page(
        title="Board and marks",
        text=(
            "Four battalions, each with a color and a shape: **red** circle, **green** square, "
            "**blue** diamond, **yellow** star. With four players each commands one; with three, "
            "yellow is not there; two players command two battalions each (see the page *Teams*)."
            "\n\nThe marked square in the middle is your **headquarters (HQ)**, where your ten "
            "troops begin. The four marks at the edge are your objectives.\n\n"
            "**Nobody else may enter a square that is marked for you**, also after you have left. "
            "Marks of a battalion that nobody plays are ordinary squares."
        ),
        alt=(
            "The empty board with all marks. Headquarters: red E5, green E6, blue F6, yellow F5. "
            "Objectives: red A9, G10, J7, I1; green I10, J4, G1, A2; blue J2, D1, A4, B10; yellow "
            "B1, A7, D10, J9."
        ),
    ),
    Page(
        title="An order",
        text=(
            "An order names a square of yours, a number, and a **neighboring** square, also "
            "diagonally: `E5-9-D4` sends nine troops from E5 to D4. You may always `pass`.\n\n"
            "- From 1 to all of the troops on the square can march; the others stay.\n"
            "- Where troops of your own stand, they join them. There is no limit to a stack.\n"
            "- Tap the square, the direction and, if you like, another number. `/conquest order` "
            "takes it in one line, in direct messages too.\n"
            "- In your own picture the board is turned so that your side is at the bottom.\n\n"
            "You can change your order until everyone's in."
        ),
        alt=(
            "A part of the board, C3 to F6. Ten red troops stand on E5; an arrow with the number 9 "
            "leads to D4. Gold dots show the other squares they may enter: D5, D6, E4, F4. Not the "
            "headquarters of green, yellow and blue beside E5."
        ),
    ),
    Page(
        title="Orders are executed",
        text=(
            "One battalion has the **initiative**. Its order comes first, then the others "
            "clockwise: red, green, blue, yellow. After every turn the initiative moves on by "
            "one.\n\n"
            "What happens before your order may change what it does:\n"
            "- **Fewer troops left** than you ordered: all that are left march.\n"
            "- **None left**, or the square taken by somebody: your order lapses.\n\n"
            "An order that is not executed yet stays secret, even if the match ends before."
        ),
        alt=(
            "Two parts of the board. Left: green marches first with 4 troops against 5 red ones on "
            "D5; the 1 red troop that is left marches on to C5 instead of the 5 ordered. Right: "
            "green takes D5 with 6 troops against 4, and the red order from D5, crossed out, "
            "lapses."
        ),
    ),
    Page(
        title="Conflict",
        text=(
            "March onto a square where others stand, and both sides lose **as many troops as the "
            "smaller one has**:\n"
            "- **6 against 4**: both lose 4, you hold the square with 2.\n"
            "- **4 against 4**: all eight are lost, the square is empty.\n"
            "- **4 against 8**: your 4 are lost, and 4 of the 8 stay.\n\n"
            "Only the troops that really march count for you, and the whole stack for the other."
        ),
        alt=(
            "Three battles of red against blue, each before and after. 6 march on 4: red holds the "
            "square with 2. 4 march on 4: the square is empty. 4 march on 8: blue holds it with 4."
        ),
    ),
    Page(
        title="Reinforcement",
        text=(
            "Lost troops go to your **bank**. At the end of a turn you may bring **one** of them "
            "back: to your headquarters or to a square where you have troops. Losses of earlier "
            "turns count too. Players do so one after another, in the order of the turn.\n\n"
            "So nobody is ever out: even without a troop on the board your headquarters can be "
            "manned again.\n\n"
            "With `redeployment` you may instead take one troop from any square of yours **back "
            "to the headquarters**, also with an empty bank."
        ),
        alt=(
            "A part of the board. Red has 4 troops on D3, 1 of them new, with a plus sign; the "
            "plus could also go to the headquarters E5, which shows a plus too. Beside it the "
            "bank: 3 red troops."
        ),
    ),
    Page(
        title="The end",
        text=(
            "**A troop on all four objectives wins at once**, right after the march that brought "
            "it there; the rest of the turn is not played.\n\n"
            "If nobody has done that after the last turn (100 unless you agree on another number), "
            "most objectives win, then most troops on the board. Equal in both is a draw.\n\n"
            "Who leaves the match ranks last. His troops stay and defend, and his marks stay "
            "closed."
        ),
        alt=(
            "The board with red troops on all four red objectives, each in a gold frame: A9, G10, "
            "J7 and I1. A crown stands beside it."
        ),
    ),
    Page(
        title="Teams",
        text=(
            "With **two players** one commands red and blue, the other yellow and green. You write "
            "an order for **each** of your battalions, joined by a slash: `E5-9-D4 / pass`, red "
            "before blue, yellow before green.\n\n"
            "- Your battalions may enter each other's marks, but never share a square: such an "
            "order is refused, or lapses if the partner came first.\n"
            "- Only a battalion's own troops hold its objectives.\n"
            "- A partner on your headquarters bars it for reinforcement.\n\n"
            "The goal is all objectives of **either** battalion, or with `goal` of **both** at "
            "the same moment."
        ),
        alt=(
            "The middle of the board. Player 1 commands the red circles on E5 and the blue "
            "diamonds on F6, player 2 the yellow stars on F5 and the green squares on E6. Arrows: "
            "red E5 to D4 with 9, blue F6 to G7 with 5."
        ),
    ),
    Page(
        title="Variants",
        text=(
            "`equal`: when as many troops arrive as stand there, all are lost; or **Commander's "
            "Choice**: the attacker decides at that moment whether to fight or to hold, and then "
            "everything stays; or **bounce**: never a battle between equals.\n"
            "`reinforce`: one after another, or all **together** in secret, which saves days in a "
            "slow match.\n"
            "`signal`: at any time each player may publicly point at whom he thinks is ahead. It "
            "changes nothing; it helps to gang up, or to bluff.\n"
            "`redeployment`, `goal`, `turn_limit`: see the pages before."
        ),
        alt=(
            "Three pictures. An arrow with a question mark between 5 red and 5 green troops: fight "
            "or hold? An arrow that ends at a wall before 5 green troops: turned away. Red, green "
            "and yellow shapes with arrows to the blue diamond: they think blue is ahead."
        ),
    ),
)
