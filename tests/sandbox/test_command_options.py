"""Which commands are offered: by permissions, contexts and installs."""

from typing import Any

import pytest

from sandbox.permissions import GUEST_PERMISSIONS, Overwrite, Permission


def slash(name: str, **fields: Any) -> dict[str, Any]:
    return {"name": name, "description": "Play", **fields}


def offered(sandbox, name, place):
    return {command["name"] for command in sandbox.person(name).commands(place)}


async def test_a_command_can_require_a_permission(refusing):
    manage = str(1 << 5)
    refusing.commands.overwrite(None, [slash("setup", default_member_permissions=manage)])

    owner, member = (refusing.person(name).commands("games") for name in ("Ann", "Bo"))

    assert [command["name"] for command in owner] == ["setup"]
    assert member == []


async def test_a_command_for_nobody_is_offered_only_to_administrators(refusing):
    refusing.commands.overwrite(None, [slash("setup", default_member_permissions="0")])
    world = refusing.world
    world.set_roles(world.user("Bo"), world.add_role("Admins", Permission.ADMINISTRATOR))

    assert [offered(refusing, name, "games") for name in ("Ann", "Bo", "Cleo")] == [
        {"setup"},
        {"setup"},
        set(),
    ]


async def test_the_deprecated_dm_permission_keeps_a_command_out_of_direct_messages(refusing):
    refusing.commands.overwrite(None, [slash("setup", dm_permission=False)])

    assert offered(refusing, "Ann", "games") == {"setup"}
    assert offered(refusing, "Ann", refusing.person("Ann").dm) == set()


async def test_a_command_is_offered_only_where_its_contexts_allow(refusing):
    contexts = {"anywhere": None, "servers": [0], "messages": [1], "others": [2]}
    refusing.commands.overwrite(None, [slash(n, contexts=c) for n, c in contexts.items()])
    ann = refusing.person("Ann")

    assert offered(refusing, "Ann", "games") == {"anywhere", "servers"}
    assert offered(refusing, "Ann", ann.dm) == {"anywhere", "messages"}


async def test_a_command_is_offered_where_it_is_installed(refusing):
    kinds = {"guild": [0], "user": [1], "both": [0, 1], "default": None}
    refusing.commands.overwrite(None, [slash(n, integration_types=k) for n, k in kinds.items()])
    bo = refusing.person("Bo")
    strange = refusing.world.add_guild("Elsewhere")
    refusing.world.remove_bot(strange)
    general = refusing.world.channel("general", strange)

    places = ("games", bo.dm, general)
    before = [offered(refusing, "Bo", place) for place in places]
    refusing.world.user_installs.add(bo.id)
    after = [offered(refusing, "Bo", place) for place in places]

    assert before == [{"guild", "both", "default"}, {"guild", "both", "default"}, set()]
    assert after == [set(kinds), set(kinds), {"user", "both"}]


async def test_where_only_the_user_has_installed_the_bot_it_can_follow_up_five_times(
    refusing, rest
):
    refusing.commands.overwrite(None, [slash("hi", integration_types=[0, 1])])
    refusing.clock.freeze()
    ann = refusing.person("Ann")
    refusing.world.user_installs.add(ann.id)
    strange = refusing.world.add_guild("Elsewhere")
    refusing.world.remove_bot(strange)
    data = {"id": "1", "name": "hi", "type": 1, "options": []}
    statuses = {}
    for guild in (strange, refusing.world.guild):
        channel = next(iter(guild.text_channels()))
        interaction = refusing.interactions.start(2, ann.user, channel, data)
        path = f"/interactions/{interaction.id}/{interaction.token}/callback"
        assert (await rest("POST", path, {"type": 4, "data": {"content": "x"}})).status == 204
        webhook = f"/webhooks/{refusing.world.bot.id}/{interaction.token}"
        replies = [await rest("POST", webhook, {"content": f"{n}"}) for n in range(6)]
        statuses[guild.name] = [reply.status for reply in replies]
        payload = refusing.interactions.payload(interaction)
        expected = {"1": str(ann.id)} | ({} if guild is strange else {"0": str(guild.id)})
        assert payload["authorizing_integration_owners"] == expected

    assert statuses == {"Elsewhere": [200] * 5 + [400], "The Back Room": [200] * 6}


