"""What people see in their clients, and the events by which a page shows it."""

import pytest

from sandbox import ImpossibleError
from sandbox.permissions import Overwrite, Permission


@pytest.fixture
def ann(refusing):
    return refusing.person("Ann")


async def test_a_person_is_the_same_object_by_name_and_by_id(refusing, ann):
    assert refusing.person("Ann") is refusing.person(ann.id) is ann
    assert [person.name for person in refusing.clients] == ["Ann", "Bo", "Cleo", "Dan"]
    with pytest.raises(LookupError, match="Eve"):
        refusing.person("Eve")


async def test_a_new_sandbox_has_the_documented_server(refusing, ann):
    world = refusing.world
    bot = world.permissions(world.bot.id, world.channel("games"))

    assert (world.guild.name, world.guild.owner) == ("The Back Room", ann.user)
    assert [channel.name for channel in ann.channels] == ["games", "lobby"]
    apps = Permission.USE_APPLICATION_COMMANDS | Permission.USE_EXTERNAL_APPS
    invited = 309237697536  # as in the README's link
    assert bot == invited | apps | Permission.CONNECT
    with pytest.raises(LookupError, match="kitchen"):
        world.channel("kitchen")


async def test_a_hidden_channel_cannot_be_seen_or_used(refusing):
    bo = refusing.person("Bo")
    games = refusing.world.channel("games")
    said = await bo.say("games", "hello")
    games.overwrites.append(Overwrite(bo.id, 1, deny=Permission.VIEW_CHANNEL))

    assert [channel.name for channel in bo.channels] == ["lobby"]
    assert not bo.sees(said)
    with pytest.raises(ImpossibleError, match="does not see #games"):
        await bo.slash("x", channel="games")


@pytest.mark.parametrize("text", ["", " ", "x" * 2001], ids=["empty", "blank", "long"])
async def test_a_person_cannot_say_nothing_or_too_much(ann, text):
    with pytest.raises(ImpossibleError, match="1 to 2000"):
        await ann.say("games", text)


async def test_a_person_without_permission_to_send_cannot_write(refusing):
    bo = refusing.person("Bo")
    muted = Overwrite(bo.id, 1, deny=Permission.SEND_MESSAGES)
    refusing.world.channel("games").overwrites.append(muted)

    with pytest.raises(ImpossibleError, match="may not write"):
        await bo.say("games", "hello")


async def test_permissions_are_computed_as_discord_computes_them(refusing):
    """Overwrites of everyone, then of roles, then of the member; without a permission, those that
    depend on it are gone too."""
    world, bo = refusing.world, refusing.person("Bo")
    games = world.channel("games")
    regulars = next(role for role in world.guild.roles.values() if role.name == "Regulars")
    files, send, view = (
        Permission.ATTACH_FILES,
        Permission.SEND_MESSAGES,
        Permission.VIEW_CHANNEL,
    )

    games.overwrites = [Overwrite(world.guild.id, 0, deny=files)]
    assert not world.can(bo.id, games, files)
    games.overwrites.append(Overwrite(regulars.id, 0, allow=files))
    assert world.can(bo.id, games, files)
    games.overwrites.append(Overwrite(bo.id, 1, deny=send))
    assert world.can(bo.id, games, view)
    assert not world.can(bo.id, games, files)
    games.overwrites.append(Overwrite(bo.id, 1, deny=view))
    assert world.permissions(bo.id, games) == 0


async def test_every_change_is_an_event_with_its_server_and_channel(refusing, ann):
    with refusing.world.events.queue() as events:
        said = await ann.say("games", "hello")
        refusing.world.delete_message(said)
        channel = refusing.world.add_channel("new")
        refusing.world.delete_channel(channel)
        refusing.world.set_permissions("games", deny=1)
        refusing.world.remove_member(refusing.person("Dan").user)
        ann.read("games")
        told = [events.get_nowait() for _ in range(events.qsize())]

    assert [event.kind for event in told] == [
        "message_created",
        "message_deleted",
        "channel_created",
        "channel_deleted",
        "channel_updated",
        "member_removed",
        "read",
    ]
    assert {event.guild for event in told} == {refusing.world.guild.id}
    assert told[0].channel == refusing.world.channel("games").id
    assert told[-1].only == ann.id


async def test_events_are_enough_to_keep_track_of_what_a_person_sees(discord, bot):
    """A page only needs to ask `sees` at each event of a message."""
    ann, bo = discord.person("Ann"), discord.person("Bo")
    shown = {}

    def follow(event):
        if event.kind.startswith("message_"):
            shown.pop(event.subject.id, None)
            if bo.sees(event.subject):
                shown[event.subject.id] = event.subject.text

    discord.world.events.subscribe(follow)
    public = await ann.slash("show", channel="games", acts="update think")
    await bo.click(public.message, "Think")
    await ann.slash("say", channel="games", text="psst", ephemeral=True)
    await ann.click(public.message, "Update")
    await ann.slash("say", channel=ann.dm, text="just us")
    await discord.until(lambda: len(bo.see("games")) == 3)

    expected = {message.id: message.text for message in bo.see("games")}
    assert shown == expected
    assert sorted(shown.values()) == ["and more", "thought", "updated"]


async def test_a_dismissed_message_is_hidden_in_the_client_but_not_deleted(discord, bot):
    ann = discord.person("Ann")
    said = await ann.slash("say", channel="games", text="psst", ephemeral=True)

    ann.dismiss(said.message)

    assert ann.see("games") == []
    assert not said.message.deleted
    with pytest.raises(ImpossibleError, match="does not see"):
        await ann.click(said.message, "Anything")


async def test_a_public_message_cannot_be_dismissed(ann):
    said = await ann.say("games", "hello")

    with pytest.raises(ImpossibleError, match="nobody else sees"):
        ann.dismiss(said)


async def test_unread_counts_only_messages_of_others(refusing, ann):
    bo = refusing.person("Bo")
    await ann.say("games", "one")
    await bo.say("games", "two")

    assert (ann.unread_in("games"), bo.unread_in("games")) == (1, 1)
    ann.read("games")
    assert (ann.unread_in("games"), bo.unread_in("games")) == (0, 1)


async def test_waiting_for_something_that_never_happens_times_out(refusing):
    with pytest.raises(TimeoutError):
        await refusing.until(lambda: False, timeout=0.01)


async def test_waiting_returns_the_value_found(refusing, ann):
    refusing.world.events.subscribe(lambda _: None)
    said = await ann.say("games", "x")

    assert await refusing.until(lambda: ann.see("games")) == [said]


async def test_a_stopped_subscription_receives_no_events(refusing, ann):
    heard = []
    stop = refusing.world.events.subscribe(heard.append)
    await ann.say("games", "x")
    stop()
    await ann.say("games", "y")

    assert len(heard) == 1


async def test_the_bot_can_be_removed_from_a_server_and_added_again(refusing, rest):
    refusing.world.remove_bot()
    away = await rest("POST", f"{rest.games}/messages", {"content": "x"})
    refusing.world.add_bot()
    back = await rest("POST", f"{rest.games}/messages", {"content": "x"})

    assert (away.status, away.code, back.status) == (403, 50001, 200)
