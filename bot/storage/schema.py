"""The database's tables. `migrations/` creates them, and a test compares the two.

A table that only one repository uses is defined in its module. Times are Unix times in seconds, ids
of Discord integers below 2^63. Columns with a person's id are named `user`, `opener`, `blocked` or
`actor`; a test checks that deleting a person covers them and all others that have room for such an
id.
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
"""A 64-bit integer on either database; PostgreSQL's INTEGER would overflow in 2038."""

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
    """The arguments that give a partial index its condition, on either database."""
    other = condition if on_postgresql is None else on_postgresql
    return {"sqlite_where": condition, "postgresql_where": other}


_RATED: Final = _where(text("rated = 1"), on_postgresql=text("rated"))


matches = Table(
    "matches",
    metadata,
    Column("id", NUMBER, primary_key=True),
    Column("interaction", BigInteger, nullable=False, unique=True),  # the one that opened it
    Column("game", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("guild", BigInteger),  # null: a solo match
    Column("channel", BigInteger),  # of its table; null: a solo match
    Column("opener", BigInteger, nullable=False),
    Column("wanted", NUMBER, nullable=False),  # number of players; open seats have no row yet
    Column("pace", Text, nullable=False),
    Column("tap", Boolean, nullable=False),  # hands are buttons on the table
    Column("rated", Boolean, nullable=False),  # changes ratings, unless a step was taken back
    Column("limited", Boolean, nullable=False),  # casual, or would be, by the daily limit per pair
    Column(
        "predecessor", ForeignKey("matches.id", ondelete="SET NULL"), unique=True
    ),  # the match that this is a rematch of
    Column("seed", Text),  # secret until the match is over
    Column("schema", NUMBER),  # version of the state's format, see bot/matches/state_upgrades.py
    Column("state", Text),  # null until the deal
    Column("step", NUMBER, nullable=False),  # steps resolved so far
    Column("turn", NUMBER, nullable=False),  # consecutive steps of one seat share a turn
    Column("late", Text, nullable=False),  # seats the clock played for in the last step, as "0 2"
    Column("due_at", NUMBER),  # when the clock acts: expiry, a deadline, 30 days of silence
    Column("closes_at", NUMBER),  # when silence ends it, as announced to its players
    Column("deadline", NUMBER),  # of the turn, for a seat with no rest or reserve; null: no clock
    Column("paused_at", NUMBER),  # null: not paused
    Column("paused_why", Text),  # lost: its channel or server is gone; agreed: by its players
    Column("remark", Text),  # what happened besides moves since the last step
    Column("counts_at", NUMBER),  # when a held result counts; until then it can be resumed
    Column("taken_back", Boolean, nullable=False),  # whether a step was taken back
    Column("opened_at", NUMBER, nullable=False),
    Column("begun_at", NUMBER),
    Column("ended_at", NUMBER),
    Column("ending", Text),  # what ended it, other than its rules
    Column("settled", Boolean, nullable=False),  # all its messages show how it ended
    Column("revision", NUMBER, nullable=False),  # transactions that changed anything visible
    CheckConstraint(
        "status IN ('open', 'running', 'over', 'declined', 'withdrawn', 'expired', 'closed')",
        name="status",
    ),
    CheckConstraint(
        "pace IN ('live', 'today', 'today_reserve', 'slow', 'slow_reserve', 'relaxed', 'none')",
        name="pace",
    ),
    CheckConstraint("(guild IS NULL) = (channel IS NULL)", name="home"),
    sqlite_autoincrement=True,  # a deleted match's buttons must never fit a newer one
)
# Covers the query for matches whose messages are behind, so that a start doesn't read the matches
# themselves.
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
# Includes `settled`, though it is the same for all rows: without it, SQLite uses the index above.
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
    Column("left", NUMBER),  # order of leaving, from 1; null while it plays
    Column("left_step", NUMBER),
    Column("left_why", Text),  # see `Why`
    Column("strikes", NUMBER, nullable=False),  # consecutive turns that the clock played
    Column("invited", Boolean, nullable=False),  # named by the challenge
    Column("nudged_at", NUMBER),  # when another player last nudged it
    Column("agrees", Text),  # what it agrees to now, see `Agreement`
    Column("wished", Boolean),  # has asked for a rematch; the others are told once
    Column("rested", NUMBER, nullable=False),  # seconds added to the turn's deadline
    Column("reserve", NUMBER),  # seconds of reserve left; null: has no reserve
    Column("away_until", NUMBER),  # when its player's vacation ends
    Column("signal", NUMBER),  # the seat it publicly calls ahead, in games with signals
    Column("computer", Text),  # level of the computer in this seat; null: a person
    Column("plays_here", Boolean),  # 1: by My hand or taps; 0: has been away since; null: neither
    # The notice that its hand was last sent for by direct message; null if it was sent without one:
    Column("told", NUMBER),  # its id
    Column("told_event", Text),
    Column("told_turn", NUMBER),  # the match's turn when it happened
    Column("told_by", NUMBER),  # the seat that did it
)
# Ordered by match, to find a person's matches in play without reading all they ever played.
Index("ix_seats_user_match", seats.c.user, seats.c.match)

