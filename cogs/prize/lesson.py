"""The lesson of Prize Dominoes: which end, passes and pips, playing a prize, taking one."""

from collections.abc import Sequence
from typing import Final

from bot.lessons.exercise import LEARNER, Answer, Exercise
from bot.matches import SeatSnapshot
from games.chance import Chance
from games.core import Seat
from games.prize import DOMINOES, PRIZE, Options, State, Tile

ROBIN: Final = Seat(1)
_CHANCE: Final = Chance("0" * 64, 1)  # not used: only a deal is random


def _tiles(text: str) -> tuple[Tile, ...]:
    """Parse tiles such as `6-4 4-1`, with the numbers of a tile in the order written."""
    return tuple((int(word[0]), int(word[2])) for word in text.split())


def _position(
    moves: str,
    *,
    dealt: tuple[str, str],
    drawn: str = "",
    prizes: tuple[str, str] = ("", ""),
    leader: Seat = LEARNER,
    number: int = 2,
) -> State:
    """The position after these moves: each is `draw`, `pass`, or a tile for the right end.

    `dealt` has the hands before them. The stock is `drawn`, then all tiles that nobody has.
    """
    hands, rows = tuple(map(_tiles, dealt)), tuple(map(_tiles, prizes))
    known = {tile for some in (*hands, *rows, _tiles(drawn)) for tile in some}
    state = State(
        options=Options(),
        number=number,
        leader=leader,
        turn=leader,
        hands=tuple(tuple(sorted(hand)) for hand in hands),
        stock=(*_tiles(drawn), *(tile for tile in DOMINOES if tile not in known)),
        asked=None,
        line=(),
        prizes=rows,
        passes=0,
        events=(),
        last=None,
        left=(),
    )
    for move in moves.split():
        to_the_right = f"{move} right" if state.line and "-" in move else move
        state = PRIZE.play(state, {state.turn: PRIZE.parse(to_the_right)}, _CHANCE)
    return state


def _take(tile: str, says: str) -> Answer:
    return Answer(move=f"take {tile}", label=f"Take the {tile}", says=says)


def _wins_hand(snapshot: SeatSnapshot) -> bool:
    view = snapshot.view
    result = view.last
    return result is not None and result.number == view.number and result.winner == LEARNER


def _goes_on(snapshot: SeatSnapshot) -> bool:
    """Whether the hand is still being played."""
    return snapshot.view.last is None


def _lacks_one(snapshot: SeatSnapshot) -> bool:
    return len(snapshot.view.missing[LEARNER]) == 1


def _wins(snapshot: SeatSnapshot) -> bool:
    return snapshot.outcome is not None and snapshot.outcome.ranks[LEARNER] == 1


