"""The lesson of Spite and Malice: the stock first, building, holding back, discards."""

from collections.abc import Callable, Sequence
from typing import Final

from bot.lessons.exercise import LEARNER, Answer, Exercise
from bot.matches import SeatSnapshot
from games.core import Seat
from games.spite import Face, Options, Side, State
from games.spite.cards import FACE_NAMED, arranged
from games.spite.state import Series

ROBIN: Final = Seat(1)
TURN: Final = 15
HIDDEN: Final = "3 9 J 2 8"
"""The cards below the top of a stock; the last one is turned up next."""

HAND: Final = "8 9 10 J J"
"""Robin's hand in positions in which it doesn't matter."""


def _cards(text: str) -> tuple[Face, ...]:
    return tuple(FACE_NAMED[face] for face in text.split())


def _side(top: str, hand: str, *piles: str) -> Side:
    """A side with six stock cards, `top` turned up; `piles` are discard piles with the top last."""
    stock = _cards(f"{HIDDEN} {top}")
    return Side(
        stock=stock,
        turned=stock[-1:],
        hand=arranged(_cards(hand)),
        discards=tuple(_cards(pile) for pile in (*piles, "", "", "", "")[:4]),
        carried=arranged(_cards(hand)),
        trail=(),
    )


def _position(mine: Side, theirs: Side, *foundations: str) -> State:
    """The learner's turn in the middle of a game; the cards don't add up to two whole packs."""
    return State(
        series=Series(options=Options(), game=1, dealer=ROBIN, aside=(), scores=(0, 0), last=None),
        turn=TURN,
        on_turn=LEARNER,
        draw="closed",
        sides=(mine, theirs),
        source=_cards("7 3 Q 8 10 4 J 9 2 6 Q 3 10 J 8 Q 9 10"),
        foundations=tuple(_cards(pile) for pile in foundations),
        removed=(),
        events=(),
        turn_start=0,
        left=None,
        is_over=False,
    )


def _stock_is(seat: Seat, cards: int) -> Callable[[SeatSnapshot], bool]:
    """A check that a seat has this many stock cards left."""

    def solves(snapshot: SeatSnapshot) -> bool:
        return bool(snapshot.view.sides[seat].stock == cards)

    return solves


def _goes_on(snapshot: SeatSnapshot) -> bool:
    """Whether the learner's turn continues."""
    return bool(snapshot.view.turn == TURN)


