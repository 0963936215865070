"""Cogs that answer buttons and menus, each by a method that `@act` marks."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, ClassVar, Final, TypeVar

from discord.ext import commands

from bot.interactions.router import Handler
from bot.rendering.presentation import Presentation

if TYPE_CHECKING:  # the client is built of what is here
    from bot.client import Facedown

MethodT = TypeVar("MethodT", bound=Callable[..., object])

_ACT: Final = "__act__"


def act(name: str) -> Callable[[MethodT], MethodT]:
    """Let this method of a cog answer every button and menu whose custom_id names the act."""

    def marked(method: MethodT) -> MethodT:
        setattr(method, _ACT, name)
        return method

    return marked


class ActCog(commands.Cog):
    """A cog whose marked methods are registered while it is loaded."""

    def __init__(self, bot: "Facedown") -> None:
        self.bot = bot
        self.services = bot.services

    async def cog_load(self) -> None:
        for name, handler in self._handlers():
            self.services.router.add(name, handler)

    async def cog_unload(self) -> None:
        for name, _ in self._handlers():
            self.services.router.remove(name)

    def _handlers(self) -> Iterator[tuple[str, Handler]]:
        # Looked up on the class: a property must not be asked only to see that it is no method.
        for attribute in dir(type(self)):
            name = getattr(getattr(type(self), attribute), _ACT, None)
            if name is not None:
                yield name, getattr(self, attribute)


class GameCog(ActCog, commands.GroupCog):
    """The commands of a game, which can be seen while they can be used."""

    game: ClassVar[str]
    presentation: ClassVar[Presentation]

    async def cog_load(self) -> None:
        self.services.presentations.add(self.game, self.presentation)
        await super().cog_load()

    async def cog_unload(self) -> None:
        await super().cog_unload()
        self.services.presentations.remove(self.game)
