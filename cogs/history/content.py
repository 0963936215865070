"""Finished matches as messages: a page of them, and a single one."""

from typing import Final

from bot.matches import PublicSnapshot
from bot.messaging.components import Button, Link, Option, Press, Row, Select
from bot.messaging.content import MessageContent
from bot.rendering.colors import BLUE
from bot.rendering.phrases import (
    NO_MATCH,
    OVER,
    computer_name,
    game_menu,
    heading,
    mention,
    play_command,
    seat_names,
    title,
)
from bot.rendering.presentation import Presentation, Presentations
from bot.rendering.rating_changes import change_text
from bot.rendering.results import result_line, won_by
from bot.rendering.time_left import forfeit_line
from bot.settings.guilds import ServerName
from bot.stats.match_history import Entry, Page, Query
from bot.storage import SeatRecord, Spot
from bot.text import escaped, listed
from games import GAMES

MAX_TEXT_LENGTH: Final = 3400
"""Characters for the matches of a page, out of 4000 in a message."""

LEFT_OUT: Final = "without matches that were called off or closed, or can still be resumed"

_ENDS: Final = {"won": "Won", "drawn": "Drawn"}


def history_content(page: Page, presentations: Presentations, name: ServerName) -> MessageContent:
    """A page of the matches that a person has finished."""
    query, everywhere = page.query, page.guild is None
    game = "" if query.game is None else f" · {GAMES[query.game].title}"
    head = f"### Finished matches · <@{query.user}>{game}{' · all servers' if everywhere else ''}"
    if not page.entries:
        here = "" if everywhere else " here"
        what = "match" if query.game is None else f"match of {GAMES[query.game].title}"
        return MessageContent(
            head=f"{head}\n<@{query.user}> hasn't finished a {what}{here} yet. To start one, "
            f"use {play_command(query.game)}; `/games` lists matches in progress.",
            rows=() if query.game is None else (_other_games(query),),
            color=BLUE,
        )
    lines = _lines(page, presentations, name, whole=True)
    if len(lines) > MAX_TEXT_LENGTH:  # matches of four, with long names of servers
        lines = _lines(page, presentations, name, whole=False)
    return MessageContent(
        head=f"{head}\n{lines}",
        foot=f"-# {_range(page)}, newest first; {LEFT_OUT}",
        rows=(_page_buttons(page), _replay_menu(page, presentations), _other_games(query)),
        color=BLUE,
    )


def _range(page: Page) -> str:
    """Which of all matches are on this page: `11 to 20 of 34`."""
    first, last = page.first + 1, page.first + len(page.entries)
    return f"{first if first == last else f'{first} to {last}'} of {page.total}"


def _lines(page: Page, presentations: Presentations, name: ServerName, *, whole: bool) -> str:
    """Two lines for each match; they say how it ended only if `whole`."""
    lines = []
    for number, entry in enumerate(page.entries, page.first + 1):
        server = entry.record.match.guild
        there = "on your own" if server is None else escaped(name(server))
        suffix = f" · {there}" if page.guild is None else ""
        lines.append(_line(number, entry, presentations) + suffix)
        lines.append(f"-# {_details(entry, page.query.user, presentations, whole=whole)}")
    return "\n".join(lines)


def _page_buttons(page: Page) -> Row:
    turns = (
        ("⏮ Newest", page.newest),
        ("◀ Newer", page.newer),
        ("Older ▶", page.older),
        ("Oldest ⏭", page.oldest),
    )
    return tuple(
        Button(label=label, press=Press(NO_MATCH, 0, "history", str(query)))
        for label, query in turns
        if query is not None
    )


def _other_games(query: Query) -> Select:
    """A menu that opens the newest matches of a game, or of all games."""
    return game_menu(
        Press(NO_MATCH, 0, "history", "game"),
        lambda game: str(Query(user=query.user, game=game)),
        query.game,
    )


def _replay_menu(page: Page, presentations: Presentations) -> Select:
    return Select(
        placeholder="Replay or export a match",
        press=Press(NO_MATCH, 0, "again", "match"),
        options=tuple(
            Option(
                label=f"{number}. {_title(entry, presentations)}"[:100],
                value=str(entry.record.match.id),
                note=_result(entry),
            )
            for number, entry in enumerate(page.entries, page.first + 1)
        ),
    )


def _line(number: int, entry: Entry, presentations: Presentations) -> str:
    what = _title(entry, presentations)
    if entry.table is not None:
        what = f"[{what}]({entry.table})"
    return f"**{number}.** {what} · **{_result(entry)}** · <t:{entry.record.ended_at}:R>"


def _title(entry: Entry, presentations: Presentations) -> str:
    snapshot, game = entry.snapshot, entry.record.match.game
    if snapshot is None or game not in presentations:
        return GAMES[game].title if game in GAMES else game
    return title(snapshot, presentations[game])


def _result(entry: Entry) -> str:
    """The result for the person whose history it is: `Won`, `Lost`, `2nd of 3` and so on."""
    record, seats = entry.record, len(entry.record.match.seats)
    if record.end == "lost":
        return "Lost" if seats == 2 else f"{_ordinal(record.rank)} of {seats}"
    if record.end == "drawn" and entry.snapshot is not None and won_by(entry.snapshot):
        return "Shared win"
    return _ENDS[record.end]


def _ordinal(n: int) -> str:
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(n, f"{n}th")


def _details(entry: Entry, user: int, presentations: Presentations, *, whole: bool) -> str:
    """The opponents, how the match ended (if `whole`), and the change of the rating."""
    record, snapshot = entry.record.match, entry.snapshot
    who = seat_names(snapshot) if snapshot is not None else tuple(map(_seat_name, record.seats))
    own = next(i for i, seat in enumerate(record.seats) if seat.user == user)
    parts = []
    if others := [name for i, name in enumerate(who) if i != own]:
        parts.append(f"against {listed(others)}")
    if whole and snapshot is not None and record.game in presentations:
        parts.append(_ending(snapshot, presentations[record.game]).removesuffix("."))
    change = record.seats[own].change
    if change is not None:
        parts.append(f"rating {change_text(change)}")
    return " · ".join(parts)


def _ending(snapshot: PublicSnapshot, presentation: Presentation) -> str:
    """Who won, how the match ended and who ran out of time, on one line."""
    how = result_line(snapshot, presentation)
    return " ".join(f"{how}{forfeit_line(snapshot, seat_names(snapshot))}".split())


def _seat_name(seat: SeatRecord) -> str:
    return mention(seat.user) if seat.computer is None else computer_name(seat.computer)


def finished_match_content(
    snapshot: PublicSnapshot, presentation: Presentation, table: Spot | None
) -> MessageContent:
    """A finished match: its result, and buttons to replay, export or open its table."""
    buttons: list[Button | Link] = [
        Button(label="Replay", press=Press(snapshot.match, 0, "replay"), style="primary"),
        Button(label="Export", press=Press(snapshot.match, 0, "export")),
    ]
    if table is not None:
        buttons.append(Link(label="Go to the table", url=table.url(snapshot.guild)))
    return MessageContent(
        head=f"{heading(snapshot, presentation)}\n{_ending(snapshot, presentation)}",
        rows=(tuple(buttons),),
        color=OVER,
    )
