"""The tables as SQLAlchemy sees them; `migrations/` makes them, and a test compares the two.

Those that one repository alone knows stand in its module.

Ids of Discord are whole numbers below 2^63. Times are seconds since 1970, UTC. Columns that hold
a person's id are named `user`, `opener`, `blocked` or `actor`; a test asks of each, and of any
other that has room for an id of Discord, whether it is forgotten.
"""

from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ColumnElement,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    Sequence,
    Table,
    Text,
    TextClause,
    UniqueConstraint,
    false,
    text,
)

NUMBER: Final = Integer().with_variant(BigInteger(), "postgresql")
"""A whole number: SQLite's may have 64 bits in any case, PostgreSQL's INTEGER ends in 2038."""

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _where(
    condition: ColumnElement[bool] | TextClause, *, on_postgresql: TextClause | None = None
) -> dict[str, Any]:
    """The condition of a partial index, for either database."""
    other = condition if on_postgresql is None else on_postgresql
    return {"sqlite_where": condition, "postgresql_where": other}


_RATED: Final = _where(text("rated = 1"), on_postgresql=text("rated"))


matches = Table(
    "matches",
    metadata,
    Column("id", NUMBER, primary_key=True),
    Column("interaction", BigInteger, nullable=False, unique=True),  # of the challenge: once each
    Column("game", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("guild", BigInteger),  # null: a solo match, which belongs to no server
    Column("channel", BigInteger),  # where its table is; a solo match has none
    Column("opener", BigInteger, nullable=False),
    Column("wanted", NUMBER, nullable=False),  # players in all; open seats have no row yet
    Column("pace", Text, nullable=False),
    Column("tap", Boolean, nullable=False),  # hands as buttons on the table
    Column("rated", Boolean, nullable=False),  # counts for ratings, unless a step was taken back
    Column("limited", Boolean, nullable=False),  # would, but its players have had enough that day
    Column(
        "predecessor", ForeignKey("matches.id", ondelete="SET NULL"), unique=True
    ),  # of a rematch
    Column("seed", Text),  # secret until the match is over
    Column("schema", NUMBER),  # number of the state's shape, see bot/state_upgrades.py
    Column("state", Text),  # null until the deal
    Column("step", NUMBER, nullable=False),  # plays so far
    Column("turn", NUMBER, nullable=False),  # steps of one seat in a row are one turn
    Column("late", Text, nullable=False),  # seats for which the clock played last, as "0 2"
    Column("due_at", NUMBER),  # when the clock acts: expiry, a deadline, 30 days of silence
    Column("closes_at", NUMBER),  # when silence ends it, as its players were told
    Column("deadline", NUMBER),  # of this turn, for seats without rest or reserve; null: no clock
    Column("paused_at", NUMBER),  # since when it is paused
    Column("paused_why", Text),  # lost: there is no place to play it; agreed: its players want it
    Column("remark", Text),  # what happened since the last step besides moves, for the table
    Column("counts_at", NUMBER),  # when a result by time counts; until then it can be resumed
    Column("taken_back", Boolean, nullable=False),  # a step was
    Column("opened_at", NUMBER, nullable=False),
    Column("begun_at", NUMBER),
    Column("ended_at", NUMBER),
    Column("ending", Text),  # what ended it, unless that is in the state
    Column("settled", Boolean, nullable=False),  # the end stands on the table and all hands
    Column("revision", NUMBER, nullable=False),  # transactions that changed what can be seen
    CheckConstraint(
        "status IN ('open', 'running', 'over', 'declined', 'withdrawn', 'expired', 'closed')",
        name="status",
    ),
    CheckConstraint(
        "pace IN ('live', 'today', 'today_reserve', 'slow', 'slow_reserve', 'relaxed', 'none')",
        name="pace",
    ),
    CheckConstraint("(guild IS NULL) = (channel IS NULL)", name="home"),
    sqlite_autoincrement=True,  # a button of a deleted match must never fit a newer one
)
# All that tells which messages are behind, so that a start need not read the matches themselves.
Index(
    "ix_matches_unsettled",
    *(matches.c[name] for name in ("settled", "id", "status", "revision")),
    **_where(~matches.c.settled),
)
Index("ix_matches_due_at", matches.c.due_at, **_where(matches.c.due_at.is_not(None)))
Index(
    "ix_matches_unanswered",
    matches.c.ended_at,
    **_where(text("status IN ('withdrawn', 'expired')")),
)
Index("ix_matches_held", matches.c.id, **_where(matches.c.counts_at.is_not(None)))
Index("ix_matches_guild", matches.c.guild)
# With what is said of all of them as a column: without it SQLite takes the index before this one.
Index("ix_matches_live", matches.c.guild, matches.c.settled, **_where(~matches.c.settled))
Index("ix_matches_opener", matches.c.opener)
Index("ix_matches_rated", matches.c.guild, matches.c.begun_at, **_RATED)

seats = Table(
    "seats",
    metadata,
    Column("match", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", NUMBER, primary_key=True),
    Column("user", BigInteger, nullable=False),  # 0 for a computer
    Column("accepted", Boolean, nullable=False),
    Column("left", NUMBER),  # 1 for the first that conceded, 2 for the next; else null
    Column("left_step", NUMBER),
    Column("left_why", Text),  # resigned, time, unseated
    Column("strikes", NUMBER, nullable=False),  # turns in a row that the clock played
    Column("invited", Boolean, nullable=False),  # named by the challenge
    Column("nudged_at", NUMBER),  # when another player last nudged it
    Column("agrees", Text),  # to what it agrees now: see `Agreement`
    Column("wished", Boolean),  # has asked the others for a rematch, who are told of that once
    Column("rested", NUMBER, nullable=False),  # seconds that its clock rests in this turn
    Column("reserve", NUMBER),  # seconds left for moves that take longer; null: it has no reserve
    Column("away_until", NUMBER),  # the end of its player's vacation
    Column("signal", NUMBER),  # the seat that it publicly calls ahead, where a game has signals
    Column("computer", Text),  # the level of a computer that sits here; null for a person
    Column("plays_here", Boolean),  # 1: with My hand or by taps; 0: has been away; null: neither
    # The notice with which its hand last came by direct message; null where it came with none:
    Column("told", NUMBER),  # its id
    Column("told_event", Text),
    Column("told_turn", NUMBER),  # of the match when it happened
    Column("told_by", NUMBER),  # the seat that did it
)
# With the match, so that of all that somebody ever had those in play can be found alone.
Index("ix_seats_user_match", seats.c.user, seats.c.match)

moves = Table(
    "moves",
    metadata,
    Column("match", NUMBER, primary_key=True),
    Column("step", NUMBER, primary_key=True),
    Column("seat", NUMBER, primary_key=True),
    Column("move", Text, nullable=False),  # the game's notation; secret until the step resolves
    Column("how", Text, nullable=False),  # chosen, forced, time, computer
    Column("made_at", NUMBER, nullable=False),
    ForeignKeyConstraint(
        ["match", "seat"], ["seats.match", "seats.seat"], name="fk_moves_seats", ondelete="CASCADE"
    ),
    sqlite_with_rowid=False,
)

places = Table(
    "places",
    metadata,
    Column("match", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("place", NUMBER, primary_key=True),  # a seat's hand, -1: table, -2: signpost
    Column("channel", BigInteger, nullable=False),
    Column("message", BigInteger, nullable=False),
    Column("shown", Text, nullable=False),  # what stands there, to be compared with what should
    Column("turn", NUMBER, nullable=False),  # in which its message was sent
    Column("revision", NUMBER, nullable=False),  # of the match as it stands there; 0: an older one
    Column("leftover", BigInteger),  # the message it stands in place of, until that is deleted
    Column("coming", Boolean, nullable=False),  # a new message is being sent in place of this one
    # A table or signpost that could not show the end of its match: it was out of reach.
    Column("unshown", Boolean, nullable=False, server_default=false()),
    # Secret: the interaction by which the message can be edited uncounted, until it expires.
    Column("token", Text),
    Column("token_until", NUMBER),
    Column("token_message", BigInteger),  # a follow-up of the interaction; null: its own message
    sqlite_with_rowid=False,
)
Index("ix_places_revision", places.c.match, places.c.revision)
_UNSHOWN: Final = _where(text("unshown = 1"), on_postgresql=text("unshown"))
Index("ix_places_unshown", places.c.match, **_UNSHOWN)
Index("ix_places_token_until", places.c.token_until, **_where(places.c.token_until.is_not(None)))

notices = Table(
    "notices",
    metadata,
    Column("id", NUMBER, primary_key=True),
    Column("match", ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
    Column("user", BigInteger, nullable=False),  # who is to be told
    Column("event", Text, nullable=False),
    Column("actor", BigInteger),  # who did it; null where nobody did, and for a former player
    Column("turn", NUMBER, nullable=False),  # of the match when it happened
    Column("due_at", NUMBER, nullable=False),  # when it is told, if it still holds then
    UniqueConstraint("match", "user", "event", name="uq_notices_match_user_event"),
    sqlite_autoincrement=True,  # the id is the nonce of its message
)
Index("ix_notices_due_at", notices.c.due_at)
Index("ix_notices_user", notices.c.user)
Index("ix_notices_actor", notices.c.actor, **_where(notices.c.actor.is_not(None)))

sent_notices = Table(
    "sent_notices",
    metadata,
    Column("match", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("user", BigInteger, primary_key=True),  # who was told
    Column("message", BigInteger, primary_key=True),
    Column("channel", BigInteger, nullable=False),
    Column("event", Text, nullable=False),
    Column("turn", NUMBER, nullable=False),  # as in `notices`
    sqlite_with_rowid=False,
)
Index("ix_sent_notices_user", sent_notices.c.user)

results = Table(
    "results",
    metadata,
    Column("match", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", NUMBER, primary_key=True),
    Column("guild", BigInteger),  # null for a solo match
    Column("game", Text, nullable=False),
    Column("user", BigInteger, nullable=False),
    Column("rank", NUMBER, nullable=False),
    Column("score", NUMBER, nullable=False),
    Column("won", NUMBER, nullable=False),  # alone in first place
    Column("drawn", NUMBER, nullable=False),  # first place shared
    Column("lost", NUMBER, nullable=False),
    Column("ended_at", NUMBER, nullable=False),
    Column("sequence", NUMBER, nullable=False),  # in which matches ended; one for all its seats
    Column("rated", Boolean, nullable=False),
    Column("season", NUMBER),  # of the server when it ended
    # What it did to the rating of all times; null where it did nothing, and for a former player:
    Column("before", NUMBER),
    Column("after", NUMBER),
    Column("nth", NUMBER),  # how many rated matches with this one
    Column("computer", Text),  # the level of a computer that sat here; null for a person
    Column("levels", Text),  # of all computers of the match, as "easy strong"; null without any
)
# All that is asked of one person's results, so that the rows themselves need not be looked up.
Index(
    "ix_results_history",
    *(results.c[name] for name in ("user", "guild", "sequence", "game", "match", "rank")),
    *(results.c[name] for name in ("won", "drawn", "ended_at", "before", "after", "nth", "levels")),
)
Index("ix_results_met", results.c.match, results.c.user, results.c.rank)
Index("ix_results_sequence", results.c.sequence)
Index(
    "ix_results_board",
    *(results.c[name] for name in ("guild", "game", "ended_at", "user", "won", "drawn", "lost")),
    **_RATED,
)
Index("ix_results_week", results.c.guild, results.c.ended_at)
Index(
    "ix_results_ladder",
    *(results.c[name] for name in ("guild", "game", "ended_at", "user")),
    **_where(text("levels IS NOT NULL")),
)

results_sequence = Sequence("results_sequence", metadata=metadata)
"""Where PostgreSQL takes `results.sequence` from; SQLite has no such thing."""

seasons = Table(
    "seasons",
    metadata,
    Column("id", NUMBER, primary_key=True),
    Column("guild", BigInteger, nullable=False),
    Column("name", Text, nullable=False),
    Column("folded", Text, nullable=False),  # the name without regard to case and spacing
    Column("started_at", NUMBER, nullable=False),  # it ends when the next one starts
    Column("announce_in", BigInteger),  # the channel; null once everybody was told
    UniqueConstraint("guild", "folded", name="uq_seasons_guild_folded"),
    sqlite_autoincrement=True,
)
Index("ix_seasons_announce_in", seasons.c.announce_in, **_where(text("announce_in IS NOT NULL")))

ratings = Table(
    "ratings",
    metadata,
    Column("guild", BigInteger, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("season", NUMBER, primary_key=True),  # 0: of all times
    Column("user", BigInteger, primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("rating", NUMBER, nullable=False),  # the number that people see
    Column("established", Boolean, nullable=False),  # not provisional any more
    Column("matches", NUMBER, nullable=False),
    Column("won", NUMBER, nullable=False),
    Column("drawn", NUMBER, nullable=False),
    Column("lost", NUMBER, nullable=False),
    sqlite_with_rowid=False,
)
Index("ix_ratings_user", ratings.c.user)

people = Table(
    "people",
    metadata,
    Column("user", BigInteger, primary_key=True, autoincrement=False),
    Column("dm_channel", BigInteger),
    Column("dm_closed_at", NUMBER),  # when Discord last refused a direct message
    Column("dm_opened_at", NUMBER),  # when its channel was last opened: so many an hour may be
    Column("desk", Text),  # dm, here; null: as the owner of the bot has set
    Column("pictures", Boolean, nullable=False),
    Column("forced", Boolean),  # play forced moves by themselves; null: as the game does
    Column("notices", Text, nullable=False),  # ways that were chosen, as "over=none time=channel"
    Column("remind_before", NUMBER),  # seconds before a deadline; null: a quarter of the pace
    Column("hidden", Boolean, nullable=False),  # on no leaderboard
    # nobody may challenge them by name
    Column("left_alone", Boolean, nullable=False, server_default=false()),
)
Index(
    "ix_people_dm_opened_at",
    people.c.dm_opened_at,
    **_where(people.c.dm_opened_at.is_not(None)),
)

blocks = Table(
    "blocks",
    metadata,
    Column("user", BigInteger, primary_key=True),
    Column("blocked", BigInteger, primary_key=True),  # whose challenges the user does not want
    sqlite_with_rowid=False,
)

vacations = Table(
    "vacations",
    metadata,
    Column("user", BigInteger, primary_key=True),
    Column("guild", BigInteger, primary_key=True),
    Column("started_at", NUMBER, primary_key=True),
    Column("until", NUMBER, nullable=False),  # when it was ended, if that was earlier than planned
    sqlite_with_rowid=False,
)


watches = Table(
    "watches",
    metadata,
    Column("match", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("user", BigInteger, primary_key=True),  # who is told when the match is over
    sqlite_with_rowid=False,
)
Index("ix_watches_user", watches.c.user)

lessons = Table(
    "lessons",
    metadata,
    Column("user", BigInteger, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("exercise", Text, nullable=False),  # the key of the one to go on with
    Column("number", NUMBER, nullable=False),  # its place in the lesson, should it be gone
    Column("done", Boolean, nullable=False),  # has been through all of it
    sqlite_with_rowid=False,
)

servers = Table(
    "servers",
    metadata,
    Column("guild", BigInteger, primary_key=True, autoincrement=False),
    Column("pace", Text),  # of matches for which none is named
    Column("tap", Boolean),
    Column("threads", Boolean, nullable=False),  # each match in a thread of its own
    Column("games_off", Text, nullable=False),  # keys of the games that are switched off
    Column("time_off_barred", Text, nullable=False),  # kinds of time off that nobody may take
    Column("left_at", NUMBER),  # when the bot was removed
    Column("puzzle_channel", BigInteger),  # where the daily puzzle is posted; null: nowhere
    Column("digest_channel", BigInteger),  # where the weekly digest is posted; null: nowhere
)
for _channel in (servers.c.puzzle_channel, servers.c.digest_channel):
    Index(f"ix_servers_{_channel.name}", _channel, **_where(_channel.is_not(None)))

server_channels = Table(
    "server_channels",
    metadata,
    Column("guild", BigInteger, primary_key=True),
    Column("channel", BigInteger, primary_key=True),  # where matches may be played; none: anywhere
    sqlite_with_rowid=False,
)

synced_commands = Table(
    "synced_commands",
    metadata,
    Column("application", BigInteger, primary_key=True, autoincrement=False),
    Column("fingerprint", Text, nullable=False),
    Column("ids", Text),  # of the commands by name, as Discord gave them when it took them
)
