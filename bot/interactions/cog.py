"""Cogs that answer buttons and menus, each by a method that `@act` marks."""

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

if TYPE_CHECKING:  # the client is built of what is here
    from bot.client import Facedown

MethodT = TypeVar("MethodT", bound=Callable[..., object])

_ACT: Final = "__act__"


def act(
    name: str, deferral: Deferral = Deferral.IN_PLACE, *, anywhere: bool = False
) -> Callable[[MethodT], MethodT]:
    """Let this method of a cog answer every button and menu whose custom_id names the act.

    `deferral` says what it answers with, for when that takes long: the message that was clicked,
    or a new one. `anywhere` says that no match has to be reached: its message names matches of all
    servers, or the method itself sees who may.
    """

    def marked(method: MethodT) -> MethodT:
        setattr(method, _ACT, (name, deferral, anywhere))
        return method

    return marked


@asynccontextmanager
async def shown_after(show: Callable[[], Awaitable[None]]) -> AsyncIterator[None]:
    """Show a list as it is after this act; refused or not, for it offered what was gone.

    Where it can't be read, why the act was refused is told all the same, or by a SavedError that
    the act is done.
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
    """A cog whose marked methods are registered while it is loaded."""

    _marked: ClassVar[dict[str, tuple[str, Deferral, bool]]]
    """What `@act` says of the methods it marks, by their names."""

    def __init_subclass__(cls, **options: object) -> None:
        super().__init_subclass__(**options)
        # Looked up on the class: a property must not be asked only to see that it is no method.
        found = ((name, getattr(getattr(cls, name), _ACT, None)) for name in dir(cls))
        cls._marked = {name: marked for name, marked in found if marked is not None}

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
        """What somebody can do in a match besides choosing a move, or that they may follow it."""
        snapshot = await self.services.matches.running(match, user)
        followed = await self.services.watching.is_followed(match, user)
        presentation = self.services.presentations[snapshot.game]
        return menu_content(snapshot, presentation, is_followed=followed)

    def _handlers(self) -> Iterator[tuple[str, Deferral, bool, Handler]]:
        for attribute, marked in self._marked.items():
            yield *marked, getattr(self, attribute)


class GameCog(ActCog, commands.GroupCog):
    """The commands of a game, which can be seen while they can be used."""

    game: ClassVar[str]
    presentation: ClassVar[Presentation]

    def __init__(self, bot: "Facedown") -> None:
        super().__init__(bot)
        title, group = GAMES[self.game].title, self.app_command
        assert group is not None
        self.rules.description = f"Read the rules of {title}, with pictures."
        group.remove_command(self.rules.name)
        group.add_command(self.rules)  # at the end: a picker begins with what the game has itself

    async def cog_load(self) -> None:
        self.services.presentations.add(self.game, self.presentation)
        await super().cog_load()

    async def cog_unload(self) -> None:
        await super().cog_unload()
        self.services.presentations.remove(self.game)

    @app_commands.command()
    async def rules(self, interaction: discord.Interaction[Any]) -> None:
        """Read the rules, with pictures."""
        content = rules_page_content(self.services.presentations, self.game, 0)
        await self.services.delivery.answer_privately(interaction, content)
