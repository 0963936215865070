"""A challenge: who is invited to what, which seats are open, and how it is answered."""

from typing import Final

from bot.matches import Look, Place
from bot.matches.levels import levels_for
from bot.messaging.components import Button, Option, Press, Row, Select
from bot.messaging.content import Sheet
from bot.rendering.phrases import (
    GONE,
    OPEN,
    PACES,
    button,
    computer,
    countdown,
    listed,
    names,
    rules,
    title,
)
from bot.rendering.presentation import Presentation
from bot.rendering.rating_changes import stakes
from games import GAMES

AWAY: Final = "away"
"""In place of a level in the menu of computers: take one away."""


def challenge_sheet(look: Look, presentation: Presentation) -> Sheet:
    """The message of a match that has not begun, or never will."""
    head = f"### {title(look, presentation)}\n{_asked(look)}"
    match look.status:
        case "declined":
            return Sheet(head=f"{head}\nThe challenge was declined.", color=GONE)
        case "withdrawn":
            return Sheet(head=f"{head}\nThe challenge was withdrawn.", color=GONE)
        case "expired":
            return Sheet(
                head=f"{head}\nThe challenge has expired: not everybody came in time.", color=GONE
            )
        case _:
            pass
    lines = [head, *_seats(look), f"{_waiting(look)} {_what_follows(look)}", f"-# {_terms(look)}"]
    return Sheet(head="\n".join(lines), rows=_rows(look), color=OPEN)


def beginning_sheet(look: Look, presentation: Presentation) -> Sheet:
    """What stands for a moment where a match begins without a challenge: the table follows."""
    others = listed([name for name, p in zip(names(look), look.places, strict=True) if p.computer])
    return Sheet(
        head=f"### {title(look, presentation)}\n{names(look)[0]} plays against {others}.",
        foot="-# The table is laid …",
        rows=((button(look, "My hand", "hand", style="primary"), rules(look)),),
        color=OPEN,
    )


def _asked(look: Look) -> str:
    """Who asks whom to play."""
    who, places = names(look), look.places
    invited = [who[i] for i, place in enumerate(places) if _is_named(place)]
    wanted = look.wanted - 1 - len(invited)
    players = "another player" if wanted == 1 else f"{wanted} other players"
    if not invited:
        return f"{who[0]} looks for {players}."
    more = "" if wanted == 0 else f" and looks for {players}"
    return f"{who[0]} challenges {listed(invited)}{more}."


def _seats(look: Look) -> tuple[str, ...]:
    """The seats as a line, where there are some to tell apart."""
    if look.wanted == 2 or not _is_public(look):
        return ()
    seats = [
        f"✓ {name}" if place.accepted else f"… {name}"
        for name, place in zip(names(look), look.places, strict=True)
    ]
    return (" · ".join([*seats, *["○ open"] * _open_seats(look)]),)


def _waiting(look: Look) -> str:
    who = names(look)
    waiting = [who[i] for i, place in enumerate(look.places) if not place.accepted]
    seats = _open_seats(look)
    if seats:
        waiting.append("one more player" if seats == 1 else f"{seats} more players")
    return f"Waiting for {listed(waiting)}."


def _what_follows(look: Look) -> str:
    """What answering means: also that a direct message will come."""
    when = "When all seats are taken" if _is_public(look) else "When everybody has accepted"
    if look.tap:
        return f"{when}, cards are chosen right here, each player's by one tap."
    return (
        f"{when}, each player gets a desk by direct message from me (unless `/preferences` says "
        "otherwise); **My hand** shows the same desk here."
    )


def _terms(look: Look) -> str:
    expiry = "" if look.due_at is None else f" · expires {countdown(look.due_at)}"
    return f"{PACES[look.pace]} · {stakes(look)}{expiry}"


def _rows(look: Look) -> tuple[Row, ...]:
    answers = []
    if any(not place.accepted for place in look.places):
        answers.append(button(look, "Accept", "accept", style="success"))
        answers.append(button(look, "Decline", "decline"))
    if _open_seats(look):
        answers.append(button(look, "Join", "join", style="success"))
    if look.wanted > 2:
        answers.append(button(look, "Leave", "vacate"))
    others = [button(look, "Withdraw", "withdraw"), rules(look)]
    if _may_be_fewer(look):
        others.insert(0, _start(look))
    if len(answers) + len(others) <= 5:
        return (*answers, *others), *_computers(look)
    return tuple(answers), tuple(others), *_computers(look)


def _short(sentence: str) -> str:
    """What fits below an option: 100 characters."""
    return sentence if len(sentence) <= 100 else f"{sentence[:99]}…"


def _computers(look: Look) -> tuple[Select, ...]:
    """The menu by which the challenger gives open seats to computers."""
    levels = levels_for(look.game, look.options, look.wanted) if _open_seats(look) else ()
    options = [
        Option(label=computer(level.key), value=level.key, note=_short(level.says))
        for level in levels
    ]
    if look.has_computer:
        options.append(Option(label="Take a computer away", value=AWAY))
    if not options:
        return ()
    press = Press(look.match, look.step, "computer", "menu")
    return (Select(placeholder="Add a computer", press=press, options=tuple(options)),)


def _may_be_fewer(look: Look) -> bool:
    """Whether the game could be played without filling all the seats."""
    return any(GAMES[look.game].fits(look.options, n) for n in range(2, look.wanted))


def _start(look: Look) -> Button:
    ready = sum(place.accepted for place in look.places)
    return Button(
        label="Start",
        press=Press(look.match, look.step, "start"),
        disabled=not GAMES[look.game].fits(look.options, ready),
    )


def _open_seats(look: Look) -> int:
    return look.wanted - len(look.places)


def _is_public(look: Look) -> bool:
    """Whether there are seats for which nobody was named, taken or not."""
    return 1 + sum(_is_named(place) for place in look.places) < look.wanted


def _is_named(place: Place) -> bool:
    return place.invited or place.computer is not None
