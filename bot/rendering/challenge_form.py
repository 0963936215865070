"""What to challenge somebody to, chosen by tapping: game, variant and pace, then Send.

All that was chosen is in the buttons themselves, so nothing is remembered between two taps.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Self

from bot.errors import ButtonError
from bot.interactions.challenges import Proposal
from bot.messaging.components import Button, Option, Press, Row, Select
from bot.messaging.content import Sheet
from bot.rendering.phrases import OPEN, PACES
from bot.rendering.presentation import Presentations
from bot.rendering.rules_pages import NO_MATCH
from bot.settings.guilds import DEFAULT_PACE
from bot.storage.guilds import ServerRecord
from games import GAMES

USUAL: Final = "-"
"""In place of a pace: what the server uses."""

RATED, CASUAL = "r", "c"


@dataclass(frozen=True, slots=True)
class Invited:
    """Somebody who was right-clicked a moment ago, and was no bot."""

    id: int
    bot: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What has been chosen so far."""

    opponent: int
    game: str
    variant: str = "standard"
    pace: str = USUAL
    rated: bool = True

    def __str__(self) -> str:
        stakes = RATED if self.rated else CASUAL
        return f"{self.opponent} {self.game} {self.variant} {self.pace} {stakes}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """The wish that a button carries; ButtonError for any other text."""
        try:
            opponent, game, variant, pace, stakes = text.split(" ")
            rated = {RATED: True, CASUAL: False}[stakes]
            wish = cls(opponent=int(opponent), game=game, variant=variant, pace=pace, rated=rated)
        except (ValueError, KeyError):
            raise ButtonError("I don't know this button; right-click the person anew.") from None
        known = game in GAMES and variant in GAMES[game].presets and pace in {USUAL, *PACES}
        if not known:
            raise ButtonError("This choice is from another version of me; right-click anew.")
        return wish

    def proposal(self) -> Proposal:
        """For as few players as the variant allows; seats beyond two are open to anybody."""
        return Proposal(
            game=self.game,
            options=GAMES[self.game].presets[self.variant],
            opponents=(Invited(self.opponent),),
            seats=_seats(self.game, self.variant),
            pace=None if self.pace == USUAL else self.pace,
            rated=self.rated,
        )


def first_wish(opponent: int, presentations: Presentations, settings: ServerRecord) -> Wish:
    """The standard variant of the first game that this server plays."""
    games = list(_games(presentations, settings))
    if not games:
        raise ButtonError("All games are switched off in this server; ask its managers.")
    return Wish(opponent=opponent, game=games[0])


def chooser_sheet(wish: Wish, presentations: Presentations, settings: ServerRecord) -> Sheet:
    """The private message in which somebody chooses."""
    rows: list[Row] = [_game(wish, presentations, settings)]
    if len(GAMES[wish.game].presets) > 1:
        rows.append(_variant(wish, presentations))
    rows.append(_pace(wish, settings))
    rows.append(_stakes(wish))
    send = Button(label="Send", press=Press(NO_MATCH, 0, "send", str(wish)), style="success")
    rules = Button(label="Rules", press=Press(NO_MATCH, 0, "rules", wish.game))
    return Sheet(
        head=f"### Challenge <@{wish.opponent}>\nChoose what to play. **Send** posts the challenge "
        "in this channel.",
        rows=(*rows, (send, rules)),
        color=OPEN,
    )


def _games(presentations: Presentations, settings: ServerRecord) -> Iterator[str]:
    return (key for key in GAMES if key in presentations and key not in settings.games_off)


def _game(wish: Wish, presentations: Presentations, settings: ServerRecord) -> Select:
    return _select(
        "Game",
        *(
            Option(
                label=GAMES[key].title,
                value=str(replace(wish, game=key, variant="standard")),
                chosen=key == wish.game,
            )
            for key in _games(presentations, settings)
        ),
    )


def _variant(wish: Wish, presentations: Presentations) -> Select:
    shown = presentations[wish.game]
    return _select(
        "Variant",
        *(
            Option(
                label=shown.variant(options),
                value=str(replace(wish, variant=key)),
                note="" if _seats(wish.game, key) == 2 else "with open seats for others",
                chosen=key == wish.variant,
            )
            for key, options in GAMES[wish.game].presets.items()
        ),
    )


def _pace(wish: Wish, settings: ServerRecord) -> Select:
    usual = Option(
        label="What this server uses",
        value=str(replace(wish, pace=USUAL)),
        note=PACES[settings.pace or DEFAULT_PACE],
        chosen=wish.pace == USUAL,
    )
    paces = (
        Option(label=name, value=str(replace(wish, pace=key)), chosen=key == wish.pace)
        for key, name in PACES.items()
    )
    return _select("Pace", usual, *paces)


def _stakes(wish: Wish) -> Select:
    rated = replace(wish, rated=True)
    casual = replace(wish, rated=False)
    return _select(
        "Rated or casual",
        Option(label="Rated", value=str(rated), note="It counts for ratings", chosen=wish.rated),
        Option(label="Casual", value=str(casual), note="For fun only", chosen=not wish.rated),
    )


def _select(what: str, *options: Option) -> Select:
    return Select(
        placeholder=what, press=Press(NO_MATCH, 0, "choose", what.lower()), options=options
    )


def _seats(game: str, variant: str) -> int:
    options = GAMES[game].presets[variant]
    return next(n for n in GAMES[game].seats if GAMES[game].fits(options, n))
