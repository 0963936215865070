"""`/settings`: where, what and how the members of a server play."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import discord
from discord import app_commands

from bot.client import Facedown, Interaction
from bot.errors import ButtonError, NotAllowedHereError
from bot.interactions.cog import ActCog, act
from bot.interactions.contexts import in_servers
from bot.interactions.match_channels import existing_channels
from bot.matches.time_controls import RESERVE
from bot.matches.time_off import time_control_of
from bot.messaging.channels import connected_server
from bot.messaging.components import ChannelSelect, Option, Press, Row, Select, id_in
from bot.messaging.content import MessageContent
from bot.messaging.known_servers import must_know_server
from bot.messaging.own_member import own_member
from bot.messaging.permissions import missing_in, timed_out_until
from bot.rendering.colors import BLURPLE
from bot.rendering.phrases import NO_MATCH, TIME_CONTROLS, shortened, with_selected
from bot.storage.guilds import GuildRecord, TimeOff
from bot.text import listed
from games import GAMES

_AGAIN: Final = "Use `/settings` again."


@dataclass(frozen=True, slots=True, kw_only=True)
class Unposted:
    """Why the last posts couldn't be sent; None for one that was, or still may be."""

    puzzle: str | None = None
    digest: str | None = None


NONE_UNPOSTED: Final = Unposted()


@dataclass(frozen=True, slots=True, kw_only=True)
class PostWords:
    """What the panel calls posts of a kind."""

    what: str
    several: str
    next: str
    """When the next one comes."""

    this: str
    """What to call the one that wasn't sent."""


PUZZLE: Final = PostWords(what="puzzle", several="puzzles", next="tomorrow", this="today's")
DIGEST: Final = PostWords(what="digest", several="digests", next="on Monday", this="this one")


def panel(
    record: GuildRecord,
    games: Sequence[str],
    guild: discord.Guild | None,
    unposted: Unposted = NONE_UNPOSTED,
) -> MessageContent:
    """The settings of a server, with menus to change them, and warnings.

    `guild` is None in a server that has only the bot's commands: nothing is known of its channels,
    so there are no warnings, and no channel is preselected. Discord may refuse one that is gone.
    """
    return MessageContent(
        head="### How this server plays\nChanges apply to new challenges; **Threads** also to "
        "open ones, **Time off** (but not reserve time) also to matches in progress.",
        rows=(
            *_limits(record, games, guild),
            "**How** a match is played, unless the challenger chooses otherwise",
            _select("Pace", f"pace {time_control_of(record, None)}", _paces(record)),
            _select("One tap or private", f"tap {_on(record.tap is None or record.tap)}", _taps()),
            "**Threads**: whether each match gets its own",
            _select("Threads", f"threads {_on(record.threads)}", _THREADS),
            *_posts(record, guild),
            *warnings(guild, record),
            *_post_warnings(guild, PUZZLE, record.puzzle_channel, unposted.puzzle),
            *_post_warnings(guild, DIGEST, record.digest_channel, unposted.digest),
        ),
        color=BLURPLE,
    )


def _limits(
    record: GuildRecord, games: Sequence[str], guild: discord.Guild | None
) -> tuple[Row, ...]:
    """Menus for where and what people can play, and which time off they can take."""
    return (
        "**Channels** where people can start matches, threads included; none means everywhere",
        ChannelSelect(
            placeholder="Everywhere",
            press=_press("limit"),
            chosen=() if guild is None else tuple(existing_channels(record, guild)),
        ),
        "**Games** people can play",
        Select(
            placeholder="None",
            press=_press("switch"),
            options=tuple(
                Option(label=GAMES[game].title, value=game, chosen=game not in record.games_off)
                for game in games
            ),
            fewest=0,
            most=len(games),
        ),
        "**Time off** players can take; pauses and vacations in progress continue",
        Select(
            placeholder="No time off",
            press=_press("timeoff"),
            options=tuple(
                Option(label=label, value=key, chosen=key not in record.time_off_barred)
                for key, label in _TIME_OFF.items()
            ),
            fewest=0,
            most=len(_TIME_OFF),
        ),
    )


def _posts(record: GuildRecord, guild: discord.Guild | None) -> tuple[Row, ...]:
    """Menus for the channels where the bot posts by itself."""
    return (
        "**Puzzle channel**: a new puzzle every day at midnight UTC, with yesterday's answer",
        _post_channel("No daily puzzle", "puzzles", _postable(guild, record.puzzle_channel)),
        "**Digest channel**: a look back at the week, every Monday at midnight UTC",
        _post_channel("No digest", "digests", _postable(guild, record.digest_channel)),
    )


