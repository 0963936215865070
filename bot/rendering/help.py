"""The pages of `/help`, built from the games and commands that are loaded, so never outdated.

A command that may not be loaded is looked up before it's named.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from discord import AppCommandType

from bot.config import Support
from bot.errors import ButtonError
from bot.matches.levels import levels_of
from bot.messaging.components import Button, Option, Press, Row, Section, Select
from bot.messaging.content import MessageContent, balanced
from bot.messaging.permissions import for_matches, for_threads
from bot.rendering.challenge_form import ALL_OFF, computer_form
from bot.rendering.command_entries import Entry, Tree, entries_of
from bot.rendering.phrases import NO_MATCH, OPEN
from bot.rendering.presentation import Presentations
from bot.text import listed
from games import GAMES

FIRST: Final = "play"
FAIR: Final = "fair"
OF_A_GAME: Final = ("play", "rules")
"""The commands that every game has; pages list them with the games."""


@dataclass(frozen=True, slots=True)
class Help:
    """What the pages are built from, for one reader."""

    games: tuple[str, ...]
    commands: Mapping[str, Entry]
    """By full name."""

    menus: tuple[str, ...]
    """The commands in the menu of a right-click on a person, by name."""

    support: Support
    off: Collection[str] | None
    """The games that the reader's server has turned off; None outside servers with the bot."""

    elsewhere: Sequence[int] | None = None
    """The channels for matches, if the reader isn't in one; None where matches can start."""

    new_to: Collection[str] = ()
    """The games that are new to the reader, which start at the easiest level."""

    invite: str | None = None
    """The address that adds the bot to a server; None if only the bot's owner can add it."""

    @classmethod
    def of(
        cls,
        tree: Tree,
        presentations: Presentations,
        support: Support,
        *,
        off: Collection[str] | None = None,
        invite: str | None = None,
    ) -> "Help":
        return cls(
            games=tuple(game for game in GAMES if game in presentations),
            commands={entry.name: entry for entry in entries_of(tree)},
            menus=tuple(menu.name for menu in tree.get_commands(type=AppCommandType.user)),
            support=support,
            off=off,
            invite=invite,
        )

    @property
    def played(self) -> tuple[str, ...]:
        """The games that can be played where the reader is."""
        return tuple(game for game in self.games if game not in (self.off or ()))

    def content(self, topic: str) -> MessageContent:
        """The page of a topic, with a menu of all topics; ButtonError for an unknown topic."""
        if topic not in _TOPICS:
            raise ButtonError("I have no help on that. Use `/help` again.")
        label, words = _TOPICS[topic]
        options = tuple(
            Option(label=title, value=key, chosen=key == topic)
            for key, (title, _) in _TOPICS.items()
        )
        topics = Select(
            placeholder="Topics", press=Press(NO_MATCH, 0, "help", "topic"), options=options
        )
        return MessageContent(
            head=f"### {label}\n{words(self)}", rows=(*self._rows(topic), topics), color=OPEN
        )

    def _rows(self, topic: str) -> tuple[Row, ...]:
        """What a page has between its text and the menu of topics."""
        match topic:
            case "play":
                return (
                    *self._computer_buttons(),
                    *self._lesson_section(),
                    "\n".join(_with_people(self)),
                )
            case "rules":
                return self._rules_buttons()
            case _:
                return ()

    def _computer_buttons(self) -> tuple[Row, ...]:
        """A button for each game that the reader can play against the computer right now."""
        if not self.menus:  # the cog of the menu is also the one that answers these buttons
            return ()
        forms = [computer_form(game, is_new=game in self.new_to) for game in self.played]
        return balanced(
            tuple(
                Button(
                    label=GAMES[form.game].title,
                    press=Press(NO_MATCH, 0, "choose", str(form)),
                    style="success",
                )
                for form in forms
                if form is not None
            ),
            widest=3,
        )

    def _rules_buttons(self) -> tuple[Row, ...]:
        return balanced(
            tuple(
                Button(label=GAMES[game].title, press=Press(NO_MATCH, 0, "rules", game))
                for game in self.games
            )
        )

    def _lesson_section(self) -> tuple[Section, ...]:
        """A button that opens the lessons, if they're loaded."""
        return tuple(
            Section(
                text=text,
                accessory=Button(label="Learn a game", press=Press(NO_MATCH, 0, "learn")),
            )
            for text in self.named("learn", "**New here?** {} teaches you a game in a few taps.")
        )

    def named(self, name: str, sentence: str) -> list[str]:
        """The sentence with the command for its `{}`; nothing if the command isn't loaded."""
        return [sentence.format(self.commands[name].called)] if name in self.commands else []

    def others(self) -> Iterator[Entry]:
        """The commands apart from those that every game has."""
        usual = {f"{game} {name}" for game in self.games for name in OF_A_GAME}
        return (entry for name, entry in self.commands.items() if name not in usual)


