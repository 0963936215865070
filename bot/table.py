"""The table and the desks of a match in words and buttons: what a look becomes as a message."""

from collections.abc import Sequence

from bot.buttons import Button, Link, Option, Press, Row, Select, Style
from bot.matches import Look
from bot.presentation import Choice, ChoiceMenu, Control, Presentation, Presentations
from bot.sheets import Sheet
from games import GAMES, Seat

OPEN, RUNNING, OVER, GONE = 0x5865F2, 0xE67E22, 0x2ECC71, 0x95A5A6


def names(look: Look) -> tuple[str, ...]:
    """How each seat is called in a message: a mention, which pings nobody unless told to."""
    return tuple(f"<@{place.user}>" for place in look.places)


def sheet(
    look: Look, presentations: Presentations, table_url: str | None = None, draft: str = ""
) -> Sheet:
    """The message that shows this look: the table for everybody, a desk for a seat.

    A draft is what the owner of a desk has put together without having chosen it.
    """
    presentation = presentations[look.game]
    if look.view is None:
        return _challenge(look, presentation)
    if look.seat is None:
        return _table(look, presentation)
    return _desk(look, look.seat, presentation, table_url, draft)


def _challenge(look: Look, presentation: Presentation) -> Sheet:
    who = names(look)
    title = f"### {_title(look, presentation)}\n{who[0]} challenges {_listed(who[1:])}."
    match look.status:
        case "declined":
            return Sheet(head=f"{title}\nThe challenge was declined.", color=GONE)
        case "withdrawn":
            return Sheet(head=f"{title}\nThe challenge was withdrawn.", color=GONE)
        case _:
            pass
    waiting = [who[i] for i, place in enumerate(look.places) if not place.accepted]
    text = (
        f"{title}\nWaiting for {_listed(waiting)}. When everybody has accepted, each player gets "
        "a desk by direct message from me; **My hand** shows the same desk here."
    )
    return Sheet(
        head=text,
        rows=(
            (
                _button(look, "Accept", "accept", style="success"),
                _button(look, "Decline", "decline"),
                _button(look, "Withdraw", "withdraw"),
                _rules(look),
            ),
        ),
        color=OPEN,
    )


def _table(look: Look, presentation: Presentation) -> Sheet:
    who = names(look)
    title = f"### {_title(look, presentation)}\n{_versus(look, presentation)}"
    story = presentation.story(look, who)
    if look.status == "over":
        return Sheet(
            head=f"{title}\n{presentation.result(look, who)}\n{story}",
            picture=presentation.picture(look, ""),
            foot=f"{presentation.score(look, who)}\n{_opened(look)}",
            rows=((_rules(look),),),
            color=OVER,
        )
    return Sheet(
        head=f"{title}\n**{presentation.headline(look)}.** {story}",
        picture=presentation.picture(look, ""),
        foot=f"{presentation.score(look, who)}\n{_waiting(look, presentation)}\n{_sealed(look)}",
        rows=((_button(look, "My hand", "hand", style="primary"), _rules(look)),),
        color=RUNNING,
    )


def _desk(
    look: Look, seat: Seat, presentation: Presentation, table_url: str | None, draft: str
) -> Sheet:
    who = names(look)
    title = f"### {_title(look, presentation)}: your desk\n{_versus(look, presentation)}"
    story = presentation.story(look, who)
    link = () if table_url is None else (Link(label="To the table", url=table_url),)
    picture, score = presentation.picture(look, draft), presentation.score(look, who)
    if look.status == "over":
        head = f"{title}\n{presentation.result(look, who)}\n{story}"
        rows: tuple[Row, ...] = (link,) if link else ()
        return Sheet(head=head, picture=picture, foot=score, rows=rows, color=OVER)
    if look.places[seat].left:
        head = f"{title}\nYou have left this match; the others play on."
        return Sheet(head=head, rows=(link,) if link else (), color=GONE)
    controls = (
        _control(look, i, control) for i, control in enumerate(presentation.controls(look, draft))
    )
    return Sheet(
        head=f"{title}\n**{presentation.headline(look)}.** {story}",
        picture=picture,
        foot=f"{score}\n{_asked(look, presentation, draft)}",
        rows=(*controls, (_button(look, "Resign", "resign"), _rules(look), *link)),
        color=RUNNING,
    )


def _asked(look: Look, presentation: Presentation, draft: str) -> str:
    if look.choice is not None and not draft:
        return f"**You chose {look.choice}.** Tap another to change it, until the last has chosen."
    return presentation.question(look, draft)


def _waiting(look: Look, presentation: Presentation) -> str:
    """Who has chosen and who is still thinking; who has left is said by the story's owner."""
    parts = []
    for i, name in enumerate(names(look)):
        if look.places[i].left:
            does = "has left"
        elif i in look.chosen:
            does = "has chosen ✓"
        elif i in look.awaiting:
            does = "is choosing …"
        else:
            continue
        parts.append(f"{presentation.badge(i)} {name} {does}")
    return " · ".join(parts)


def _sealed(look: Look) -> str:
    return f"-# Sealed deal: SHA-256 of the seed is `{look.commitment}`"


def _opened(look: Look) -> str:
    return f"-# The deal's seed was `{look.seed}`; its SHA-256 is `{look.commitment}`"


def _title(look: Look, presentation: Presentation) -> str:
    return f"{GAMES[look.game].title} · {presentation.variant(look.options)}"


def _versus(look: Look, presentation: Presentation) -> str:
    return " against ".join(f"{presentation.badge(i)} {n}" for i, n in enumerate(names(look)))


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _control(look: Look, number: int, control: Control) -> Row:
    """A row of the desk; the number tells its selects apart."""
    if not isinstance(control, ChoiceMenu):
        return tuple(_choice(look, choice) for choice in control)
    act = "draft" if control.choices[0].draft else "pick"
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
        return _button(look, f"✓ {choice.label}", "pick", choice.move, style="success")
    act: str = "draft" if choice.draft else "pick"
    style: Style = "secondary" if choice.quiet else "primary"
    return _button(look, choice.label, act, choice.move, style=style)


def _is_chosen(look: Look, choice: Choice) -> bool:
    return not choice.draft and look.choice is not None and str(look.choice) == choice.move


def _rules(look: Look) -> Button:
    return Button(label="Rules", press=Press(look.match, 0, "rules", look.game))


def _button(
    look: Look, label: str, act: str, arg: str = "", *, style: Style = "secondary"
) -> Button:
    press = Press(look.match, look.step, act, arg)
    return Button(label=label, press=press, style=style)
