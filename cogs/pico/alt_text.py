"""Alt text for the pictures of Pico, read aloud by screen readers."""

from collections.abc import Sequence

from bot.drawing.seats import full_seat_name, seat_name
from bot.text import YOU, counted, listed
from cogs.pico.text import played, rounds_sum, verdict_sentence
from games.core import Seat, winners
from games.pico import DECKS, View


def describe(view: View) -> str:
    """All that the picture of a view shows, in at most 1024 characters (Discord's limit)."""
    first = view.seat or 0
    seats = [Seat((first + i) % len(view.hands)) for i in range(len(view.hands))]
    lines = [
        f"Pico, {_stage(view)}.",
        f"Dots are in brackets. Out of play: {_dotted(view, (view.spare,))}.",
        _last_trick(view),
        *(_seat(view, seat) for seat in seats),
    ]
    return "\n".join(lines)


def _stage(view: View) -> str:
    """Which round it is, or how the match ended."""
    if view.outcome is None:
        return f"{'' if view.awaiting else 'ended in '}round {view.round} of {view.rounds}"
    won = winners(view.outcome)
    return f"final, won by {_seats(view, won)}" if won else "final, a draw"


def _last_trick(view: View) -> str:
    trick = view.last
    if trick is None:
        return "No trick yet: choose in secret." if view.awaiting else "No trick."
    ended = "" if trick.round == view.round else f", which ended round {trick.round}"
    dots = DECKS[view.deck].dots
    cards = ", ".join(
        f"{seat_name(seat, view.seat)} played {face} ({dots[face]})"
        for seat, face in played(trick).items()
    )
    won = _seats(view, trick.winners)
    verb = "win" if won == YOU or len(trick.winners) > 1 else "wins"
    return f"Last trick{ended}: {cards}; {won} {verb}. {verdict_sentence(trick)}"


def _seat(view: View, seat: Seat) -> str:
    """A seat's line: its mark, its dots, the cards in its hand and the cards it has won."""
    left = ", out" if seat in view.left else ""
    dots = counted(view.dots[seat], "dot")
    who = f"{full_seat_name(seat, view.seat)}{left}: {dots}{rounds_sum(view, seat)}."
    hand, won = _dotted(view, view.hands[seat]), _dotted(view, view.won[seat])
    return f"{who} Hand: {hand}. Won: {won}."


def _dotted(view: View, faces: Sequence[int]) -> str:
    """Cards with their dots, such as `3 (1), 9 (3)`; `none` if there are no cards."""
    dots = DECKS[view.deck].dots
    return ", ".join(f"{face} ({dots[face]})" for face in faces) or "none"


def _seats(view: View, seats: Sequence[Seat]) -> str:
    return listed([seat_name(seat, view.seat) for seat in seats])
