"""Matches in posts of forum and media channels, which have no messages of their own."""

import pytest

from sandbox.guilds import FORUM_TYPES
from sandbox.permissions import Permission


@pytest.mark.parametrize("kind", sorted(FORUM_TYPES))
async def test_a_match_is_played_in_a_post_and_pauses_when_its_channel_is_deleted(table, kind):
    world = table.discord.world
    heard = table.bot.wait_for("guild_channel_create", timeout=30)
    forum = world.add_channel("opponents-wanted", kind=kind)
    await heard
    world.set_permissions(forum, allow=Permission.SEND_MESSAGES_IN_THREADS)
    await table.bot.services.guild_settings.set_channels(world.guild.id, [forum.id])
    post = await table.person("Ann").begin_post(forum, "Who plays tonight?", "I do")

    public = await table.match(channel=post)
    await table.trick("Ann", "Bo")
    world.delete_channel(forum)

    await table.discord.until(
        lambda: all("**Paused**" in table.desk(name).text for name in ("Ann", "Bo"))
    )
    assert public.channel_id == post.id
