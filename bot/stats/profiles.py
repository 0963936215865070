"""A user's statistics: overall, or against one other user."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, Final, Self

import structlog

from bot import codec
from bot.errors import ButtonError, CorruptRecordError, MatchError
from bot.messaging.components import id_in, outdated
from bot.settings.people import Person, must_be_a_person
from bot.stats.rating_history import RatingHistory, rating_histories
from bot.stats.streaks import Streaks, streaks
from bot.stats.visibility import NOBODY, Audience
from bot.storage import Spot, Storage, Transaction
from bot.storage.pages import PageRecord
from bot.storage.profiles import (
    End,
    MeetingRecord,
    OpponentRecord,
    PlayedRecord,
    RatingRecord,
    ScopeRecord,
)
from games import GAMES

log = structlog.get_logger()

PER_PAGE: Final = 10
LATEST: Final = 5
"""Matches of two users with each other that are listed."""

_AGAIN: Final = "Use `/stats` again."
_NONE: Final = "-"
_WORDS, _PICTURE = "w", "p"


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """Which statistics a user wants to see; `str` gives its text for a button."""

    user: int
    game: str | None = None
    """None for all games."""

    rival: int = NOBODY
    """The other user to compare with; NOBODY for statistics against everyone."""

    server: int | None = None
    """Only matches in this server; for one's own statistics in direct messages."""

    words: bool = False
    """Whether to show it without a picture."""

    def __str__(self) -> str:
        form = _WORDS if self.words else _PICTURE
        # One of the two is enough: a server is chosen only for one's own, in direct messages.
        subject = self.user if self.server is None else f"s{self.server}"
        return f"{subject} {self.game or _NONE} {self.rival} {form}"

    @property
    def people(self) -> tuple[int, ...]:
        """The ids of the users it is about."""
        return (self.user, self.rival) if self.rival else (self.user,)

    @classmethod
    def parse(cls, text: str, *, user: int) -> Self:
        """The query in the text of a button that `user` pressed; ButtonError for other texts."""
        try:
            subject, game, rival, form = text.split(" ")
            query = cls(
                user=user if subject.startswith("s") else id_in(subject, again=_AGAIN),
                game=None if game == _NONE else game,
                rival=NOBODY if rival == str(NOBODY) else id_in(rival, again=_AGAIN),
                server=id_in(subject[1:], again=_AGAIN) if subject.startswith("s") else None,
                words={_WORDS: True, _PICTURE: False}[form],
            )
        except (ValueError, KeyError):
            raise outdated(_AGAIN) from None
        if query.game is not None and query.game not in GAMES:
            raise ButtonError("This menu is out of date. Use `/stats` again.")
        return query


