"""Leaderboards as messages: one game's with a picture, or the top of every game."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot.messaging.components import Option, Press, Row, Select
from bot.messaging.content import MessageContent, Picture
from bot.ratings import PROVISIONAL, rating_text
from bot.rendering.colors import GOLD
from bot.rendering.phrases import (
    NO_MATCH,
    game_menu,
    page_turns,
    play_command,
    shared_win_note,
    timestamp,
)
from bot.stats.leaderboards import PERIODS, Board, Overview, Query
from bot.storage.leaderboards import StandingRecord
from bot.storage.pages import PageRecord
from bot.storage.seasons import SeasonRecord
from bot.text import counted, escaped
from cogs.leaderboard.pictures import Chart, Line, draw
from games import GAMES

_MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}
MAX_OLDER_SEASONS: Final = 20
"""Earlier seasons that the menu offers; the command takes any."""

UNKNOWN: Final = (
    "\n-# Discord didn't tell me who's still in this server, so people who left may be listed."
)


def board_content(board: Board) -> MessageContent:
    """A page of one game's leaderboard."""
    game, page = GAMES[board.game], board.page
    head = f"### Leaderboard · {game.title} · {escaped(board.title)}"
    rows = rows_of(board.query, board.seasons)
    if not page.lines:
        return MessageContent(
            head=f"{head}\n{_nothing(board)}", foot=_own(board, game.title), rows=rows, color=GOLD
        )
    lines = "\n".join(standing_line(line) for line in page.lines)
    turns = page_turns(Press(NO_MATCH, page.number, "board", str(board.query)), page.last)
    order_note = f"{_order(board.since)}{_draws({board.game: page})}"
    page_note = f" · page {page.number + 1} of {page.last + 1}" if page.last else ""
    return MessageContent(
        head=f"{head}\n{lines}",
        picture=_picture(board),
        foot=f"{_own(board, game.title)}\n-# {order_note}{page_note}"
        + ("" if board.complete else UNKNOWN),
        rows=(turns, *rows),
        color=GOLD,
    )


def overview_content(overview: Overview) -> MessageContent:
    """The top of every game that is played in the server."""
    head = f"### Leaderboards · {escaped(overview.title)}"
    rows = rows_of(overview.query, overview.seasons)
    if not overview.lines:
        return MessageContent(
            head=f"{head}\n{nobody(overview.query, 'finished a rated match here')} To start one, "
            f"use {play_command(None)}. Matches against computers have a leaderboard of their own: "
            "choose **Against computers** below.",
            rows=rows,
            color=GOLD,
        )
    parts = [head]
    for game, page in overview.lines.items():
        parts.append(f"**{GAMES[game].title}** · {counted(page.total, 'player')}")
        parts += [standing_line(line) for line in page.lines]
        if page.own is not None and page.own not in page.lines:
            parts.append(standing_line(page.own))
    return MessageContent(
        head="\n".join(parts),
        foot=f"-# {_order(overview.since)}{_draws(overview.lines)}"
        + ("" if overview.complete else UNKNOWN),
        rows=rows,
        color=GOLD,
    )


def placed(place: int, user: int) -> str:
    """The beginning of a person's line on every leaderboard: place and name."""
    return f"{_MEDALS.get(place, f'**{place}.**')} <@{user}>"


def so_far(query: Query) -> str:
    """The end of a sentence that nothing has happened: `yet`, or `in this period`."""
    return "yet" if query.period == "all" else "in this period"


def nobody(query: Query, done: str) -> str:
    """That a leaderboard is empty; others may have done this, but have left or are hidden."""
    return f"No member who shows their results has {done} {so_far(query)}."


def standing_line(line: StandingRecord) -> str:
    """A person's line: place, name, rating and record."""
    rating = "" if line.rating is None else f" · **{shown_rating(line)}**"
    draws = [counted(line.drawn, "draw")] if line.drawn else []  # phones lack room for zeros
    record = ", ".join((counted(line.won, "win"), *draws, counted(line.lost, "loss", "losses")))
    return f"{placed(line.place, line.user)}{rating} · {record}"


