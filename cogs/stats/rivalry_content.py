"""What two people have played against each other, as a message."""

from bot.messaging.content import MessageContent
from bot.ratings import rating_text
from bot.rendering.colors import BLUE
from bot.rendering.phrases import play_command
from bot.settings.guilds import ServerName
from bot.stats.profiles import Rivalry, Tally
from bot.storage import Spot
from bot.storage.profiles import MeetingRecord
from cogs.stats.phrases import (
    PROVISIONAL_NOTE,
    about,
    ahead_note,
    games_menu,
    matches,
    servers_menu,
)
from games import GAMES


def rivalry_content(rivalry: Rivalry, name: ServerName) -> MessageContent:
    """The statistics of one person against another."""
    query = rivalry.query
    title = f"### <@{query.user}> against <@{query.rival}> · {about(query, rivalry.guild, name)}"
    menus = (games_menu(query), *servers_menu(query, rivalry.servers, name))
    if not rivalry.total.matches:
        nothing = _nothing(rivalry)
        return MessageContent(head=f"{title}\n{nothing}", rows=menus, color=BLUE)
    lines = [title, f"**{matches(rivalry.total)}**: {_record(rivalry, rivalry.total)}"]
    lines += _streak(rivalry)
    if query.game is None and len(rivalry.games) > 1:
        lines += [
            f"- **{GAMES[game].title}** · {matches(tally)}: {_record(rivalry, tally)}"
            for game, tally in rivalry.games.items()
        ]
    lines += _ratings(rivalry)
    latest = ["**Last matches**", *(_meeting(rivalry, *each) for each in rivalry.latest)]
    return MessageContent(
        head="\n".join(lines),
        foot="\n".join([*latest, f"-# {_notes(rivalry)}"]),
        rows=menus,
        color=BLUE,
    )


def _nothing(rivalry: Rivalry) -> str:
    query = rivalry.query
    what = "match" if query.game is None else f"match of {GAMES[query.game].title}"
    place = "" if rivalry.guild is None else " here" if query.server is None else " there"
    return (
        f"<@{query.user}> and <@{query.rival}> haven't finished a {what} together{place} yet. To "
        f"start one in a server, use {play_command(query.game)}."
    )


def _record(rivalry: Rivalry, tally: Tally) -> str:
    """Who leads, for example `<@7> leads 3 to 1, 2 drawn`."""
    query = rivalry.query
    fewer, more = sorted((tally.won, tally.lost))
    leader = query.user if tally.won > tally.lost else query.rival
    draws = f"{tally.drawn} drawn"
    if not more:
        return draws
    score = f"<@{leader}> leads {more} to {fewer}" if fewer < more else f"tied at {more} each"
    return f"{score}, {draws}" if tally.drawn else score


def _streak(rivalry: Rivalry) -> list[str]:
    query, streaks = rivalry.query, rivalry.streaks
    if streaks.length < 2:
        return []
    if streaks.last == "drawn":
        return [f"The last {streaks.length} were drawn."]
    winner = query.user if streaks.last == "won" else query.rival
    return [f"<@{winner}> has won the last {streaks.length}."]


def _ratings(rivalry: Rivalry) -> list[str]:
    """The ratings of both in the games that they've played against each other."""
    lines = []
    for user in (rivalry.query.user, rivalry.query.rival):
        rated = {
            line.game: rating_text(line.rating, established=line.established)
            for line in rivalry.ratings
            if line.user == user
        }
        texts = [
            f"{GAMES[game].title} **{rated[game]}**" for game in rivalry.games if game in rated
        ]
        if texts:
            lines.append(f"Rating of <@{user}>: {', '.join(texts)}")
    return lines


def _meeting(rivalry: Rivalry, meeting: MeetingRecord, table: Spot | None) -> str:
    query, what = rivalry.query, GAMES[meeting.game].title
    if table is not None:
        what = f"[{what}]({table.url(meeting.guild)})"
    winner = query.user if meeting.end == "won" else query.rival
    how = "drawn" if meeting.end == "drawn" else f"<@{winner}> won"
    return f"- {what} · {how} · <t:{meeting.ended_at}:R>"


def _notes(rivalry: Rivalry) -> str:
    notes = ["`/history` has replays", *ahead_note(rivalry.games)]
    if any(not line.established for line in rivalry.ratings):
        notes.append(PROVISIONAL_NOTE)
    return " · ".join(notes)
