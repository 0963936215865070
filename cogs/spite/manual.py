"""The pages of `/spite rules`; `manual_pictures` draws the picture of each."""

from typing import Final

from bot.rendering.manuals import Page
from cogs.spite.alt_text import describe
from cogs.spite.manual_pictures import EXAMPLE

PAGES: Final = (
    Page(
        title="Spite and Malice at a glance",
        text=(
            "A race for two. You each have a **stock** of cards with only the top one face up. "
            "**Play the last card of your stock and you win.**\n\n"
            "You play cards onto **foundations** in the middle. You both share them, and they "
            "count up from the ace. Your hand and your discard piles just help you get the "
            "foundations to the card your stock shows, and keep them away from the card your "
            "opponent's stock shows."
        ),
        alt=(
            "A stock with 12 cards, the 5 turned up, an arrow, and the foundation f1 with a 4 on "
            "top, which needs a 5."
        ),
    ),
    Page(
        title="Foundations",
        text=(
            "A foundation starts with an **ace** and goes up one rank at a time to the **queen**. "
            "Suits don't matter, so cards don't show any. A complete foundation leaves the table; "
            "its cards come back when the source runs out.\n\n"
            "There can be any number of foundations at a time: **f1**, **f2** and so on, oldest "
            "first. When one leaves, the newer ones move up. **new** means a foundation you'd "
            "start. The gold rank after the arrow is what goes on next."
        ),
        alt=("The twelve cards of a foundation side by side: A, 2, 3, 4, 5, 6, 7, 8, 9, 10, J, Q."),
    ),
    Page(
        title="Wild kings",
        text=(
            "A **king** counts as whatever rank its foundation needs, from the ace to the queen, "
            "so it can also start one. It still looks like a king; what's needed next tells you "
            "what it counts as.\n\n"
            "You can play a king from your stock, your hand or the top of a discard pile. Kings "
            "are yellow in the pictures."
        ),
        alt=(
            "A foundation as it was played: A, 2, a yellow king that counts as 3, 4, and a place "
            "for what it needs now, a 5."
        ),
    ),
    Page(
        title="A turn",
        text=(
            "Your turn starts with a draw: your hand is filled up to **five** cards from the "
            "source. Then play as many cards as you like, one at a time, from\n"
            "- the top of your **stock**: the next card is turned up right away,\n"
            "- your **hand**: if you empty it, you draw five more and keep going,\n"
            "- the tops of **your discard piles**.\n\n"
            "You don't have to play anything. A **discard** ends your turn. If your hand is empty "
            "and there's nothing to draw, you play while you can, and then your turn ends. If you "
            "can't do anything at all, you're skipped."
        ),
        alt=(
            "Three steps with arrows between them. Draw up to 5: a card face down. Play: the "
            "cards 3, 4 and 5. Discard: a 9, which ends the turn."
        ),
    ),
    Page(
        title="Discard piles",
        text=(
            "You discard from your hand onto one of your four piles, **d1** to **d4**: one card, "
            "or several **of the same rank** together, which gets you more new cards. Everyone "
            "can see the piles, but **only the top card can be played**, and only by its "
            "owner.\n\n"
            "Counting down is good: you can play 6, 7, 8 off a pile of 8, 7, 6 once a foundation "
            "needs the 6. A queen on a low card buries it. Here, kings are a rank of their own."
        ),
        alt=(
            "Three discard piles, the top at the right. d1 counts down: 8, 7, 6. d2 buries the 2: "
            "2, Q. d3, three together: 9, 9, 9."
        ),
    ),
    Page(
        title="The picture of your hand",
        text=(
            "Your opponent is at the top, the foundations and the source are in the middle, and "
            "you're at the bottom with your hand. A yellow frame marks what you can play now; an "
            "arrow shows whose turn it is. You see up to four cards of each discard pile, with "
            "the top one on the right.\n\n"
            "**Tap a card to play it.** If it fits in more than one place, choose where. The gray "
            "buttons discard: choose the card, then the pile. Your hand updates with every card; "
            "the table follows within two seconds."
        ),
        alt=describe(EXAMPLE),
    ),
    Page(
        title="The end and the score",
        text=(
            "**Playing your last stock card wins right away.** If nobody can move anymore, or "
            "after 500 turns, the smaller stock wins; equal stocks are a draw. If you leave the "
            "match, you lose.\n\n"
            "The winner of a game scores the difference between the stocks. In a series, the "
            "other player deals next:\n"
            "- *games*: each game won counts 1; first to 3, unless you chose another number,\n"
            "- *points*: each game counts that difference; first to 25, 50 or 100."
        ),
        alt=(
            "Blue circle's stock is empty, with a crown; orange diamond's stock still has 7 cards, "
            "the 10 turned up: 7 points for blue circle."
        ),
    ),
    Page(
        title="Options",
        text=(
            "- `variant` or `stock`: stocks of 26, 20, 13 or any number up to 26.\n"
            "- `foundations`: no more than 3 or 4 at a time.\n"
            "- `forced`: you can't discard while you can play an ace (or a two).\n"
            "- `jokers`: four jokers, shown as ★, are wild like kings, or **instead** of them; "
            "then foundations go up to the king.\n"
            "- `strict_draw`: you press a button to draw. If you forget it before your first "
            "play, you get no cards this turn, not even for an empty hand.\n"
            "- `scoring`, `target`: one game, or a series and what wins it.\n"
            "- `turn_limit`, `game_limit`: when a game or a series is cut short."
        ),
        alt=(
            "Left: three foundations with 7, 3 and J on top, and no place for a fourth. Right: "
            "a yellow joker, shown as a star, and a yellow king; both are wild."
        ),
    ),
)
