"""The menu of a match, for whoever asks for it."""

from typing import TYPE_CHECKING

from bot.messaging.content import MessageContent
from bot.rendering.menu import menu_content
from bot.storage import MatchId

if TYPE_CHECKING:  # the services are built of what is here
    from bot.services import Services


async def match_menu(services: "Services", match: MatchId, user: int) -> MessageContent:
    """What somebody can do in a match besides choosing a move, or that they may follow it."""
    snapshot = await services.matches.watch(match, user)
    followed = await services.watching.is_followed(match, user)
    presentation = services.presentations[snapshot.game]
    return menu_content(snapshot, presentation, is_followed=followed)
