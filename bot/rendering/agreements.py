"""Words and buttons for what players offer each other: a draw, a pause, a rematch and so on."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Final

from bot.matches import MatchSnapshot
from bot.matches.agreements import OFFERS, WORDS, Offer
from bot.matches.levels import NAMES
from bot.messaging.components import Button, Link, Press, Row, Style
from bot.messaging.content import MAX_IN_ROW, MessageContent, balanced
from bot.rendering.challenge_form import harder_form
from bot.rendering.phrases import NO_MATCH, button, countdown
from bot.storage import Agreement
from bot.text import capitalized, listed
from games.computers import COMPUTERS

_ANSWERS: Final[Mapping[Offer, tuple[str, str]]] = MappingProxyType(
    {
        "draw": ("Accept the draw", "Decline"),
        "call_off": ("Call it off", "Keep playing"),
        "pause": ("Pause the match", "Don't pause"),
        "take_back": ("Take it back", "Leave it"),
    }
)

AGREED: Final[Mapping[Offer, str]] = MappingProxyType(
    {
        "draw": "Everyone agreed, so the match is over.",
        "call_off": "Everyone agreed, so the match is over.",
        "pause": "Everyone agreed, so the match is paused. Any player can press **Resume** at the "
        "table.",
        "take_back": "Everyone agreed, so the last step is taken back. The match won't be rated.",
    }
)
"""What the player who agrees last is told."""

AGREED_ALONE: Final[Mapping[Offer, str]] = MappingProxyType(
    {
        "draw": "You agreed to a draw, so the match is over.",
        "call_off": "You called the match off, so it's over.",
        "pause": "The match is paused. Press **Resume** at the table to play on.",
        "take_back": "The last step is taken back.",
    }
)
"""The same for a player whose remaining opponents are all computers."""


def offer_confirmation(what: Offer, *, replaces: bool) -> str:
    """What a player is told after making an offer: how long it's open.

    `replaces`: this player had offered or agreed to something else before.
    """
    # A take-back undoes the last step, and after any move that is a different step.
    ends = "it or leaves, anyone moves" if what == "take_back" else "it, moves or leaves"
    until = f"until another player declines {ends}, or you agree to another offer"
    text = f"You offered {WORDS[what]}. The offer stands {until}."
    return f"{text} It replaces what you offered or agreed to before." if replaces else text


def open_offers(snapshot: MatchSnapshot, names: Sequence[str]) -> str:
    """The open offers, who still has to answer them, and who declined; each on its own line."""
    lines = []
    for what in OFFERS:
        agreeing = _offering(snapshot, names, what)
        if not agreeing:
            continue
        asked = [
            names[i]
            for i, info in enumerate(snapshot.seats)
            if info.agrees != what and not info.left and info.computer is None
        ]
        does = f"{capitalized(listed(agreeing))} {_verb(agreeing)} {WORDS[what]}"
        lines.append(f"\n🤝 **{does}.** Waiting for {listed(asked)}.")
    lines += [
        f"\n🤝 {capitalized(names[i])} declined, so the match goes on."
        for i, info in enumerate(snapshot.seats)
        if info.agrees == "declined"
    ]
    return "".join(lines)


def offer_sentence(
    snapshot: MatchSnapshot, names: Sequence[str], by: int | None = None, *, named: bool = False
) -> str:
    """An offer that the reader can answer, as a sentence without its period: `@Ann offers a draw`.

    Of several offers, the one of the user `by` if there is one, else the first. `named`: the text
    has just named all of the reader's opponents, so they needn't be named again.
    """
    own = None if snapshot.own is None else snapshot.own.agrees
    theirs = {info.agrees for info in snapshot.seats if info.user == by}
    for what, words in sorted(WORDS.items(), key=lambda offer: offer[0] not in theirs):
        offering = _offering(snapshot, names, what)
        if offering and what != own:
            who = names_or_all(offering, names) if named else capitalized(listed(offering))
            return f"{who} {_verb(offering)} {words}"
    return "There is an offer"


def names_or_all(some: Sequence[str], names: Sequence[str]) -> str:
    """The names in `some`, or `all of them` if these are all opponents of the reader.

    For text that has just named all of these opponents. `names` includes the reader.
    """
    return "all of them" if len(some) == len(names) - 1 > 1 else listed(some)


def _offering(snapshot: MatchSnapshot, names: Sequence[str], what: Agreement) -> Sequence[str]:
    """The people who offer or want this, by name; not computers, which agree to anything."""
    return [
        names[i]
        for i, info in enumerate(snapshot.seats)
        if info.agrees == what and info.computer is None
    ]


def _verb(offering: Sequence[str]) -> str:
    return "offers" if len(offering) == 1 else "offer"


def answer_buttons(snapshot: MatchSnapshot) -> tuple[Row, ...]:
    """The buttons that answer open offers; on a hand, only offers its player hasn't agreed to.

    The two buttons of an offer stay side by side.
    """
    own = None if snapshot.own is None else snapshot.own.agrees
    pairs = []
    for what in OFFERS:
        if what == own or not any(info.agrees == what for info in snapshot.seats):
            continue
        yes, no = _ANSWERS[what]
        agree = button(snapshot, yes, "agree", what, style="success")
        pairs.append((agree, button(snapshot, no, "refuse", what)))
    return tuple(tuple(chain(*row)) for row in balanced(tuple(pairs), MAX_IN_ROW // 2))


def rematch_line(snapshot: MatchSnapshot, names: Sequence[str]) -> str:
    """Who wants a rematch, on a line of its own; "" if nobody does."""
    people = sum(info.computer is None for info in snapshot.seats)
    eager = _offering(snapshot, names, "rematch")
    if not eager:
        return ""
    if len(eager) == people:
        return "\n🔁 **The rematch has started.**"
    verb = "wants" if len(eager) == 1 else "want"
    return f"\n🔁 {capitalized(listed(eager))} {verb} a rematch ({len(eager)} of {people})."


def resume_line(snapshot: MatchSnapshot, names: Sequence[str], *, told: bool = False) -> str:
    """How long a match that timed out can be resumed, and who wants that; "" once it counts.

    `told`: another line of the message already says who asked first.
    """
    if snapshot.counts_at is None:
        return ""
    eager = [names[i] for i, info in enumerate(snapshot.seats) if info.agrees == "resume"]
    verb = "wants" if len(eager) == 1 else "want"
    wish = ""
    if eager and not (told and len(eager) == 1):
        wish = f"\n▶️ **{capitalized(listed(eager))} {verb} to resume this match.**"
    people = [info for info in snapshot.seats if info.computer is None]
    asked = [info for info in people if info.left_why in {None, "time"}]
    agreed = " if everyone agrees" if len(asked) > 1 else ""
    end = "Counts" if snapshot.status == "over" else "Closes without a result"
    if not snapshot.resumable:
        return f"\n-# {end} {countdown(snapshot.counts_at)}; replay and export come afterwards."
    return (
        f"{wish}\n-# {end} {countdown(snapshot.counts_at)}. Until then you can resume it{agreed}; "
        "replay and export come afterwards."
    )


def is_rematched(snapshot: MatchSnapshot) -> bool:
    """Whether the rematch of this match has begun."""
    return all(info.agrees == "rematch" for info in snapshot.seats)


def lacks_link(snapshot: MatchSnapshot, content: MessageContent) -> bool:
    """Whether a message should link to the rematch but can't, because that has no table yet."""
    return is_rematched(snapshot) and not snapshot.is_solo and not any(map(_has_link, content.rows))


