"""A page of a game's rules as a message."""

from typing import Any

from bot.errors import ButtonError
from bot.messaging.components import Button, Press
from bot.messaging.content import MessageContent
from bot.rendering.colors import BLURPLE
from bot.rendering.phrases import NO_MATCH, variant_details
from bot.rendering.presentation import Presentations
from games import GAMES


def rules_page_content(
    presentations: Presentations,
    game: str,
    number: int,
    options: Any = None,  # noqa: ANN401 - of the game's own type
) -> MessageContent:
    """A page of a game's rules, counted from 0; ButtonError if there is no such page or game.

    `options` are those of the match where **Rules** was pressed; None outside a match.
    """
    if game not in presentations:
        raise ButtonError("I don't know the rules of that game. `/help` has those of all games.")
    if not 0 <= number < len(presentations[game].manual):
        raise ButtonError(f"The rules have no such page. Use `/{game} rules` again.")
    pages = presentations[game].manual
    page = pages[number]
    agreed = "" if options is None else variant_details(game, options, presentations[game])
    buttons = []
    if number > 0:
        back = Press(NO_MATCH, number - 1, "page", game)
        buttons.append(Button(label=f"◀ {pages[number - 1].title}", press=back))
    if number + 1 < len(pages):
        on = Press(NO_MATCH, number + 1, "page", game)
        buttons.append(Button(label=f"{pages[number + 1].title} ▶", press=on, style="primary"))
    return MessageContent(
        head=f"### {page.title}\n{agreed}{page.text}",
        picture=page.picture,
        foot=f"-# {GAMES[game].title}: rules · page {number + 1} of {len(pages)}",
        rows=(tuple(buttons),),
        color=BLURPLE,
    )
