"""The list of a person's matches: a line for each, with links and buttons to table and hand."""

from collections import Counter
from collections.abc import Sequence
from itertools import chain, groupby
from typing import Final

from bot.matches.listing import Entry, Want
from bot.messaging.components import Button, Press, Row
from bot.messaging.content import MessageContent, balanced
from bot.rendering.agreements import names_or_all, offer_sentence
from bot.rendering.challenge import terms
from bot.rendering.phrases import (
    NO_MATCH,
    RUNNING,
    START_A_MATCH,
    countdown,
    page_turns,
    play_command,
    seat_names,
    timestamp,
    title,
)
from bot.rendering.presentation import Presentations
from bot.storage import MatchId
from bot.text import listed
from games import Seat

MATCHES_PER_PAGE: Final = 8
"""Even with the longest lines, this many fit in the 4000 characters of a message."""

ACTS = ACCEPT, DECLINE, WITHDRAW, RESUME, UNPAUSE = (
    "accept",
    "decline",
    "withdraw",
    "resume",
    "unpause",
)
"""The arguments of buttons that act on a match from the list."""

LISTED: Final = "listed"
"""The argument of a button that opens a hand from the list."""

HEADINGS: Final[dict[Want, str]] = {
    "move": "Your turn",
    "agreement": "Waiting for your answer",
    "answer": "Challenges for you",
    "resuming": "Paused",
    "held": "Out of time",
    "others": "Waiting for others",
    "players": "Your challenges",
}
NOTHING: Final = (
    "You have no matches or challenges right now. To start one, use {play}, or right-click someone "
    "in a server (on a phone, press and hold their name) and choose **Apps**, then **Challenge**."
)


def match_list_content(
    entries: Sequence[Entry],
    presentations: Presentations,
    page: int,
    *,
    here: int | None = None,
) -> MessageContent:
    """A page of the list, counted from 0; a page beyond the end shows the last one.

    `here` is the server where it's shown; None in direct messages.
    """
    if not entries:
        nothing = NOTHING.format(play=play_command(None))
        return MessageContent(
            head=f"### Your matches\n{nothing}", rows=((START_A_MATCH,),), color=RUNNING
        )
    last = (len(entries) - 1) // MATCHES_PER_PAGE
    page = min(page, last)
    lines = ["### Your matches"]
    shown = entries[page * MATCHES_PER_PAGE : (page + 1) * MATCHES_PER_PAGE]
    marked = [entry for entry in shown if _buttons(entry, page, 0, here)]
    numbers = {entry.snapshot.match: i for i, entry in enumerate(marked, start=1)}
    for wants, group in groupby(shown, key=lambda entry: entry.wants):
        lines.append(f"**{HEADINGS[wants]}**")
        for entry in group:
            number = numbers.get(entry.snapshot.match)
            sign = "" if number is None else f"**{number}.** "
            at_table = number is None and entry.table is not None
            lines.append(f"- {sign}{_line(entry, presentations, at_table=at_table)}")
    pages = f" · page {page + 1} of {last + 1}" if last else ""
    turns = page_turns(Press(NO_MATCH, page, "games"), last)
    return MessageContent(
        head="\n".join(lines),
        foot=f"-# {_count(entries)}{pages}",
        rows=(*_button_rows(marked, page, here), turns),
        color=RUNNING,
    )


def _is_own(entry: Entry) -> bool:
    """Whether it's a challenge that this person made, and so can withdraw."""
    return entry.wants == "players" and entry.snapshot.seat == 0


def _opens(entry: Entry, here: int | None) -> bool:
    """Whether the list has a button that opens the hand here.

    Always for a solo match, whose hand isn't kept up to date elsewhere for long. For any other if
    its player is asked for something but has no hand message; they may not reach the table.
    """
    if entry.snapshot.is_solo:
        return True
    is_asked = entry.wants in {"move", "agreement"} and entry.snapshot.status == "running"
    return is_asked and entry.hand is None and _can_reach(entry, here)


def next_to_open(entries: Sequence[Entry], last: MatchId, here: int | None) -> Entry | None:
    """The next match that waits for this person and whose hand opens here; None if there is none.

    `last` is the match they were shown last. The search begins after it and continues from the
    top; playing on in a match moves it to the end of the list.
    """
    waiting = [
        entry
        for entry in entries
        if entry.snapshot.match == last
        or (entry.wants in {"move", "agreement"} and _opens(entry, here))
    ]
    at = next((i for i, entry in enumerate(waiting) if entry.snapshot.match == last), -1)
    others = (*waiting[at + 1 :], *waiting[: max(at, 0)])
    return others[0] if others else None


def _can_reach(entry: Entry, here: int | None) -> bool:
    """Whether a click here can act on the match: it can't in a server other than its own."""
    return here in {None, entry.snapshot.guild}


