"""A bot that uses every feature of Discord that the sandbox's page can show."""

import io
import os

import discord
from discord import app_commands, ui
from discord.gateway import DiscordWebSocket
from PIL import Image, ImageDraw
from yarl import URL

COLORS = ("red", "green", "blue", "gold")


def picture(text, color="#2f6f5e", size=(520, 200)):
    """A PNG file in memory."""
    image = Image.new("RGB", size, color)
    ImageDraw.Draw(image).text((20, 20), text, fill="white", font_size=48)
    data = io.BytesIO()
    image.save(data, "PNG")
    data.seek(0)
    return data


class Name(ui.Modal, title="Tell us about you"):
    name = ui.Label(
        text="Name",
        description="As on the door",
        component=ui.TextInput(min_length=2, max_length=20),
    )
    story = ui.Label(
        text="Story",
        component=ui.TextInput(style=discord.TextStyle.paragraph, required=False),
    )
    color = ui.Label(
        text="Color",
        component=ui.Select(options=[discord.SelectOption(label=c, value=c) for c in COLORS]),
    )
    size = ui.Label(
        text="Size",
        component=ui.RadioGroup(
            options=[
                discord.RadioGroupOption(label="Small", value="small"),
                discord.RadioGroupOption(label="Large", value="large"),
            ]
        ),
    )
    extras = ui.Label(
        text="Extras",
        component=ui.CheckboxGroup(
            required=False,
            options=[
                discord.CheckboxGroupOption(label="Tea", value="tea"),
                discord.CheckboxGroupOption(label="Cake", value="cake"),
            ],
        ),
    )

    async def on_submit(self, interaction):
        name, color = self.name.component, self.color.component
        size, extras = self.size.component, self.extras.component
        assert isinstance(name, ui.TextInput)
        assert isinstance(color, ui.Select)
        assert isinstance(size, ui.RadioGroup)
        assert isinstance(extras, ui.CheckboxGroup)
        text = ", ".join([name.value, color.values[0], size.value, *sorted(extras.values)])
        await interaction.response.send_message(f"You said: {text}")


class Selects(ui.View):
    def __init__(self):
        super().__init__(timeout=None)

    async def tell(self, interaction, select):
        chosen = ", ".join(str(value) for value in select.values)
        await interaction.response.send_message(f"{select.custom_id}: {chosen}", ephemeral=True)

    @ui.select(
        custom_id="words",
        placeholder="Some colors",
        min_values=2,
        max_values=3,
        options=[
            discord.SelectOption(label=c.title(), value=c, description=f"The color {c}", emoji="🎨")
            for c in COLORS
        ],
    )
    async def words(self, interaction, select):
        await self.tell(interaction, select)

    @ui.select(cls=ui.UserSelect, custom_id="users", placeholder="A user")
    async def users(self, interaction, select):
        await self.tell(interaction, select)

    @ui.select(cls=ui.RoleSelect, custom_id="roles", placeholder="A role")
    async def roles(self, interaction, select):
        await self.tell(interaction, select)

    @ui.select(cls=ui.MentionableSelect, custom_id="mentionables", placeholder="A user or a role")
    async def mentionables(self, interaction, select):
        await self.tell(interaction, select)

    @ui.select(cls=ui.ChannelSelect, custom_id="channels", placeholder="A channel")
    async def channels(self, interaction, select):
        await self.tell(interaction, select)


class Buttons(ui.View):
    def __init__(self):
        super().__init__(timeout=None)
        self.add_item(ui.Button(label="A link", url="https://example.org/"))
        self.add_item(ui.Button(label="Not now", disabled=True, row=1))

    @ui.button(label="Count 0", custom_id="count", style=discord.ButtonStyle.primary, emoji="⭐")
    async def count(self, interaction, _):
        number = int(interaction.message.content.split()[-1]) + 1
        await interaction.response.edit_message(content=f"Counted {number}")

    @ui.button(label="A secret", custom_id="secret", style=discord.ButtonStyle.secondary)
    async def secret(self, interaction, _):
        text = f"The secret of {interaction.user.display_name}"
        await interaction.response.send_message(text, ephemeral=True)

    @ui.button(label="A form", custom_id="form", style=discord.ButtonStyle.success)
    async def form(self, interaction, _):
        await interaction.response.send_modal(Name())

    @ui.button(label="Nothing", custom_id="nothing", style=discord.ButtonStyle.danger, row=1)
    async def nothing(self, interaction, _):
        """Leave the click without an answer."""

    @ui.button(label="Later", custom_id="later", row=1)
    async def later(self, interaction, _):
        await interaction.response.defer(thinking=True, ephemeral=True)
        self.waiting = interaction

    waiting = None


class Layout(ui.LayoutView):
    def __init__(self):
        super().__init__(timeout=None)
        box = ui.Container(accent_color=0xE0A030)
        box.add_item(ui.TextDisplay("# A heading\nSome *text* with **weight** and `code`."))
        box.add_item(ui.Separator(spacing=discord.SeparatorSpacing.large))
        thumbnail = ui.Thumbnail("attachment://small.png", description="A small picture")
        box.add_item(ui.Section("A section", "-# with a thumbnail", accessory=thumbnail))
        button = ui.Button(label="Beside", custom_id="beside")
        box.add_item(ui.Section("Another section", accessory=button))
        gallery = ui.MediaGallery()
        gallery.add_item(media="attachment://wide.png", description="A wide picture of nothing")
        box.add_item(gallery)
        box.add_item(ui.File("attachment://notes.txt"))
        box.add_item(
            ui.ActionRow(*(ui.Button(label=str(n), custom_id=f"n{n}") for n in range(1, 6)))
        )
        self.add_item(box)


