"""The lesson of Pico: what beats what, what it scores, and when a round ends."""

from collections.abc import Sequence
from typing import Final

from bot.lessons.exercise import LEARNER, Answer, Exercise
from bot.matches import SeatSnapshot
from games.core import Seat
from games.pico import DECKS, Options, State

ROBIN: Final = Seat(1)
DOTS: Final = DECKS["standard"].dots


def _position(
    *,
    mine: tuple[int, ...],
    theirs: tuple[int, ...],
    spare: int,
    won: tuple[tuple[int, ...], tuple[int, ...]] = ((), ()),
) -> State:
    """A position of round 1. Hands, spare and won cards must add up to the 13 cards of the deck."""
    return State(
        options=Options(),
        round=1,
        spare=spare,
        hands=(mine, theirs),
        won=won,
        totals=(),
        parted=(0, 0),
        left=(),
        last=None,
    )


def _wins(snapshot: SeatSnapshot) -> bool:
    return bool(snapshot.view.last.winners == (LEARNER,))


def _wins_most(snapshot: SeatSnapshot) -> bool:
    """Whether the learner won with one of the cards with the most dots in their hand.

    If that ended the round, their whole set counts, which Robin holds after the swap.
    """
    view, trick = snapshot.view, snapshot.view.last
    held = view.hands[LEARNER] if view.round == trick.round else view.hands[ROBIN]
    won = trick.faces[LEARNER]
    return _wins(snapshot) and DOTS[won] == max(DOTS[face] for face in (*held, won))


LESSON: Final[Sequence[Exercise]] = (
    Exercise(
        key="higher",
        title="The higher card wins",
        text=(
            "You both pick a card in secret, then both are revealed. Hands aren't secret: you see "
            "Robin's cards, and Robin sees yours."
        ),
        question="Robin plays the 7. Which card do you play?",
        state=_position(mine=(2, 5, 9, 11, 13, 16), theirs=(3, 4, 6, 7, 8, 10), spare=12),
        replies=({ROBIN: "7"},),
        answers=(
            Answer(move="5", says="The 5 is lower, so the 7 takes the trick. Go higher."),
            Answer(
                move="9",
                says="The 9 is higher, so it takes the trick. You set it aside and score its red "
                "dots; Robin's 7 goes back to Robin's hand.",
            ),
        ),
        solves=_wins,
    ),
    Exercise(
        key="twice",
        title="Not too high",
        text=(
            "There's a limit: a card that is **more than twice** as high as the other has gone too "
            "far, and the lower card wins."
        ),
        question="Robin plays the 6. Which card do you play?",
        state=_position(
            mine=(2, 5, 11, 13, 16), theirs=(3, 4, 6, 7, 8, 10), spare=12, won=((9,), ())
        ),
        replies=({ROBIN: "6"},),
        answers=(
            Answer(move="11", says="Higher than 6, and not above 12. That's the range to aim for."),
            Answer(move="13", says="Just one too many: twice 6 is 12. Stay at or below that."),
            Answer(move="16", says="Your biggest card isn't your best one. Twice 6 is the limit."),
        ),
        solves=_wins,
    ),
    Exercise(
        key="small",
        title="Small cards bring down big ones",
        text=(
            "It works for you too: a small card beats one that's more than twice as high. "
            "**Exactly** twice isn't more: then the higher card still wins."
        ),
        question="Robin plays the 16. Which card brings it down?",
        state=_position(mine=(4, 7, 8, 10, 12, 13), theirs=(2, 3, 5, 6, 11, 16), spare=9),
        replies=({ROBIN: "16"},),
        answers=(
            Answer(
                move="7",
                says="That's how you deal with the 16: it's more than twice as high as anything "
                "up to 7.",
            ),
            Answer(move="8", says="So close: 16 is exactly twice 8, and exactly twice still wins."),
            Answer(
                move="12",
                says="12 is lower than 16, but not low enough: 16 isn't more than twice as high.",
            ),
        ),
        solves=_wins,
    ),
    Exercise(
        key="dots",
        title="Dots are what counts",
        text=(
            "A trick is worth the red dots on the card you **win with**; the loser's card scores "
            "nothing. The 16 has four dots, 8 to 13 have three, 4 to 7 two, the 2 and the 3 one."
        ),
        question="Robin plays the 9. All three of these beat it. Which one scores the most?",
        state=_position(mine=(2, 4, 6, 10, 13, 16), theirs=(3, 5, 7, 8, 9, 12), spare=11),
        replies=({ROBIN: "9"},),
        answers=(
            Answer(move="4", says="It wins, but a 4 has only two dots. You can get more for this."),
            Answer(move="10", says="It wins three dots. One of your cards would win four."),
            Answer(
                move="16",
                says="Four dots, the most there are. When Robin's 9 comes out, the 16 is safe; "
                "against small cards it isn't.",
            ),
        ),
        solves=_wins_most,
    ),
    Exercise(
        key="sure",
        title="Look at their hand",
        text=(
            "Now you don't know what Robin picks. But you see what Robin **can** pick: the 5 or "
            "the 12. Check each of your cards against both."
        ),
        question="Which of your cards wins, whatever Robin plays?",
        state=_position(
            mine=(2, 10, 13),
            theirs=(5, 12),
            spare=11,
            won=((4, 7, 9), (3, 6, 8, 16)),
        ),
        answers=(
            Answer(
                move="2",
                replies=({ROBIN: "12"},),
                says="The little 2 is safe here: 5 and 12 are both more than twice as high.",
            ),
            Answer(
                move="10",
                replies=({ROBIN: "12"},),
                says="It would have beaten the 5. But Robin had the 12 too.",
            ),
            Answer(
                move="13",
                replies=({ROBIN: "5"},),
                says="It would have beaten the 12. But Robin had the 5 too, and saw your 13.",
            ),
        ),
        solves=_wins,
    ),
    Exercise(
        key="end",
        title="The round ends early",
        text=(
            "A winning card leaves your hand, a losing one comes back. When someone has only "
            "**one card** left, the round is over: cards in hand score nothing. You swap cards "
            "and play round 2."
        ),
        question="Robin plays the 9, and this trick ends the round. Which card do you play?",
        state=_position(mine=(3, 16), theirs=(5, 9, 12), spare=6, won=((2, 7, 8, 11), (4, 10, 13))),
        replies=({ROBIN: "9"},),
        answers=(
            Answer(
                move="3",
                says="It wins, but for one dot, and the round is over: your 16 scores nothing.",
            ),
            Answer(
                move="16",
                says="Four dots, and only the 3 is left behind. In round 2 you play with the cards "
                "that Robin had.",
            ),
        ),
        solves=_wins_most,
    ),
)
