"""Words and buttons that several kinds of messages share."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from bot.matches import MatchSnapshot
from bot.messaging.components import Button, Option, Press, Select, Style
from bot.rendering.colors import BLURPLE
from bot.rendering.presentation import Presentation
from bot.storage import Ending, MatchId, TimeControl
from bot.text import FORMER_PLAYER
from games import GAMES

OPEN, RUNNING, OVER, GONE = BLURPLE, 0xE67E22, 0x2ECC71, 0x95A5A6

TIME_CONTROLS: Final[Mapping[TimeControl, str]] = MappingProxyType(
    {
        "live": "Live: 2 minutes a move",
        "today": "Today: 1 hour a move",
        "today_reserve": "Today: 1 hour a move and 6 hours in reserve",
        "slow": "Slow: 1 day a move",
        "slow_reserve": "Slow: 1 day a move and 3 days in reserve",
        "relaxed": "Relaxed: 3 days a move",
        "none": "No clock",
    }
)
"""The paces, as players read them."""

NO_MATCH: Final = MatchId(0)
"""The match of a press that belongs to no match."""

PAGES: Final = ("Previous", "Next")
"""Labels of the buttons that turn the pages of a list."""

START_A_MATCH: Final = Button(label="Start a match", press=Press(NO_MATCH, 0, "help", "play"))
"""Below an empty list of matches; replaces it with the page of `/help` that starts games."""

MAX_TITLE: Final = 58
"""Characters in a title; with `: your hand` after it, it takes two lines on a phone."""

EARLIER_LATER: Final = ("Earlier", "Later")
"""Labels of the buttons that turn pages ordered by time, such as the moves of a match."""


def seat_names(snapshot: MatchSnapshot) -> tuple[str, ...]:
    """The name of each seat in a message: a mention, or a level with a number for computers.

    Mentions ping nobody unless the delivery allows it. Computers are numbered if there are several.
    """
    computers = [i for i, info in enumerate(snapshot.seats) if info.computer is not None]
    return tuple(
        mention(info.user)
        if info.computer is None
        else computer_name(info.computer, computers.index(i) + 1 if len(computers) > 1 else None)
        for i, info in enumerate(snapshot.seats)
    )


def computer_name(level: str, number: int | None = None) -> str:
    """The name of a computer of this level."""
    return f"Computer{'' if number is None else f' {number}'} ({level})"


def mention(user: int) -> str:
    """The mention of a user; an id of 0 or less is a former player, who has no name."""
    return f"<@{user}>" if user > 0 else FORMER_PLAYER


def title(snapshot: MatchSnapshot, presentation: Presentation) -> str:
    variant = presentation.variant(snapshot.options)
    return f"{GAMES[snapshot.game].title} · {variant_summary(snapshot.game, variant)}"


def match_number(snapshot: MatchSnapshot) -> str:
    """The number that commands ask for, in small print, as a line."""
    return f"-# Match {snapshot.match}"


def variant_summary(game: str, variant: str) -> str:
    """A variant cut to fit a title: its most important parts, and how many more there are."""
    room = MAX_TITLE - len(f"{GAMES[game].title} · ")
    if len(variant) <= room:
        return variant
    parts = variant.split(", ")
    shortened = (_first(parts, count) for count in range(len(parts) - 1, 1, -1))
    return next((each for each in shortened if len(each) <= room), _first(parts, 1))


def _first(parts: Sequence[str], count: int) -> str:
    return f"{', '.join(parts[:count])} (+{len(parts) - count} more)"


def variant_details(game: str, options: Any, presentation: Presentation) -> str:  # noqa: ANN401 - the game's
    """All of a match's variant, as a line; "" if it's the standard one."""
    variant = presentation.variant(options)
    usual = presentation.variant(GAMES[game].presets["standard"])
    return "" if variant == usual else f"-# This match: {variant}.\n"


def heading(
    snapshot: MatchSnapshot, presentation: Presentation, what: str = "", *, of_hand: bool = False
) -> str:
    """The first lines of a message about a match: its title and who plays.

    `what` the message shows, such as `Replay`, goes before the title; `of_hand` adds `your hand`.
    """
    shows = f"{what} · " if what else ""
    whose = f": {presentation.hand_name}" if of_hand else ""
    seated = enumerate(seat_names(snapshot))
    who = " against ".join(f"{presentation.emblem(snapshot.view, i)} {name}" for i, name in seated)
    return f"### {shows}{title(snapshot, presentation)}{whose}\n{who}"


def page_turns(
    press: Press, last: int, words: tuple[str, str] = PAGES, *, first: int = 0
) -> tuple[Button, ...]:
    """The buttons to the pages before and after this one, whose number is the step of `press`."""
    back, on = words
    number = press.step
    ways = [(f"◀ {back}", number - 1)] * (number > first)
    ways += [(f"{on} ▶", number + 1)] * (number < last)
    return tuple(Button(label=label, press=replace(press, step=to)) for label, to in ways)


def shortened(sentence: str) -> str:
    """A sentence cut to the 100 characters that fit below an option."""
    return sentence if len(sentence) <= 100 else f"{sentence[:99]}…"


def countdown(second: int) -> str:
    """A Unix time in seconds as Discord's relative timestamp: `in 5 minutes`."""
    return f"<t:{second}:R>"