async def test_in_a_group_dm_people_are_offered_the_apps_they_have_installed(refusing):
    contexts = {"anywhere": [0, 1, 2], "servers": [0]}
    refusing.commands.overwrite(
        None, [slash(n, contexts=c, integration_types=[0, 1]) for n, c in contexts.items()]
    )
    ann, bo = refusing.person("Ann"), refusing.person("Bo")
    group = refusing.world.add_channel_without_bot(ann.user, bo.user, refusing.person("Cleo").user)
    refusing.world.install_for(ann.user)

    assert offered(refusing, "Ann", group) == {"anywhere"}
    assert offered(refusing, "Bo", group) == set()
    refusing.world.install_for(ann.user, installed=False)
    assert offered(refusing, "Ann", group) == set()


@pytest.fixture
def strange(refusing):
    """A server without the bot; its command `hi` can be used by people who have installed it."""
    refusing.commands.overwrite(None, [slash("hi", integration_types=[0, 1])])
    refusing.clock.freeze()
    guild = refusing.world.add_guild("Elsewhere")
    refusing.world.remove_bot(guild)
    return guild


async def test_as_a_guest_the_bot_can_only_answer(refusing, rest, strange):
    ann, bo = refusing.person("Ann"), refusing.person("Bo")
    refusing.world.install_for(ann.user)
    group = refusing.world.add_channel_without_bot(ann.user, bo.user, refusing.person("Cleo").user)
    told = {}
    for channel in (next(iter(strange.text_channels())), group):
        interaction = refusing.interactions.start(
            2, ann.user, channel, {"id": "1", "name": "hi", "type": 1, "options": []}
        )
        payload = refusing.interactions.payload(interaction)
        told[channel] = payload["context"], int(payload["app_permissions"])
        path = f"/interactions/{interaction.id}/{interaction.token}/callback"
        assert (await rest("POST", path, {"type": 4, "data": {"content": "x"}})).status == 204
        for method, what in (
            ("POST", f"/channels/{channel.id}/messages"),
            ("PATCH", f"/channels/{channel.id}/messages/{interaction.message.id}"),
        ):
            reply = await rest(method, what, {"content": "y"})
            assert (reply.status, reply.code) == (403, 50001)

    assert set(told.values()) == {(0, int(GUEST_PERMISSIONS)), (2, int(GUEST_PERMISSIONS))}


async def test_without_permission_for_external_apps_answers_are_ephemeral(refusing, rest, strange):
    bo = refusing.person("Bo")
    refusing.world.install_for(bo.user)
    channel = next(iter(strange.text_channels()))
    channel.overwrites = [Overwrite(strange.id, 0, deny=int(Permission.USE_EXTERNAL_APPS))]
    data = {"id": "1", "name": "hi", "type": 1, "options": []}
    interaction = refusing.interactions.start(2, bo.user, channel, data)

    path = f"/interactions/{interaction.id}/{interaction.token}/callback"
    await rest("POST", path, {"type": 4, "data": {"content": "x"}})

    assert interaction.message.ephemeral_to == bo.id


async def test_a_click_names_the_person_who_installed_the_bot_not_the_one_who_clicks(
    refusing, rest, strange
):
    ann, bo = refusing.person("Ann"), refusing.person("Bo")
    refusing.world.install_for(ann.user)
    channel = next(iter(strange.text_channels()))
    data = {"id": "1", "name": "hi", "type": 1, "options": []}
    asked = refusing.interactions.start(2, ann.user, channel, data)
    path = f"/interactions/{asked.id}/{asked.token}/callback"
    await rest("POST", path, {"type": 4, "data": {"content": "x"}})

    click = {"custom_id": "x", "component_type": 2}
    clicked = refusing.interactions.start(3, bo.user, channel, click, asked.message)

    payload = refusing.interactions.payload(clicked)
    assert payload["authorizing_integration_owners"] == {"1": str(ann.id)}


async def test_in_a_group_dm_everybody_sees_an_apps_answer(refusing, bench, strange):
    refusing.world.install_for(bench.ann.user)
    group = refusing.world.add_channel_without_bot(bench.ann.user, refusing.person("Bo").user)
    interaction = bench.begin(channel=group)

    await bench.answer(interaction, {"type": 4, "data": {"content": "x"}})

    assert refusing.person("Bo").see(group) == [interaction.message]
