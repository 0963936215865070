"""What to challenge somebody to, chosen by tapping: game, variant and pace, then Send.

All that was chosen is in the buttons themselves, so nothing is remembered between two taps.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Self

from bot.errors import ButtonError
from bot.matches.proposal import Proposal
from bot.messaging.components import Button, Option, Press, Row, Select
from bot.messaging.content import MessageContent
from bot.rendering.phrases import OPEN, TIME_CONTROLS
from bot.rendering.presentation import Presentations
from bot.rendering.rules_pages import NO_MATCH
from bot.settings.guilds import DEFAULT_TIME_CONTROL
from bot.storage.guilds import GuildRecord
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
class ChallengeForm:
    """What has been chosen so far."""

    opponent: int
    game: str
    variant: str = "standard"
    time_control: str = USUAL
    rated: bool = True

    def __str__(self) -> str:
        stakes = RATED if self.rated else CASUAL
        return f"{self.opponent} {self.game} {self.variant} {self.time_control} {stakes}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """The wish that a button carries; ButtonError for any other text."""
        try:
            opponent, game, variant, time_control, stakes = text.split(" ")
            rated = {RATED: True, CASUAL: False}[stakes]
            form = cls(
                opponent=int(opponent),
                game=game,
                variant=variant,
                time_control=time_control,
                rated=rated,
            )
        except (ValueError, KeyError):
            raise ButtonError("I don't know this button. Right-click the person again.") from None
        known = (
            game in GAMES
            and variant in GAMES[game].presets
            and time_control in {USUAL, *TIME_CONTROLS}
        )
        if not known:
            raise ButtonError("This form is out of date. Right-click the person again.")
        return form

    def proposal(self) -> Proposal:
        """For as few players as the variant allows; seats beyond two are open to anybody."""
        return Proposal(
            game=self.game,
            options=GAMES[self.game].presets[self.variant],
            opponents=(Invited(self.opponent),),
            seats=_seats(self.game, self.variant),
            time_control=None if self.time_control == USUAL else self.time_control,
            rated=self.rated,
        )


def first_form(opponent: int, presentations: Presentations, settings: GuildRecord) -> ChallengeForm:
    """The standard variant of the first game that this server plays."""
    games = list(_games(presentations, settings))
    if not games:
        raise ButtonError("All games are turned off in this server. Ask a server manager.")
    return ChallengeForm(opponent=opponent, game=games[0])


def challenge_form_content(
    form: ChallengeForm, presentations: Presentations, settings: GuildRecord
) -> MessageContent:
    """The private message in which somebody chooses."""
    rows: list[Row] = [_game(form, presentations, settings)]
    if len(GAMES[form.game].presets) > 1:
        rows.append(_variant(form, presentations))
    rows.append(_pace(form, settings))
    rows.append(_stakes(form))
    send = Button(label="Send", press=Press(NO_MATCH, 0, "send", str(form)), style="success")
    rules = Button(label="Rules", press=Press(NO_MATCH, 0, "rules", form.game))
    return MessageContent(
        head=f"### Challenge <@{form.opponent}>\nChoose what to play, then press **Send** to post "
        "the challenge here.",
        rows=(*rows, (send, rules)),
        color=OPEN,
    )


def _games(presentations: Presentations, settings: GuildRecord) -> Iterator[str]:
    return (key for key in GAMES if key in presentations and key not in settings.games_off)


def _game(form: ChallengeForm, presentations: Presentations, settings: GuildRecord) -> Select:
    return _select(
        "Game",
        *(
            Option(
                label=GAMES[key].title,
                value=str(replace(form, game=key, variant="standard")),
                chosen=key == form.game,
            )
            for key in _games(presentations, settings)
        ),
    )


def _variant(form: ChallengeForm, presentations: Presentations) -> Select:
    shown = presentations[form.game]
    return _select(
        "Variant",
        *(
            Option(
                label=shown.variant(options),
                value=str(replace(form, variant=key)),
                note="" if _seats(form.game, key) == 2 else "open seats for others",
                chosen=key == form.variant,
            )
            for key, options in GAMES[form.game].presets.items()
        ),
    )


def _pace(form: ChallengeForm, settings: GuildRecord) -> Select:
    usual = Option(
        label="Server setting",
        value=str(replace(form, time_control=USUAL)),
        note=TIME_CONTROLS[settings.time_control or DEFAULT_TIME_CONTROL],
        chosen=form.time_control == USUAL,
    )
    time_controls = (
        Option(
            label=name, value=str(replace(form, time_control=key)), chosen=key == form.time_control
        )
        for key, name in TIME_CONTROLS.items()
    )
    return _select("Pace", usual, *time_controls)


def _stakes(form: ChallengeForm) -> Select:
    rated = replace(form, rated=True)
    casual = replace(form, rated=False)
    return _select(
        "Rated or casual",
        Option(label="Rated", value=str(rated), note="Counts toward ratings", chosen=form.rated),
        Option(label="Casual", value=str(casual), note="Just for fun", chosen=not form.rated),
    )


def _select(what: str, *options: Option) -> Select:
    return Select(
        placeholder=what, press=Press(NO_MATCH, 0, "choose", what.lower()), options=options
    )


def _seats(game: str, variant: str) -> int:
    options = GAMES[game].presets[variant]
    return next(n for n in GAMES[game].seats if GAMES[game].fits(options, n))