def shown_rating(line: StandingRecord) -> str:
    return "" if line.rating is None else rating_text(line.rating, established=line.established)


def _own(board: Board, title: str) -> str:
    page, me = board.page, board.me
    if page.own is None:
        return (
            f"📍 <@{me}> isn't on this list: no rated match of {title} {so_far(board.query)}, or "
            "hidden (`/privacy visibility`)."
        )
    rating = "" if page.own.rating is None else f", {shown_rating(page.own)}"
    return f"📍 <@{me}>: place {page.own.place} of {page.total}{rating}"


def _order(since: int | None) -> str:
    if since is not None:
        # With the time of day: west of UTC, midnight UTC is on the day before.
        order = "ordered by wins, then draws, then fewer losses"
        return f"Rated matches since {timestamp(since)}, {order}"
    return (
        f"Ordered by rating; ? means provisional (fewer than {PROVISIONAL} rated matches), listed "
        "last"
    )


def _draws(pages: Mapping[str, PageRecord[StandingRecord]]) -> str:
    """A note on what else counts as a draw in these games, if draws are shown."""
    drawn = [game for game, page in pages.items() if any(line.drawn for line in page.lines)]
    return "".join(f"; {note}" for note in shared_win_note(drawn))


def _nothing(board: Board) -> str:
    return (
        f"{nobody(board.query, f'finished a rated match of {GAMES[board.game].title} here')} To "
        f"start one, use {play_command(board.game)}."
    )


def rows_of(query: Query, seasons: Sequence[SeasonRecord]) -> tuple[Row, ...]:
    """Menus of other games, other periods and the other ladder."""
    games = game_menu(
        Press(NO_MATCH, 0, "board", "game"), lambda game: str(replace(query, game=game)), query.game
    )
    return games, _periods(query, seasons), _ladders(query)


def _ladders(query: Query) -> Select:
    options = tuple(
        Option(
            label=label,
            value=str(replace(query, computers=computers)),
            chosen=computers == query.computers,
        )
        for label, computers in (("Between people", False), ("Against computers", True))
    )
    return Select(
        placeholder="Ladder", press=Press(NO_MATCH, 0, "board", "ladder"), options=options
    )


def _periods(query: Query, seasons: Sequence[SeasonRecord]) -> Row:
    """A menu of periods; of seasons only if there has been one."""
    names = {key: name for key, name in PERIODS.items() if key != "season" or seasons}
    if seasons:
        names["season"] = f"{PERIODS['season']}: {seasons[0].name}"
    names |= {f"s{season.id}": season.name for season in seasons[1 : MAX_OLDER_SEASONS + 1]}
    chosen = query.period
    if seasons and query.season == seasons[0].id:
        chosen = "season"
    options = tuple(
        Option(label=name, value=str(replace(query, period=key)), chosen=key == chosen)
        for key, name in names.items()
    )
    return Select(placeholder="Time", press=Press(NO_MATCH, 0, "board", "time"), options=options)


def _picture(board: Board) -> Picture:
    lines = tuple(
        Line(
            place=line.place,
            rating=line.rating,
            established=line.established,
            won=line.won,
            drawn=line.drawn,
            lost=line.lost,
            own=line.user == board.me,
        )
        for line in board.page.lines
    )
    return Picture("leaderboard", draw, Chart(lines), _alt_text(board))


def _alt_text(board: Board) -> str:
    """The alt text: all that the picture says."""
    sentences = []
    for line in board.page.lines:
        rating = "" if line.rating is None else f" rating {shown_rating(line)},"
        own = " (the person who asked)" if line.user == board.me else ""
        record = f"{line.won} won, {line.drawn} drawn, {line.lost} lost"
        sentences.append(f"Place {line.place}{own}:{rating} {record}.")
    return " ".join(sentences)
