"""Interactions: a person's use of the bot, sent to it, and the bot's answers."""

import asyncio
import base64
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import IntEnum
from typing import Final

from sandbox.cdn import MAX_FILE_BYTES, Attachment
from sandbox.command_forms import MESSAGE, USER
from sandbox.errors import Json, refusal
from sandbox.guilds import Channel, Guild
from sandbox.members import Role, User
from sandbox.messages import Message
from sandbox.permissions import GUEST_PERMISSIONS, HOST_PERMISSIONS
from sandbox.world import World

ANSWER_WITHIN: Final = timedelta(seconds=3)
TOKEN_LIFETIME: Final = timedelta(minutes=15)


class InteractionType(IntEnum):
    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL = 5


@dataclass(slots=True, eq=False, kw_only=True)
class Interaction:
    """One use of a command, a component or a modal."""

    id: int
    token: str
    kind: InteractionType
    user: User
    guild: Guild | None
    channel: Channel
    data: Json
    created_at: datetime
    within: timedelta = ANSWER_WITHIN
    """How much time the bot has to answer."""

    source: Message | None = None
    """The message whose component was used, or from which the modal was opened."""

    owners: dict[str, str] = field(default_factory=dict)
    """Ids of the server ("0") and the user ("1") that have the bot installed, like `owners()`."""

    callback: int | None = None
    """The type of the bot's first response; None until there is one."""

    message: Message | None = None
    """The original response: a new message, or `source` if the response edits it."""

    followups: list[Message] = field(default_factory=list)
    modal: Json | None = None
    choices: list[Json] | None = None
    ephemeral: bool = False
    """Whether the answer is, or will be, for this person only."""

    failed: bool = False
    answered: asyncio.Event = field(default_factory=asyncio.Event)
    settled: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once the bot has answered; after a deferral, once that has its edit or follow-up."""

    @property
    def deadline(self) -> datetime:
        return self.created_at + self.within

    def metadata(self) -> Json:
        """The `interaction_metadata` of messages that answer it."""
        metadata: Json = {
            "id": str(self.id),
            "type": int(self.kind),
            "user": self.user.wire(),
            "authorizing_integration_owners": self.owners,
        }
        if self.kind is InteractionType.COMPONENT and self.source is not None:
            metadata["interacted_message_id"] = str(self.source.id)
        if self.kind is InteractionType.COMMAND and self.data["type"] == USER:
            metadata["target_user"] = next(iter(self.data["resolved"]["users"].values()))
        if self.kind is InteractionType.COMMAND and self.data["type"] == MESSAGE:
            metadata["target_message_id"] = self.data["target_id"]
        if self.kind is InteractionType.MODAL:
            opener = dict(metadata, type=int(InteractionType.COMMAND))
            if self.source is not None:
                opener |= {"type": int(InteractionType.COMPONENT)}
                opener["interacted_message_id"] = str(self.source.id)
            metadata["triggering_interaction_metadata"] = opener
        return metadata


def owners(world: World, user: User, channel: Channel) -> dict[str, str]:
    """The `authorizing_integration_owners`: the server ("0") and user ("1") that have the bot.

    In direct messages with the bot, the server's id is "0", provided they share a server.
    """
    found, guild = {}, world.guild_of(channel)
    if channel.recipient is not None and world.share_a_guild(user.id):
        found["0"] = "0"
    elif guild is not None and (guild.has_commands or world.bot.id in guild.members):
        found["0"] = str(guild.id)
    if user.id in world.user_installs:
        found["1"] = str(user.id)
    return found


def _first_owners(source: Message | None) -> dict[str, str] | None:
    """The owners of the interaction that a message answers, which also apply to clicks on it.

    So the click of another person names the user who installed the app, not the one who clicks.
    """
    if source is None or source.metadata is None:
        return None
    found: dict[str, str] = source.metadata["authorizing_integration_owners"]
    return found


def _app_permissions(world: World, channel: Channel) -> int:
    """The `app_permissions`; where the bot isn't a member, what Discord grants to every app.

    Discord doesn't document those in a private thread that the bot isn't in. Assumed are those of
    its parent channel, which make a bot believe that it may post there. A server that has only
    the commands reports the permissions of @everyone, which are as misleading.
    """
    guild = world.guild_of(channel)
    if guild is not None and guild.has_commands:
        return guild.roles[guild.id].permissions
    if guild is not None and world.bot.id in guild.members:
        return guild.permissions_ignoring_membership(world.bot.id, channel)
    return int(GUEST_PERMISSIONS if channel.recipient is None else HOST_PERMISSIONS)


class ResolvedData:
    """The `resolved` data of an interaction: users, members, roles, and so on, by id.

    The permissions of members are those in the channel of the interaction.
    """

    def __init__(self, world: World, channel: Channel, viewer: User) -> None:
        self._world = world
        self._place = channel
        self._guild = world.guild_of(channel)
        self._viewer = viewer
        self.data: dict[str, Json] = {}

    def add(self, entity: User | Role | Channel | Attachment | Message) -> str:
        """Add an entity; returns its id, which is its value in the options."""
        key = str(entity.id)
        match entity:
            case User():
                self._put("users", key, entity.wire())
                if self._guild is not None and entity.id in self._guild.members:
                    self._put("members", key, self._member(entity))
            case Role():
                self._put("roles", key, entity.wire())
            case Channel():
                self._put("channels", key, self._channel(entity))
            case Attachment():
                self._put("attachments", key, entity.wire())
            case Message():
                self._put("messages", key, entity.wire())
        return key

    def _put(self, group: str, key: str, value: Json) -> None:
        self.data.setdefault(group, {})[key] = value

    def _channel(self, channel: Channel) -> Json:
        viewer, bot = self._viewer.id, self._world.bot.id
        allowed = {"permissions": self._world.permissions(viewer, channel)}
        if self._guild is not None and bot in self._guild.members:
            allowed["app_permissions"] = self._world.permissions(bot, channel)
        return channel.partial(**allowed)

    def _member(self, user: User) -> Json:
        assert self._guild is not None
        member = self._guild.members[user.id].wire(with_user=False)
        for hidden in ("deaf", "mute"):
            # Discord leaves these out of resolved members.
            del member[hidden]
        return member | {"permissions": str(self._world.permissions(user.id, self._place))}


class Interactions:
    """All interactions whose tokens are valid, by token."""

    def __init__(self, world: World, answer_within: timedelta = ANSWER_WITHIN) -> None:
        self._world = world
        self._answer_within = answer_within
        self._by_token: dict[str, Interaction] = {}
        self.deliver: Callable[[int | None, Json], None] = lambda _guild, _payload: None
        """Sends an interaction to the bot; takes the server's id (None in direct messages)."""

    def start(
        self,
        kind: InteractionType,
        user: User,
        channel: Channel,
        data: Json,
        source: Message | None = None,
    ) -> Interaction:
        """Start an interaction of a user and send it to the bot."""
        identity = self._world.ids.next()
        random = f"interaction:{identity}:{secrets.token_urlsafe(60)}"
        interaction = Interaction(
            id=identity,
            token=base64.urlsafe_b64encode(random.encode()).decode().rstrip("="),
            kind=kind,
            user=user,
            guild=self._world.guild_of(channel),
            channel=channel,
            data=data,
            created_at=self._world.clock.now(),
            within=self._answer_within,
            source=source,
            owners=_first_owners(source) or owners(self._world, user, channel),
        )
        self._forget_old()
        self._by_token[interaction.token] = interaction
        self._world.emit("interaction_started", interaction, only=user.id)
        guild = interaction.guild
        self.deliver(None if guild is None else guild.id, self.payload(interaction))
        return interaction

    def _forget_old(self) -> None:
        """Drop interactions whose tokens have expired."""
        while self._by_token:
            token, oldest = next(iter(self._by_token.items()))
            if self._world.clock.now() - oldest.created_at <= TOKEN_LIFETIME:
                return
            del self._by_token[token]

    def fail(self, token: str) -> None:
        """End the wait for an answer to an interaction that no endpoint has accepted."""
        interaction = self._by_token[token]
        interaction.failed = interaction.callback is None
        interaction.answered.set()

    async def answered(self, interaction: Interaction) -> None:
        """Wait until the bot has answered or the deadline is over; then it has failed."""
        late = asyncio.ensure_future(self._world.clock.reach(interaction.deadline))
        answered = asyncio.ensure_future(interaction.answered.wait())
        try:
            await asyncio.wait({late, answered}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            late.cancel()
            answered.cancel()
        if interaction.callback is None:
            interaction.failed = True
            self._world.emit("interaction_failed", interaction, only=interaction.user.id)

    def for_callback(self, identity: int, token: str) -> Interaction:
        """The interaction to respond to; raises 10062 if it's too late, 40060 if it's answered."""
        interaction = self._by_token.get(token)
        if interaction is None or interaction.id != identity:
            raise refusal(10062)
        if interaction.callback is not None:
            raise refusal(40060)
        if self._world.clock.now() > interaction.deadline or interaction.failed:
            raise refusal(10062)
        return interaction

    def for_webhook(self, application: int, token: str) -> Interaction:
        """The answered interaction whose token is used as a webhook, for 15 minutes.

        Raises 10015 if it can't be, 50027 if the token is unknown or expired.
        """
        if application != self._world.bot.id:
            raise refusal(10015)
        interaction = self._by_token.get(token)
        if interaction is None:
            raise refusal(50027)
        if self._world.clock.now() - interaction.created_at > TOKEN_LIFETIME:
            raise refusal(50027)
        if interaction.callback is None or interaction.kind is InteractionType.AUTOCOMPLETE:
            raise refusal(10015)
        return interaction

    def payload(self, interaction: Interaction) -> Json:
        """The data of INTERACTION_CREATE."""
        world, guild, channel = self._world, interaction.guild, interaction.channel
        bits = world.permissions(interaction.user.id, channel)
        payload: Json = {
            "id": str(interaction.id),
            "application_id": str(world.bot.id),
            "type": int(interaction.kind),
            "data": interaction.data,
            "token": interaction.token,
            "version": 1,
            "channel_id": str(channel.id),
            "channel": channel.partial(permissions=bits),
            "app_permissions": str(_app_permissions(world, channel)),
            "locale": interaction.user.locale,
            "entitlements": [],
            "entitlement_sku_ids": [],
            "authorizing_integration_owners": interaction.owners,
            "attachment_size_limit": MAX_FILE_BYTES,
        }
        if interaction.source is not None:
            payload["message"] = interaction.source.wire()
        if guild is None:
            context = 1 if channel.recipient is not None else 2
            return payload | {"user": interaction.user.wire(), "context": context}
        member = guild.members[interaction.user.id].wire() | {"permissions": str(bits)}
        where = {"id": str(guild.id), "locale": guild.locale, "features": []}
        return payload | {
            "guild_id": str(guild.id),
            "guild": where,
            "guild_locale": guild.locale,
            "member": member,
            "context": 0,
        }
