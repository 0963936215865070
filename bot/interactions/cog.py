"""Cogs that answer buttons and selects with methods marked by `@act`."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

import discord
from discord import app_commands
from discord.ext import commands

from bot.errors import StorageUnavailableError, showing_saved
from bot.interactions.router import Handler
from bot.messaging.content import MessageContent
from bot.messaging.first_answer import Deferral
from bot.rendering.menu import menu_content
from bot.rendering.presentation import Presentation
from bot.rendering.rules_pages import rules_page_content
from bot.storage import MatchId
from games import GAMES

if TYPE_CHECKING:  # the client imports this
    from bot.client import Facedown

MethodT = TypeVar("MethodT", bound=Callable[..., object])

_ACT: Final = "__act__"


def act(
    name: str, deferral: Deferral = Deferral.IN_PLACE, *, anywhere: bool = False
) -> Callable[[MethodT], MethodT]:
    """Mark a method of a cog to answer every button and select whose custom_id names the act.

    `deferral` says how it answers, in case that takes long: by editing the clicked message, or with
    a new one. `anywhere` skips the check that the person may reach the match: its message names
    matches of all servers, or the method itself checks who may.
    """

    def marked(method: MethodT) -> MethodT:
        setattr(method, _ACT, (name, deferral, anywhere))
        return method

    return marked


@asynccontextmanager
async def shown_after(show: Callable[[], Awaitable[None]]) -> AsyncIterator[None]:
    """Show a list again after this act, even if that was refused: the list offered what is gone.

    If the list can't be read, the refusal is raised all the same; after an act that is done,
    SavedError says so.
    """
    try:
        yield
    except Exception:
        with suppress(StorageUnavailableError):
            await show()
        raise
    with showing_saved():
        await show()


class ActCog(commands.Cog):
    """A cog whose marked methods are registered with the router while it is loaded."""

    _marked: ClassVar[dict[str, tuple[str, Deferral, bool]]]
    """By method name: the act, deferral and `anywhere` given to `@act`."""

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        # Looked up on the class, so that no property is evaluated just to see that it is no method.
        candidates = ((name, getattr(getattr(cls, name), _ACT, None)) for name in dir(cls))
        cls._marked = {name: marked for name, marked in candidates if marked is not None}

    def __init__(self, bot: "Facedown") -> None:
        self.bot = bot
        self.services = bot.services

    async def cog_load(self) -> None:
        for name, deferral, anywhere, handler in self._handlers():
            self.services.router.add(name, handler, deferral, anywhere=anywhere)

    async def cog_unload(self) -> None:
        for name, *_ in self._handlers():
            self.services.router.remove(name)

    async def match_menu(self, match: MatchId, user: int) -> MessageContent:
        """The menu of a match: for a player, all but choosing a move; for others, following it."""
        snapshot = await self.services.matches.running(match, user)
        followed = await self.services.watching.is_followed(match, user)
        presentation = self.services.presentations[snapshot.game]
        return menu_content(snapshot, presentation, is_followed=followed)

    def _handlers(self) -> Iterator[tuple[str, Deferral, bool, Handler]]:
        for attribute, marked in self._marked.items():
            yield *marked, getattr(self, attribute)


class GameCog(ActCog, commands.GroupCog):
    """The commands of a game, whose presentation is registered while they can be used."""

    game: ClassVar[str]
    presentation: ClassVar[Presentation]

    def __init__(self, bot: "Facedown") -> None:
        super().__init__(bot)
        title, group = GAMES[self.game].title, self.app_command
        assert group is not None
        self.rules.description = f"Read the rules of {title}, with pictures."
        group.remove_command(self.rules.name)
        group.add_command(self.rules)  # last, so that the game's own commands come first

    async def cog_load(self) -> None:
        self.services.presentations[self.game] = self.presentation
        await super().cog_load()

    async def cog_unload(self) -> None:
        await super().cog_unload()
        self.services.presentations.pop(self.game, None)

    @app_commands.command()
    async def rules(self, interaction: discord.Interaction[Any]) -> None:
        """Read the rules, with pictures."""
        content = rules_page_content(self.services.presentations, self.game, 0)
        await self.services.delivery.answer_privately(interaction, content)
