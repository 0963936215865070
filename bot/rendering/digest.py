"""The weekly digest as a message: matches, upsets, wins in a row, a rivalry and the puzzles."""

from collections.abc import Iterator
from typing import Final

from bot.messaging.content import MessageContent
from bot.puzzles.calendar import date_of
from bot.ratings import rating_text
from bot.rendering.phrases import OPEN, mention
from bot.stats.digests import WEEK_DAYS, Digest
from bot.storage.digests import PairRecord, UpsetRecord, WeekRecord
from bot.text import counted
from games import GAMES

_FOOT: Final = (
    "-# From Monday to Sunday, UTC. `/leaderboard` and `/watch` show more; `/settings` turns this "
    "off."
)


def digest_content(digest: Digest) -> MessageContent:
    """The digest of a week in which something happened."""
    parts = (
        _heading(digest),
        *_played(digest.found),
        *_upsets(digest.found),
        *_streaks(digest.found),
        *map(_rivalry, digest.found.pairs),
        *_puzzles(digest.found),
    )
    return MessageContent(head="\n".join(parts), foot=_FOOT, color=OPEN)


def _heading(digest: Digest) -> str:
    first, last = date_of(digest.first_day), date_of(digest.first_day + WEEK_DAYS - 1)
    end = f"{last.day}" if first.month == last.month else f"{last:%B} {last.day}"
    return f"### The week here: {first:%B} {first.day} to {end}"


def _played(week: WeekRecord) -> Iterator[str]:
    total = sum(week.matches.values())
    computers = counted(week.with_computers, "match", "matches")
    if not total:
        if week.with_computers:
            yield f"🎲 **{computers}** against computers."
        return
    by_game = " · ".join(f"{GAMES[game].title} **{n}**" for game, n in week.matches.items())
    also = f" And {computers} against computers." if week.with_computers else ""
    players = counted(week.players, "player")
    yield f"🎲 **{counted(total, 'match', 'matches')}**, {players}: {by_game}.{also}"


def _upsets(week: WeekRecord) -> Iterator[str]:
    if week.upsets:
        yield "**Upsets**"
        yield from map(_upset, week.upsets)


def _upset(upset: UpsetRecord) -> str:
    low = rating_text(upset.winner_rating, established=upset.winner_settled)
    return (
        f"- {mention(upset.winner)} ({low}) beat {mention(upset.loser)} ({upset.loser_rating}) at "
        f"{GAMES[upset.game].title}"
    )


def _streaks(week: WeekRecord) -> Iterator[str]:
    if week.streaks:
        leaders = (f"{mention(line.user)} **{line.number}**" for line in week.streaks)
        yield f"🔥 **Wins in a row**: {' · '.join(leaders)}"


def _rivalry(pair: PairRecord) -> str:
    """Two people and how often each finished ahead, the leader first."""
    scores = sorted(zip(pair.ahead, pair.users, strict=True), key=lambda score: -score[0])
    drawn = pair.matches - sum(pair.ahead)
    parts = [f"{mention(user)} **{number}**" for number, user in scores]
    parts += [f"{drawn} drawn"] if drawn else []
    return f"⚔️ **Rivalry of the week**: {' · '.join(parts)}"


def _puzzles(week: WeekRecord) -> Iterator[str]:
    if not week.answers:
        return
    answers = counted(week.answers, "answer")
    right = f"{answers}, {week.solved} right"
    solvers = " · ".join(f"{mention(line.user)} **{line.number}**" for line in week.solvers)
    best = f" Most solved: {solvers}" if solvers else ""
    yield f"🧩 **Daily puzzle**: {right}.{best}"
