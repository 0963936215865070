"""What somebody has played, in words and as a plot."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import Final

from discord.utils import escape_markdown

from bot.drawing.plots import Line, Plot, draw
from bot.messaging.components import Press
from bot.messaging.content import MessageContent, Picture
from bot.ratings import is_established, shown
from bot.rendering.colors import BLUE
from bot.rendering.phrases import NO_MATCH, in_short, page_turns, play_command
from bot.rendering.presentation import Presentations
from bot.settings.guilds import ServerName
from bot.stats.profiles import Profile
from bot.stats.rating_history import Point, RatingHistory
from bot.stats.streaks import Streaks
from bot.storage.profiles import FORMER, PRIVATE, OpponentRecord
from bot.text import capitalized, counted
from cogs.stats.phrases import (
    PROVISIONAL_NOTE,
    about,
    ahead_note,
    games,
    record,
    servers,
    won_lost,
)
from games import GAMES

MAX_LISTED_SERVERS: Final = 6
"""Servers whose ratings are told in one message: with the longest names so many find room."""

_KINDS: Final = {"won": ("win", "wins"), "drawn": ("draw", "draws"), "lost": ("loss", "losses")}
_STYLES: Final = tuple(GAMES)


def profile_content(
    profile: Profile, presentations: Presentations, name: ServerName
) -> MessageContent:
    """The statistics of one person."""
    query = profile.query
    title = f"### Statistics · <@{query.user}> · {about(query, profile.guild, name)}"
    menus = (games(query), *servers(query, profile.servers, name))
    if not profile.total.matches:
        told = "\n".join([title, _nothing(profile), *_alone(profile)])
        return MessageContent(head=told, rows=menus, color=BLUE)
    page = profile.opponents
    turns = page_turns(Press(NO_MATCH, page.number, "stats", str(query)), page.last)
    return MessageContent(
        head="\n".join(
            [
                title,
                *_summary(profile, presentations),
                *_ratings(profile, name),
                *_rating_note(profile),
            ]
        ),
        picture=plot_of(profile.courses),
        foot="\n".join([*_opponents(profile), *_alone(profile)]),
        rows=(turns, *menus),
        color=BLUE,
    )


def _nothing(profile: Profile) -> str:
    query = profile.query
    what = "match" if query.game is None else f"match of {GAMES[query.game].title}"
    where = "" if profile.guild is None else " here" if query.server is None else " there"
    return (
        f"<@{query.user}> hasn't finished a {what} against people{where} yet. To start one in a "
        f"server, use {play_command(query.game)}. Matches with a computer are in `/history`."
    )


def _alone(profile: Profile) -> list[str]:
    """The matches that belong to no server, a line a game."""
    lines = [
        f"- {GAMES[game].title} · {counted(tally.matches, 'match', 'matches')}: {record(tally)}"
        for game, tally in profile.alone.items()
        if game in GAMES
    ]
    return ["**On your own, against computers**", *lines] if lines else []


def _summary(profile: Profile, presentations: Presentations) -> list[str]:
    total = profile.total
    played = counted(total.matches, "match", "matches")
    lines = [
        f"**{played}**: {record(total)} · {percent(total.won, total.matches)}% won",
        told_streaks(profile.streaks),
    ]
    liked = profile.favorite
    if liked is not None and liked.game in presentations:
        variant = in_short(liked.game, presentations[liked.game].variant(liked.options))
        times = counted(liked.matches, "match", "matches")
        lines.append(f"Favorite variant: **{GAMES[liked.game].title} · {variant}**, {times}")
    return lines


def percent(part: int, whole: int) -> int:
    """A share in whole percent; 0 and 100 stand for none and all only."""
    rounded = round(100 * part / whole)
    return min(max(rounded, 1), 99) if 0 < part < whole else rounded


def told_streaks(streaks: Streaks) -> str:
    """How somebody stands now, and the longest streaks there have been."""
    assert streaks.last is not None  # told of somebody who has played
    length, kind = streaks.length, _KINDS[streaks.last]
    now = f"now **{counted(length, *kind)}{' in a row' if length > 1 else ''}**"
    unbeaten = streaks.unbeaten if streaks.unbeaten > streaks.won else 0  # else wins say it all
    longest = [
        words
        for length, words in (
            (streaks.won, counted(streaks.won, "win")),
            (unbeaten, f"{counted(unbeaten, 'match', 'matches')} unbeaten"),
            (streaks.lost, counted(streaks.lost, "loss", "losses")),
        )
        if length
    ]
    return f"Streaks: {now} · longest {', '.join(longest)}"


def _ratings(profile: Profile, name: ServerName) -> list[str]:
    """Ratings with what the last match did: by game, or by server where there are several."""
    courses = sorted(profile.courses, key=lambda course: _STYLES.index(course.game))
    if len({course.guild for course in courses}) > 1:
        return [*_by_game(profile, {}), *_by_server(courses, profile, name)]
    rated = {course.game: told_rating(course) for course in courses}
    if profile.query.game is not None:
        told = rated.get(profile.query.game, "no rated matches")
        return [capitalized(told)]
    return _by_game(profile, {game: rated.get(game, "no rated matches") for game in profile.games})


def _by_game(profile: Profile, rated: Mapping[str, str]) -> list[str]:
    """A line a game, where there are several, with what is told of its rating."""
    if profile.query.game is not None:
        return []
    return [
        f"- **{GAMES[game].title}** · {counted(tally.matches, 'match', 'matches')}: {record(tally)}"
        + (f" · {rated[game]}" if game in rated else "")
        for game, tally in profile.games.items()
    ]


def told_rating(course: RatingHistory) -> str:
    """For example `rating **1585** (+12), best 1612`."""
    best = "" if course.best == course.now else f", best {_shown(course.best)}"
    return f"rating **{_shown(course.now)}** ({course.change:+d}){best}"


def _by_server(courses: Sequence[RatingHistory], profile: Profile, name: ServerName) -> list[str]:
    """A line a server, those first where most was played."""
    order = list(profile.servers)
    ordered = sorted(courses, key=lambda course: order.index(course.guild))
    lines = [
        f"- **{escape_markdown(name(guild))}** · "
        + ", ".join(f"{GAMES[c.game].title} **{_shown(c.now)}** ({c.change:+d})" for c in group)
        for guild, group in groupby(ordered, key=lambda course: course.guild)
    ]
    more = len(lines) - MAX_LISTED_SERVERS
    return [
        "**Ratings**",
        *lines[:MAX_LISTED_SERVERS],
        *([f"-# and {counted(more, 'more server')}"] if more > 0 else []),
    ]


def _shown(point: Point) -> str:
    return shown(point.rating, established=is_established(point.nth))


def _rating_note(profile: Profile) -> list[str]:
    """What the signs at a rating mean, beside them."""
    if not profile.courses:
        return []
    notes = ["(+12): change in the last rated match"]
    told = [point for course in profile.courses for point in (course.now, course.best)]
    if any(not is_established(point.nth) for point in told):
        notes.append(PROVISIONAL_NOTE)
    return [f"-# {' · '.join(notes)}"]


def _opponents(profile: Profile) -> list[str]:
    page = profile.opponents
    where = f" · page {page.number + 1} of {page.last + 1}" if page.last else ""
    lines = [f"**Most frequent opponents**{where}", *map(_opponent, page.lines)]
    return [*lines, f"-# {_opponents_note(profile)}"]


def _opponent(line: OpponentRecord) -> str:
    who = {FORMER: "former players", PRIVATE: "players who keep their results private"}
    return (
        f"- {who.get(line.user, f'<@{line.user}>')} · "
        f"{counted(line.matches, 'match', 'matches')}: "
        f"{won_lost(line.ahead, line.level, line.behind)}"
    )


def _opponents_note(profile: Profile) -> str:
    """Which matches count there and how, and the way to those with one opponent."""
    notes = ["Only matches without computers", *ahead_note(profile.games)]
    notes.append("`/stats` `versus` compares you with one of them")
    return " · ".join(notes)


def plot_of(courses: Sequence[RatingHistory]) -> Picture | None:
    """The ratings over time; None where there is no line to be drawn, or they are of many servers.

    Lines of several servers could not be told apart: their names are people's own words.
    """
    drawn = [course.thinned() for course in courses if len(course.points) > 1]
    if not drawn or len({course.guild for course in courses}) > 1:
        return None
    drawn.sort(key=lambda course: _STYLES.index(course.game))
    return Picture("rating", draw, Plot(tuple(map(_line, drawn))), _told(courses))


def _line(course: RatingHistory) -> Line:
    return Line(
        name=GAMES[course.game].title,
        style=_STYLES.index(course.game),
        points=tuple((point.at, point.rating) for point in course.points),
        provisional=sum(not is_established(point.nth) for point in course.points),
        best=course.points.index(course.best),
    )


def _told(courses: Sequence[RatingHistory]) -> str:
    """All that the plot says."""
    return " ".join(["Rating over time.", *(_course(c) for c in courses if len(c.points) > 1)])


def _course(course: RatingHistory) -> str:
    begin, worst, best, now = course.points[0], course.worst, course.best, course.now
    return (
        f"{GAMES[course.game].title}, {now.nth} rated matches: {_shown(begin)} on {_day(begin)}, "
        f"lowest {_shown(worst)} on {_day(worst)}, best {_shown(best)} on {_day(best)}, "
        f"now {_shown(now)} since {_day(now)}."
    )


def _day(point: Point) -> str:
    moment = datetime.fromtimestamp(point.at, UTC)
    return f"{moment.day} {moment:%b %Y}"