def query_of(
    me: int, user: Person | None, game: str | None, rival: Person | None, *, words: bool
) -> Query:
    """The query of a command that `me` used; raises MatchError for bots, and for equal users."""
    for person in (user, rival):
        if person is not None:
            must_be_a_person(person)
    whose = me if user is None else user.id
    if rival is not None and rival.id == whose:
        raise MatchError(
            "You can't compare someone with themselves. Choose someone else for `versus`."
        )
    other = NOBODY if rival is None else rival.id
    return Query(user=whose, game=game, rival=other, words=words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    matches: int
    won: int
    drawn: int
    lost: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Favorite:
    game: str
    options: Any  # of the game's own type
    matches: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A user's statistics."""

    query: Query
    guild: int | None
    """None for all servers."""

    total: Tally
    games: Mapping[str, Tally]
    """By game; most played first."""

    servers: Mapping[int, int]
    """Matches per server, by id, to choose a server from; most matches first."""

    streaks: Streaks
    favorite: Favorite | None
    ratings: Sequence[RatingHistory]
    opponents: PageRecord[OpponentRecord]
    solo: Mapping[str, Tally] = field(default_factory=dict)
    """Solo matches by game, which count in no other field; only in one's own, for all servers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rivalry:
    """The matches of two users with each other, from the view of the first; see `Profile`."""

    query: Query
    guild: int | None
    total: Tally
    games: Mapping[str, Tally]
    servers: Mapping[int, int]
    streaks: Streaks
    latest: Sequence[tuple[MeetingRecord, Spot | None]]
    """The last matches and their tables, if known; newest first."""

    ratings: Sequence[RatingRecord]
    """The ratings of both; empty unless it is about one server."""


class Profiles:
    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def profile(self, query: Query, audience: Audience, page: int) -> Profile:
        """A user's statistics, with a page of their opponents, counted from 0."""
        scope = _scope(query, audience)
        async with self._storage.reading(heavy=True) as reading:
            servers = await self._servers(reading, query, audience)
            matches = await reading.profiles.played(scope)
            liked = await reading.profiles.favorite(scope)
            is_own = scope.guild is None and audience.asker == query.user
            solo = await reading.profiles.solo(query.user, query.game) if is_own else ()
            opponents = await reading.profiles.opponents(
                scope,
                onlooker=audience.onlooker,
                first=page * PER_PAGE,
                count=PER_PAGE,
            )
        return Profile(
            query=query,
            guild=scope.guild,
            total=_tally(matches),
            games=_by_game(matches),
            servers=servers,
            streaks=streaks(match.end for match in matches),
            favorite=None if liked is None else _decoded(liked.game, liked.options, liked.matches),
            ratings=rating_histories(matches),
            solo={
                game: Tally(matches=number, won=won, drawn=drawn, lost=number - won - drawn)
                for game, number, won, drawn in solo
            },
            opponents=opponents,
        )

    async def rivalry(self, query: Query, audience: Audience) -> Rivalry:
        """The statistics of two users against each other."""
        scope = _scope(query, audience)
        async with self._storage.reading(heavy=True) as reading:
            # Outside of servers, the user can choose a server in which these two have played.
            asked = scope if audience.guild is not None else replace(scope, guild=None)
            everywhere = await reading.profiles.meetings(asked, query.rival)
            met = [m for m in everywhere if scope.guild in {None, m.guild}]
            latest = met[-LATEST:][::-1]
            tables = await reading.messages.tables_of([meeting.match for meeting in latest])
            both = (query.user, query.rival)
            rated = [] if scope.guild is None else await reading.profiles.ratings(scope.guild, both)
        return Rivalry(
            query=query,
            guild=scope.guild,
            total=_tally(met),
            games=_by_game(met),
            servers={} if audience.guild is not None else _by_server(everywhere),
            streaks=streaks(meeting.end for meeting in met),
            latest=[(meeting, tables.get(meeting.match)) for meeting in latest],
            ratings=rated,
        )

    async def _servers(
        self, reading: Transaction, query: Query, audience: Audience
    ) -> Mapping[int, int]:
        """A user's matches per server, to choose a server; empty if the audience is in one."""
        if audience.guild is not None:
            return {}
        return await reading.profiles.guilds(ScopeRecord(user=query.user, game=query.game))


def _scope(query: Query, audience: Audience) -> ScopeRecord:
    guild = query.server if audience.guild is None else audience.guild
    return ScopeRecord(user=query.user, guild=guild, game=query.game)


def _tally(matches: Sequence[PlayedRecord | MeetingRecord]) -> Tally:
    ends: Counter[End] = Counter(match.end for match in matches)
    return Tally(matches=len(matches), won=ends["won"], drawn=ends["drawn"], lost=ends["lost"])


def _by_game(matches: Sequence[PlayedRecord | MeetingRecord]) -> dict[str, Tally]:
    ordered = sorted(matches, key=lambda match: match.game)
    tallies = {
        game: _tally(list(group)) for game, group in groupby(ordered, key=lambda match: match.game)
    }
    return dict(sorted(tallies.items(), key=lambda item: -item[1].matches))


def _by_server(matches: Sequence[MeetingRecord]) -> dict[int, int]:
    """The number of these matches in each server, by id; most matches first."""
    return dict(Counter(match.guild for match in matches).most_common())


def _decoded(game: str, options: str, matches: int) -> Favorite | None:
    try:
        return Favorite(
            game=game, options=codec.decode(GAMES[game].options, options), matches=matches
        )
    except (KeyError, CorruptRecordError) as error:  # the rest of the profile can still be shown
        log.warning("corrupt options", game=game, problem=type(error).__name__)
        return None
