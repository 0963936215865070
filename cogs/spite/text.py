"""Spite and Malice in words: what happened, the score, the result, what a hand asks.

Pure text from views. `names` is the display text of each seat, in the order of the seats.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, assert_never

from bot.drawing.seats import MARKS
from bot.text import agreeing, capitalized, counted, does, listed, result_sentence, their, whose
from cogs.spite.card_names import counted_as, said, together
from cogs.spite.options import goal
from games.core import Seat
from games.spite import Face, GameResult, Options, View
from games.spite.cards import FACE_NAMED
from games.spite.events import Dealt, Discarded, Drawn, Event, Played, Stuck
from games.spite.moves import NEW, PILES, Discard, Draw, Move, Play, parse

MAX_TOLD_PLAYS: Final = 12
"""Plays of a turn that are told; of a longer turn the last ones, or no message could hold it."""

MAX_MOVED: Final = 2
"""Foundations that have moved up and are named one by one."""


def headline(view: View) -> str:
    """Which turn it is, and of which game in a series."""
    if not _is_series(view):
        return f"Turn {view.turn}"
    return f"Game {view.game} ({goal(view.options)}), turn {view.turn}"


def moment(view: View) -> str:
    """When in a match somebody saw this, as players count."""
    turn = f"turn {view.turn}"
    return f"Game {view.game}, {turn}" if _is_series(view) else turn.capitalize()


def score_line(view: View, names: Sequence[str]) -> str:
    """The stocks, which decide the game, what was won in a series, and the aim, if there is one."""
    parts = [
        f"{MARKS[seat].emoji} {name} **{view.sides[seat].stock}** in the stock"
        f"{_won(view, Seat(seat))}"
        for seat, name in enumerate(names)
    ]
    if view.awaiting:
        parts.append("first to 0 wins the game" if _is_series(view) else "first to 0 wins")
    return " · ".join(parts)


def score_unit(options: Options) -> str:
    """What the score of a match counts: the stock, which is to be emptied, or what was won."""
    match options.scoring:
        case "game":
            return "cards left in the stock"
        case "games":
            return "games won"
        case "points":
            return "points"


def standing(view: View) -> tuple[int, ...]:
    """How much of that each seat has."""
    if view.options.scoring == "game":
        return tuple(side.stock for side in view.sides)
    return view.scores


def result_line(view: View, names: Sequence[str]) -> str:
    """The final result and what decided it; only for a match that is over."""
    last, why = view.last, ""
    if not _is_series(view) and view.left is None and last and last.ending == "stock":
        assert last.winner is not None  # they emptied their stock
        why = _last_card(names[last.winner], last.points)
    return result_sentence(view.outcome, names, why=why)


def _last_card(name: str, points: int) -> str:
    """Why somebody won who has no stock any more, of whom it was just said that they won."""
    they, own = agreeing(name, "they", "you"), their(name)
    return f"{they} played {own} last stock card; {own} opponent had {points} left"


def question(view: View, *, may_play: bool, may_discard: bool, may_draw: bool) -> str:
    """What the hand message asks its owner before anything is chosen."""
    if view.seat != view.on_turn:
        waits = "It's your opponent's turn. Your hand updates as they play."
        return f"{MARKS[view.on_turn].emoji} {waits}"
    if may_draw:
        return (
            "**Draw first?** If you play or discard first, you can't draw this turn. If you play "
            "first, you also don't get five new cards if you empty your hand."
        )
    if not may_discard:
        return _compelled(view)
    if not may_play:
        return "**Discard to end your turn:** none of your cards fits onto a foundation."
    return "**Your turn.** Play as many cards as you like; a discard ends your turn."


def _compelled(view: View) -> str:
    if not view.hand:
        # Under strict draw, whoever plays first gets no cards, however many there are (R32).
        any_left = view.source or view.removed
        why = "you can't draw this turn" if any_left else "there's nothing to draw"
        return f"**Keep playing:** your hand is empty and {why}."
    which = "an ace" if view.options.forced == "aces" else "an ace or a two"
    return f"**Keep playing:** you can't discard while you can play {which}."


def where_to(source: str, face: str, *, wild: bool) -> str:
    """What the hand message asks when a card with several targets has been taken up."""
    place = {"stock": " from your stock"}.get(source, f" from {source}" if source in PILES else "")
    counts = " It counts as whatever the foundation needs." if wild else ""
    return f"**Where does the {face}{place} go?**{counts}"


def onto_which(face: Face, count: int) -> str:
    """What the hand message asks when cards to be discarded have been taken up."""
    return f"**Onto which pile do you discard the {together(face, count)}?** This ends your turn."


def spelled(notation: str) -> str:
    """A move in words, such as `discard two 9s onto d2`; as it is where it means no move."""
    try:
        move: Move = parse(notation)
    except ValueError:
        return f"`{notation}`"
    match move:
        case Draw():
            return "draw"
        case Discard(face, count, pile):
            return f"discard **{together(face, count)}** onto {pile}"
        case Play(source, target):
            card = said(FACE_NAMED[source]) if source in FACE_NAMED else source
            return f"**{card}** onto {'a new foundation' if target == NEW else target}"
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


def drawn(view: View) -> str:
    """How many cards a draw would bring now."""
    assert view.hand is not None
    return counted(min(5 - len(view.hand), view.source + len(view.removed)), "card")


def story(view: View, names: Sequence[str]) -> str:
    """The turn before and the present one, a sentence each, and how the last game ended."""
    told, number = [], 0
    for events in _turns(view):
        number += len(events)
        context = _Context(view.events[: number - len(events)], view.events[number:])
        told.append(_told(events, context, view, names))
    if not told and view.awaiting:
        return f"It's {whose(names[view.on_turn])} turn."
    last = view.last
    if view.outcome is not None and _is_series(view) and last and last.game == view.game:
        told.append(_game_result(view, last, names))
    return " ".join(told)


def _is_series(view: View) -> bool:
    return view.options.target is not None


def _game_result(view: View, last: GameResult, names: Sequence[str]) -> str:
    """How a game of a series ended."""
    fewer, more = sorted(last.stocks)
    each = f"against {more}" if fewer < more else "each"
    stocks = f"with {counted(fewer, 'stock card')} left {each}"
    how = {
        "stock": "the last stock card was played",
        "stalemate": f"neither could move, {stocks}",
        "turn limit": f"the turns ran out, {stocks}",
    }[last.ending]
    if last.winner is None:
        return f"Game {last.game} is a draw: {how}."
    points = view.options.scoring == "points"
    worth = f", worth {counted(last.points, 'point')}" if points else ""
    wins = capitalized(does(names[last.winner], "wins", "win"))
    return f"{wins} game {last.game}{worth}: {how}."


def _turns(view: View) -> Iterator[list[Event]]:
    """The events in groups that one sentence tells: of one seat in one turn."""
    for some in (view.events[: view.turn_start], view.events[view.turn_start :]):
        for _, events in groupby(some, key=_actor):
            yield list(events)


def _actor(event: Event) -> Seat | None:
    return None if isinstance(event, Dealt) else event.seat


@dataclass(frozen=True, slots=True)
class _Context:
    """What happened before some events, as far as it is told too, and after them."""

    before: Sequence[Event]
    after: Sequence[Event]


def _told(events: Sequence[Event], context: _Context, view: View, names: Sequence[str]) -> str:
    first = events[0]
    if isinstance(first, Dealt):
        return _dealt(first, view, names)
    name = names[first.seat]
    return f"{capitalized(name)} {listed(_clauses(events, context, name))}."


def _dealt(event: Dealt, view: View, names: Sequence[str]) -> str:
    last = view.last
    before = ""
    if last is not None and last.game == event.game - 1:
        before = f"{_game_result(view, last, names)} "
    game = f" game {event.game}" if _is_series(view) else ""
    return f"{before}{capitalized(does(names[event.dealer], 'deals', 'deal'))}{game}."


def _clauses(events: Sequence[Event], context: _Context, name: str) -> list[str]:
    """What one seat did in one turn, among other events; a long one is cut from its beginning."""
    before, all_of = context.before, events
    hidden = sum(isinstance(event, Played) for event in events) - MAX_TOLD_PLAYS
    clauses = []
    if hidden > 0:
        events = _without_plays(events, hidden)
        left_out = all_of[: len(all_of) - len(events)]
        moved = _moved_up(left_out, _Context(before, (*events, *context.after)))
        clauses.append(f"first played {counted(hidden, 'card')}{moved and f' ({moved})'}")
        before = (*before, *left_out)
    played = False  # whether the verb has just been said
    for run in _runs(events):
        first = run[0]
        if isinstance(first, Played):
            said = listed(_card(event) for event in run if isinstance(event, Played))
            target = _target(run, _Context(before, context.after))
            clauses.append(f"{'' if played else 'played '}{said} onto {target}")
            played = True
        else:
            clauses.append(_clause(first, name))
            played = False
        before = (*before, *run)
    return clauses


def _without_plays(events: Sequence[Event], count: int) -> Sequence[Event]:
    """The events after so many plays."""
    plays = [i for i, event in enumerate(events) if isinstance(event, Played)]
    return events[plays[count - 1] + 1 :]


def _runs(events: Sequence[Event]) -> list[list[Event]]:
    """The events, those together where a card went onto the one played before it."""
    runs: list[list[Event]] = []
    for event in events:
        if runs and _continues(runs[-1][-1], event):
            runs[-1].append(event)
        else:
            runs.append([event])
    return runs


def _continues(before: Event, event: Event) -> bool:
    """Whether a card went onto the one played before it."""
    return (
        isinstance(before, Played)
        and isinstance(event, Played)
        and event.target == before.target
        and not before.is_complete
    )


def _target(run: Sequence[Event], context: _Context) -> str:
    """Where cards were played one onto the other, and what a complete foundation moves up."""
    first, last = run[0], run[-1]
    assert isinstance(first, Played)
    assert isinstance(last, Played)
    target = f"{'the new ' if first.rank == 'A' else ''}{first.target}"
    if not last.is_complete:
        return target
    moved = _moved_up(run, context)
    return f"{target} (complete{moved and f', so {moved}'})"


def _moved_up(events: Sequence[Event], context: _Context) -> str:
    """Which foundations, of those named before these events, are called otherwise after them.

    Nothing where all of them leave the table with the next deal.
    """
    if any(isinstance(event, Dealt) for event in context.after):
        return ""
    named = [(old, _number(old, events)) for old in sorted(_named(context.before))]
    moved = [(old, new) for old, new in named if new not in {None, old}]
    if not moved:
        return ""
    old, new = (_together(numbers) for numbers in zip(*moved, strict=True))
    return f"{old} {'is' if len(moved) == 1 else 'are'} now {new}"


def _together(numbers: Sequence[int | None]) -> str:
    """Foundations by their numbers, many as a range: those between the first and last move too."""
    names = [f"f{number}" for number in numbers]
    return listed(names) if len(names) <= MAX_MOVED else f"{names[0]} to {names[-1]}"


def _named(events: Sequence[Event]) -> set[int]:
    """The foundations of which these events tell, by the numbers that they have after them."""
    found: set[int] = set()
    for event in events:
        known = {*found, int(event.target[1:])} if isinstance(event, Played) else found
        numbers = {_number(number, [event]) for number in known}
        found = {number for number in numbers if number is not None}
    return found


def _number(number: int, events: Sequence[Event]) -> int | None:
    """A foundation's number after these events: the next ones move up where one leaves the table.

    None if it has left the table itself.
    """
    for event in events:
        if isinstance(event, Dealt):
            return None
        if isinstance(event, Played) and event.is_complete:
            gone = int(event.target[1:])
            if gone == number:
                return None
            number -= gone < number
    return number


def _card(event: Played) -> str:
    source = "" if event.source == "hand" else f" ({event.source})"
    return f"**{counted_as(event.face, event.rank)}**{source}"


def _clause(event: Event, name: str) -> str:
    match event:
        case Drawn():
            under = f" ({event.recycled} cards shuffled back in)" if event.recycled else ""
            return f"drew {counted(event.count, 'card')}{under}"
        case Discarded():
            return f"discarded **{together(event.face, event.count)}** onto {event.pile}"
        case Stuck():
            if event.was_passed_over:
                return f"couldn't do anything and {agreeing(name, 'was', 'were')} skipped"
            # Under strict draw there may be cards that this seat has given up (R32).
            return f"couldn't play or draw anymore, so {their(name)} turn ended"
        case Dealt() | Played():
            raise ValueError("A deal and plays are told with what belongs to them.")
        case _:
            assert_never(event)