def _resume_act(entry: Entry) -> str | None:
    """The act that resumes a match from the list, as its table's button does; None if none can.

    A match that lost its channel needs a new one: the one where `/resume` is used.
    """
    snapshot = entry.snapshot
    if snapshot.counts_at is not None:
        return None if snapshot.own.agrees == "resume" else RESUME
    return UNPAUSE if entry.wants == "resuming" and snapshot.rests else None


def _button_rows(marked: Sequence[Entry], page: int, here: int | None) -> tuple[Row, ...]:
    """The buttons of all these entries, which are numbered from 1."""
    numbered = enumerate(marked, start=1)
    return balanced(tuple(chain.from_iterable(_buttons(e, page, i, here) for i, e in numbered)))


def _buttons(entry: Entry, page: int, number: int, here: int | None) -> tuple[Button, ...]:
    """The buttons of an entry: to open its hand, resume it, or answer or withdraw a challenge.

    Its own message has such buttons too, but may be far up in its channel, or deleted.
    """
    match = entry.snapshot.match
    if _opens(entry, here):
        label = f"{'Answer' if entry.wants == 'agreement' else 'Play'} {number}"
        return (Button(label=label, press=Press(match, 0, "hand", LISTED), style="primary"),)
    resume = _resume_act(entry)
    if resume is not None and _can_reach(entry, here):
        press = Press(match, page, "games", resume)
        return (Button(label=f"Resume {number}", press=press, style="success"),)
    if _is_own(entry):
        press = Press(match, page, "games", WITHDRAW)
        return (Button(label=f"Withdraw {number}", press=press),)
    if entry.wants != "answer":
        return ()
    accept, decline = (Press(match, page, "games", what) for what in (ACCEPT, DECLINE))
    return (
        Button(label=f"Accept {number}", press=accept, style="success"),
        Button(label=f"Decline {number}", press=decline),
    )


def _count(entries: Sequence[Entry]) -> str:
    """How many matches are below each heading, on all pages together."""
    counts = Counter(entry.wants for entry in entries)
    return " · ".join(f"{HEADINGS[wants]}: {count}" for wants, count in counts.items())


def _line(entry: Entry, presentations: Presentations, *, at_table: bool) -> str:
    """The line of a match; `at_table` if its buttons are at the table and not in this list."""
    snapshot = entry.snapshot
    what = title(snapshot, presentations[snapshot.game])
    parts = [what if entry.table is None else f"[{what}]({entry.table})"]
    parts[0] += f" {_with_whom(entry)}"
    if entry.wants == "agreement" and snapshot.status == "running":
        where = "; answer at the table" if at_table else ""
        parts.append(f"{offer_sentence(snapshot, seat_names(snapshot), named=True)}{where}")
    if entry.wants == "resuming":
        parts.append(f"match {snapshot.match}")
    if snapshot.counts_at is not None:
        parts.append(_resuming(entry, timestamp(snapshot.counts_at), at_table=at_table))
    elif snapshot.rests and snapshot.due_at is not None:
        how = "; press **Resume** at the table to play on" if at_table else ""
        parts.append(f"until {timestamp(snapshot.due_at)}{how}")
    elif snapshot.paused:
        until = "" if snapshot.due_at is None else f" before {timestamp(snapshot.due_at)}"
        parts.append(f"I lost access to its channel; use `/resume` in one that I can use{until}")
    elif snapshot.view is None:
        parts.append(terms(snapshot))
    elif snapshot.deadline is not None:
        parts.append(f"time limit: {countdown(snapshot.deadline)}")
    if entry.hand is not None:
        parts.append(f"[{presentations[snapshot.game].hand_name}]({entry.hand})")
    return " · ".join(parts)


def _resuming(entry: Entry, until: str, *, at_table: bool) -> str:
    """Who wants to resume a match that timed out, and what this player can do about it."""
    snapshot = entry.snapshot
    if snapshot.own.agrees == "resume":
        return f"you want to resume it; waiting for an answer until {until}"
    who = seat_names(snapshot)
    eager = [who[i] for i, info in enumerate(snapshot.seats) if info.agrees == "resume"]
    press = f"press **Resume match** at the table before {until}"
    if not eager:
        return f"to play on, {press}" if at_table else f"can be resumed until {until}"
    answer = press if at_table else f"answer before {until}"
    verb = "wants" if len(eager) == 1 else "want"
    return f"{names_or_all(eager, who)} {verb} to resume it; {answer}"


def _with_whom(entry: Entry) -> str:
    snapshot, who = entry.snapshot, seat_names(entry.snapshot)
    others = [name for i, name in enumerate(who) if Seat(i) != snapshot.seat]
    match entry.wants:
        case "answer":
            return f"from {who[0]}"
        case "players":
            asked = [who[i] for i, info in enumerate(snapshot.seats) if not info.accepted]
            more = [f"{snapshot.open_seats} more to join"] if snapshot.open_seats else []
            return f"waiting for {listed([*asked, *more])}"
        case _:
            return f"against {listed(others)}"
