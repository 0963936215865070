"""The texts of Prize Dominoes: what happened, the question of a hand, the score, the result.

Pure functions of views. `names` has the display text of each seat, in the order of the seats.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.drawing.seats import MARKS
from bot.text import (
    capitalized,
    counted,
    listed,
    possessive,
    result_sentence,
    verb_form,
    with_verb,
)
from games.core import Seat
from games.prize import DOMINOES, Choose, Draw, HandResult, Move, Open, Place, Take, Tile, View
from games.prize.state import Deed
from games.prize.tiles import spell

MAX_EARLIER_EVENTS: Final = 5
"""How many events before the last one are told, in small print: forced moves play themselves, so
several may have happened since the player looked."""


_DEEDS: Final[Mapping[Deed, str]] = {
    "open": "opened with {tile}",
    "hand": "played {tile} at the {end} end",
    "drawn": "drew {tile} and played it at the {end} end",
    "prize": "played the prize {tile} at the {end} end",
    "asks": "drew a tile that fits both ends and {are} choosing an end",
    "pass": "passed",
}
"""What a seat did, to follow its name; `_event_clause` has the words for a kept tile."""


def won_hand(view: View) -> HandResult | None:
    """How this hand was won; None while it's being played."""
    last = view.last
    return last if last is not None and last.number == view.number else None


def collected(view: View, seat: Seat) -> int:
    """How many of the seven numbers a seat has in its prizes."""
    return 7 - len(view.missing[seat])


def new_numbers(view: View, tile: Tile) -> tuple[int, ...]:
    """The numbers of a tile that the winner of the hand still needs, in ascending order."""
    return tuple(sorted(set(tile) & set(view.missing[view.turn])))


def own_drawn(view: View) -> Tile | None:
    """The tile that the viewer drew and kept in their latest turn of this hand; None otherwise.

    It's the last one in their hand. Events are public, so they don't say which tile was kept.
    """
    if view.seat is None or won_hand(view) is not None:
        return None
    hand = view.hands[view.seat]
    deeds = [event.deed for event in view.events if event.seat == view.seat]
    return hand[-1] if hand and deeds and deeds[-1] == "kept" else None


def fresh_prize(view: View, seat: Seat) -> Tile | None:
    """The prize that a seat took last, until the first move of the next hand; None otherwise."""
    last = view.last
    if last is None or last.taken is None or last.winner != seat:
        return None
    ended = last.number == view.number
    return last.taken if (ended or not view.events) and last.taken in view.prizes[seat] else None


def offers_prize(view: View, seat: Seat) -> bool:
    """Whether the other seat has to take a prize from this seat's hand now."""
    return won_hand(view) is not None and bool(view.awaiting) and seat != view.turn


def must_play_at_line(view: View, seat: Seat) -> bool:
    """Whether this is the viewer's seat, and they have to play onto the line, draw or pass."""
    mine = seat == view.seat and seat in view.awaiting
    return mine and not view.asks and view.ends is not None and won_hand(view) is None


def headline(view: View) -> str:
    return f"Hand {view.number} (max {view.options.hand_limit})"


def moment(view: View) -> str:
    """The point of the match as players count: `Hand 3`."""
    return f"Hand {view.number}"


def story(view: View, names: Sequence[str]) -> str:
    """What happened last, and in small print what came before it."""
    parts = [_last_event(view, names)]
    if view.passes == 1 and view.awaiting:
        parts.append("One more pass ends the hand.")
    return " ".join(parts) + _earlier_events(view, names)


def question(view: View, legal: Sequence[Move]) -> str:
    """The question of a hand whose owner has these legal moves.

    It doesn't repeat the ends of the line, which the story, the picture and the buttons have.
    """
    match legal[:1]:
        case []:
            return f"{MARKS[view.turn].emoji} It's your opponent's turn."
        case [Take()]:
            lacks = listed(view.missing[view.turn])
            return f"**Choose your prize** from their hand. You still need {lacks}."
        case [Choose()]:
            assert view.asked is not None  # players see their own drawn tile
            return f"**You drew the {spell(view.asked)}, which fits both ends.** Where does it go?"
        case [Open()]:
            return "**You open the line**: play any tile."
        case [Place()]:
            return "**Play a tile.**"
        case _:
            return _question_without_fit(view, legal)


