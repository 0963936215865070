"""A challenge as a message: who is invited, which seats are open, and the buttons to answer.

Nothing has been dealt yet, so no snapshot of it holds a secret.
"""

from typing import Final

from bot.matches import MatchSnapshot, PublicSnapshot, SeatInfo
from bot.matches.levels import NAMES, levels_for
from bot.messaging.components import Button, Option, Press, Row, Select
from bot.messaging.content import MessageContent
from bot.rendering.phrases import (
    GONE,
    OPEN,
    TIME_CONTROLS,
    button,
    computer_name,
    countdown,
    my_hand_button,
    rules_button,
    seat_names,
    shortened,
    title,
)
from bot.rendering.presentation import Presentation
from bot.rendering.rating_changes import stakes
from bot.text import capitalized, counted, listed
from games import GAMES

ALONE: Final = "Or play the computer right now:"
AWAY: Final = "away"
"""What a button or menu option carries instead of a level to remove a computer."""

REMOVE: Final = "Remove a computer"


def challenge_content(snapshot: MatchSnapshot, presentation: Presentation) -> MessageContent:
    """The message of a match that hasn't begun, or never will."""
    name, variant = title(snapshot, presentation), presentation.variant(snapshot.options)
    head = f"### {name}\n{_invitation(snapshot)}"
    match snapshot.status:
        case "declined":
            return MessageContent(head=f"{head}\n{_declined(snapshot)}", color=GONE)
        case "withdrawn":
            return MessageContent(head=f"{head}\n{_withdrawn(snapshot)}", color=GONE)
        case "expired":
            again = f"To make a new one, use `/{snapshot.game} play`."
            return MessageContent(
                head=f"{head}\nThe challenge expired. {why_expired(snapshot)} {again}", color=GONE
            )
        case _:
            pass
    lines = [
        head,
        *([] if name.endswith(variant) else [f"-# In full: {variant}."]),
        *_seat_line(snapshot),
        f"{_waiting(snapshot)} {_what_follows(snapshot, presentation)}",
        f"-# {terms(snapshot)}",
    ]
    return MessageContent(head="\n".join(lines), rows=_rows(snapshot), color=OPEN)


def beginning_content(snapshot: PublicSnapshot, presentation: Presentation) -> MessageContent:
    """What is shown for a moment when a match begins without a challenge, before its table."""
    opener, *_ = names = seat_names(snapshot)
    others = listed([name for name, p in zip(names, snapshot.seats, strict=True) if p.computer])
    return MessageContent(
        head=f"### {title(snapshot, presentation)}\n{opener} plays against {others}.",
        foot="-# Setting up the table …",
        rows=((my_hand_button(snapshot, presentation), rules_button(snapshot)),),
        color=OPEN,
    )


def why_expired(snapshot: MatchSnapshot) -> str:
    """What an expired challenge lacked, as a sentence."""
    if snapshot.wanted == 2:
        return f"Nobody {'joined' if snapshot.open_seats else 'answered'} in time."
    if snapshot.open_seats:
        return "Not enough players joined in time."
    return "Not everyone answered in time."


def _withdrawn(snapshot: MatchSnapshot) -> str:
    if snapshot.ending == "moderator":
        return "A moderator withdrew the challenge."
    return "The challenge was withdrawn."


def _declined(snapshot: MatchSnapshot) -> str:
    """Who ended a challenge, as a sentence; it names nobody if that person was deleted since."""
    for name, info in zip(seat_names(snapshot), snapshot.seats, strict=True):
        if info.agrees == "absent":
            return f"{capitalized(name)} has left this server, so the challenge is off."
        if info.agrees == "declined":
            if info.accepted:
                return f"{capitalized(name)} gave up their seat, so the challenge is off."
            return f"{capitalized(name)} declined the challenge."
    return "The challenge was declined."


def _invitation(snapshot: MatchSnapshot) -> str:
    """Who the challenger invites, and how many seats are open to anyone, as a sentence."""
    who, *others = seat_names(snapshot)
    seats, is_open = snapshot.open_seats, snapshot.status == "open"
    if not others:
        players = "an opponent" if seats == 1 else f"{seats} opponents"
        return f"{capitalized(who)} {'is' if is_open else 'was'} looking for {players}."
    if not seats:
        return f"{capitalized(who)} challenges {listed(others)}."
    named = [
        other for other, info in zip(others, snapshot.seats[1:], strict=True) if _is_named(info)
    ]
    asks = [f"challenges {listed(named)}"] if named else []
    if is_open:
        asks.append(f"is looking for {counted(seats, 'more player')}")
    elif not named:  # the others joined, and nobody challenged them
        asks.append(f"was looking for {counted(snapshot.wanted - 1, 'opponent')}")
    return f"{capitalized(who)} {listed(asks)}."


