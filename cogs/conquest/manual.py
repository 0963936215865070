"""The pages of `/conquest rules`; `manual_pictures` draws the picture of each."""

from typing import Final

from bot.rendering.manuals import Page

PAGES: Final = (
    Page(
        title="Divide & Conquer at a glance",
        text=(
            "You start with ten troops in the middle of the board. Four squares at the edge are "
            "your **objectives**: hold all four at once, with at least one troop on each, and "
            "you win.\n\n"
            "Every turn, everyone writes **one order in secret**. Then all orders are revealed and "
            "carried out one by one. If you march into someone else's troops, you fight.\n\n"
            "So divide your troops, but not too soon: small groups get conquered."
        ),
        alt=(
            "A board of ten by ten squares, rows A to J from the top, columns 1 to 10. Red, a "
            "circle, has its headquarters on E5 with 5 troops. Gold frames show two objectives "
            "held: 1 troop on A9, 2 on G10. The other two, J7 and I1, are empty marks. An arrow "
            "with the number 2 leads from the 2 troops on I6 to J7: the next order. Green has 8 "
            "troops on E6, blue 4 on F6, yellow 9 on F5. Below it the words: secret orders, march, "
            "4 objectives."
        ),
    ),
    Page(
        title="Board and marks",
        text=(
            "Four battalions, each with a color and a shape: **red** circle, **green** square, "
            "**blue** diamond, **yellow** star. Four players command one each; with three, there's "
            "no yellow; two players command two battalions each (see the page *Teams*)."
            "\n\nYour marked square in the middle is your **headquarters (HQ)**, where your ten "
            "troops start. Your four marks at the edge are your objectives.\n\n"
            "**Nobody else can enter a square marked for you**, even after you leave the match. "
            "Marks of a battalion nobody plays are ordinary squares."
        ),
        alt=(
            "The empty board with all marks. Headquarters: red E5, green E6, blue F6, yellow F5. "
            "Objectives: red A9, G10, J7, I1; green I10, J4, G1, A2; blue J2, D1, A4, B10; yellow "
            "B1, A7, D10, J9. Below it the shape of each color, with ten troops."
        ),
    ),
    Page(
        title="An order",
        text=(
            "An order names one of your squares, a number and a **neighboring** square (diagonals "
            "count): `E5-9-D4` sends nine troops from E5 to D4. You can always `pass`.\n\n"
            "- You can send 1 troop, all of them, or any number in between; the rest stay.\n"
            "- Troops that march onto your own troops join them. A stack can be any size.\n"
            "- Tap the square, the direction and, if you like, another number. `/conquest order` "
            "takes it in one line, in direct messages too.\n"
            "- On buttons, 🎯 marks your objectives, and a color with a number says who stands "
            "there now.\n"
            "- Your own picture may be turned, so that you start in the same place in it, whatever "
            "your color. Squares keep their names.\n\n"
            "You can change your order until the last player has submitted theirs."
        ),
        alt=(
            "A part of the board, C3 to F6. Ten red troops stand on E5; an arrow with the number 9 "
            "leads to D4. Gold dots show the other squares they may enter: D5, D6, E4, F4. Not the "
            "headquarters of green, yellow and blue beside E5. Below it the order E5-9-D4: from "
            "E5, 9 troops, to D4."
        ),
    ),
    Page(
        title="Carrying out orders",
        text=(
            "One battalion has the **initiative**: its order comes first, then the others "
            "clockwise: red, green, blue, yellow. Each turn the initiative passes to the next "
            "battalion.\n\n"
            "What happens before your order can change it:\n"
            "- **Fewer troops left** than you ordered: all that are left march.\n"
            "- **None left**, or someone took the square: your order lapses.\n\n"
            "Orders that haven't been carried out stay secret, even after the match: replays and "
            "exports show `…` in their place."
        ),
        alt=(
            "Two parts of the board. Left, only 1 of 5 left: green marches first with 4 troops "
            "against 5 red ones on D5; the 1 red troop that is left marches on to C5 instead of "
            "the 5 ordered. Right, lapses, taken: green takes D5 with 6 troops against 4 and holds "
            "it with 2, and the red order from D5 is crossed out."
        ),
    ),
    Page(
        title="Conflict",
        text=(
            "If you march onto someone else's troops, both sides lose **as many troops as the "
            "smaller side has**:\n"
            "- **6 against 4**: both lose 4; you hold the square with 2.\n"
            "- **4 against 4**: all eight are lost; the square is empty.\n"
            "- **4 against 8**: your 4 are lost; 4 of the 8 stay.\n\n"
            "On your side, only the troops that march count; on the other side, the whole stack."
        ),
        alt=(
            "Three battles of red against blue, each before and after. 6 march on 4: red holds the "
            "square with 2. 4 march on 4: the square is empty. 4 march on 8: blue holds it with 4."
        ),
    ),
    Page(
        title="Reinforcement",
        text=(
            "Lost troops go to your **bank**. At the end of each turn you can bring **one** back, "
            "to your headquarters or any square where you have troops. Players take turns doing "
            "this, in the order of that turn.\n\n"
            "So nobody is ever out: even with no troops on the board, you can come back at your "
            "headquarters.\n\n"
            "With `redeployment`, you can instead pull one troop from any of your squares **back "
            "to headquarters**, even with an empty bank. In one line, write `+D3`, `G7>HQ` or "
            "`none`."
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
            "**Troops on all four objectives win right away**; the rest of the turn isn't "
            "played.\n\n"
            "If nobody has won after the last turn (100, unless you chose another number), the "
            "most objectives win, then the most troops on the board. If both are equal, it's a "
            "draw.\n\n"
            "If you leave, you rank last; your troops stay and defend, and your marks stay closed."
        ),
        alt=(
            "The board with red troops on all four red objectives, each in a gold frame: 1 on A9, "
            "3 on G10, 1 on J7 and 2 on I1. The red headquarters is empty. Green has 2 troops on "
            "D5 and 6 on E6, blue 4 on F6, yellow 9 on F5. Below it a crown, and red with 4 of 4."
        ),
    ),
    Page(
        title="Teams",
        text=(
            "With **two players**, one commands red and blue, the other yellow and green. You "
            "give **each** of your battalions an order. In one line, put a slash between them: "
            "`E5-9-D4 / pass`, red before blue, yellow before green.\n\n"
            "- Your battalions can enter each other's marks but never share a square. An order "
            "onto your partner's troops is refused, or lapses if they got there first.\n"
            "- Only a battalion's own troops hold its objectives.\n"
            "- If your partner stands on your headquarters, you can't reinforce it.\n\n"
            "You win with all objectives of **either** battalion or, with `goal`, of **both** at "
            "the same time. After the last turn, objectives and troops of **both** count together."
        ),
        alt=(
            "The middle of the board. One player commands the red circles on E5 and the blue "
            "diamonds on F6, the other the yellow stars on F5 and the green squares on E6, ten "
            "troops each. Arrows: red E5 to D4 with 9, blue F6 to G7 with 5."
        ),
    ),
    Page(
        title="Variants",
        text=(
            "`equal`: when equal numbers meet, all are lost; with **Commander's Choice**, the "
            "attacker decides on the spot whether to fight or hold (nothing changes then); with "
            "**bounce**, equals never fight.\n"
            "`reinforce`: one player at a time, or all **together** in secret, which saves days "
            "in a slow match.\n"
            "`signal`: players can publicly point at who they think is ahead, at any time. It "
            "changes nothing, but it helps to gang up or to bluff.\n"
            "`redeployment`, `goal`, `turn_limit`: see the earlier pages."
        ),
        alt=(
            "Three pictures. Choice: an arrow with a question mark between 5 red and 5 green "
            "troops, to fight or hold. Bounce: an arrow that ends at a wall before 5 green troops, "
            "turned away. Signal: red, green and yellow shapes with arrows to the blue diamond; "
            "they think blue is ahead."
        ),
    ),
)