def score_line(view: View, names: Sequence[str]) -> str:
    """A line for each seat: how many numbers it has, and while the match runs which it needs."""
    return "\n".join(_standing(view, Seat(seat), name) for seat, name in enumerate(names))


def result_line(view: View, names: Sequence[str]) -> str:
    """Who won and what decided it. Raises ValueError while the match is still running."""
    return result_sentence(view.outcome, names, why=_out_of_tiles(view) or _at_the_limit(view))


def _out_of_tiles(view: View) -> str:
    """Why somebody won a match that ran out of tiles to deal; "" for any other ending.

    At that point 27 of the 28 tiles are prizes, and neither row has all numbers. A tile with a
    number that one row lacks and one that the other lacks is in neither row, so it's the only tile
    left: each row lacks exactly one number. Both have six, and the number of prizes decides.
    """
    over = view.number < view.options.hand_limit and all(view.missing)
    if not over or sum(map(len, view.prizes)) <= len(DOMINOES) - 2:
        return ""
    few, many = sorted(map(len, view.prizes))
    return (
        f"tied on numbers, but more prizes, {many} to {few}; too few tiles are left for "
        "another hand"
    )


def _at_the_limit(view: View) -> str:
    """What decided a match that reached its hand limit; "" for any other ending."""
    limit = view.options.hand_limit
    if view.left or view.number < limit or not all(view.missing):
        return ""
    when = f"after {counted(limit, 'hand')}"
    fewer, more = sorted(collected(view, Seat(i)) for i in range(2))
    few, many = sorted(map(len, view.prizes))
    if fewer < more:
        return f"more different numbers {when}, {more} to {fewer}"
    if few < many:
        return f"tied on numbers, but more prizes {when}, {many} to {few}"
    numbers, prizes = counted(more, "different number"), counted(few, "prize")
    return f"both have {numbers} and {prizes} {when}"


def ends_sentence(view: View) -> str:
    """The numbers at the ends of the line; if they're equal, also at which end to play (R25)."""
    assert view.ends is not None  # only called once a line has begun
    left, right = view.ends
    if left == right:
        advice = ", so play at the right end" if _may_fit(view, left) else ""
        return f"Both ends show {left}{advice}."
    return f"The left end shows {left}, the right end {right}."


def _may_fit(view: View, end: int) -> bool:
    """Whether the seat on turn may have a tile for this number, as far as the viewer can tell."""
    hand = view.hands[view.turn]
    if not view.awaiting or hand is None:
        return bool(view.awaiting)
    return any(end in tile for tile in (*hand, *view.prizes[view.turn]))


def victory(result: HandResult, names: Sequence[str]) -> str:
    """How a hand was won, in a sentence."""
    winner, loser = result.winner, 1 - result.winner
    hand, name = f"hand {result.number}", names[result.winner]
    low, high = result.pips[winner], result.pips[loser]
    match result.by:
        case "out":
            return f"{capitalized(name)} went out and won {hand}."
        case "pips":
            return f"Two passes in a row: {name} won {hand} with fewer pips, {low} to {high}."
        case "first pass":
            tie = f"both held {counted(low, 'pip')}"
            return f"Two passes in a row: {tie}, and {name} won {hand} by passing first."


def _last_event(view: View, names: Sequence[str]) -> str:
    """The last event or the deal, and what followed from it."""
    result = won_hand(view)
    if result is not None:
        return _opened_hand(view, result, names)
    if not view.events:
        return _dealt(view, names)
    sentence = capitalized(_event_clause(view, len(view.events) - 1, names))
    return f"{sentence}. {ends_sentence(view)}"


