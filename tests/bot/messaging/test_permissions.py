"""The permissions that a server gives the bot, and the invite link that asks for them."""

import re
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import discord
import pytest

from bot.messaging.permissions import cannot_view, invite, missing

README = Path(__file__).resolve().parents[3] / "README.md"


def test_the_invite_link_asks_for_everything_a_match_may_need_and_no_more():
    query = parse_qs(urlsplit(invite(7)).query)
    given = discord.Permissions(int(query["permissions"][0]))

    assert query["client_id"] == ["7"]
    assert set(query["scope"][0].split()) == {"bot", "applications.commands"}
    assert missing(given, threads=True) == missing(given, in_thread=True) == []
    assert {name for name, has in given if has} == {
        "read_messages",  # the library's name for View Channel
        "send_messages",
        "embed_links",
        "attach_files",
        "create_public_threads",
        "send_messages_in_threads",
    }


def test_the_readme_has_the_same_invite_link():
    permissions = parse_qs(urlsplit(invite(7)).query)["permissions"][0]

    assert f"scope=bot+applications.commands&permissions={permissions}`" in README.read_text()


def test_the_readme_has_a_reason_for_each_permission_and_says_which_the_link_leaves_out():
    table = re.findall(r"^\| ([A-Z][\w ,]+) \| .+ \|$", README.read_text(), re.MULTILINE)
    *asked, voice, history = [name for row in table for name in row.split(", ")]
    known = {"View Channel": "read_messages"}
    flags = {known.get(name, name.lower().replace(" ", "_")) for name in asked}
    query = parse_qs(urlsplit(invite(7)).query)

    assert flags == {n for n, has in discord.Permissions(int(query["permissions"][0])) if has}
    assert (voice, history) == ("Connect", "Read Message History")
    assert "asks for all but the last two." in README.read_text()


ALL = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_public_threads=True,
    embed_links=True,
    attach_files=True,
    connect=True,
)
SILENT = {"send_messages": False, "embed_links": False, "attach_files": False}
"""The permissions that are missing if Send Messages is denied."""


@pytest.mark.parametrize(
    ("denied", "where", "named"),
    [
        (SILENT, {}, ["Send Messages"]),
        ({"embed_links": False}, {}, ["Embed Links"]),
        ({"embed_links": False, "attach_files": False}, {}, ["Embed Links", "Attach Files"]),
        (SILENT | {"connect": False}, {"in_voice": True}, ["Connect", "Send Messages"]),
        (SILENT, {"threads": True}, ["Send Messages"]),
        (
            SILENT | {"create_public_threads": False},
            {"threads": True},
            ["Send Messages", "Create Public Threads"],
        ),
        (
            SILENT | {"send_messages_in_threads": False},
            {"in_thread": True},
            ["Send Messages in Threads"],
        ),
        ({"send_messages": False, "attach_files": False}, {"in_thread": True}, ["Attach Files"]),
    ],
)
def test_only_what_is_denied_is_named_not_what_follows_from_it(denied, where, named):
    permissions = discord.Permissions(ALL.value)
    permissions.update(**denied)

    assert missing(permissions, **where) == named


@pytest.mark.parametrize("where", ["in_thread", "in_voice", "threads"])
def test_if_the_bot_cannot_view_a_channel_only_that_is_named(where):
    assert missing(discord.Permissions.none(), **{where: True}) == ["View Channel"]


@pytest.mark.parametrize("is_private", [True, False])
@pytest.mark.parametrize(("me", "parent"), [(None, "known"), ("known", None)])
def test_if_permissions_are_unknown_the_bot_is_shut_out_of_private_threads(me, parent, is_private):
    server = SimpleNamespace(me=me)
    thread = SimpleNamespace(guild=server, parent=parent, is_private=lambda: is_private)

    assert cannot_view(thread) is is_private
