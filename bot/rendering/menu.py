"""The menu of a running match: what can be done besides choosing a move."""

from typing import Final

from bot.matches import MatchSnapshot, SeatSnapshot
from bot.messaging.components import Button
from bot.messaging.content import MessageContent
from bot.rendering.phrases import (
    RUNNING,
    button,
    match_number,
    moves_button,
    my_hand_button,
    rules_button,
    seat_names,
    title,
)
from bot.rendering.presentation import Presentation
from bot.rendering.watch_list import MENU, follow_button
from bot.text import capitalized, listed
from games import GAMES

_NUDGE: Final = (
    "**Nudge** reminds players who haven't chosen yet, each at most once every 6 hours.\n"
)
_NO_NUDGE: Final = "**Nudge** appears here while the match is waiting for another player.\n"
_ALWAYS: Final = (
    "**Bring to the bottom** reposts the table at the bottom of its channel.\n"
    "**Resign** asks you to confirm first."
)
_RESTING: Final = (
    "This match is paused. To choose a move or offer something, press **Resume** at the table "
    "first.\n"
)
_NO_DRAW: Final = "Computers don't accept draws."
_TAKE_BACK: Final = "**Take back** undoes the last step, unless it showed something hidden.\n"
_ALONE: Final = "**Call it off** ends the match right away, without a result."
_SOLO: Final = (
    f"{_ALONE} There's no clock: take your time, but after 30 days without a move the match "
    "closes.\n"
    "**Resign** asks you to confirm first."
)
_FOR_OTHERS: Final = "You're watching this match. Only its players can see their {}."
_FOR_OTHERS_OF_PUBLIC_HANDS: Final = (
    "You're watching this match. Everyone can see the hands at the table; what a player chooses "
    "stays secret until everyone has chosen."
)


def menu_content(
    snapshot: MatchSnapshot,
    presentation: Presentation,
    *,
    is_followed: bool = False,
) -> MessageContent:
    """The menu for one person: a player, or a spectator, who can follow the match."""
    head = f"### Menu · {title(snapshot, presentation)}"
    if not isinstance(snapshot, SeatSnapshot) or snapshot.own.left:
        # Players who lost their seat to the clock or a moderator are told of the end anyway.
        is_told = snapshot.own is not None and snapshot.own.left_why in {"time", "unseated"}
        follow = follow_button(snapshot.match, 0, MENU, is_followed=is_followed)
        return _spectator_menu(snapshot, presentation, head, () if is_told else (follow,))
    text, offers = _player_text(snapshot), _offer_buttons(snapshot)
    return MessageContent(
        head=f"{head}\n{text}\n{match_number(snapshot)}{_full_commitment(snapshot)}",
        rows=(
            (
                my_hand_button(snapshot, presentation),
                moves_button(snapshot),
                rules_button(snapshot),
            ),
            offers,
            (
                *_bottom_button(snapshot),
                button(snapshot, "Resign", "resign", style="danger"),
            ),
        ),
        color=RUNNING,
    )


def _player_text(snapshot: SeatSnapshot) -> str:
    """The text above a player's buttons."""
    if snapshot.rests:
        return f"{_RESTING}{_ALWAYS}"
    undo = _TAKE_BACK if _take_back_button(snapshot) else ""
    if snapshot.is_solo:
        return f"{undo}{_SOLO}"
    has_clock = snapshot.time_control != "none"
    if snapshot.is_alone_with_computers:
        pause = " **Offer a pause** stops the clock." if has_clock else ""
        return f"{_ALONE}{pause} {_NO_DRAW}\n{undo}{_ALWAYS}"
    offers = ["**Offer a draw**"] * (not snapshot.has_computer)
    offers += ["**Call it off**"] + ["**Offer a pause**"] * has_clock
    offers += ["**Take back**"] * bool(undo)
    need = "needs" if len(offers) == 1 else "need"
    consent = f"{listed(offers)} {need} everyone still playing to agree."
    draws = f" {_NO_DRAW}" if snapshot.has_computer else ""
    nudge = _NUDGE if _can_nudge(snapshot) else _NO_NUDGE
    return f"{consent}{draws}\n{undo}{nudge}{_ALWAYS}"


