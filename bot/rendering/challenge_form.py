"""A form for challenging somebody, or the computer, by tapping: game, variant, pace and so on.

Its buttons and menus carry everything chosen so far, so nothing is remembered between taps.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Self

from bot.errors import ButtonError
from bot.matches import MatchSnapshot
from bot.matches.levels import NAMES, easiest_level, levels_for, usual_level
from bot.matches.proposal import Proposal
from bot.matches.time_controls import RESERVE
from bot.matches.time_off import time_control_of
from bot.messaging.components import Button, Option, Press, Row, Select, id_in, outdated
from bot.messaging.content import MessageContent
from bot.rendering.phrases import NO_MATCH, OPEN, TIME_CONTROLS, shortened
from bot.rendering.presentation import Presentations
from bot.settings.people import Person
from bot.storage import TimeControl
from bot.storage.guilds import GuildRecord
from games import GAMES
from games.computer import Level
from games.core import winners

_AGAIN: Final = "Right-click the person again."
_USUAL: Final = "-"
"""What a form carries instead of a pace for the server's default."""

_PACES: Final[dict[str, TimeControl | None]] = {
    key or _USUAL: key for key in (None, *TIME_CONTROLS)
}
"""The pace that each text of a form stands for."""

RATED, CASUAL = "r", "c"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeForm:
    """What has been chosen so far; `str` encodes it for a custom_id, `parse` reads it back."""

    game: str
    opponent: int = 0
    level: str | None = None
    """The computer's level; None if the opponent is a person."""

    variant: str = "standard"
    time_control: TimeControl | None = None
    """None for the server's default."""

    rated: bool = True

    def __str__(self) -> str:
        stakes = RATED if self.rated else CASUAL
        against = self.level or self.opponent
        return f"{against} {self.game} {self.variant} {self.time_control or _USUAL} {stakes}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """The form that a button carries; ButtonError for any other text."""
        try:
            against, game, variant, pace, stakes = text.split(" ")
            rated = {RATED: True, CASUAL: False}[stakes]
            form = cls(
                opponent=0 if against in NAMES else id_in(against, again=_AGAIN),
                level=against if against in NAMES else None,
                game=game,
                variant=variant,
                time_control=_PACES.get(pace),
                rated=rated,
            )
        except (ValueError, KeyError):
            raise outdated(_AGAIN) from None
        known = game in GAMES and variant in GAMES[game].presets and pace in _PACES
        if not known:
            raise ButtonError("This form is out of date. Right-click the person again.")
        return form

    def proposal(self, *opponents: Person) -> Proposal:
        """The match this form proposes, for as few players as the variant allows.

        `opponents` is the opponent, or nobody against a computer. Seats beyond theirs are open to
        anyone; against a computer, all are computers'.
        """
        return Proposal(
            game=self.game,
            options=GAMES[self.game].presets[self.variant],
            opponents=opponents,
            computer=self.level,
            seats=_fewest_seats(self.game, self.variant),
            time_control=self.time_control,
            rated=self.rated,
            pressed=self.level is not None,
        )


ALL_OFF: Final = (
    "All games are turned off in this server. A server manager can turn them on with `/settings`."
)


def first_form(opponent: int, presentations: Presentations, settings: GuildRecord) -> ChallengeForm:
    """The standard variant of the server's first game; ButtonError if all games are off."""
    games = list(_games_on(presentations, settings))
    if not games:
        raise ButtonError(ALL_OFF)
    return ChallengeForm(opponent=opponent, game=games[0])


def computer_form(game: str, *, is_new: bool) -> ChallengeForm | None:
    """The first variant of a game that a computer plays; None if it plays none.

    For a player who is new to the game, the game's variant for a first match is tried first, and
    the level is the easiest.
    """
    level_for = easiest_level if is_new else usual_level
    first = [GAMES[game].first_preset] if is_new else []
    for variant in (*first, *GAMES[game].presets):
        level = level_for(game, GAMES[game].presets[variant], _fewest_seats(game, variant))
        if level is not None:
            return ChallengeForm(game=game, variant=variant, level=level)
    return None


def harder_form(snapshot: MatchSnapshot) -> ChallengeForm | None:
    """The same match at the next level, if its only person won against computers of one level.

    None after any other match, at the highest level, and for options that aren't a preset.
    """
    game, seats = GAMES[snapshot.game], len(snapshot.seats)
    people = [i for i, info in enumerate(snapshot.seats) if info.computer is None]
    beaten = {info.computer for info in snapshot.seats} - {None}
    if len(people) > 1 or len(beaten) > 1 or people != [*winners(snapshot.outcome)]:
        return None
    levels = [level.key for level in levels_for(snapshot.game, snapshot.options, seats)]
    harder = [after for level, after in pairwise(levels) if level in beaten]
    named = [
        variant
        for variant, options in game.presets.items()
        if options == snapshot.options and _fewest_seats(game.key, variant) == seats
    ]
    if not harder or not named:
        return None
    pace = None if snapshot.is_solo else snapshot.time_control
    return ChallengeForm(game=game.key, variant=named[0], level=harder[0], time_control=pace)


def first_computer_form(
    presentations: Presentations, settings: GuildRecord, new_to: Collection[str]
) -> ChallengeForm:
    """The first game on in this server that a computer plays; ButtonError if there is none."""
    games = _games_on(presentations, settings)
    forms = (computer_form(game, is_new=game in new_to) for game in games)
    form = next((form for form in forms if form is not None), None)
    if form is None:
        raise ButtonError(
            "All games with a computer are turned off in this server. A server manager can turn "
            "them on with `/settings`."
        )
    return form