def timestamp(second: int) -> str:
    """A Unix time in seconds as Discord's timestamp, in each reader's own time zone."""
    return f"<t:{second}:f>"


def play_command(game: str | None) -> str:
    """The command that starts a match of a game; for None, of any game, as some may be off."""
    if game is None:
        return "the `play` command of any game in `/help`"
    return f"`/{game} play`"


def seats_more_than_two(games: Iterable[str]) -> bool:
    """Whether any of these games can be played by more than two."""
    return any(max(GAMES[game].seats) > 2 for game in games if game in GAMES)


def shared_win_note(drawn: Iterable[str]) -> list[str]:
    """A note on counts that have draws of these games: what else counts as a draw, if anything."""
    if not seats_more_than_two(drawn):
        return []
    return ["with more than two players, a shared win counts as a draw"]


def commitment_line(snapshot: MatchSnapshot) -> str:
    """The first 8 digits of the commitment, and the command that explains or checks it.

    **Menu** shows all digits. Once the match is over, **Export** has the seed.
    """
    digits = (snapshot.commitment or "")[:8]
    if snapshot.seed is None:
        return f"Sealed deal `{digits}`: `/verify` explains it"
    return (
        f"Sealed deal `{digits}`: its seed was secret until now. **Export** has it, "
        f"and `/verify` checks it."
    )


def ending_sentence(snapshot: MatchSnapshot) -> str:
    """What ended a match other than its rules, as a sentence; ValueError if its rules did."""
    if snapshot.ending is None:
        raise ValueError("this match was not ended from outside")
    if snapshot.ending == "draw" and all(info.left or info.computer for info in snapshot.seats):
        return "**Over**: only computers are left, so they share first place."
    if snapshot.ending == "call_off" and snapshot.is_alone_with_computers:
        return "**Called off**: it ends without a result."
    if snapshot.ending == "silence" and snapshot.paused_why == "lost":
        return "**Closed without a result**: it was paused for 30 days."
    if snapshot.ending == "absence" and snapshot.counts_at is not None:
        return f"**Out of time**: {_ABSENT}"
    return _ENDINGS[snapshot.ending]


_ABSENT: Final = "everyone still playing missed two deadlines in a row."

_ENDINGS: Final[Mapping[Ending, str]] = MappingProxyType(
    {
        "draw": "**A draw**: everyone agreed to it.",
        "call_off": "**Called off**: everyone agreed to end it without a result.",
        "silence": "**Closed without a result**: nobody moved for 30 days.",
        "absence": f"**Closed without a result**: {_ABSENT}",
        "moderator": "**Ended by a moderator**, without a result.",
    }
)


def submitted_text(move: object | None) -> str:
    """The answer to a typed move; `move` is None if it completed the step, which is played then."""
    if move is None:
        return "Everyone's in now. The table shows what happened."
    return f"You chose **{move}**. You can change it until everyone's in."


def rules_button(snapshot: MatchSnapshot) -> Button:
    return Button(label="Rules", press=Press(snapshot.match, 0, "rules", snapshot.game))


def my_hand_button(snapshot: MatchSnapshot, presentation: Presentation) -> Button:
    return button(snapshot, presentation.hand_label, "hand", style="primary")


def menu_button(snapshot: MatchSnapshot) -> Button:
    return Button(label="Menu", press=Press(snapshot.match, 0, "menu"))


def moves_button(snapshot: MatchSnapshot) -> Button:
    return Button(label="Moves so far", press=Press(snapshot.match, 0, "moves"))


def button(
    snapshot: MatchSnapshot, label: str, act: str, arg: str = "", *, style: Style = "secondary"
) -> Button:
    """A button of this match, for its current step."""
    press = Press(snapshot.match, snapshot.step, act, arg)
    return Button(label=label, press=press, style=style)


def with_selected(options: Sequence[Option], value: str) -> tuple[Option, ...]:
    """The options of a menu, with the one of this value selected."""
    return tuple(replace(option, chosen=option.value == value) for option in options)


def game_menu(press: Press, value_of: Callable[[str | None], str], chosen: str | None) -> Select:
    """A menu of all games; `value_of` makes an option's value from a key, None for all games."""
    every = Option(label="All games", value=value_of(None), chosen=chosen is None)
    games = (
        Option(label=game.title, value=value_of(key), note=key, chosen=key == chosen)
        for key, game in GAMES.items()
    )
    return Select(placeholder="Game", press=press, options=(every, *games))
