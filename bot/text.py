"""How a text that players read puts numbers, lists, results and links: one place for all of it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from games.core import Outcome, winners

YOU: Final = "you"
"""Stands in place of a name in a text whose only reader is meant, as in a lesson."""

BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""What shows nothing though Unicode calls it a letter or a sign: the fillers of Hangul, and Braille
without a dot."""


def listed(parts: Iterable[object], last: str = "and") -> str:
    """The parts as a list in a sentence: `a, b and c`."""
    *first, final = (str(part) for part in parts)
    return f"{', '.join(first)} {last} {final}" if first else final


def capitalized(words: str) -> str:
    """Words at the beginning of a sentence: a name may be `a former player`."""
    return f"{words[:1].upper()}{words[1:]}"


def agreeing(who: str, one: str, you: str) -> str:
    """The form of a verb that fits a name, or `you`."""
    return you if who == YOU else one


def does(who: str, one: str, you: str) -> str:
    """Somebody and what they do: `@Bo scores`, `you score`."""
    return f"{who} {agreeing(who, one, you)}"


def whose(who: str) -> str:
    """What belongs to somebody who is named here: `@Bo's`, `your`."""
    return agreeing(who, f"{who}'s", "your")


def their(who: str) -> str:
    """What belongs to somebody who has just been named: `their`, `your`."""
    return agreeing(who, "their", "your")


def counted(count: int, one: str, many: str | None = None, *, separator: str = "") -> str:
    """A number with its noun: `1 card`, `2000 cards`; the separator parts the thousands."""
    number = f"{count:,}".replace(",", separator)
    return f"{number} {one if count == 1 else many or f'{one}s'}"


def minutes(seconds: int) -> str:
    """A wait in whole minutes, rounded up: `1 minute`."""
    return counted(-(-seconds // 60), "minute")


def lasting(seconds: int) -> str:
    """A span of time in its two largest units: `2 days and 4 hours`, `5 minutes`."""
    days, rest = divmod(max(seconds, 0), 86_400)
    hours, left = rest // 3600, rest % 3600 // 60
    parts = [(days, "day"), (hours, "hour"), (left, "minute")]
    said = [counted(count, unit) for count, unit in parts if count][:2]
    return listed(said) if said else "less than a minute"


def result_sentence(
    outcome: Outcome | None, names: Sequence[str], *, why: str = "", nobody: str = "A draw"
) -> str:
    """Who has won by the rules and why; ValueError while a match goes on.

    `names` is the display text of each seat. Without a `why` the rules say what decided it;
    `nobody` is what it is called where nobody has won.
    """
    if outcome is None:
        raise ValueError("A match that goes on has no result yet.")
    winning = [names[seat] for seat in winners(outcome)]
    if not winning:
        result = f"**{nobody}**"
    else:
        one = does(winning[0], "wins", "win")
        many = f"{listed(winning)} share the win"
        result = f"**{capitalized(one if len(winning) == 1 else many)}**"
    return f"{result}: {why or reason_of(outcome.reason)}."


def reason_of(reason: str) -> str:
    """What decided a match, as the rules say it; they leave `first to 1 games` in the plural."""
    return _ONE_OF_MANY.sub(r"1 \1", reason)


_ONE_OF_MANY: Final = re.compile(r"\b1 (game|hand|point|turn)s\b")


def inert(text: str) -> str:
    """What others have written, such as a server's name, on one line, where it only stands there.

    No markup, mention, command, time or address of it does anything, and it takes up to twice its
    length. A backslash is not enough for all: one before a mention still leaves it one to Discord,
    and in an address the signs are not escaped.
    """
    shown = " ".join(_TURNING.sub("", text).split())
    return _SIGN.sub(r"\\\g<0>", _BEGINNING.sub("\\g<0>\u200b", shown))


_TURNING: Final = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""What turns the words after it round, also those that are ours."""

_BEGINNING: Final = re.compile(r"<|@(?=everyone|here)|:(?=//)|\](?=\()")
"""What begins something that a client shows as more than words, if what follows is next to it."""

_SIGN: Final = re.compile(r"[\\*_~|`]")


def tappable(text: str, ids: Mapping[str, int]) -> str:
    """A text whose commands, which it names as a reader types them, are links where they can be.

    Not those that are named with options: a link has none. `ids` are those of whole commands, so
    `pico play` has that of `pico`.
    """

    def link(found: re.Match[str]) -> str:
        number = ids.get(found[2])
        return found[0] if number is None else f"</{found[1]}:{number}>"

    return _TYPED.sub(link, text)


_TYPED: Final = re.compile(r"`/(([a-z]+)(?: [a-z]+)?)`")
"""A command of ours in a text, as `/season start` in backticks."""


def message_link(guild: int | None, channel: int, message: int) -> str:
    """The address of a message in a server, or in direct messages for None."""
    return f"{channel_link(guild, channel)}/{message}"


def channel_link(guild: int | None, channel: int) -> str:
    """The address of a channel in a server, or of direct messages for None."""
    return f"{guild_link(guild)}/{channel}"


def guild_link(guild: int | None) -> str:
    """The address of a server, or of direct messages for None."""
    return f"https://discord.com/channels/{'@me' if guild is None else guild}"