LESSON: Final[Sequence[Exercise]] = (
    Exercise(
        key="ends",
        title="Think of your next tile",
        text=(
            "A tile fits where one of its numbers matches an end of the line, and if you can play "
            "one from your hand, you must. Play your **last tile** and you win the hand."
        ),
        question="Your 6-1 fits both ends. Where do you play it, with the 6-2 still to come?",
        state=_position(
            "6-4 4-4 4-0 0-0 3-0 3-3 5-3 5-5 5-1 1-1",
            dealt=("6-4 4-0 3-0 5-3 5-1 6-1 6-2", "4-4 0-0 3-3 5-5 1-1 4-3 3-2"),
            drawn="5-0",
        ),
        answers=(
            Answer(
                move="6-1 left",
                replies=({}, {ROBIN: "draw"}),
                says="Now both ends show 1, and your 6-2 fits nowhere: you'd have to draw.",
            ),
            Answer(
                move="6-1 right",
                replies=({}, {ROBIN: "draw"}, {LEARNER: "6-2 right"}),
                says="Both ends showed 6, so Robin had to draw, and your 6-2 fit right away.",
            ),
        ),
        solves=_wins_hand,
    ),
    Exercise(
        key="escape",
        title="A prize can save you",
        text=(
            "If nothing in your hand fits, you draw, or you play **one of your prizes** that fits. "
            "A drawn tile that doesn't fit counts as a pass, and **two passes in a row end the "
            "hand**: fewer pips in hand win."
        ),
        question="Robin just passed, and you hold a lot of pips. What do you do?",
        state=_position(
            "6-4 4-4 4-3 3-3 3-0 0-0 5-0 5-2 6-2 6-3 draw",
            dealt=("4-4 3-3 0-0 5-2 6-3 5-5 4-2", "6-4 4-3 3-0 5-0 6-2 1-0 2-0"),
            drawn="2-2 4-0",
            prizes=("6-1 5-3 3-1", "6-6 2-1"),
            leader=ROBIN,
            number=6,
        ),
        answers=(
            Answer(
                move="draw",
                says="It didn't fit, and that was the second pass. A draw is a gamble; your 3-1 "
                "was a sure thing.",
            ),
            Answer(
                move="prize 3-1 right",
                says="The hand goes on. The 3-1 is gone from your prizes, but your other two still "
                "have a 3 and a 1, so it cost you nothing.",
            ),
        ),
        solves=_goes_on,
    ),
    Exercise(
        key="count",
        title="When a pass wins",
        text=(
            "The other way around: if **you** hold fewer pips, the second pass is just what you "
            "want. The stock is empty here, so nobody can draw."
        ),
        question="Robin just passed and holds ten tiles; you hold three. What do you do?",
        state=_position(
            "6-6 draw 6-5 draw 5-5 draw 5-2 pass",
            dealt=("6-6 6-5 5-5 5-2 5-0 5-1 5-3", "0-0 1-0 1-1 3-0 3-1 3-3 4-0"),
            drawn="4-1 4-3 4-4",
            prizes=("2-0 2-1 3-2 2-2 6-1", "4-2 6-0 6-2 6-3 6-4 5-4"),
            number=12,
        ),
        answers=(
            Answer(
                move="pass",
                says="The second pass ends the hand, and fewer pips win. Now you take a prize.",
            ),
            Answer(
                move="prize 2-0 right",
                replies=({}, {ROBIN: "4-0 right"}),
                says="You gave up a prize, and now Robin can play on. You held fewer pips: let the "
                "hand end.",
            ),
        ),
        solves=_wins_hand,
    ),
    Exercise(
        key="take",
        title="Which prize?",
        text=(
            "If you win a hand, you take any one tile from the loser's hand as a prize. To win the "
            "match you need **every number from 0 to 6** on your prizes. You still need 0, 2 and 4."
        ),
        question="Which tile do you take?",
        state=_position(
            "5-0 0-0 3-0 3-3 3-2 2-2 6-2 6-6 6-4 4-1 5-1 draw 5-2",
            dealt=("5-0 3-0 3-2 6-2 6-4 5-1 5-2", "0-0 3-3 2-2 6-6 4-1 4-2 6-3"),
            drawn="1-0",
            prizes=("6-1 5-3", "5-4"),
            number=4,
        ),
        answers=(
            _take("1-0", "The 0 is new, the 1 isn't. One tile here has two numbers you need."),
            _take("4-2", "Two new numbers with one prize: only the 0 is missing now."),
            _take(
                "6-3", "You have a 6 and a 3 already. Big numbers are worth no more than others."
            ),
        ),
        solves=_lacks_one,
    ),
    Exercise(
        key="seven",
        title="The last number",
        text=(
            "A few hands later you have six of the seven numbers, and you've just won another "
            "hand. The match is over as soon as a prize row has all of them."
        ),
        question="You need a 0. Which tile do you take?",
        state=_position(
            "4-4 6-4 6-6 6-2 2-2 3-2 3-3 3-0 1-0 1-1 4-1 draw 4-3",
            dealt=("4-4 6-6 2-2 3-3 1-0 4-1 4-3", "6-4 6-2 3-2 3-0 1-1 5-5 6-5"),
            drawn="0-0",
            prizes=("6-1 5-3 4-2", "3-1 2-1"),
            number=6,
        ),
        answers=(
            _take("0-0", "The smallest tile of all wins the match."),
            _take("6-5", "It looks big, but its size doesn't matter: you had both numbers."),
        ),
        solves=_wins,
    ),
)