def resign_question(snapshot: SeatSnapshot) -> MessageContent:
    """The question before a player resigns, with what it would lead to."""
    who = seat_names(snapshot)
    others = [
        (who[i], info.computer)
        for i, info in enumerate(snapshot.seats)
        if i != snapshot.seat and not info.left
    ]
    if len(others) == 1:
        follows = f"{capitalized(others[0][0])} wins."
    elif all(computer is not None for _, computer in others):
        follows = "You rank below the computers, and the match is over."
    else:
        follows = "You rank below everyone still playing, and they play on."
    return MessageContent(
        head=f"Resign from this match? {follows}",
        rows=(
            (
                button(snapshot, "Resign", "leave", style="danger"),
                button(snapshot, "Keep playing", "stay"),
            ),
        ),
    )


def _can_nudge(snapshot: SeatSnapshot) -> bool:
    """Whether another person owes a move; if they can't be nudged now, the answer says why."""
    others = snapshot.awaiting - snapshot.chosen - {snapshot.seat}
    return any(snapshot.seats[seat].computer is None for seat in others)


def _offer_buttons(snapshot: SeatSnapshot) -> tuple[Button, ...]:
    """The offers that a player can make, and a nudge if the match waits for another person.

    No draw with computers, which don't accept one; nothing at all in a pause.
    """
    if snapshot.rests:
        return ()
    draw = button(snapshot, "Offer a draw", "offer", "draw")
    return (
        *(() if snapshot.has_computer else (draw,)),
        button(snapshot, "Call it off", "offer", "call_off"),
        *_pause_button(snapshot),
        *_take_back_button(snapshot),
        *((button(snapshot, "Nudge", "nudge"),) if _can_nudge(snapshot) else ()),
    )


def _bottom_button(snapshot: MatchSnapshot) -> tuple[Button, ...]:
    """The button that reposts the table; none for a solo match, which has no table."""
    return () if snapshot.is_solo else (button(snapshot, "Bring to the bottom", "bottom"),)


def _take_back_button(snapshot: MatchSnapshot) -> tuple[Button, ...]:
    """The button that offers to take back the last step; none before the first step.

    None either if several seats choose at once: the step has revealed their secret choices.
    """
    if not snapshot.step or len(snapshot.awaiting) != 1:
        return ()
    return (button(snapshot, "Take back", "offer", "take_back"),)


def _pause_button(snapshot: MatchSnapshot) -> tuple[Button, ...]:
    """The button that offers a pause; none without a clock to stop."""
    if snapshot.time_control == "none":
        return ()
    return (button(snapshot, "Offer a pause", "offer", "pause"),)


def _spectator_menu(
    snapshot: MatchSnapshot,
    presentation: Presentation,
    head: str,
    more: tuple[Button, ...],
) -> MessageContent:
    public = GAMES[snapshot.game].hands_are_public
    text = _FOR_OTHERS_OF_PUBLIC_HANDS if public else _FOR_OTHERS.format(presentation.hands_name)
    return MessageContent(
        head=f"{head}\n{text}\n{match_number(snapshot)}{_full_commitment(snapshot)}",
        rows=((*more, moves_button(snapshot), rules_button(snapshot)),),
        color=RUNNING,
    )


def _full_commitment(snapshot: MatchSnapshot) -> str:
    """The full commitment, of which the table shows the beginning, to be noted before the end."""
    if snapshot.commitment is None:
        return ""
    return (
        "\n-# Sealed deal: the fingerprint (SHA-256) of its seed\n"
        f"-# `{snapshot.commitment}`\n"
        "-# `/verify` says how to check it."
    )
