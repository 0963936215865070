"""What happened in the last turns of Spite and Malice: a sentence for each, to fit on a phone.

A sentence says what a turn did to each foundation; single plays are in **Moves so far**.
Foundations have their current names, as in the picture, even if they've moved up since.

Pure functions of views. `names` has the display text of each seat, in the order of the seats.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile
from typing import Final

from bot.text import (
    capitalized,
    counted,
    listed,
    possessive,
    their_or_your,
    verb_form,
    with_verb,
)
from cogs.spite.card_names import cards_in_sentence, counted_as
from cogs.spite.text import is_series
from games.core import Seat
from games.spite import GameResult, View
from games.spite.events import Dealt, Discarded, Drawn, Event, Played, Stuck

MAX_TOLD_FOUNDATIONS: Final = 5
"""The most foundations of a turn that are told one by one, the latest ones, to fit on a phone."""


def story(view: View, names: Sequence[str]) -> str:
    """The previous turn and the current one, and at the end of a series how its last game ended."""
    sentences, number = [], 0
    for events in _turns(view):
        number += len(events)
        turn = _Turn(events, tuple(takewhile(_is_no_deal, view.events[number:])))
        sentences.append(_sentence(turn, view, names))
    if not sentences and view.awaiting:
        return f"It's {possessive(names[view.on_turn])} turn."
    last = view.last
    if view.outcome is not None and is_series(view) and last and last.game == view.game:
        sentences.append(_game_result(view, last, names))
    return " ".join(sentences)


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
    wins = capitalized(with_verb(names[last.winner], "wins", "win"))
    return f"{wins} game {last.game}{worth}: {how}."


def _turns(view: View) -> Iterator[Sequence[Event]]:
    """The events of a view in groups: those of one seat in one turn, or a deal."""
    for some in (view.events[: view.turn_start], view.events[view.turn_start :]):
        for _, events in groupby(some, key=_actor):
            yield tuple(events)


def _actor(event: Event) -> Seat | None:
    return None if isinstance(event, Dealt) else event.seat


def _is_no_deal(event: Event) -> bool:
    return not isinstance(event, Dealt)


@dataclass(frozen=True, slots=True)
class _Turn:
    """What one seat did in a turn, and what happened after it in the same game."""

    events: Sequence[Event]
    after: Sequence[Event]


@dataclass(frozen=True, slots=True)
class _Foundation:
    """A foundation that a card was played onto, as it is now."""

    number: int
    """Its current number, or if it's complete the index of the event that completed it."""

    is_complete: bool = False


def _sentence(turn: _Turn, view: View, names: Sequence[str]) -> str:
    first = turn.events[0]
    if isinstance(first, Dealt):
        return _dealt(first, view, names, is_over=bool(turn.after))
    name = names[first.seat]
    return f"{capitalized(name)} {listed(_clauses(turn, name))}."


def _dealt(event: Dealt, view: View, names: Sequence[str], *, is_over: bool) -> str:
    last = view.last
    before = ""
    if last is not None and last.game == event.game - 1:
        before = f"{_game_result(view, last, names)} "
    game = f" game {event.game}" if is_series(view) else ""
    dealer = names[event.dealer]
    deals = f"{dealer} dealt" if is_over else with_verb(dealer, "deals", "deal")
    return f"{before}{capitalized(deals)}{game}."


def _clauses(turn: _Turn, name: str) -> list[str]:
    """A clause for each kind of event in a turn, in the order in which they first happened."""
    clauses: Mapping[type[Event], Callable[[], str]] = {
        Drawn: lambda: _drew([each for each in turn.events if isinstance(each, Drawn)]),
        Played: lambda: _played(turn),
        Discarded: lambda: _discarded([e for e in turn.events if isinstance(e, Discarded)]),
        Stuck: lambda: _stuck(turn, name),
    }
    return [clauses[kind]() for kind in dict.fromkeys(map(type, turn.events))]


def _drew(draws: Sequence[Drawn]) -> str:
    first, *later = (draw.count for draw in draws)
    count = f"{first} and later {counted(sum(later), 'card')}" if later else counted(first, "card")
    recycled = sum(draw.recycled for draw in draws)
    under = f" ({counted(recycled, 'card')} shuffled back in)" if recycled else ""
    return f"drew {count}{under}"


def _discarded(discards: Sequence[Discarded]) -> str:
    piles = (
        f"**{cards_in_sentence(each.face, each.count)}** onto {each.pile}" for each in discards
    )
    return f"discarded {listed(piles)}"


def _stuck(turn: _Turn, name: str) -> str:
    last = turn.events[-1]
    if isinstance(last, Stuck) and last.was_passed_over:
        return f"couldn't do anything and {verb_form(name, 'was', 'were')} skipped"
    # Not "there was nothing to draw": under strict draw, a seat can give up the draw (R32).
    return f"couldn't play or draw anymore, so {their_or_your(name)} turn ended"


def _played(turn: _Turn) -> str:
    """The cards played, grouped by foundation, and how many of them came from the stock."""
    onto: dict[_Foundation, list[Played]] = {}
    latest: dict[_Foundation, int] = {}
    for at, event in enumerate(turn.events):
        if isinstance(event, Played):
            foundation = _foundation_now(turn, at)
            onto.setdefault(foundation, []).append(event)
            latest[foundation] = at
    shown = sorted(latest, key=latest.__getitem__)[-MAX_TOLD_FOUNDATIONS:]
    clauses = [
        f"{_cards(run)} {_where(turn, foundation)}"
        for foundation, run in onto.items()
        if foundation in shown
    ]
    elsewhere = sum(len(run) for foundation, run in onto.items() if foundation not in shown)
    if elsewhere:
        clauses.append(f"{counted(elsewhere, 'card')} elsewhere")
    return f"played {listed(clauses)}{_stock([event for run in onto.values() for event in run])}"


def _foundation_now(turn: _Turn, at: int) -> _Foundation:
    """The foundation of the play at this index of the turn's events, as it is now.

    When a complete foundation leaves the table, those after it move up by one.
    """
    events = (*turn.events, *turn.after)
    played = events[at]
    assert isinstance(played, Played)
    number = int(played.target[1:])
    for later in range(at, len(events)):
        event = events[later]
        if isinstance(event, Played) and event.is_complete:
            completed = int(event.target[1:])
            if completed == number:
                return _Foundation(later, is_complete=True)
            number -= completed < number
    return _Foundation(number)


def _where(turn: _Turn, foundation: _Foundation) -> str:
    if not foundation.is_complete:
        return f"onto f{foundation.number}"
    return "(complete)" if foundation.number < len(turn.events) else "(since completed)"


def _cards(run: Sequence[Played]) -> str:
    """Consecutive cards of one foundation: `5`, `5-8`, `5-8 with K as 7`."""
    if len(run) == 1:
        return f"**{counted_as(run[0].face, run[0].rank)}**"
    wild = [counted_as(event.face, event.rank) for event in run if event.face != event.rank]
    return f"**{run[0].rank}-{run[-1].rank}**{f' with {listed(wild)}' if wild else ''}"


def _stock(plays: Sequence[Played]) -> str:
    """How many of these cards came from the stock, as the end of a sentence; "" if none."""
    count = sum(event.source == "stock" for event in plays)
    if not count:
        return ""
    if len(plays) == 1:
        return " from the stock"
    return f", {count} of them from the stock" if count < len(plays) else ", all from the stock"
