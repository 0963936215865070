"""The texts of Spite and Malice: the score, the result, the question of a hand.

Pure functions of views. `names` has the display text of each seat, in the order of the seats.
"""

from collections.abc import Sequence
from typing import assert_never

from bot.drawing.seats import MARKS
from bot.text import counted, result_sentence, their_or_your, verb_form
from cogs.spite.card_names import cards_in_sentence, spoken_name
from cogs.spite.options import goal
from games.core import Seat
from games.spite import Face, Options, View
from games.spite.legality import playable_faces
from games.spite.moves import NEW, PILES, Discard, Draw, Move, Play, parse


def playable(view: View) -> tuple[str, ...]:
    """The sources of the viewer's legal plays: the stock, faces in hand, discard piles."""
    if view.seat is None or view.hand is None or view.seat not in view.awaiting:
        return ()
    wanted = playable_faces(view.options, view.foundations)
    side = view.sides[view.seat]
    sources = ["stock"] if side.top in wanted else []
    sources += [face for face in dict.fromkeys(view.hand) if face in wanted]
    tops = zip(PILES, side.discards, strict=True)
    return (*sources, *(name for name, pile in tops if pile and pile[-1] in wanted))


def headline(view: View) -> str:
    """Which turn it is, and in a series of which game."""
    if not is_series(view):
        return f"Turn {view.turn}"
    return f"Game {view.game} ({goal(view.options)}), turn {view.turn}"


def moment(view: View) -> str:
    """The point of the match as players count: `Turn 7`, or `Game 2, turn 7` in a series."""
    turn = f"turn {view.turn}"
    return f"Game {view.game}, {turn}" if is_series(view) else turn.capitalize()


def score_line(view: View, names: Sequence[str]) -> str:
    """Both stocks, the score of a series, and what wins while the match runs."""
    parts = [
        f"{MARKS[seat].emoji} {name} **{view.sides[seat].stock}** in the stock"
        f"{_won(view, Seat(seat))}"
        for seat, name in enumerate(names)
    ]
    if view.awaiting:
        parts.append("first to 0 wins the game" if is_series(view) else "first to 0 wins")
    return " · ".join(parts)


def score_unit(options: Options) -> str:
    """What `standing` counts, in a few words."""
    match options.scoring:
        case "game":
            return "cards left in the stock"
        case "games":
            return "games won"
        case "points":
            return "points"


def standing(view: View) -> tuple[int, ...]:
    """Each seat's cards left in the stock, or in a series its games won or points."""
    if view.options.scoring == "game":
        return tuple(side.stock for side in view.sides)
    return view.scores


def result_line(view: View, names: Sequence[str]) -> str:
    """Who won and what decided it. Raises ValueError while the match is still running."""
    last, why = view.last, ""
    if not is_series(view) and view.left is None and last and last.ending == "stock":
        assert last.winner is not None  # a game that ends by an empty stock has a winner
        why = _last_card(names[last.winner], last.points)
    return result_sentence(view.outcome, names, why=why or _games_won(view))


def _games_won(view: View) -> str:
    """What decided a series of games that reached its game limit; "" for any other ending.

    The rules' own reason says `games` instead of `games won`. It can't be reworded, because exports
    are verified against it.
    """
    low, high = sorted(view.scores)
    target = view.options.target
    if view.options.scoring != "games" or view.left is not None or target is None or high >= target:
        return ""
    after = f"after {counted(view.game, 'game')}"
    if low == high:
        return f"the same number of games won {after}, {high} each"
    return f"more games won {after}, {high} to {low}"


def _last_card(name: str, points: int) -> str:
    """Why the player won who played their last stock card; the words before it name them."""
    they, own = verb_form(name, "they", "you"), their_or_your(name)
    return f"{they} played {own} last stock card; {own} opponent had {points} left"


def question(view: View, legal: Sequence[Move]) -> str:
    """The question of a hand whose owner has these legal moves and selected no card."""
    if view.seat != view.on_turn:
        return f"{MARKS[view.on_turn].emoji} It's your opponent's turn."
    if Draw() in legal:
        return (
            "**Draw first?** If you play or discard first, you can't draw this turn. If you play "
            "first, you also get no new cards for emptying your hand."
        )
    if not any(isinstance(move, Discard) for move in legal):
        return _compelled(view)
    if not any(isinstance(move, Play) for move in legal):
        return "**Discard to end your turn:** none of your cards fits onto a foundation."
    return "**Your turn.** Play as many cards as you like; a discard ends your turn."


def _compelled(view: View) -> str:
    if not view.hand:
        # Under strict draw, a player who plays first draws nothing, even if there are cards (R32).
        any_left = view.source or view.removed
        why = "you can't draw this turn" if any_left else "there's nothing to draw"
        return f"**Keep playing:** your hand is empty and {why}."
    which = "an ace" if view.options.forced == "aces" else "an ace or a two"
    return f"**Keep playing:** you can't discard while you can play {which}."


def target_question(source: str, face: str, *, wild: bool) -> str:
    """The question once a card with several targets is selected."""
    place = {"stock": " from your stock"}.get(source, f" from {source}" if source in PILES else "")
    counts = " It counts as whatever the foundation needs." if wild else ""
    return f"**Where does the {face}{place} go?**{counts}"


def discard_question(face: Face, count: int) -> str:
    """The question once cards to discard are selected."""
    cards = cards_in_sentence(face, count)
    return f"**Onto which pile do you discard the {cards}?** This ends your turn."


def spelled(notation: str) -> str:
    """A move in words: `discard **two 9s** onto d2`; text that isn't a move stays as it is."""
    try:
        move: Move = parse(notation)
    except ValueError:
        return f"`{notation}`"
    match move:
        case Draw():
            return "draw"
        case Discard(face, count, pile):
            return f"discard **{cards_in_sentence(face, count)}** onto {pile}"
        case Play(source, target):
            return (
                f"**{spoken_name(source)}** onto {'a new foundation' if target == NEW else target}"
            )
        case _:
            assert_never(move)


def _won(view: View, seat: Seat) -> str:
    match view.options.scoring:
        case "game":
            return ""
        case "games":
            number = view.scores[seat]
            return f", {counted(number, 'game')} won"
        case "points":
            number = view.scores[seat]
            return f", {counted(number, 'point')}"


def draw_count_text(view: View) -> str:
    """How many cards the viewer would draw now: `3 cards`."""
    assert view.hand is not None
    return counted(min(5 - len(view.hand), view.source + len(view.removed)), "card")


def is_series(view: View) -> bool:
    """Whether the match is a series of games, not a single game."""
    return view.options.target is not None
