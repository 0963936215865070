"""Words and menus that profiles and rivalries share."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from bot.messaging.components import Option, Press, Row, Select
from bot.ratings import PROVISIONAL
from bot.rendering.phrases import NO_MATCH, game_menu, seats_more_than_two
from bot.settings.guilds import ServerName
from bot.stats.profiles import Query, Tally
from bot.text import counted, escaped
from games import GAMES

MAX_OFFERED_SERVERS: Final = 24
"""Servers in a menu, besides `All servers`."""

PROVISIONAL_NOTE: Final = f"? means provisional: fewer than {PROVISIONAL} rated matches"


def ahead_note(played: Iterable[str]) -> list[str]:
    """A note on who wins with more than two players, if one of these games has room for them."""
    several = seats_more_than_two(played)
    return ["with more than two players, the one ahead wins"] if several else []


def record(tally: Tally) -> str:
    """For example `7 won, 1 drawn, 4 lost`, or `7 won, 4 lost` without draws."""
    return won_lost(tally.won, tally.drawn, tally.lost)


def won_lost(won: int, drawn: int, lost: int) -> str:
    """Numbers of matches by result, as in `record`; draws only if there were any."""
    draws = f" {drawn} drawn," if drawn else ""
    return f"{won} won,{draws} {lost} lost"


def about(query: Query, guild: int | None, name: ServerName) -> str:
    """Which matches are counted, for the title: the game, and outside a server, which servers."""
    game = "all games" if query.game is None else GAMES[query.game].title
    if query.server is not None:
        return f"{game} · {escaped(name(query.server))}"
    return f"{game} · all servers" if guild is None else game


def matches(tally: Tally) -> str:
    """For example `12 matches`."""
    return counted(tally.matches, "match", "matches")


def games_menu(query: Query) -> Row:
    """A menu of one game, or all of them."""
    return game_menu(
        Press(NO_MATCH, 0, "stats", "game"), lambda game: str(replace(query, game=game)), query.game
    )


def servers_menu(query: Query, played: Mapping[int, int], name: ServerName) -> tuple[Row, ...]:
    """A menu of servers, for direct messages; none if there's only one to choose from.

    `played` is the number of matches by server; empty in a server.
    """
    if len(played) < 2 and query.server is None:
        return ()
    options = [
        Option(
            label="All servers", value=str(replace(query, server=None)), chosen=query.server is None
        )
    ]
    options += [
        Option(
            label=name(guild),
            value=str(replace(query, server=guild)),
            note=counted(count, "match", "matches"),
            chosen=guild == query.server,
        )
        for guild, count in list(played.items())[:MAX_OFFERED_SERVERS]
    ]
    press = Press(NO_MATCH, 0, "stats", "server")
    return (Select(placeholder="Server", press=press, options=tuple(options)),)
