"""The list of a server's matches: a line for each, with buttons to join, answer or follow it."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from typing import Final

from bot.errors import ButtonError
from bot.matches.watching import EVERYTHING, Watched, WatchPage, WatchQuery
from bot.messaging.components import Button, Option, Press, Row, Section, Select, id_in
from bot.messaging.content import MessageContent
from bot.rendering.challenge import terms
from bot.rendering.phrases import (
    NO_MATCH,
    RUNNING,
    START_A_MATCH,
    countdown,
    mention,
    page_turns,
    seat_names,
    title,
    variant_summary,
)
from bot.rendering.presentation import Presentations
from bot.storage import MatchId
from bot.text import capitalized, counted, listed
from games import GAMES

ALL: Final = "all"
"""What a button carries instead of a game for the matches of all games."""

FOLLOWED: Final = "followed"
"""What a button carries instead of a game for the matches that its user follows."""

MENU: Final = "menu"
"""What a button carries instead of a game if it's in the menu of a match, not in the list."""

SEATS: Final = "Open seats"
NOTHING: Final = (
    "No matches{} are on here right now. `/help` shows how to start one, also against the computer."
)
NOTHING_OF: Final = "No matches{} with {} are on here right now. Pick **Everyone's matches** below."
NOTHING_FOLLOWED: Final = (
    "You don't follow any matches here. To find one, pick **All games** below."
)


def watch_list_content(page: WatchPage, presentations: Presentations) -> MessageContent:
    """A page of the list, as a private message."""
    head = f"### {_title(page.query)}\n"
    if not page.entries:
        start = () if page.query.followed else (START_A_MATCH,)
        has_more = page.by_game or page.followed or page.query.followed or page.query.user
        menu = (_menu(page),) if has_more else ()
        return MessageContent(
            head=f"{head}{_nothing(page.query)}", rows=(start, *menu), color=RUNNING
        )
    turns = page_turns(Press(NO_MATCH, page.number, "watch", query_argument(page.query)), page.last)
    intro = (
        "I'll tell you how they end."
        if page.query.followed
        else "**Follow** a match, and I'll tell you when it's over."
    )
    return MessageContent(
        head=f"{head}{intro}",
        rows=(*_lines(page, presentations), _count(page), turns, _menu(page)),
        color=RUNNING,
    )


def query_argument(query: WatchQuery) -> str:
    """The argument of a button of the list: what it lists."""
    if query.followed:
        return FOLLOWED
    game = query.game or ALL
    return game if query.user is None else f"{game} {query.user}"


def parse_query(argument: str) -> WatchQuery:
    """The query in an argument of `query_argument`; ButtonError for any other text."""
    if argument == FOLLOWED:
        return WatchQuery(followed=True)
    game, _, user = argument.partition(" ")
    if game != ALL and game not in GAMES:
        raise ButtonError("I don't know this button; use `/watch` again.")
    return WatchQuery(
        game=None if game == ALL else game,
        user=id_in(user, again="Use `/watch` again.") if user else None,
    )


def follow_button(match: MatchId, place: int, argument: str, *, is_followed: bool) -> Button:
    """The button that follows a match, or stops that.

    `place` and `argument` say what is shown next: a page of the list, or the match's menu.
    """
    if is_followed:
        return Button(label="Stop following", press=Press(match, place, "unfollow", argument))
    return Button(label="Follow", press=Press(match, place, "follow", argument), style="primary")


def _title(query: WatchQuery) -> str:
    if query.followed:
        return "Matches you follow in this server"
    whose = "Matches" if query.user is None else f"{mention(query.user)}'s matches"
    return f"{whose} in this server{'' if query.game is None else f': {GAMES[query.game].title}'}"


def _nothing(query: WatchQuery) -> str:
    """The text of an empty list."""
    if query.followed:
        return NOTHING_FOLLOWED
    of = "" if query.game is None else f" of {GAMES[query.game].title}"
    return NOTHING.format(of) if query.user is None else NOTHING_OF.format(of, mention(query.user))


def _lines(page: WatchPage, presentations: Presentations) -> Iterator[Row]:
    """The rows of all matches of the page, below their headings."""
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
    """The buttons of a match; none for the reader's own, whose table is a tap away.

    A challenge's own message has such buttons too, but may be far up in its channel, or deleted.
    """
    match, argument = entry.snapshot.match, query_argument(page.query)
    if page.query.followed:
        return (follow_button(match, page.number, argument, is_followed=True),)
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
        what = capitalized(variant_summary(snapshot.game, variant))
    if entry.table is not None:
        what = f"[{what}]({entry.table})"
    return f"{what}\n{_who(entry)}\n-# {' · '.join(_facts(entry))}"


def _who(entry: Watched) -> str:
    snapshot, who = entry.snapshot, seat_names(entry.snapshot)
    if snapshot.status != "open":
        is_over = snapshot.counts_at is not None
        seats = zip(who, snapshot.seats, strict=True)
        playing = [name for name, info in seats if is_over or not info.left]
        return listed(playing, "against") if len(playing) == 2 else listed(playing)
    waiting = [who[i] for i, info in enumerate(snapshot.seats) if not info.accepted]
    if entry.open_seats:
        waiting.append(counted(entry.open_seats, "more player"))
    return f"{who[0]} is waiting for {listed(waiting)}"


def _facts(entry: Watched) -> Iterator[str]:
    snapshot = entry.snapshot
    if entry.is_invited:
        yield "you're invited"
    elif entry.is_own:
        yield "you lost your seat" if entry.has_left else "you have a seat"
    if snapshot.status == "open":
        yield terms(snapshot)
        return
    if snapshot.counts_at is not None:
        yield f"out of time · result counts {countdown(snapshot.counts_at)}"
        return
    if snapshot.paused:
        yield "paused"
    began = "started" if snapshot.step == 0 else "last move"
    yield f"{began} {countdown(entry.active_at)}"


def _count(page: WatchPage) -> str:
    parts = [counted(page.listed, "match", "matches")]
    if page.open_seats:
        parts.append(f"{page.open_seats} with open seats")
    if page.last:
        parts.append(f"page {page.number + 1} of {page.last + 1}")
    return f"-# {' · '.join(parts)}"


def _menu(page: WatchPage) -> Select:
    """A menu of what to list: a game's matches, of the same person if it's their list, and others.

    The others are everyone's matches, in a person's list, and the matches that the reader follows.
    """
    query, whose = page.query, replace(page.query, followed=False)
    games = [_option("All games", replace(whose, game=None), query, sum(page.by_game.values()))]
    for key, game in GAMES.items():
        of_game = replace(whose, game=key)
        games.append(_option(game.title, of_game, query, page.by_game.get(key, 0)))
    everyone = () if query.user is None else (_option("Everyone's matches", EVERYTHING, query),)
    follow = _option("Matches you follow", WatchQuery(followed=True), query, page.followed)
    return Select(
        placeholder="Games",
        press=Press(NO_MATCH, 0, "watch", "games"),
        options=(*games, *everyone, follow),
    )


def _option(label: str, of: WatchQuery, chosen: WatchQuery, matches: int | None = None) -> Option:
    return Option(
        label=label,
        value=query_argument(of),
        note="" if matches is None else counted(matches, "match", "matches"),
        chosen=of == chosen,
    )
