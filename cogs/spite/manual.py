"""The rules of Spite and Malice for players, a page at a time; `manual_pictures` draws them."""

from dataclasses import dataclass
from typing import Final

from cogs.spite.alt_text import describe
from games.core import Seat
from games.spite import Face, Options, SideView, View

Cards = tuple[Face, ...]


def side(stock: int, top: Face | None, hand: int, *discards: Cards) -> SideView:
    """What lies before a seat, as far as a picture shows it."""
    piles = (*discards, (), (), (), ())[:4]
    return SideView(stock=stock, top=top, turned=(), hand=hand, discards=piles, trail=())


EXAMPLE: Final = View(
    seat=Seat(0),
    options=Options(),
    game=1,
    dealer=Seat(1),
    turn=13,
    on_turn=Seat(0),
    draw="closed",
    sides=(
        side(19, "7", 5, ("9", "8"), ("Q",), ("J", "J", "5"), ()),
        side(21, "4", 3, ("10", "9", "9", "8", "3"), ("Q", "Q"), ("6",), ("K",)),
    ),
    hand=("2", "6", "10", "10", "K"),
    carried=None,
    source=24,
    aside=0,
    foundations=(("A", "2", "3", "4", "5", "6"), ("A", "K", "3", "4"), ("A",)),
    removed=("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q"),
    events=(),
    turn_start=0,
    scores=(0, 0),
    last=None,
    left=None,
    is_over=False,
    awaiting=(Seat(0),),
    outcome=None,
)
"""A hand message in the middle of a game. Not every card of both packs is accounted for."""


@dataclass(frozen=True, slots=True)
class Page:
    title: str
    text: str
    """Discord markdown."""

    alt: str
    """What the page's picture shows, in words."""


PAGES: Final = (
    Page(
        title="Spite and Malice in one glance",
        text=(
            "A race for two. Each player has a **stock** of cards, of which only the top one is "
            "turned up. **Whoever plays off the last card of the own stock wins.**\n\n"
            "Cards are played onto **foundations** in the middle, which both players share and "
            "which count up from the ace. Everything else you hold, your hand and your discard "
            "piles, only serves to bring the foundations to the card that your stock shows, "
            "and to keep them away from the card that the other stock shows."
        ),
        alt=(
            "A stock with 12 cards, the 5 turned up, an arrow, and the foundation f1 with a 4 on "
            "top, which needs a 5."
        ),
    ),
    Page(
        title="Foundations",
        text=(
            "A foundation begins with an **ace** and takes the next higher rank each time, up to "
            "the **queen**. Suits do not matter, so the cards have none here. Then it is "
            "complete and leaves the table; its cards come back when the source runs out.\n\n"
            "There may be any number of foundations at a time. They are called **f1**, **f2** "
            "and so on, the oldest first; when one leaves, the younger ones move up. A "
            "foundation still to be begun is **new**. The gold rank behind the arrow is what "
            "goes on next."
        ),
        alt=("The twelve cards of a foundation side by side: A, 2, 3, 4, 5, 6, 7, 8, 9, 10, J, Q."),
    ),
    Page(
        title="Wild kings",
        text=(
            "A **king** counts as whatever rank its foundation needs, from the ace to the queen. "
            "So it may also begin one. It keeps showing its own face; what is needed next tells "
            "how it counts.\n\n"
            "A king can be played from the stock, the hand or the top of a discard pile. "
            "Kings are yellow in the pictures."
        ),
        alt=(
            "A foundation as it was played: A, 2, a yellow king that counts as 3, 4, and a place "
            "for what it needs now, a 5."
        ),
    ),
    Page(
        title="A turn",
        text=(
            "Your hand is filled up to **five** cards from the source as your turn begins. Then "
            "play as many cards as you like, one after the other, from\n"
            "- the top of your **stock**: the next one is turned up at once,\n"
            "- your **hand**: if it becomes empty, you draw five more and go on,\n"
            "- the tops of **your discard piles**.\n\n"
            "You need not play anything. A **discard** ends your turn. If your hand is "
            "empty and there is nothing to draw, you play on while you can, and then your turn "
            "ends by itself; who can do nothing at all is passed over."
        ),
        alt=(
            "Three steps with arrows between them. Draw up to 5: a card face down. Play: the "
            "cards 3, 4 and 5. Discard: a 9, which ends the turn."
        ),
    ),
    Page(
        title="Discard piles",
        text=(
            "You discard from your hand onto one of your four piles **d1** to **d4**: one card, "
            "or several **of the same rank** together, which brings you more new cards. All "
            "cards of the piles are open, but **only the top one can be played**, by their owner "
            "only.\n\n"
            "Counting down is good: 8, 7, 6 can be played off in order once a foundation needs "
            "the 6. A queen on a low card buries it. Kings are a rank of their own here."
        ),
        alt=("Three discard piles, the top at the right. d1: 8, 7, 6. d2: 2, Q. d3: 9, 9, 9."),
    ),
    Page(
        title="The picture of your desk",
        text=(
            "Above lies the other side, in the middle the foundations and the source, below "
            "your own side with your hand. A yellow frame marks what you can play now; the arrow "
            "at a badge says who is on turn. Of a deep discard pile the last four cards are "
            "shown, the top at the right.\n\n"
            "**Tap a card to play it.** Where it fits in one place only, that is all; otherwise "
            "choose the place next. The gray buttons discard: choose the card, then the pile. "
            "Your desk follows each play at once, the table within two seconds and when your "
            "turn ends."
        ),
        alt=describe(EXAMPLE),
    ),
    Page(
        title="The end and the score",
        text=(
            "**The last stock card onto a foundation wins at once.** If neither can move any "
            "more, or after 500 turns, the smaller stock wins; equal stocks are a draw.\n\n"
            "A single game is worth the cards left in the other stock. A series goes on with "
            "the other dealer:\n"
            "- *games*: a game won counts 1; first to 3, or what you agree on,\n"
            "- *points*: a game won counts the difference of the stocks; first to 25, 50 or 100."
        ),
        alt=(
            "The stock of seat 1 is empty, with a crown; the stock of seat 2 still has 7 cards, "
            "the 10 turned up: 7 points for seat 1."
        ),
    ),
    Page(
        title="What you can agree on",
        text=(
            "- `variant` or `stock`: stocks of 26, 20, 13 or any number up to 26.\n"
            "- `foundations`: no more than 3 or 4 at a time.\n"
            "- `forced`: no discard while an ace (or a two) of yours can be played.\n"
            "- `jokers`: four jokers, shown as ★. Either they are wild like the kings, or "
            "**instead** of them: then foundations run on to the king.\n"
            "- `strict_draw`: you draw by a button. Forget it before your first play, and you "
            "get no cards in this turn, not even for an emptied hand.\n"
            "- `scoring`, `target`: one game, or a series and what it is played to.\n"
            "- `turn_limit`, `game_limit`: when a game or a series is cut short."
        ),
        alt=(
            "Left: three foundations with 7, 3 and J on top, and no place for a fourth. Right: "
            "a yellow joker, shown as a star, and a yellow king; both are wild."
        ),
    ),
)