def _lines(heading: str, entries: Iterable[Entry]) -> list[str]:
    """The entries below their heading; nothing if there are none."""
    lines = [entry.line for entry in sorted(entries, key=lambda entry: entry.name)]
    return [f"**{heading}**", *lines] if lines else []


_INTRODUCTION: Final = (
    "Games of secret moves: everyone picks, then all are revealed at once. A match takes minutes "
    "or weeks, as you like.\n"
)


_ALL_GONE: Final = "All channels for matches are gone. A server manager can choose others with {}."


def _play(guide: Help) -> str:
    """The beginning of the first page: what the reader can do alone, and at once if it's here."""
    lines = [_INTRODUCTION]
    if guide.played and guide.elsewhere is not None:
        lines += _where(guide, guide.elsewhere)
        lines.append("**On your own: play the computer.** Tap a game:")
    elif guide.played:
        lines.append("**On your own, right now: play the computer.** Tap a game:")
    elif guide.games:
        lines += guide.named("settings", ALL_OFF)
    return "\n".join(lines)


def _where(guide: Help, channels: Sequence[int]) -> list[str]:
    if not channels:
        return guide.named("settings", _ALL_GONE)
    return [f"Matches are played in {listed([f'<#{channel}>' for channel in channels])}."]


def _with_people(guide: Help) -> Iterator[str]:
    """The rest of the first page: matches with other people, and more to do."""
    if guide.played:
        yield from _starting(guide)
    there = "" if guide.off is not None else " in a server that has me"
    yield from guide.named("watch", f"To find a match to join or follow, use {{}}{there}.")
    yield from guide.named("puzzle", "Only a minute? {} has a new position every day.")


def _starting(guide: Help) -> Iterator[str]:
    """How to start a match with other people; only if some game is turned on."""
    where = "" if guide.off is not None else "in a server that has me, "
    yield (
        f"**With other people**: {where}name an opponent, or nobody, and anyone in the server "
        f"can join.{'' if guide.off is not None else _adding(guide)}"
    )
    for game in guide.played:
        start = guide.commands.get(f"{game} play")
        yield f"**{GAMES[game].title}** · {_players(GAMES[game].seats)}"
        if start is not None:
            yield start.line
    if off := [GAMES[game].title for game in guide.games if game not in guide.played]:
        yield f"-# Turned off in this server: {listed(off)}."
    for menu in guide.menus:
        yield (
            "Or right-click someone (on a phone, press and hold their name) and choose **Apps**, "
            f"then **{menu}**."
        )
    yield "To see your hand, press **My hand** (or **My orders**) at the table."


def _adding(guide: Help) -> str:
    """A link that adds the bot to a server, unless only its owner can add it."""
    return "" if guide.invite is None else f" [Add me to your server](<{guide.invite}>)."


def _players(seats: range) -> str:
    numbers = [str(number) for number in seats]
    if len(numbers) > 2:
        return f"{numbers[0]} to {numbers[-1]} players"
    return f"{' or '.join(numbers)} players"


_COMPUTERS: Final = (
    "Set `computer` in any `play` command, and a computer takes every seat you don't give to "
    "someone. If you name nobody, the match starts right away. You can also add computers to a "
    "challenge you posted. A computer sees only what a player in its seat would see, and never "
    "your choice."
)
_COACH: Final = (
    "When a match is over, **Coach** at its table shows which moves cost you, and **Share** posts "
    "your result with a picture."
)


def _computers(guide: Help) -> str:
    which = "They count" if guide.off is not None else "Those in a server that has me count"
    ladder = f"Matches with a computer are unrated. {which} on the computer ladder in {{}}."
    lines = [_COMPUTERS, *guide.named("leaderboard", ladder), _COACH]
    for game in guide.played:
        levels = levels_of(game)
        lines += [f"**{GAMES[game].title}**"] if levels else []
        lines += [f"- {level.key}: {level.says}" for level in levels]
    return "\n".join(lines)


_TIME: Final = (
    "Each turn has a time limit, the pace. Miss it once and I move for you; miss it twice in a row "
    "and you lose your seat. A match without one closes after 30 days without a move; I tell you "
    "3 days before if it's your turn, except in solo matches.\n"
    "- **Reserve**: some paces have extra time for the whole match. Slow moves use it up first.\n"
    "- **Pause**: if everyone agrees (**Menu**, **Offer a pause**), the clock stops for up to 14 "
    "days. Any player can resume."
)
_VACATION: Final = (
    "- **Vacation**: {} stops your clocks in matches with 1 or 3 days a move, up to 14 days a year "
    "in each server."
)
_RESUMING: Final = (
    "- **Out of time**: a match that ended that way can be resumed within a week if everyone "
    "agrees. Its result and ratings count after that week, or once a player presses "
    "**Let it count**.\n"
    "- **Take back** (in **Menu**) undoes the last step if everyone agrees, unless it showed "
    "something hidden. The match is unrated then.\n"
    "A server can turn these off. Where no match can be resumed, each result counts at once."
)