LESSON: Final[Sequence[Exercise]] = (
    Exercise(
        key="stock",
        title="Your stock comes first",
        text=(
            "Play the last card of your **stock** and you win. Cards go onto the shared "
            "**foundations** in the middle, from the ace up. Foundation f1 needs a 5, and you have "
            "two of them."
        ),
        question="Which 5 do you play?",
        state=_position(_side("5", "2 5 9 J Q"), _side("Q", HAND), "A 2 3 4"),
        answers=(
            Answer(move="stock>f1", says="One stock card fewer, and the next one is turned up."),
            Answer(
                move="5>f1",
                says="Your stock is as big as before, and its 5 waits for another foundation.",
            ),
        ),
        solves=_stock_is(LEARNER, 5),
    ),
    Exercise(
        key="build",
        title="Build up to your stock",
        text=(
            "Cards from your hand win nothing by themselves. They're there to bring a foundation "
            "to the card your **stock** shows. You play as many as you like; a **discard** ends "
            "your turn."
        ),
        question="Your stock shows a 7, and f1 needs a 5. What do you do?",
        state=_position(_side("7", "5 6 J Q Q"), _side("Q", HAND), "A 2 3 4"),
        answers=(
            Answer(
                move="5>f1",
                replies=({}, {LEARNER: "6>f1"}, {LEARNER: "stock>f1"}),
                says="5 and 6 from your hand, and then the 7 from your stock: that's the way.",
            ),
            Answer(
                move="Q>d1",
                label="Discard a queen",
                replies=({}, {ROBIN: "J>d1"}),
                says="Your turn was over at once, and your 7 is still there. First build, then "
                "discard.",
            ),
        ),
        solves=_stock_is(LEARNER, 5),
    ),
    Exercise(
        key="hold",
        title="Don't build for Robin",
        text=(
            "You both use the same foundations. Before you play a card, look at the top of "
            "**Robin's** stock: here it's a 6. And your own stock shows a jack, far away."
        ),
        question="f1 needs a 5, and you have one. What do you do?",
        state=_position(_side("J", "5 9 10 Q Q"), _side("6", HAND), "A 2 3 4"),
        answers=(
            Answer(
                move="5>f1",
                replies=({}, {LEARNER: "Q>d1"}, {ROBIN: "stock>f1"}),
                says="Your 5 opened the door for Robin's 6. It did nothing for your stock.",
            ),
            Answer(
                move="Q>d1",
                label="Keep it, discard a queen",
                replies=({}, {ROBIN: "J>d1"}),
                says="Robin's 6 stays where it is. Sometimes the best play is not to build.",
            ),
        ),
        solves=_stock_is(ROBIN, 6),
    ),
    Exercise(
        key="discard",
        title="Discard in order",
        text=(
            "Only the **top** of a discard pile can be played. So count **down** on a pile, and "
            "you can play it off again going up. Your pile d1 has a 9 with an 8 on top; your stock "
            "shows a 10."
        ),
        question="f1 needs a 6, which you don't have. What goes onto d1?",
        state=_position(_side("10", "2 3 7 Q Q", "9 8"), _side("3", "6 9 10 J J"), "A 2 3 4 5"),
        answers=(
            Answer(
                move="7>d1",
                label="The 7 onto d1",
                replies=(
                    {},
                    {ROBIN: "6>f1"},
                    {ROBIN: "J>d1"},
                    {LEARNER: "d1>f1"},
                    {LEARNER: "d1>f1"},
                    {LEARNER: "d1>f1"},
                    {LEARNER: "stock>f1"},
                ),
                says="When Robin played a 6, you had 7, 8 and 9 in order, and then the 10 in "
                "your stock.",
            ),
            Answer(
                move="Q>d1",
                label="A queen onto d1",
                replies=({}, {ROBIN: "6>f1"}, {ROBIN: "J>d1"}, {LEARNER: "7>f1"}),
                says="Robin played a 6 and you the 7, but your 8 and 9 are stuck under the queen.",
            ),
        ),
        solves=_stock_is(LEARNER, 5),
    ),
    Exercise(
        key="king",
        title="Kings are wild",
        text=(
            "A **king** counts as any rank from the ace to the queen: it fills the gap you need. "
            "Your stock shows a 6, f1 needs a 5, and you have no 5."
        ),
        question="Where does your king go?",
        state=_position(_side("6", "2 9 J Q K"), _side("Q", HAND), "A 2 3 4"),
        answers=(
            Answer(
                move="K>f1",
                label="Onto f1, as a 5",
                replies=({}, {LEARNER: "stock>f1"}),
                says="The king stood in for the 5, so your 6 could go.",
            ),
            Answer(
                move="K>new",
                label="A new foundation, as an ace",
                says="Now it's spent as an ace, and your 6 still has nowhere to go.",
            ),
        ),
        solves=_stock_is(LEARNER, 5),
    ),
    Exercise(
        key="refill",
        title="Play your last card",
        text=(
            "You've played four cards this turn and have one left. If you **play** your last card, "
            "you draw five more and keep going. If you **discard** it, your turn is over."
        ),
        question="f2 needs a 4. What do you do with yours?",
        state=_position(
            _side("9", "4", "Q", "J"),
            _side("Q", "3 9 10 J J"),
            "A 2 3 4 5 6 7",
            "A 2 3",
        ),
        answers=(
            Answer(
                move="4>f2",
                says="Five new cards, and it's still your turn. Emptying your hand is worth a lot.",
            ),
            Answer(
                move="4>d3",
                label="Discard it onto d3",
                replies=({}, {ROBIN: "J>d1"}),
                says="Your turn ended there. Playing it would have brought you five cards on the "
                "spot.",
            ),
        ),
        solves=_goes_on,
    ),
)