def _seat_line(snapshot: MatchSnapshot) -> tuple[str, ...]:
    """All seats, as a line; none at a table of two, or if every seat is for a named player."""
    if snapshot.wanted == 2 or not _is_public(snapshot):
        return ()
    seats = [
        f"✓ {name}" if info.accepted else f"… {name}"
        for name, info in zip(seat_names(snapshot), snapshot.seats, strict=True)
    ]
    return (" · ".join([*seats, *["○ open"] * snapshot.open_seats]),)


def _waiting(snapshot: MatchSnapshot) -> str:
    who = seat_names(snapshot)
    waiting = [who[i] for i, info in enumerate(snapshot.seats) if not info.accepted]
    seats = snapshot.open_seats
    if seats:
        waiting.append(counted(seats, "more player"))
    return f"Waiting for {listed(waiting)}."


def _what_follows(snapshot: MatchSnapshot, presentation: Presentation) -> str:
    """What happens once everyone has answered, and which command sets direct messages."""
    when = "Once all seats are taken" if _is_public(snapshot) else "Once everyone accepts"
    if snapshot.tap:
        return (
            f"{when}, you each choose with one tap at the table. `/notify` decides whether and how "
            "I tell you that it's your turn."
        )
    return (
        f"{when}, press **{presentation.hand_label}** at the table to see "
        f"{presentation.hand_name}. `/preferences` decides whether I also send "
        f"{presentation.hand_name} by direct message."
    )


def terms(snapshot: MatchSnapshot) -> str:
    """The pace, the stakes, when it expires, and the number by which moderators withdraw it."""
    expiry = "" if snapshot.due_at is None else f" · expiry: {countdown(snapshot.due_at)}"
    pace = TIME_CONTROLS[snapshot.time_control]
    return f"{pace} · {stakes(snapshot)}{expiry} · challenge {snapshot.match}"


def _rows(snapshot: MatchSnapshot) -> tuple[Row, ...]:
    answers = []
    if any(not info.accepted for info in snapshot.seats):
        answers.append(button(snapshot, "Accept", "accept", style="success"))
        answers.append(button(snapshot, "Decline", "decline"))
    if snapshot.open_seats:
        answers.append(button(snapshot, "Join", "join", style="success"))
    if snapshot.wanted > 2:
        answers.append(button(snapshot, "Leave", "vacate"))
    others = (*_start(snapshot), button(snapshot, "Withdraw", "withdraw"), rules_button(snapshot))
    if len(answers) + len(others) <= 5:
        return (*answers, *others), *_computer_controls(snapshot)
    return tuple(answers), others, *_computer_controls(snapshot)


def _computer_controls(snapshot: MatchSnapshot) -> tuple[Row, ...]:
    """The challenger's controls to give open seats to computers, and to remove computers again.

    Buttons at a table of two, or if removing is all that can be done; else a menu.
    """
    levels = (
        levels_for(snapshot.game, snapshot.options, snapshot.wanted) if snapshot.open_seats else ()
    )
    if levels and snapshot.wanted == 2:
        return ALONE, tuple(
            button(snapshot, NAMES[level.key], "computer", level.key) for level in levels
        )
    if not levels:
        away = button(snapshot, REMOVE, "computer", AWAY)
        return ((away,),) if snapshot.has_computer else ()
    options = [
        Option(label=computer_name(level.key), value=level.key, note=shortened(level.says))
        for level in levels
    ]
    placeholder = "Add a computer"
    if snapshot.has_computer:
        options.append(Option(label=REMOVE, value=AWAY))
        placeholder = "Add or remove a computer"
    press = Press(snapshot.match, snapshot.step, "computer", "menu")
    return (Select(placeholder=placeholder, press=press, options=tuple(options)),)


def _start(snapshot: MatchSnapshot) -> tuple[Button, ...]:
    """The button that starts with fewer players than seats, if the game can be played with fewer.

    It's disabled unless it can be played with those who are ready.
    """
    game, options = GAMES[snapshot.game], snapshot.options
    if not any(game.fits(options, players) for players in range(2, snapshot.wanted)):
        return ()
    ready = sum(info.accepted for info in snapshot.seats)
    press = Press(snapshot.match, snapshot.step, "start")
    return (Button(label="Start", press=press, disabled=not game.fits(options, ready)),)


def _is_public(snapshot: MatchSnapshot) -> bool:
    """Whether some seats, taken or not, were open to anyone instead of a named player."""
    return 1 + sum(_is_named(info) for info in snapshot.seats) < snapshot.wanted


def _is_named(info: SeatInfo) -> bool:
    return info.invited or info.computer is not None