moves = Table(
    "moves",
    metadata,
    Column("match", NUMBER, primary_key=True),
    Column("step", NUMBER, primary_key=True),
    Column("seat", NUMBER, primary_key=True),
    Column("move", Text, nullable=False),  # the game's notation; secret until the step resolves
    Column("how", Text, nullable=False),  # see `How`
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
    Column("place", NUMBER, primary_key=True),  # a seat: its hand; -1: table; -2: signpost
    Column("channel", BigInteger, nullable=False),
    Column("message", BigInteger, nullable=False),
    Column("shown", Text, nullable=False),  # key of its content, compared with the current one
    Column("turn", NUMBER, nullable=False),  # the match's turn when the message was sent
    Column("revision", NUMBER, nullable=False),  # the match revision it shows; 0: unknown
    Column("leftover", BigInteger),  # the message it replaced, until that is deleted
    Column("coming", Boolean, nullable=False),  # a message that replaces it is being sent
    # A table or signpost that doesn't show the end of its match, because it was out of reach.
    Column("unshown", Boolean, nullable=False, server_default=false()),
    # Secret: the interaction token by which the message can be edited, uncounted, until it expires.
    Column("token", Text),
    Column("token_until", NUMBER),
    Column("token_message", BigInteger),  # the follow-up it edits; null: the original response
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
    Column("actor", BigInteger),  # who did it; null: nobody, or a former player
    Column("turn", NUMBER, nullable=False),  # the match's turn when it happened
    Column("due_at", NUMBER, nullable=False),  # when to send it, if it still holds then
    UniqueConstraint("match", "user", "event", name="uq_notices_match_user_event"),
    sqlite_autoincrement=True,  # the id is the nonce of its message, so it's never reused
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
    Column("turn", NUMBER, nullable=False),  # the match's turn when it happened
    sqlite_with_rowid=False,
)
Index("ix_sent_notices_user", sent_notices.c.user)

results = Table(
    "results",
    metadata,
    Column("match", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", NUMBER, primary_key=True),
    Column("guild", BigInteger),  # null: a solo match
    Column("game", Text, nullable=False),
    Column("user", BigInteger, nullable=False),
    Column("rank", NUMBER, nullable=False),
    Column("score", NUMBER, nullable=False),
    Column("won", NUMBER, nullable=False),  # alone in first place
    Column("drawn", NUMBER, nullable=False),  # shares first place
    Column("lost", NUMBER, nullable=False),
    Column("ended_at", NUMBER, nullable=False),
    Column("sequence", NUMBER, nullable=False),  # order in which matches ended; one per match
    Column("rated", Boolean, nullable=False),
    Column("season", NUMBER),  # the server's season when it ended
    # Its effect on the all-time rating; null if it had none, and for a former player:
    Column("before", NUMBER),
    Column("after", NUMBER),
    Column("nth", NUMBER),  # number of rated matches, including this one
    Column("computer", Text),  # level of the computer in this seat; null: a person
    Column("levels", Text),  # of all computers in the match, as "easy strong"; null: none
)
# Covers every query about one person's results, so that the rows themselves aren't looked up.
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
"""The source of `results.sequence` on PostgreSQL; SQLite has no sequences."""

seasons = Table(
    "seasons",
    metadata,
    Column("id", NUMBER, primary_key=True),
    Column("guild", BigInteger, nullable=False),
    Column("name", Text, nullable=False),
    Column("folded", Text, nullable=False),  # the name, ignoring case and spacing
    Column("started_at", NUMBER, nullable=False),  # it ends when the next one starts
    Column("announce_in", BigInteger),  # channel to announce it in; null once announced
    UniqueConstraint("guild", "folded", name="uq_seasons_guild_folded"),
    sqlite_autoincrement=True,
)
Index("ix_seasons_announce_in", seasons.c.announce_in, **_where(text("announce_in IS NOT NULL")))

ratings = Table(
    "ratings",
    metadata,
    Column("guild", BigInteger, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("season", NUMBER, primary_key=True),  # 0: all-time
    Column("user", BigInteger, primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("rating", NUMBER, nullable=False),  # the number shown
    Column("established", Boolean, nullable=False),  # no longer provisional
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
    Column("dm_opened_at", NUMBER),  # when its channel was last opened; limited per hour
    Column("desk", Text),  # dm or here; null: as the bot's owner has set
    Column("pictures", Boolean, nullable=False),
    Column("forced", Boolean),  # forced moves play themselves; null: the game's default
    Column("notices", Text, nullable=False),  # chosen ways, as "over=none time=channel"
    Column("remind_before", NUMBER),  # seconds before a deadline; null: a quarter of a turn
    Column("hidden", Boolean, nullable=False),  # from leaderboards and posts
    # Nobody may challenge them by name.
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
    Column("blocked", BigInteger, primary_key=True),  # whose challenges the user doesn't want
    sqlite_with_rowid=False,
)

vacations = Table(
    "vacations",
    metadata,
    Column("user", BigInteger, primary_key=True),
    Column("guild", BigInteger, primary_key=True),
    Column("started_at", NUMBER, primary_key=True),
    Column("until", NUMBER, nullable=False),  # when it ends, or was ended early
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
    Column("exercise", Text, nullable=False),  # key of the exercise to continue with
    Column("number", NUMBER, nullable=False),  # its index in the lesson, in case that key is gone
    Column("done", Boolean, nullable=False),  # has solved the whole lesson
    sqlite_with_rowid=False,
)

servers = Table(
    "servers",
    metadata,
    Column("guild", BigInteger, primary_key=True, autoincrement=False),
    Column("pace", Text),  # default time control; null: the bot's
    Column("tap", Boolean),
    Column("threads", Boolean, nullable=False),  # each match gets its own thread
    Column("games_off", Text, nullable=False),  # keys of disabled games
    Column("time_off_barred", Text, nullable=False),  # see `TimeOff`
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
    Column("channel", BigInteger, primary_key=True),  # where matches may be played; none: all
    sqlite_with_rowid=False,
)

synced_commands = Table(
    "synced_commands",
    metadata,
    Column("application", BigInteger, primary_key=True, autoincrement=False),
    Column("fingerprint", Text, nullable=False),
    Column("ids", Text),  # JSON: Discord's command ids by name
)
