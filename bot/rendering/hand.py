"""A desk: what one player may see of a match, and where he chooses."""

from bot.matches import Look
from bot.messaging.components import Button, Link, Option, Press, Row, Select, Style
from bot.messaging.content import Sheet
from bot.rendering.agreements import answers, offered
from bot.rendering.phrases import (
    GONE,
    OVER,
    RUNNING,
    button,
    ending,
    menu,
    moves,
    names,
    rules,
    title,
    versus,
)
from bot.rendering.presentation import Choice, ChoiceMenu, Control, Presentation
from bot.rendering.rating_changes import changes
from bot.rendering.time_left import forfeited, late, left, own_time
from games import Seat


def desk_sheet(
    look: Look, seat: Seat, presentation: Presentation, table_url: str | None, draft: str
) -> Sheet:
    """The private message of a seat."""
    who = names(look)
    head = f"### {title(look, presentation)}: your desk\n{versus(look, presentation)}"
    story = presentation.story(look, who) + late(look, who)
    link = () if table_url is None else (Link(label="To the table", url=table_url),)
    picture, score = presentation.picture(look, draft), presentation.score(look, who)
    if look.status in {"over", "closed"}:
        how = ending(look) if look.ending else presentation.result(look, who)
        rows: tuple[Row, ...] = (link,) if link else ()
        color = OVER if look.status == "over" else GONE
        return Sheet(
            head=f"{head}\n{how}{forfeited(look, who)}\n{story}",
            picture=picture,
            foot=f"{score}{changes(look, presentation)}",
            rows=rows,
            color=color,
        )
    if look.places[seat].left:
        gone = f"{head}\n{left(look)}; the others play on."
        return Sheet(head=gone, rows=(link,) if link else (), color=GONE)
    controls = (
        _control(look, i, control) for i, control in enumerate(presentation.controls(look, draft))
    )
    return Sheet(
        head=f"{head}\n**{presentation.headline(look)}.** {story}",
        picture=picture,
        foot=f"{score}{offered(look, who)}\n{_asked(look, presentation, draft)}{own_time(look)}",
        rows=(*controls, *answers(look), (moves(look), menu(look), rules(look), *link)),
        color=RUNNING,
    )


def _asked(look: Look, presentation: Presentation, draft: str) -> str:
    if look.choice is not None and not draft:
        return f"**You chose {look.choice}.** Tap another to change it, until the last has chosen."
    return presentation.question(look, draft)


def _control(look: Look, number: int, control: Control) -> Row:
    """A row of the desk; the number tells its selects apart."""
    if not isinstance(control, ChoiceMenu):
        return tuple(_choice(look, choice) for choice in control)
    act = _act(control.choices[0])
    return Select(
        placeholder=control.placeholder,
        press=Press(look.match, look.step, act, f"menu {number}"),
        options=tuple(
            Option(label=c.label, value=c.move, note=c.note, chosen=_is_chosen(look, c))
            for c in control.choices
        ),
    )


def _choice(look: Look, choice: Choice) -> Button:
    if _is_chosen(look, choice):
        return button(look, f"✓ {choice.label}", "pick", choice.move, style="success")
    style: Style = "secondary" if choice.quiet else "primary"
    return button(look, choice.label, _act(choice), choice.move, style=style)


def _act(choice: Choice) -> str:
    return "draft" if choice.draft else choice.act


def _is_chosen(look: Look, choice: Choice) -> bool:
    is_move = _act(choice) == "pick"
    return is_move and look.choice is not None and str(look.choice) == choice.move