def challenge_form_content(
    form: ChallengeForm,
    presentations: Presentations,
    settings: GuildRecord | None,
    new_to: Collection[str],
) -> MessageContent:
    """The form as a private message; `settings` is None for a solo match.

    `new_to` are the games that the reader has never played, which start at the easiest level.
    Raises ButtonError if the server has turned off all games.
    """
    if not any(_games_on(presentations, settings)):
        raise ButtonError(ALL_OFF)
    form = _with_playable_level(form)
    rows: list[Row] = [_game_menu(form, presentations, settings, new_to)]
    if len(_variants(form)) > 1:
        rows.append(_variant_menu(form, presentations))
    rows += [] if form.level is None else [_level_menu(form)]
    rows += [] if settings is None else [_time_control_menu(form, settings)]
    rows += [_stakes_menu(form)] if form.level is None else []
    ways = [Button(label="Rules", press=Press(NO_MATCH, 0, "rules", form.game))]
    if form.level is not None and form.game in new_to and presentations[form.game].lesson:
        ways.append(Button(label="Learn it", press=Press(NO_MATCH, 0, "learn", form.game)))
    if form.level is None:
        how = "Choose what to play, then press **Send** to post the challenge here."
        head = f"### Challenge <@{form.opponent}>\n{how}"
    else:
        head = "### Play the computer\n**Play** starts the match here, right away."
    send = Button(
        label="Send" if form.level is None else "Play",
        press=Press(NO_MATCH, 0, "send", str(form)),
        style="success",
    )
    return MessageContent(head=head, rows=(*rows, (send, *ways)), color=OPEN)


def _with_playable_level(form: ChallengeForm) -> ChallengeForm:
    """The form with a level that plays its variant: its own, else the usual one.

    Unchanged if the opponent is a person.

    Raises ButtonError if no computer plays the variant.
    """
    if form.level in {None, *(level.key for level in _levels(form))}:
        return form
    options = GAMES[form.game].presets[form.variant]
    level = usual_level(form.game, options, _fewest_seats(form.game, form.variant))
    if level is None:
        raise ButtonError("No computer plays this. Choose another variant with the command.")
    return replace(form, level=level)


def _levels(form: ChallengeForm) -> tuple[Level, ...]:
    options = GAMES[form.game].presets[form.variant]
    return levels_for(form.game, options, _fewest_seats(form.game, form.variant))


def _games_on(presentations: Presentations, settings: GuildRecord | None) -> Iterator[str]:
    off = frozenset[str]() if settings is None else settings.games_off
    return (key for key in GAMES if key in presentations and key not in off)


def _game_menu(
    form: ChallengeForm,
    presentations: Presentations,
    settings: GuildRecord | None,
    new_to: Collection[str],
) -> Select:
    options = []
    for key in _games_on(presentations, settings):
        other = replace(form, game=key, variant="standard")
        if form.level is not None:
            alone = computer_form(key, is_new=key in new_to)
            if alone is None:
                continue
            other = replace(alone, time_control=form.time_control)
        label, chosen = GAMES[key].title, key == form.game
        options.append(Option(label=label, value=str(other), chosen=chosen))
    return _select("Game", *options)


def _variants(form: ChallengeForm) -> tuple[str, ...]:
    """The variants on offer; against a computer, only those it plays."""
    variants = tuple(GAMES[form.game].presets)
    if form.level is None:
        return variants
    return tuple(key for key in variants if _levels(replace(form, variant=key)))


def _variant_menu(form: ChallengeForm, presentations: Presentations) -> Select:
    shown, presets = presentations[form.game], GAMES[form.game].presets
    return _select(
        "Variant",
        *(
            Option(
                label=shown.variant(presets[key]),
                value=str(_with_playable_level(replace(form, variant=key))),
                note=_other_seats(form, _fewest_seats(form.game, key)),
                chosen=key == form.variant,
            )
            for key in _variants(form)
        ),
    )


def _other_seats(form: ChallengeForm, seats: int) -> str:
    """Who fills the seats of a variant for more than two; "" for two."""
    if seats == 2:
        return ""
    return "open seats for others" if form.level is None else f"you and {seats - 1} computers"


def _level_menu(form: ChallengeForm) -> Select:
    return _select(
        "Level",
        *(
            Option(
                label=NAMES[level.key],
                value=str(replace(form, level=level.key)),
                note=shortened(level.says),
                chosen=level.key == form.level,
            )
            for level in _levels(form)
        ),
    )


def _time_control_menu(form: ChallengeForm, settings: GuildRecord) -> Select:
    """The paces this server allows, its default first."""
    usual = time_control_of(settings, None)
    has_reserves = "reserve" not in settings.time_off_barred
    others = (
        Option(
            label=name, value=str(replace(form, time_control=key)), chosen=key == form.time_control
        )
        for key, name in TIME_CONTROLS.items()
        if key != usual and (has_reserves or key not in RESERVE)
    )
    own = Option(
        label=TIME_CONTROLS[usual],
        value=str(replace(form, time_control=None)),
        note="This server's default",
        chosen=form.time_control in {None, usual},
    )
    return _select("Pace", own, *others)


def _stakes_menu(form: ChallengeForm) -> Select:
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


def _fewest_seats(game: str, variant: str) -> int:
    options = GAMES[game].presets[variant]
    return next(n for n in GAMES[game].seats if GAMES[game].fits(options, n))