def _opened_hand(view: View, result: HandResult, names: Sequence[str]) -> str:
    won = victory(result, names)
    if result.taken is not None:
        return f"{won} {_taken(result, result.taken, names)}"
    happened = capitalized(_event_clause(view, len(view.events) - 1, names))
    if not view.awaiting:  # the match ended before the prize was taken
        return f"{happened}. {won}"
    takes = capitalized(with_verb(names[result.winner], "takes", "take"))
    theirs = possessive(names[1 - result.winner])
    return f"{happened}. {won} {takes} one of {theirs} tiles as a prize."


def _dealt(view: View, names: Sequence[str]) -> str:
    each = counted(max(view.held), "tile")
    opens = capitalized(with_verb(names[view.leader], "opens", "open"))
    if view.last is None:
        return f"Each player has {each}. {opens}, chosen at random."
    result = view.last
    assert result.taken is not None  # a new hand is dealt only after that
    before = f"{victory(result, names)} {_taken(result, result.taken, names)}"
    return f"{before} Hand {view.number} begins: each player has {each}. {opens} after losing."


def _taken(result: HandResult, tile: Tile, names: Sequence[str]) -> str:
    return f"{capitalized(names[result.winner])} took the {spell(tile)} as a prize."


def _earlier_events(view: View, names: Sequence[str]) -> str:
    """Earlier events of this hand, oldest first; if they're few, also how the last hand ended."""
    events = view.events[:-1]
    clauses = [
        _event_clause(view, i, names)
        for i, event in enumerate(events)
        if not (event.deed == "asks" and view.events[i + 1].deed == "drawn")
    ][-MAX_EARLIER_EVENTS:]
    parts = []
    if events and len(events) < MAX_EARLIER_EVENTS and view.last and view.last.number < view.number:
        parts.append(_previous_hand(view.last, names))
    parts += [capitalized("; ".join(clauses)) + "."] if clauses else []
    return f"\n-# Before: {' '.join(parts)}" if parts else ""


def _previous_hand(result: HandResult, names: Sequence[str]) -> str:
    assert result.taken is not None  # a new hand is dealt only after that
    who = capitalized(names[result.winner])
    return f"{who} won hand {result.number} and took the {spell(result.taken)}."


def _event_clause(view: View, at: int, names: Sequence[str]) -> str:
    """The event at this index as a sentence without a period.

    A viewer who kept a tile in their latest turn reads which one; it stays secret from others.
    """
    event = view.events[at]
    name = names[event.seat]
    if event.deed == "kept":
        later = any(other.seat == event.seat for other in view.events[at + 1 :])
        own = own_drawn(view) if event.seat == view.seat and not later else None
        what = "a tile that" if own is None else f"the {spell(own)}, which"
        count = "" if view.options.pass_only_when_stock_is_empty else " (a pass)"
        return f"{name} drew {what} didn't fit{count}"
    if event.deed == "asks" and not view.awaiting:
        return f"{name} drew a tile that fits both ends"
    tile = "" if event.tile is None else spell(event.tile)
    are = verb_form(name, "is", "are")
    return f"{name} {_DEEDS[event.deed].format(tile=tile, end=event.end, are=are)}"


def _question_without_fit(view: View, legal: Sequence[Move]) -> str:
    """The question if no tile in hand fits: draw or pass, and perhaps play a prize."""
    draws = legal[0] == Draw()
    what = "Draw a tile." if draws else "The stock is empty, so pass."
    if draws and not view.options.pass_only_when_stock_is_empty:
        what = f"{what} If it doesn't fit either, you pass."
    prizes = "" if len(legal) == 1 else " Or play one of your prizes (you lose it)."
    return f"**Nothing in your hand fits.** {what}{prizes}"


def _standing(view: View, seat: Seat, name: str) -> str:
    standing = f"{MARKS[seat].emoji} {name} **{collected(view, seat)} of 7** numbers"
    if not view.prizes[seat]:  # it needs all numbers, which needn't be said
        return f"{standing}, no prizes{' yet' if view.awaiting else ''}"
    standing += f" in {counted(len(view.prizes[seat]), 'prize')}"
    if not view.awaiting or not view.missing[seat]:
        return standing
    return f"{standing}: needs {listed(view.missing[seat])}"
