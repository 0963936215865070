"""A person's statistics as a message, with a plot of ratings."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import Final

from bot.drawing.plots import Line, Plot, draw
from bot.messaging.components import Press
from bot.messaging.content import MessageContent, Picture
from bot.ratings import is_established, rating_text
from bot.rendering.colors import BLUE
from bot.rendering.phrases import (
    NO_MATCH,
    page_turns,
    play_command,
    shared_win_note,
    variant_summary,
)
from bot.rendering.presentation import Presentations
from bot.settings.guilds import ServerName
from bot.stats.profiles import Profile, Tally
from bot.stats.rating_history import Point, RatingHistory
from bot.stats.streaks import Streaks
from bot.storage.profiles import FORMER, PRIVATE, OpponentRecord
from bot.text import capitalized, counted, escaped
from cogs.stats.phrases import (
    PROVISIONAL_NOTE,
    about,
    ahead_note,
    games_menu,
    matches,
    record,
    servers_menu,
    won_lost,
)
from games import GAMES

MAX_LISTED_SERVERS: Final = 6
"""Servers whose ratings are listed: this many fit in a message, even with the longest names."""

_KINDS: Final = {"won": ("win", "wins"), "drawn": ("draw", "draws"), "lost": ("loss", "losses")}


def profile_content(
    profile: Profile, presentations: Presentations, name: ServerName
) -> MessageContent:
    """The statistics of one person."""
    query = profile.query
    title = f"### Statistics · <@{query.user}> · {about(query, profile.guild, name)}"
    menus = (games_menu(query), *servers_menu(query, profile.servers, name))
    if not profile.total.matches:
        text = "\n".join([title, _nothing(profile), *_solo_lines(profile)])
        return MessageContent(head=text, rows=menus, color=BLUE)
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
        picture=plot_of(profile.ratings),
        foot="\n".join([*_opponents(profile), *_solo_lines(profile)]),
        rows=(turns, *menus),
        color=BLUE,
    )


def _nothing(profile: Profile) -> str:
    query = profile.query
    what = "match" if query.game is None else f"match of {GAMES[query.game].title}"
    place = "" if profile.guild is None else " here" if query.server is None else " there"
    return (
        f"<@{query.user}> hasn't finished a {what} against people{place} yet. To start one in a "
        f"server, use {play_command(query.game)}. Matches with a computer are in `/history`."
    )


def _solo_lines(profile: Profile) -> list[str]:
    """The solo matches, a line for each game."""
    lines = [
        f"- {GAMES[game].title} · {matches(tally)}: {record(tally)}"
        for game, tally in profile.solo.items()
        if game in GAMES
    ]
    if not lines:
        return []
    is_said = bool(_draws_note(profile.games))
    note = [] if is_said else _draws_note(profile.solo)
    return ["**On your own, against computers**", *lines, *note]


def _draws_note(tallies: Mapping[str, Tally]) -> list[str]:
    """A note on what else counts as a draw in these games, if there are draws."""
    drawn = [game for game, tally in tallies.items() if tally.drawn]
    return [f"-# {capitalized(note)}" for note in shared_win_note(drawn)]


def _summary(profile: Profile, presentations: Presentations) -> list[str]:
    total = profile.total
    lines = [
        f"**{matches(total)}**: {record(total)} · {percent(total.won, total.matches)}% won",
        told_streaks(profile.streaks),
        *_draws_note(profile.games),
    ]
    liked = profile.favorite
    if liked is not None and liked.game in presentations:
        variant = variant_summary(liked.game, presentations[liked.game].variant(liked.options))
        times = counted(liked.matches, "match", "matches")
        lines.append(f"Favorite variant: **{GAMES[liked.game].title} · {variant}**, {times}")
    return lines


def percent(part: int, whole: int) -> int:
    """A share in whole percent; 0 only for none, and 100 only for all."""
    rounded = round(100 * part / whole)
    return min(max(rounded, 1), 99) if 0 < part < whole else rounded


def told_streaks(streaks: Streaks) -> str:
    """The current streak and the longest ones, of a person who has played."""
    assert streaks.last is not None  # None only before the first match
    length, kind = streaks.length, _KINDS[streaks.last]
    now = f"now **{counted(length, *kind)}{' in a row' if length > 1 else ''}**"
    unbeaten = streaks.unbeaten if streaks.unbeaten > streaks.won else 0  # else it's that one
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
    """Ratings and their last change: by game, or by server if there are several servers."""
    histories = sorted(profile.ratings, key=_game_index)
    if len({history.guild for history in histories}) > 1:
        return [*_by_game(profile, {}), *_by_server(histories, profile, name)]
    rated = {history.game: told_rating(history) for history in histories}
    if profile.query.game is not None:
        text = rated.get(profile.query.game, "no rated matches")
        return [capitalized(text)]
    return _by_game(profile, {game: rated.get(game, "no rated matches") for game in profile.games})


def _by_game(profile: Profile, rated: Mapping[str, str]) -> list[str]:
    """A line for each game, with its text in `rated`, if any; none if one game was asked for."""
    if profile.query.game is not None:
        return []
    return [
        f"- **{GAMES[game].title}** · {matches(tally)}: {record(tally)}"
        + (f" · {rated[game]}" if game in rated else "")
        for game, tally in profile.games.items()
    ]


def told_rating(history: RatingHistory) -> str:
    """For example `rating **1585** (+12), best 1612`."""
    best = "" if history.best == history.now else f", best {_shown(history.best)}"
    return f"rating **{_shown(history.now)}** ({history.change:+d}){best}"


def _by_server(histories: Sequence[RatingHistory], profile: Profile, name: ServerName) -> list[str]:
    """A line for each server, the ones with most matches first."""
    order = list(profile.servers)
    ordered = sorted(histories, key=lambda history: order.index(history.guild))
    lines = [
        f"- **{escaped(name(guild))}** · "
        + ", ".join(f"{GAMES[h.game].title} **{_shown(h.now)}** ({h.change:+d})" for h in group)
        for guild, group in groupby(ordered, key=lambda history: history.guild)
    ]
    more = len(lines) - MAX_LISTED_SERVERS
    return [
        "**Ratings**",
        *lines[:MAX_LISTED_SERVERS],
        *([f"-# and {counted(more, 'more server')}"] if more > 0 else []),
    ]


def _shown(point: Point) -> str:
    return rating_text(point.rating, established=is_established(point.nth))


def _rating_note(profile: Profile) -> list[str]:
    """What the parentheses and question marks at ratings mean."""
    if not profile.ratings:
        return []
    notes = ["in parentheses: change in the last rated match"]
    points = [point for history in profile.ratings for point in (history.now, history.best)]
    if any(not is_established(point.nth) for point in points):
        notes.append(PROVISIONAL_NOTE)
    return [f"-# {' · '.join(notes)}"]


def _opponents(profile: Profile) -> list[str]:
    page = profile.opponents
    page_note = f" · page {page.number + 1} of {page.last + 1}" if page.last else ""
    lines = [f"**Most frequent opponents**{page_note}", *map(_opponent, page.lines)]
    return [*lines, f"-# {_opponents_note(profile)}"]


def _opponent(line: OpponentRecord) -> str:
    who = {FORMER: "former players", PRIVATE: "players who keep their results private"}
    return (
        f"- {who.get(line.user, f'<@{line.user}>')} · "
        f"{counted(line.matches, 'match', 'matches')}: "
        f"{won_lost(line.ahead, line.level, line.behind)}"
    )


def _opponents_note(profile: Profile) -> str:
    """Which matches these numbers count and how, and how to see those against one opponent."""
    notes = ["Only matches without computers", *ahead_note(profile.games)]
    notes.append("`/stats` `versus` compares you with one of them")
    return " · ".join(notes)


def plot_of(histories: Sequence[RatingHistory]) -> Picture | None:
    """The plot of ratings over time; None if no line can be drawn, or for several servers.

    Lines of several servers couldn't be labeled: a server's name is text by users.
    """
    drawn = [history.thinned() for history in histories if len(history.points) > 1]
    if not drawn or len({history.guild for history in histories}) > 1:
        return None
    drawn.sort(key=_game_index)
    return Picture("rating", draw, Plot(tuple(map(_line, drawn))), _alt_text(histories))


def _line(history: RatingHistory) -> Line:
    return Line(
        name=GAMES[history.game].title,
        style=_game_index(history),
        points=tuple((point.at, point.rating) for point in history.points),
        provisional=sum(not is_established(point.nth) for point in history.points),
        best=history.points.index(history.best),
    )


def _game_index(history: RatingHistory) -> int:
    """The index of its game among all games."""
    return list(GAMES).index(history.game)


def _alt_text(histories: Sequence[RatingHistory]) -> str:
    """The alt text: all that the plot says."""
    return " ".join(["Rating over time.", *(_in_words(h) for h in histories if len(h.points) > 1)])


def _in_words(history: RatingHistory) -> str:
    begin, worst, best, now = history.points[0], history.worst, history.best, history.now
    return (
        f"{GAMES[history.game].title}, {now.nth} rated matches: {_shown(begin)} on {_day(begin)}, "
        f"lowest {_shown(worst)} on {_day(worst)}, best {_shown(best)} on {_day(best)}, "
        f"now {_shown(now)} since {_day(now)}."
    )


def _day(point: Point) -> str:
    moment = datetime.fromtimestamp(point.at, UTC)
    return f"{moment.day} {moment:%b %Y}"
