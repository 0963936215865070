"""Puts numbers, lists, results and links into texts that players read."""

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from bot.time_units import DAY_SECONDS, HOUR_SECONDS
from games.core import Outcome, winners

YOU: Final = "you"
"""Used instead of a name in a text that is read by that person only, as in a lesson."""

FORMER_PLAYER: Final = "a former player"
"""Used instead of the name of somebody who was deleted."""

BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Characters that look blank though Unicode calls them letters or symbols: the fillers of Hangul,
and Braille without a dot."""


def listed(parts: Iterable[object], last: str = "and") -> str:
    """The parts as a list in a sentence: `a, b and c`; ValueError if there are none.

    Several former players are counted, as nothing tells them apart: `a and two former players`.
    """
    *first, final = _with_former_counted([str(part) for part in parts])
    return f"{', '.join(first)} {last} {final}" if first else final


def _with_former_counted(parts: Sequence[str]) -> list[str]:
    """The parts, with all former players as one part where the first of them was."""
    count = parts.count(FORMER_PLAYER)
    if count < 2:
        return list(parts)
    at = parts.index(FORMER_PLAYER)
    rest = [part for part in parts[at:] if part != FORMER_PLAYER]
    return [*parts[:at], f"{_NUMBERS.get(count, count)} former players", *rest]


_NUMBERS: Final[Mapping[int, str]] = MappingProxyType({2: "two", 3: "three", 4: "four"})
"""Numbers of players in words, up to the largest match."""


def capitalized(words: str) -> str:
    """Words with a capital letter, to begin a sentence: a name may be `a former player`."""
    return f"{words[:1].upper()}{words[1:]}"


def verb_form(who: str, one: str, you: str) -> str:
    """The form of a verb that agrees with its subject: `one` for a name, `you` for YOU."""
    return you if who == YOU else one


def with_verb(who: str, one: str, you: str) -> str:
    """A subject with its verb: `@Bo scores`, `you score`."""
    return f"{who} {verb_form(who, one, you)}"


def possessive(who: str) -> str:
    """The possessive of a name: `@Bo's`, `your`."""
    return verb_form(who, f"{who}'s", "your")


def their_or_your(who: str) -> str:
    """The possessive pronoun for somebody named just before: `their`, `your`."""
    return verb_form(who, "their", "your")


def counted(count: int, one: str, many: str | None = None, *, separator: str = "") -> str:
    """A number with its noun: `1 card`, `2000 cards`; `separator` goes between the thousands."""
    number = f"{count:,}".replace(",", separator)
    return f"{number} {one if count == 1 else many or f'{one}s'}"


def minutes(seconds: int) -> str:
    """Seconds in whole minutes, rounded up: `1 minute`."""
    return counted(-(-seconds // 60), "minute")


def duration(seconds: int) -> str:
    """Seconds in their two largest units: `2 days and 4 hours`, `5 minutes`."""
    days, rest = divmod(max(seconds, 0), DAY_SECONDS)
    hours, left = rest // HOUR_SECONDS, rest % HOUR_SECONDS // 60
    parts = [(days, "day"), (hours, "hour"), (left, "minute")]
    named = [counted(count, unit) for count, unit in parts if count][:2]
    return listed(named) if named else "less than a minute"


def result_sentence(
    outcome: Outcome | None, names: Sequence[str], *, why: str = "", nobody: str = "A draw"
) -> str:
    """A sentence that says who won and why; ValueError without an outcome.

    `names` is the display text of each seat. Without `why`, the outcome's own reason is used;
    `nobody` is the result if nobody won.
    """
    if outcome is None:
        raise ValueError("A match that goes on has no result yet.")
    winning = [names[seat] for seat in winners(outcome)]
    if not winning:
        result = f"**{nobody}**"
    else:
        one = with_verb(winning[0], "wins", "win")
        many = f"{listed(winning)} share the win"
        result = f"**{capitalized(one if len(winning) == 1 else many)}**"
    return f"{result}: {why or reason_of(outcome.reason)}."


def reason_of(reason: str) -> str:
    """The reason in an outcome with its plurals corrected: the rules say `first to 1 games`."""
    return _WRONG_PLURAL.sub(r"1 \1", reason)


_WRONG_PLURAL: Final = re.compile(r"\b1 (game|hand|point|turn)s\b")


def escaped(text: str) -> str:
    """Text written by others, such as a server's name, on one line and without any effect.

    No markup, mention, command, timestamp or link in it works, and it can grow to twice its length.
    Backslashes aren't enough: Discord still reads a mention after one, and they don't escape
    anything within a URL.
    """
    cleaned = " ".join(_BIDI_CONTROLS.sub("", text).split())
    return _MARKUP.sub(r"\\\g<0>", _SYNTAX_STARTS.sub("\\g<0>\u200b", cleaned))


_BIDI_CONTROLS: Final = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Bidirectional controls, which would also reverse the bot's own words after them."""

_SYNTAX_STARTS: Final = re.compile(r"<|@(?=everyone|here)|:(?=//)|\](?=\()")
"""The beginnings of mentions, links and the like, which need their next character to follow at
once."""

_MARKUP: Final = re.compile(r"[\\*_~|`]")


def tappable(text: str, ids: Mapping[str, int]) -> str:
    """A text whose commands, written as people type them, become mentions that can be tapped.

    Not those with options: a mention has none. `ids` has the ids of root commands by name, so
    `pico play` gets that of `pico`.
    """

    def link(command: re.Match[str]) -> str:
        number = ids.get(command[2])
        return command[0] if number is None else f"</{command[1]}:{number}>"

    return _COMMAND.sub(link, text)


_COMMAND: Final = re.compile(r"`/(([a-z]+)(?: [a-z]+)?)`")
"""A command in a text, as `/season start` in backticks."""


def discord_link(guild: int | None, *place: int) -> str:
    """The URL of a server, of a channel in it or of a message; in direct messages for None.

    `place` has the id of the channel, if any, and that of the message, if any.
    """
    server = "@me" if guild is None else str(guild)
    return "/".join(("https://discord.com/channels", server, *map(str, place)))