MARKDOWN = """# Heading
## Smaller
**bold** *italic* __under__ ~~gone~~ ||spoiler|| `code` and [a link](https://example.org/)
-# subtext
- one
- two
> quoted <b>not bold</b>
```py
print("code")
```
<@{me}> in <t:{time}:R>, <#{channel}>, </pick:1> and {emoji}"""


class Showcase(discord.Client):
    """A client with all commands below. Point discord.py at the sandbox before it starts."""

    def __init__(self):
        super().__init__(
            intents=discord.Intents(guilds=True), allowed_mentions=discord.AllowedMentions.all()
        )
        self.tree = app_commands.CommandTree(self)
        self.buttons = None
        self.emoji = None

    async def setup_hook(self):
        self.buttons = Buttons()  # a view needs a running event loop
        for command in (pick, guess, buttons, selects, layout, text, embed, broken, slow, whisper):
            self.tree.add_command(command)
        for menu in (wave, quote):
            self.tree.add_command(menu)
        await self.tree.sync()
        self.emoji = await self.create_application_emoji(
            name="card", image=picture("", "#c2417c", (32, 32)).read()
        )


@app_commands.command(description="Pick things of every kind")
@app_commands.describe(
    count="How many", color="Which color", friend="With whom", loud="Whether loudly"
)
@app_commands.choices(color=[app_commands.Choice(name=c.title(), value=c) for c in COLORS])
async def pick(
    interaction,
    color: app_commands.Choice[str],
    count: app_commands.Range[int, 1, 9],
    friend: discord.Member | None = None,
    loud: bool = False,
):
    name = "nobody" if friend is None else friend.display_name
    await interaction.response.send_message(f"{count} {color.value} with {name}, loud: {loud}")


@app_commands.command(description="Guess a word as you type")
@app_commands.describe(word="One of the words the bot knows")
async def guess(interaction, word: str):
    await interaction.response.send_message(f"You guessed {word}")


@guess.autocomplete("word")
async def words(interaction, current):
    known = ("apple", "apricot", "banana")
    return [
        app_commands.Choice(name=w.title(), value=w) for w in known if w.startswith(current.lower())
    ]


@app_commands.command(name="buttons", description="Buttons of every style")
async def buttons(interaction):
    await interaction.response.send_message("Counted 0", view=interaction.client.buttons)


@app_commands.command(description="Every kind of select")
async def selects(interaction):
    await interaction.response.send_message("Choose", view=Selects())


@app_commands.command(description="A layout of components")
async def layout(interaction):
    files = [
        discord.File(picture("small", size=(200, 200)), "small.png"),
        discord.File(picture("A wide picture"), "wide.png"),
        discord.File(io.BytesIO(b"some notes"), "notes.txt"),
    ]
    await interaction.response.send_message(view=Layout(), files=files)


@app_commands.command(description="Text with every kind of mark")
async def text(interaction):
    time = int(discord.utils.utcnow().timestamp()) + 90
    content = MARKDOWN.format(
        me=interaction.user.id,
        time=time,
        channel=interaction.channel_id,
        emoji=interaction.client.emoji,
    )
    await interaction.response.send_message(content)


@app_commands.command(description="An embed with all its parts")
async def embed(interaction):
    shown = discord.Embed(title="An embed", description="With **text**", color=0x5261DC)
    shown.set_author(name="Somebody").set_footer(text="The end").add_field(name="One", value="1")
    shown.add_field(name="Two", value="2").set_image(url="attachment://inside.png")
    file = discord.File(picture("inside"), "inside.png", description="A picture inside")
    await interaction.response.send_message(embed=shown, file=file)


@app_commands.command(description="Does not answer")
async def broken(interaction):
    """Leave the command without an answer."""


@app_commands.command(description="Thinks for a while")
async def slow(interaction):
    await interaction.response.defer(thinking=True)
    interaction.client.buttons.waiting = interaction


@app_commands.command(description="Write to somebody directly")
@app_commands.describe(to="Who gets the message")
async def whisper(interaction, to: discord.User):
    await interaction.response.send_message("Sending…", ephemeral=True)
    try:
        await to.send(f"A whisper from {interaction.user.display_name}")
    except discord.Forbidden:
        await interaction.edit_original_response(content=f"{to.display_name} cannot be reached.")
    else:
        await interaction.edit_original_response(content="Sent.")


@app_commands.context_menu(name="Wave")
async def wave(interaction, member: discord.Member):
    await interaction.response.send_message(
        f"{interaction.user.display_name} waves at {member.mention}"
    )


@app_commands.context_menu(name="Quote")
async def quote(interaction, message: discord.Message):
    await interaction.response.send_message(f"Quoting message {message.id}", ephemeral=True)


def point_by_environment():
    """Point discord.py at the sandbox whose URL is in DISCORD_API."""
    base = os.environ["DISCORD_API"]
    discord.http.Route.BASE = f"{base}/api/v10"
    discord.Asset.BASE = base
    DiscordWebSocket.DEFAULT_GATEWAY = URL(base.replace("http", "ws") + "/gateway")


if __name__ == "__main__":
    point_by_environment()
    Showcase().run(os.environ["DISCORD_TOKEN"])
