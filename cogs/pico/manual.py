"""The pages of `/pico rules`; `manual_pictures` draws the picture of each."""

from typing import Final

from bot.rendering.manuals import Page

PAGES: Final = (
    Page(
        title="Pico at a glance",
        text=(
            "Everyone sees every hand. Only one thing is secret: **which card you play next**.\n\n"
            "You all choose a card, then all are revealed at once. The **higher** card wins, "
            "unless it's **more than twice as high**: then it has gone too far, and the lower card "
            "wins.\n\n"
            "When your card wins, you set it aside and score its red dots. When a round is over, "
            "the hands change owners, and you play again with the cards you just played against."
        ),
        alt=(
            "Two cards face down, one of blue circle and one of orange diamond: choose in secret. "
            "An arrow leads to the cards face up: 13 and 6. The 6 has a frame and a crown: 13 is "
            "more than 2 times 6, so 6 wins."
        ),
    ),
    Page(
        title="A trick",
        text=(
            "Choose a card from your hand; you can change it until everyone has chosen. Then the "
            "cards are compared.\n"
            "- **9 beats 7**: it's higher, and not more than twice as high.\n"
            "- **8 beats 4**: exactly twice as high still wins.\n"
            "- **3 beats 8**: 8 is more than twice 3, which is 6.\n\n"
            "The winning card is out for the rest of the round. **The losing card goes back to its "
            "player's hand** and can be played again right away."
        ),
        alt=(
            "Three tricks. 9 against 7: 9 is less than 2 times 7, 9 wins. 8 against 4: 8 is "
            "exactly 2 times 4, 8 wins. 8 against 3: 8 is more than 2 times 3, 3 wins."
        ),
    ),
    Page(
        title="Dots and the score",
        text=(
            "The red dots at the top (and bottom) of a card show what it scores if you **win with "
            "it**.\n"
            "- 2 and 3: one dot\n- 4 to 7: two dots\n- 8 to 13: three dots\n- 16: four dots\n\n"
            "Cards still in a hand score nothing. A round ends as soon as someone has only **one "
            "card** left, so winning a lot also ends the round early."
        ),
        alt=(
            "The thirteen cards. One dot: 2, 3. Two dots: 4, 5, 6, 7. Three "
            "dots: 8, 9, 10, 11, 12, 13. Four dots: 16."
        ),
    ),
    Page(
        title="Two rounds, one swap",
        text=(
            "The cards are dealt evenly; one is left over, for everyone to see, and stays out of "
            "play in every round.\n\n"
            "After round 1, you put your won cards back into your set, and the two **sets are "
            "swapped**: a poor hand is bad luck for only half the match. Round 2 is played the "
            "same way.\n\n"
            "**Most dots over both rounds wins.** If they're equal, it's a draw. If you leave the "
            "match, you rank last."
        ),
        alt=(
            "Round 1: blue circle has 2, 5, 7, 8, 11, 16, and orange diamond has 3, 4, 6, 9, 12, "
            "13. Two arrows show the swap. Round 2: blue circle has 3, 4, 6, 9, 12, 13, and orange "
            "diamond has 2, 5, 7, 8, 11, 16. The cards carry their dots."
        ),
    ),
    Page(
        title="Three players",
        text=(
            "In **Pico I for three** and **Pico II for three**, two sets are mixed, so there are "
            "two of most cards. Each player gets six, which are passed to the left once before "
            "play. Then three cards meet:\n"
            "- **Two equal** cards both win, whatever the third is.\n"
            "- Otherwise the **highest** wins, unless it is **more than the other two together**; "
            "then the **lowest** wins. Exactly as much still wins.\n\n"
            "There are three rounds, and after each the sets are passed to the right. Most dots "
            "wins; an equal first place is shared. If someone leaves, their hand leaves with "
            "them, and the other two play on as in a match for two."
        ),
        alt=(
            "Three tricks of three cards. 10, 7 and 5: 10 is less than 7 plus 5, 10 wins. 16, 8 "
            "and 3: 16 is more than 8 plus 3, 3 wins. 7, 13 and 7: 7 equals 7, both win."
        ),
    ),
    Page(
        title="The decks",
        text=(
            "- **13 cards**: 2 to 13 and 16; six each.\n"
            "- **Pico I, 11 cards**: 2 to 10, 13 and 16; five each.\n"
            "- **Pico II, 11 cards**: 4 to 13 and 16; five each. The 4 has only **one dot** here.\n"
            "- **Pico I for three**: two sets of Pico I without both 2s and one 3; six each.\n"
            "- **Pico II for three**: two sets of Pico II without both 4s and one 5; six each.\n\n"
            "The first three are for two players, the last two for three."
        ),
        alt=(
            "The cards with their dots. 13 cards: 2 to 13 and 16. Pico I: the same without 11 and "
            "12. Pico II: the 13 cards without 2 and 3, and the 4 has one dot instead of "
            "two. Otherwise 2 and 3 have one dot, 4 to 7 two, 8 to 13 three, 16 four."
        ),
    ),
)