def _has_link(row: Row) -> bool:
    return isinstance(row, tuple) and any(isinstance(button, Link) for button in row)


def buttons_after_end(
    snapshot: MatchSnapshot, rematch_url: str | None
) -> tuple[Button | Link, ...]:
    """The buttons below a match that has ended; fewer as long as its result doesn't count yet."""
    again: tuple[Button | Link, ...]
    if not is_rematched(snapshot):
        style: Style = "primary" if snapshot.counts_at is None else "secondary"
        again = (button(snapshot, "Rematch", "rematch", snapshot.game, style=style),)
    else:
        again = () if rematch_url is None else (Link(label="Go to the rematch", url=rematch_url),)
    if snapshot.counts_at is not None:
        end = "Let it count" if snapshot.status == "over" else "Close for good"
        resume = (button(snapshot, "Resume match", "reopen", style="success"),)
        return (*(resume if snapshot.resumable else ()), button(snapshot, end, "count"), *again)
    # Before the first step has been played there's no choice to judge.
    can_judge = snapshot.game in COMPUTERS and snapshot.step > 0
    coach = (button(snapshot, "Coach", "coach"),) if can_judge else ()
    share = (button(snapshot, "Share", "share"),) if snapshot.status == "over" else ()
    return (
        *again,
        *_next_level(snapshot),
        button(snapshot, "Replay", "replay"),
        *share,
        *coach,
        button(snapshot, "Export", "export"),
    )


def _next_level(snapshot: MatchSnapshot) -> Iterator[Button]:
    """The button that starts a match at the next level, if a person has beaten a computer."""
    form = harder_form(snapshot)
    if form is not None and form.level is not None:
        press = Press(NO_MATCH, 0, "send", str(form))
        yield Button(label=f"Next level: {NAMES[form.level]}", press=press)
