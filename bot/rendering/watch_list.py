"""The matches of a server: a line and a button a match, to join it or to follow it."""

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from bot.errors import ButtonError
from bot.matches.watching import Watched, WatchPage
from bot.messaging.components import Button, Option, Press, Row, Section, Select
from bot.messaging.content import MessageContent
from bot.rendering.challenge import terms
from bot.rendering.phrases import (
    NO_MATCH,
    RUNNING,
    START_A_MATCH,
    countdown,
    in_short,
    names,
    page_turns,
    title,
)
from bot.rendering.presentation import Presentations
from bot.storage import MatchId
from bot.text import capitalized, counted, listed
from games import GAMES

ALL: Final = "all"
"""In place of a game: those of every game."""

MENU: Final = "menu"
"""In place of a game: the button stands in the menu of a match, not in the list."""

SEATS: Final = "Open seats"
NOTHING: Final = (
    "No matches{} are on here right now. `/help` shows how to start one, also against the computer."
)


def watch_list_content(page: WatchPage, presentations: Presentations) -> MessageContent:
    """A page of the list, for the eyes of the one who asked."""
    about = "" if page.game is None else f": {GAMES[page.game].title}"
    of = "" if page.game is None else f" of {GAMES[page.game].title}"
    head = f"### Matches in this server{about}\n"
    if not page.entries:
        games = (_games(page),) if page.by_game else ()
        nothing = NOTHING.format(of)
        return MessageContent(
            head=f"{head}{nothing}", rows=((START_A_MATCH,), *games), color=RUNNING
        )
    turns = page_turns(Press(NO_MATCH, page.number, "watch", page.game or ALL), page.last)
    return MessageContent(
        head=f"{head}**Follow** a match, and I'll tell you when it's over.",
        rows=(*_lines(page, presentations), _count(page), turns, _games(page)),
        color=RUNNING,
    )


def game_of(argument: str) -> str | None:
    """The game that a button of the list names; None for all. ButtonError for none of ours."""
    if argument == ALL:
        return None
    if argument not in GAMES:
        raise ButtonError("I don't know this button; use `/watch` again.")
    return argument


def follow_button(match: MatchId, place: int, argument: str, *, is_followed: bool) -> Button:
    """Follow a match, or stop; `place` and `argument` say what is shown afterwards."""
    if is_followed:
        return Button(label="Stop following", press=Press(match, place, "unfollow", argument))
    return Button(label="Follow", press=Press(match, place, "follow", argument), style="primary")


def _lines(page: WatchPage, presentations: Presentations) -> Iterator[Row]:
    """Each match below the heading of what it is listed with."""
    for heading, group in groupby(page.entries, key=_heading):
        yield f"**{heading}**"
        for entry in group:
            text, buttons = _line(entry, presentations), _buttons(entry, page)
            if len(buttons) == 1:
                yield Section(text=text, accessory=buttons[0])
                continue
            yield text
            if buttons:
                yield buttons


def _heading(entry: Watched) -> str:
    return SEATS if entry.open_seats else GAMES[entry.snapshot.game].title


def _buttons(entry: Watched, page: WatchPage) -> tuple[Button, ...]:
    """What can be done with a match; nothing with one's own, whose table is a tap away.

    The message of a challenge with its own buttons may be far up, or have been deleted.
    """
    match, argument = entry.snapshot.match, page.game or ALL
    if entry.is_invited:
        return (
            Button(
                label="Accept", press=Press(match, page.number, "takeup", argument), style="success"
            ),
            Button(label="Decline", press=Press(match, page.number, "turndown", argument)),
        )
    if entry.is_own:
        return ()
    if entry.open_seats:
        press = Press(match, page.number, "takeseat", argument)
        return (Button(label="Join", press=press, style="success"),)
    return (follow_button(match, page.number, argument, is_followed=entry.is_followed),)


def _line(entry: Watched, presentations: Presentations) -> str:
    snapshot = entry.snapshot
    presentation = presentations[snapshot.game]
    if _heading(entry) == SEATS:
        what = title(snapshot, presentation)
    else:  # its heading says which game it is
        variant = presentation.variant(snapshot.options)
        what = capitalized(in_short(snapshot.game, variant))
    if entry.table is not None:
        what = f"[{what}]({entry.table})"
    return f"{what}\n{_who(entry)}\n-# {' · '.join(_facts(entry))}"


def _who(entry: Watched) -> str:
    snapshot, who = entry.snapshot, names(entry.snapshot)
    if snapshot.status != "open":
        playing = [name for name, p in zip(who, snapshot.places, strict=True) if not p.left]
        return listed(playing, "against") if len(playing) == 2 else listed(playing)
    waiting = [who[i] for i, place in enumerate(snapshot.places) if not place.accepted]
    if entry.open_seats:
        waiting.append(counted(entry.open_seats, "more player"))
    return f"{who[0]} is waiting for {listed(waiting)}"


def _facts(entry: Watched) -> Iterator[str]:
    snapshot = entry.snapshot
    if entry.is_invited:
        yield "you're invited"
    elif entry.is_own:
        yield "you have a seat"
    if snapshot.status == "open":
        yield terms(snapshot)
        return
    if snapshot.paused:
        yield "paused"
    began = "started" if snapshot.step == 0 else "last move"
    yield f"{began} {countdown(entry.active_at)}"


def _count(page: WatchPage) -> str:
    matches = page.by_game.get(page.game, 0) if page.game else sum(page.by_game.values())
    parts = [counted(matches, "match", "matches")]
    if page.open_seats:
        parts.append(f"{page.open_seats} with open seats")
    if page.last:
        parts.append(f"page {page.number + 1} of {page.last + 1}")
    return f"-# {' · '.join(parts)}"


def _games(page: WatchPage) -> Select:
    every = Option(
        label="All games",
        value=ALL,
        note=counted(sum(page.by_game.values()), "match", "matches"),
        chosen=page.game is None,
    )
    games = (
        Option(
            label=game.title,
            value=key,
            note=counted(page.by_game.get(key, 0), "match", "matches"),
            chosen=page.game == key,
        )
        for key, game in GAMES.items()
    )
    return Select(
        placeholder="Games", press=Press(NO_MATCH, 0, "watch", "games"), options=(every, *games)
    )