def _post_channel(none: str, setting: str, channel: int | None) -> ChannelSelect:
    """A menu for the channel where something is posted; `none` is shown if there is none."""
    return ChannelSelect(
        placeholder=none,
        press=_press(setting),
        chosen=() if channel is None else (channel,),
        most=1,
        forums=False,
    )


def _postable(guild: discord.Guild | None, channel: int | None) -> int | None:
    """The channel if it's a text channel of the server, else None: Discord may refuse any other."""
    if guild is None or channel is None:
        return None
    guild_channel = guild.get_channel(channel)
    return channel if isinstance(guild_channel, discord.abc.Messageable) else None


def _paces(record: GuildRecord) -> tuple[Option, ...]:
    """The paces that this server allows, as options."""
    barred = RESERVE if "reserve" in record.time_off_barred else ()
    return tuple(
        Option(label=label, value=f"pace {time_control}")
        for time_control, label in TIME_CONTROLS.items()
        if time_control not in barred
    )


_THREADS = (
    Option(label="In the channel", value="threads off"),
    Option(label="In a thread", value="threads on", note="Each match gets its own thread"),
)


_TIME_OFF: Mapping[TimeOff, str] = MappingProxyType(
    {
        "pause": "Pauses everyone agrees to",
        "vacation": "Vacations: 14 days a year",
        "reserve": "Reserve time for slow moves",
        "resume": "Resuming after a player ran out of time",
        "take_back": "Take-backs",
    }
)


def _taps() -> Sequence[Option]:
    tapped = listed(game.title for game in GAMES.values() if game.hands_are_public)
    note = shortened(f"{tapped}: every hand is a row of buttons at the table")
    return (
        Option(
            label="In private", value="tap off", note="You choose in a message only you can see"
        ),
        Option(label="One tap", value="tap on", note=note),
    )


def _on(setting: bool) -> str:  # noqa: FBT001 - the setting itself
    return "on" if setting else "off"


def _press(act: str, arg: str = "") -> Press:
    return Press(NO_MATCH, 0, act, arg)


def _select(placeholder: str, chosen: str, options: Sequence[Option]) -> Select:
    press = _press("setting", placeholder)
    return Select(placeholder=placeholder, press=press, options=with_selected(options, chosen))


MAX_WARNINGS: Final = 10
"""Channels with a warning of their own: 25 can be chosen, too many for a message."""


def warnings(guild: discord.Guild | None, record: GuildRecord) -> list[str]:
    """What the bot lacks in the chosen channels, as rows; none while that is unknown."""
    if guild is None:
        return []
    silent_until = timed_out_until(guild)
    if silent_until is not None:
        return [f"⚠️ A moderator has timed me out: no matches and no posts until {silent_until}."]
    there = existing_channels(record, guild)
    if record.channels and not there:
        return ["⚠️ All the chosen channels are gone, so nobody can play. Choose others."]
    me = own_member(guild)
    if me is None:
        return []
    lines = []
    for channel in guild.channels:
        if channel.id not in there:
            continue
        threads = record.threads and isinstance(channel, discord.TextChannel)
        lacking = missing_in(channel, me, threads=threads)
        if lacking:
            lines.append(
                f"⚠️ In <#{channel.id}> I need {listed(lacking)}: nobody can play there until then."
            )
    more = len(lines) - MAX_WARNINGS
    if more > 0:
        last = f"⚠️ I need permissions in {more} more of the chosen channels."
        lines = [*lines[:MAX_WARNINGS], last]
    return ["\n".join(lines)] if lines else []


def _post_warnings(
    guild: discord.Guild | None, kind: PostWords, chosen: int | None, unposted: str | None
) -> list[str]:
    """What keeps posts of a kind from being sent, as rows of the panel."""
    if guild is None or chosen is None:
        return []
    channel = guild.get_channel(chosen)
    if channel is None:
        return [f"⚠️ The {kind.what} channel is gone. Choose another one."]
    if timed_out_until(guild) is not None:
        return []  # the panel says so already, and choosing the channel again wouldn't help yet
    me = own_member(guild)
    lacking = [] if me is None else missing_in(channel, me)
    if lacking:
        need = f"⚠️ In <#{channel.id}> I need {listed(lacking)}"
        return [f"{need}: I can't post {kind.several} until then."]
    if unposted is None:
        return []
    why = f"⚠️ I couldn't post the last {kind.what} in <#{channel.id}>: {unposted}."
    again = f"To get {kind.this} too, choose the channel again."
    return [f"{why} The next one comes {kind.next}. {again}"]


