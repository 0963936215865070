"""What happened in the last two turns, as everybody saw it, in sentences.

Pure text from views. `names` is the display text of each seat, in the order of the seats.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, assert_never

from cogs.spite.faces import cards, counted, group, listed
from games.core import Seat
from games.spite import GameResult, View
from games.spite.events import Dealt, Discarded, Drawn, Event, Played, Stuck

MOST_PLAYS: Final = 12
"""Plays of a turn that are told; of a longer turn the last ones, or no message could hold it."""


def story(view: View, names: Sequence[str]) -> str:
    """The turn before and the present one, a sentence each; and who has left."""
    told = [_told(events, view, names) for events in _turns(view)]
    if view.left is not None:
        told.append(f"{names[view.left]} has left the match.")
    return " ".join(told) or f"{names[view.on_turn]} is on turn."


def game_result(last: GameResult, names: Sequence[str], *, points: bool) -> str:
    """How a game of a series ended."""
    stocks = f"{last.stocks[0]} and {last.stocks[1]} stock cards left"
    how = {
        "stock": "the last stock card is played",
        "stalemate": f"neither could move, {stocks}",
        "turn limit": f"the turns ran out, {stocks}",
    }[last.ending]
    if last.winner is None:
        return f"Game {last.game} is a draw: {how}."
    worth = f", worth {_points(last.points)}" if points else ""
    return f"{names[last.winner]} wins game {last.game}{worth}: {how}."


def _turns(view: View) -> Iterator[list[Event]]:
    """The events in groups that one sentence tells: of one seat in one turn."""
    for some in (view.events[: view.turn_start], view.events[view.turn_start :]):
        for _, events in groupby(some, key=_actor):
            yield list(events)


def _actor(event: Event) -> Seat | None:
    return None if isinstance(event, Dealt) else event.seat


def _told(events: Sequence[Event], view: View, names: Sequence[str]) -> str:
    first = events[0]
    if isinstance(first, Dealt):
        return _dealt(first, view, names)
    clauses = _clauses(events)
    return f"{names[first.seat]} {listed(clauses)}."


def _dealt(event: Dealt, view: View, names: Sequence[str]) -> str:
    last = view.last
    before = ""
    if last is not None and last.game == event.game - 1:
        before = f"{game_result(last, names, points=view.options.scoring == 'points')} "
    game = f"Game {event.game}" if view.options.target is not None else "The game"
    return f"{before}{game} is dealt by {names[event.dealer]}."


def _clauses(events: Sequence[Event]) -> list[str]:
    """What one seat did in one turn; the plays of a long turn are cut from its beginning."""
    hidden = sum(isinstance(event, Played) for event in events) - MOST_PLAYS
    clauses = [f"played {cards(hidden)} first"] if hidden > 0 else []
    skipped = 0
    run: list[Played] = []
    started = False  # whether `played` has been said, and nothing else since
    for event in events:
        if isinstance(event, Played):
            if skipped < hidden:
                skipped += 1
                continue
            if run and not _continues(run[-1], event):
                clauses.append(_run(run, verb=not started))
                run, started = [], True
            run.append(event)
            continue
        if run:
            clauses.append(_run(run, verb=not started))
            run = []
        started = False
        clauses.append(_clause(event))
    if run:
        clauses.append(_run(run, verb=not started))
    return clauses


def _continues(before: Played, event: Played) -> bool:
    """Whether a card went onto the one played before it."""
    return event.target == before.target and not before.is_complete and event.rank != "A"


def _run(run: Sequence[Played], *, verb: bool) -> str:
    """Cards played one onto the other."""
    said = " ".join(_card(event) for event in run)
    new = "the new " if run[0].rank == "A" else ""
    complete = ", complete," if run[-1].is_complete else ""
    return f"{'played ' if verb else ''}{said} onto {new}{run[0].target}{complete}"


def _card(event: Played) -> str:
    source = "" if event.source == "hand" else f" ({event.source})"
    return f"**{counted(event.face, event.rank)}**{source}"


def _clause(event: Event) -> str:
    match event:
        case Drawn():
            under = f" ({event.recycled} removed ones shuffled anew)" if event.recycled else ""
            return f"drew {cards(event.count)}{under}"
        case Discarded():
            return f"discarded **{group(event.face, event.count)}** onto {event.pile}"
        case Stuck():
            if event.was_passed_over:
                return "could do nothing and was passed over"
            return "had nothing left to play or draw, which ended the turn"
        case Dealt() | Played():
            raise ValueError("A deal and plays are told with what belongs to them.")
        case _:
            assert_never(event)


def _points(number: int) -> str:
    return "1 point" if number == 1 else f"{number} points"
