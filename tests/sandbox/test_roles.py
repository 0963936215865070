"""Roles that are edited, given and removed, and the threads that the bot can then see."""

import pytest

from sandbox.errors import ImpossibleError
from sandbox.guilds import Thread
from sandbox.permissions import BOT_PERMISSIONS, EVERYONE_PERMISSIONS, Permission

SEEING = Permission.VIEW_CHANNEL


@pytest.fixture
def world(refusing):
    return refusing.world


@pytest.fixture
def everyone(world):
    return world.guild.roles[world.guild.id]


@pytest.fixture
def own(world):
    """The bot's role."""
    (role,) = world.guild.members[world.bot.id].roles
    return world.guild.roles[role]


def begin_thread(world, parent="games", *, archived=False, members=()):
    now = world.clock.now()
    details = Thread(owner=world.guild.owner.id, created_at=now, changed_at=now, archived=archived)
    details.members = dict.fromkeys(members, now)
    return world.add_thread(world.channel(parent), "match", details)


def may_send(world):
    return world.can(world.bot.id, world.channel("games"), Permission.SEND_MESSAGES)


async def test_editing_a_roles_permissions_takes_effect_and_sends_an_event(
    world, everyone, own, connection
):
    world.set_role_permissions(everyone, EVERYONE_PERMISSIONS & ~Permission.SEND_MESSAGES)
    assert may_send(world)
    world.set_role_permissions(own, BOT_PERMISSIONS & ~Permission.SEND_MESSAGES)

    told = [await connection.hear(), await connection.hear()]

    assert not may_send(world)
    assert [(t["t"], t["d"]["role"]["id"]) for t in told] == [
        ("GUILD_ROLE_UPDATE", str(role.id)) for role in (everyone, own)
    ]
    assert told[1]["d"]["guild_id"] == str(world.guild.id)
    assert told[1]["d"]["role"]["permissions"] == str(own.permissions)


async def test_removing_a_role_from_the_bot_sends_it_an_event(world, everyone, own, connection):
    world.set_role_permissions(everyone, 0)
    await connection.hear()

    world.set_roles(world.bot)
    taken = await connection.hear()
    world.set_roles(world.bot, own)
    given = await connection.hear_until("GUILD_MEMBER_UPDATE")

    assert [(t["t"], t["d"]["roles"]) for t in (taken, given)] == [
        ("GUILD_MEMBER_UPDATE", []),
        ("GUILD_MEMBER_UPDATE", [str(own.id)]),
    ]


async def test_deleting_a_role_removes_its_overwrites(world, own, connection):
    guest = world.add_role("Guests", Permission.MANAGE_THREADS)
    world.set_roles(world.bot, own, guest)
    world.set_permissions("games", deny=Permission.SEND_MESSAGES, role=guest)
    denied = not may_send(world)
    world.delete_role(guest)

    await connection.hear_until("CHANNEL_UPDATE")
    told = await connection.hear()

    assert denied
    assert may_send(world)
    assert not world.can(world.bot.id, world.channel("games"), Permission.MANAGE_THREADS)
    assert told["t"] == "GUILD_ROLE_DELETE"
    assert told["d"] == {"guild_id": str(world.guild.id), "role_id": str(guest.id)}
    assert world.guild.members[world.bot.id].roles == [own.id]
    assert world.channel("games").overwrites == []


async def test_a_new_role_sends_an_event(world, connection):
    role = world.add_role("Guests", Permission.VIEW_CHANNEL)

    told = await connection.hear()

    assert told["t"] == "GUILD_ROLE_CREATE"
    assert told["d"] == {"guild_id": str(world.guild.id), "role": role.wire()}


async def test_everyone_and_managed_roles_cannot_be_deleted(world, everyone, own):
    for role in (everyone, own):
        with pytest.raises(ImpossibleError):
            world.delete_role(role)


WAYS = {
    "overwrite": (
        lambda world, _: world.set_permissions("games", deny=SEEING),
        lambda world, _: world.set_permissions("games"),
    ),
    "role": (
        lambda world, own: world.set_role_permissions(own, 0),
        lambda world, own: world.set_role_permissions(own, BOT_PERMISSIONS),
    ),
    "member": (
        lambda world, _: world.set_roles(world.bot),
        lambda world, own: world.set_roles(world.bot, own),
    ),
}


@pytest.mark.parametrize("way", WAYS)
async def test_a_bot_that_gains_access_to_a_channel_receives_its_active_threads(
    world, everyone, own, connection, way
):
    hide, show = WAYS[way]
    world.set_role_permissions(everyone, 0)
    hide(world, own)
    begin_thread(world, archived=True)
    active = begin_thread(world, members=[world.bot.id])
    show(world, own)
    synced = await connection.hear_until("THREAD_LIST_SYNC")
    show(world, own)
    await connection.hear()
    await connection.say(1, None)

    channels = [world.channel("games")] + ([] if way == "overwrite" else [world.channel("lobby")])
    assert synced["d"]["channel_ids"] == [str(channel.id) for channel in channels]
    assert [thread["id"] for thread in synced["d"]["threads"]] == [str(active.id)]
    assert [member["user_id"] for member in synced["d"]["members"]] == [str(world.bot.id)]
    assert (await connection.hear())["op"] == 11, "nothing is gained a second time"


async def test_deleting_a_role_that_hid_a_channel_sends_its_active_threads(world, own, connection):
    hiding = world.add_role("Kept out")
    world.set_roles(world.bot, own, hiding)
    world.set_permissions("games", deny=SEEING, role=hiding)
    active = begin_thread(world)

    world.delete_role(hiding)
    synced = await connection.hear_until("THREAD_LIST_SYNC")

    assert synced["d"]["channel_ids"] == [str(world.channel("games").id)]
    assert [thread["id"] for thread in synced["d"]["threads"]] == [str(active.id)]


@pytest.mark.parametrize("order", [1, -1], ids=["denied first", "allowed first"])
async def test_what_one_role_allows_another_cannot_deny(world, order):
    bo, games = world.user("Bo"), world.channel("games")
    loud, quiet = world.add_role("Loud"), world.add_role("Quiet")
    world.set_roles(bo, loud, quiet)
    rules = [
        (quiet, {"deny": Permission.SEND_MESSAGES}),
        (loud, {"allow": Permission.SEND_MESSAGES}),
    ]

    for role, rule in rules[::order]:
        world.set_permissions(games, role=role, **rule)

    assert world.can(bo.id, games, Permission.SEND_MESSAGES)