class Settings(ActCog):
    @app_commands.command()
    @in_servers
    @app_commands.default_permissions(manage_guild=True)
    async def settings(self, interaction: Interaction) -> None:
        """Choose where, what and how this server plays."""
        must_know_server(interaction)
        guild = interaction.guild_id or 0
        record = await self.services.guild_settings.of(guild)
        unposted = Unposted(
            puzzle=await self.services.puzzle_posts.unposted(guild),
            digest=await self.services.digest_posts.unposted(guild),
        )
        content = self._panel(interaction, record, unposted)
        await self.services.delivery.answer_privately(interaction, content)

    @act("setting")
    async def change(self, interaction: Interaction, press: Press) -> None:
        guild = _managed_guild(interaction)
        record = await self.services.guild_settings.change(guild, press.arg)
        await self._show(interaction, record)

    @act("limit")
    async def limit(self, interaction: Interaction, press: Press) -> None:
        guild = _managed_guild(interaction)
        record = await self.services.guild_settings.set_channels(
            guild, _picked_channels(interaction, press)
        )
        await self._show(interaction, record)

    @act("switch")
    async def switch(self, interaction: Interaction, press: Press) -> None:
        guild = _managed_guild(interaction)
        off = set(self._games()) - set(press.values)
        record = await self.services.guild_settings.switch(guild, press.values, off)
        await self._show(interaction, record)

    @act("timeoff")
    async def time_off(self, interaction: Interaction, press: Press) -> None:
        guild = _managed_guild(interaction)
        allowed = await self.services.guild_settings.allow(guild, press.values)
        try:
            await self._show(interaction, allowed.settings)
        finally:
            for match in allowed.matches_to_edit:
                await self.services.live.update_all(match)

    @act("puzzles")
    async def puzzles(self, interaction: Interaction, press: Press) -> None:
        guild = _managed_guild(interaction)
        channel = next(iter(_picked_channels(interaction, press)), None)
        record = await self.services.guild_settings.post_puzzles(guild, channel)
        self.services.puzzle_posts.hurry()
        self.services.deadlines.look()
        await self._show(interaction, record)

    @act("digests")
    async def digests(self, interaction: Interaction, press: Press) -> None:
        guild = _managed_guild(interaction)
        channel = next(iter(_picked_channels(interaction, press)), None)
        monday = self.services.digests.this_monday
        record = await self.services.guild_settings.post_digests(guild, channel, monday)
        self.services.digest_posts.hurry()
        self.services.deadlines.look()
        await self._show(interaction, record)

    async def _show(self, interaction: Interaction, record: GuildRecord) -> None:
        """Show the panel after a change."""
        await self.services.delivery.answer_in_place(interaction, self._panel(interaction, record))

    def _games(self) -> list[str]:
        return [game for game in GAMES if game in self.services.presentations]

    def _panel(
        self, interaction: Interaction, record: GuildRecord, unposted: Unposted = NONE_UNPOSTED
    ) -> MessageContent:
        guild = connected_server(interaction.client, interaction.guild_id or 0)
        return panel(record, self._games(), guild, unposted)


def _picked_channels(interaction: Interaction, press: Press) -> list[int]:
    """The channels that were picked; ButtonError if the server doesn't have one of them."""
    picked = [id_in(value, again=_AGAIN) for value in press.values]
    if interaction.guild is None or any(interaction.guild.get_channel(c) is None for c in picked):
        raise ButtonError(f"One of these channels isn't in this server. {_AGAIN}")
    return picked


def _managed_guild(interaction: Interaction) -> int:
    """The server of a click.

    NotAllowedHereError if its user doesn't manage it (any longer), or if its channels aren't known
    here now: the panel names some, and whether they exist.
    """
    if interaction.guild_id is None or not interaction.permissions.manage_guild:
        raise NotAllowedHereError(
            "You need the Manage Server permission to change this. Ask a server manager."
        )
    must_know_server(interaction)
    return interaction.guild_id


async def setup(bot: Facedown) -> None:
    await bot.add_cog(Settings(bot))