def _time(guide: Help) -> str:
    return "\n".join([_TIME, *guide.named("vacation start", _VACATION), _RESUMING])


def _commands(guide: Help) -> str:
    mine = [entry for entry in guide.others() if not entry.needs]
    lines = _lines("Also in direct messages", (entry for entry in mine if entry.anywhere))
    lines += _lines("In a server that has me", (entry for entry in mine if not entry.anywhere))
    lines.append(
        "**At a table**\n- **My hand** (or **My orders**) shows your hand; **Menu** has the moves "
        "so far, offers and resigning; **Rules** opens the rules."
    )
    return "\n".join(lines)


def _managers(guide: Help) -> str:
    groups: dict[tuple[str, ...], list[Entry]] = {}
    for entry in guide.others():
        if entry.needs:
            groups.setdefault(entry.needs, []).append(entry)
    lines = []
    for needs, entries in groups.items():
        lines += _lines(f"Needs {listed(needs)}", entries)
    lines.append(
        "\nIn your server's settings, under **Integrations**, you can limit who may use these "
        f"commands. Where matches are played I need {listed(for_matches())}, and for matches "
        f"in threads {listed(for_threads())}; if something is missing, I tell you before a match "
        f"starts.{_adding(guide)}"
    )
    return "\n".join(lines)


def _rules(guide: Help) -> str:
    lines = ["Tap a game to read its rules. **Rules** at each table opens them too."]
    entries = (guide.commands.get(f"{game} rules") for game in guide.games)
    lines += _lines("With a command", (entry for entry in entries if entry is not None))
    lines += guide.named(
        "verify", "\nTo check that a match was dealt and played by the rules, use {}."
    )
    return "\n".join(lines)


_SEALED: Final = (
    "Before a match begins I draw a secret seed, and every shuffle follows from it. The table "
    "shows 8 digits of its fingerprint (SHA-256), and **Menu** shows all 64. So I can't swap the "
    "seed later: the digits wouldn't match."
)
_CHECK: Final = (
    "**To check a match**: note the digits in **Menu** while it's on. When it's over, **Export** "
    "gives you the seed and every move."
)


def _fair(guide: Help) -> str:
    checks = (
        "{} checks that file: the fingerprint, the deal, every move and the result. Then compare "
        "its fingerprint with the one you noted."
    )
    return "\n".join([_SEALED, _CHECK, *guide.named("verify", checks)])


_KEPT: Final = (
    "**What I keep**: the ids of servers, channels and players; moves and results of matches; "
    "your settings and your server's. No names, no messages you write, not who is online."
)
_SECRETS: Final = (
    "**Secrets**: nobody else sees a hidden hand or choice until it's revealed, and none is ever "
    "logged."
)
_DELETION: Final = (
    "**Deletion**: {} takes your id out of everything; finished matches then name a former player."
)


_TERMS: Final = (
    "**Terms**: you're old enough for Discord, you play fair with one account, you don't bother "
    "people or break things, and you don't bet. I'm free and come without a guarantee."
)


def _privacy(guide: Help) -> str:
    lines = [
        _KEPT,
        _SECRETS,
        *guide.named("privacy delete", _DELETION),
        *guide.named("privacy export", "{} sends you everything I keep about you."),
        *guide.named("privacy policy", "{} says what is kept, and for how long."),
        _TERMS,
        *_full_texts(guide.support),
    ]
    if guide.support.channel is not None:
        heard = "A problem, or trouble with someone? {} tells the bot's owner."
        lines += guide.named("report", heard)
    else:
        alone = "Trouble with someone? {} them, and tell your server's moderators or Discord."
        lines += guide.named("block", alone)
    if guide.support.url is not None:
        lines.append(f"You can reach the bot's owner here: <{guide.support.url}>.")
    return "\n".join(lines)


def _full_texts(support: Support) -> list[str]:
    """Links to the privacy policy and the terms, as far as the bot's owner has set them."""
    pages = {"privacy policy": support.privacy, "terms": support.terms}
    links = [f"[{name}](<{url}>)" for name, url in pages.items() if url is not None]
    return [f"In full: {listed(links)}."] if links else []


_TOPICS: Final[Mapping[str, tuple[str, Callable[[Help], str]]]] = {
    FIRST: ("How to play", _play),
    "computers": ("Computers and the coach", _computers),
    "time": ("Clocks and time off", _time),
    "commands": ("Your commands", _commands),
    "managers": ("For server managers", _managers),
    "rules": ("The rules of the games", _rules),
    FAIR: ("Is the deal fair?", _fair),
    "privacy": ("Privacy, terms and help", _privacy),
}
