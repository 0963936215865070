"""A small bot that answers interactions in every way that discord.py can."""

import asyncio
from collections.abc import Mapping
from io import BytesIO
from typing import Any

import discord
from discord import app_commands, ui
from discord.ext import commands

from sandbox import Sandbox


class Bot(commands.AutoShardedBot):
    def __init__(self, **options: Any) -> None:
        options.setdefault("intents", discord.Intents(guilds=True))
        super().__init__(command_prefix=(), guild_ready_timeout=0.0, **options)
        self.heard: list[str] = []
        self.errors: list[Exception] = []

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Do nothing: discord.py would wait 5 seconds here."""

    async def on_shard_resumed(self, shard_id: int) -> None:
        self.heard.append(f"resumed {shard_id}")

    async def on_message(self, message: discord.Message) -> None:
        self.heard.append(f"message {message.content}")

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        data: Mapping[str, Any] = interaction.data or {}
        custom_id = data.get("custom_id", "")
        if custom_id.startswith("forged"):
            # discord.py dispatches a DynamicItem only for components that the message has.
            await interaction.response.send_message(custom_id)

    async def setup_hook(self) -> None:
        register(self.tree)

        @self.tree.error
        async def remember(_: discord.Interaction, error: Exception) -> None:
            self.errors.append(getattr(error, "original", error))

        await self.tree.sync()


class running:  # noqa: N801 - reads as a verb: `async with running(discord) as bot`
    """Runs a bot for the length of a block, with the sandbox's clock stopped.

    So even on a slow machine, its answers are never too late for Discord.
    """

    def __init__(self, sandbox: Sandbox, *, token: str | None = None, **options: Any) -> None:
        self._sandbox = sandbox
        self._token = token or sandbox.token
        self.bot = Bot(**options)

    async def __aenter__(self) -> Bot:
        self._sandbox.clock.freeze()
        await self.bot.__aenter__()
        self._task = asyncio.create_task(self.bot.start(self._token))
        connected = asyncio.create_task(self._sandbox.ready())
        await asyncio.wait({self._task, connected}, return_when=asyncio.FIRST_COMPLETED)
        if self._task.done():
            connected.cancel()
            await self.bot.close()
            self._task.result()
        await connected
        return self.bot

    async def __aexit__(self, *error: object) -> None:
        await self.bot.__aexit__(*error)
        await self._task


class Dynamic(ui.DynamicItem[ui.Button[Any]], template=r"b:(?P<act>\w+)"):
    def __init__(self, act: str) -> None:
        super().__init__(ui.Button(label=act.title(), custom_id=f"b:{act}"))
        self.act = act

    @classmethod
    async def from_custom_id(cls, _: Any, __: Any, match: Any) -> "Dynamic":
        return cls(match["act"])

    async def callback(self, interaction: discord.Interaction) -> None:
        await ACTS[self.act](interaction)


async def update(interaction: discord.Interaction) -> None:
    await interaction.response.edit_message(content="updated", view=None)


async def later(interaction: discord.Interaction) -> None:
    await interaction.response.defer()
    await interaction.edit_original_response(content="updated later")


async def think(interaction: discord.Interaction) -> None:
    await interaction.response.defer(ephemeral=True, thinking=True)
    await interaction.followup.send("thought")
    await interaction.followup.send("and more", ephemeral=True)


async def ask(interaction: discord.Interaction) -> None:
    await interaction.response.send_modal(Form())


async def silent(_: discord.Interaction) -> None:
    """Leave the interaction without an answer."""


ACTS = {"update": update, "later": later, "think": think, "ask": ask, "silent": silent}


class Form(ui.Modal, title="A form"):
    name = ui.Label(text="Name", component=ui.TextInput(custom_id="name", max_length=10))
    color = ui.Label(
        text="Color",
        component=ui.Select(
            custom_id="color",
            options=[discord.SelectOption(label="Red"), discord.SelectOption(label="Blue")],
        ),
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        name, color = self.name.component, self.color.component
        assert isinstance(name, ui.TextInput)
        assert isinstance(color, ui.Select)
        await interaction.response.send_message(f"{name.value} likes {color.values[0]}")


class Selects(ui.View):
    def __init__(self) -> None:
        super().__init__(timeout=None)

    @ui.select(cls=ui.Select, placeholder="Word", max_values=2, custom_id="word", options=[
        discord.SelectOption(label="One", value="1"),
        discord.SelectOption(label="Two", value="2"),
    ])  # fmt: skip
    async def word(self, interaction: discord.Interaction, select: ui.Select[Any]) -> None:
        await interaction.response.send_message(f"word {select.values}")

    @ui.select(cls=ui.UserSelect, placeholder="Whom", custom_id="whom")
    async def whom(self, interaction: discord.Interaction, select: ui.UserSelect[Any]) -> None:
        names = [f"{type(user).__name__} {user.id}" for user in select.values]
        await interaction.response.send_message(f"whom {names}")

    @ui.select(cls=ui.RoleSelect, placeholder="Role", custom_id="role")
    async def role(self, interaction: discord.Interaction, select: ui.RoleSelect[Any]) -> None:
        await interaction.response.send_message(f"role {[role.name for role in select.values]}")

    @ui.select(cls=ui.MentionableSelect, placeholder="Either", custom_id="either", max_values=2)
    async def either(
        self, interaction: discord.Interaction, select: ui.MentionableSelect[Any]
    ) -> None:
        await interaction.response.send_message(f"either {[v.id for v in select.values]}")

    @ui.select(
        cls=ui.ChannelSelect,
        placeholder="Where",
        custom_id="where",
        channel_types=[discord.ChannelType.text],
    )
    async def where(self, interaction: discord.Interaction, select: ui.ChannelSelect[Any]) -> None:
        await interaction.response.send_message(f"where {[c.name for c in select.values]}")


def buttons(*acts: str) -> ui.View:
    view = ui.View(timeout=None)
    for act in acts:
        view.add_item(Dynamic(act))
    return view


def picture(data: bytes, name: str = "board.png") -> tuple[ui.LayoutView, discord.File]:
    """The layout and the file of a message of components with one picture."""
    layout = ui.LayoutView(timeout=None)
    layout.add_item(ui.TextDisplay("Snapshot"))
    item = discord.MediaGalleryItem(f"attachment://{name}", description="A board")
    layout.add_item(ui.MediaGallery(item))
    return layout, discord.File(BytesIO(data), name)


def register(tree: app_commands.CommandTree[Any]) -> None:
    """Add commands of every kind."""
    register_plain(tree)
    register_grouped(tree)
    tree.client.add_dynamic_items(Dynamic)


def register_plain(tree: app_commands.CommandTree[Any]) -> None:

    @tree.command()
    async def say(
        interaction: discord.Interaction,
        text: app_commands.Range[str, 1, 20],
        ephemeral: bool = False,
        silent: bool = False,
    ) -> None:
        """Say it back."""
        await interaction.response.send_message(text, ephemeral=ephemeral, silent=silent)

    @tree.command()
    async def every(  # noqa: PLR0917 - the parameters are the options
        interaction: discord.Interaction,
        number: app_commands.Range[int, 1, 5],
        user: discord.User,
        share: float | None = None,
        channel: discord.TextChannel | None = None,
        role: discord.Role | None = None,
        file: discord.Attachment | None = None,
    ) -> None:
        """Take a value of every kind."""
        size = None if file is None else len(await file.read())
        told = (number, user.id, share, channel and channel.name, role and role.name, size)
        await interaction.response.send_message(repr(told))

    @tree.command()
    @app_commands.choices(color=[app_commands.Choice(name="Deep red", value="red")])
    async def paint(interaction: discord.Interaction, color: str, move: str = "") -> None:
        """Paint."""
        await interaction.response.send_message(f"{color} {move}")

    @paint.autocomplete("move")
    async def moves(interaction: discord.Interaction, typed: str) -> list[Any]:
        color = interaction.namespace.color
        return [app_commands.Choice(name=f"{color} {typed}{n}", value=f"{n}") for n in range(3)]

    @tree.command()
    async def show(interaction: discord.Interaction, acts: str) -> None:
        """Show buttons."""
        view = Selects() if acts == "selects" else buttons(*acts.split())
        await interaction.response.send_message("Here", view=view)

    @tree.command(name="do")
    async def do_it(interaction: discord.Interaction, act: str) -> None:
        """Do one of the acts at once."""
        await ACTS[act](interaction)

    @tree.command()
    @app_commands.guild_only()
    async def here(interaction: discord.Interaction) -> None:
        """Only in servers."""
        bits = interaction.app_permissions
        await interaction.response.send_message(f"{interaction.locale} {bits.attach_files}")


def register_grouped(tree: app_commands.CommandTree[Any]) -> None:
    group = app_commands.Group(name="pico", description="A game")
    deep = app_commands.Group(name="set", description="Settings", parent=group)

    @group.command()
    async def play(interaction: discord.Interaction, opponent: discord.Member) -> None:
        """Play."""
        await interaction.response.send_message(f"{opponent.mention}, {opponent.joined_at:%Y}")

    @deep.command()
    async def pace(interaction: discord.Interaction, days: int) -> None:
        """Set the pace."""
        await interaction.response.send_message(f"{days} days")

    tree.add_command(group)

    @tree.context_menu(name="Greet")
    async def greet(interaction: discord.Interaction, member: discord.Member) -> None:
        await interaction.response.send_message(f"Hello {member.display_name}")

    @tree.context_menu(name="Quote")
    async def quote(interaction: discord.Interaction, message: discord.Message) -> None:
        await interaction.response.send_message(f"> {message.content}")
