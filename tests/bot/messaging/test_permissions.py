"""What a server gives the bot, and the address at which it does."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import discord

from bot.messaging.permissions import invite, missing

README = Path(__file__).resolve().parents[3] / "README.md"


def test_who_follows_the_invitation_gives_all_that_a_match_may_need_and_no_more():
    query = parse_qs(urlsplit(invite(7)).query)
    given = discord.Permissions(int(query["permissions"][0]))

    assert query["client_id"] == ["7"]
    assert set(query["scope"][0].split()) == {"bot", "applications.commands"}
    assert missing(given, threads=True) == missing(given, in_thread=True) == []
    assert {name for name, has in given if has} == {
        "read_messages",  # as the library calls View Channel
        "send_messages",
        "embed_links",
        "attach_files",
        "create_public_threads",
        "send_messages_in_threads",
    }


def test_the_readme_has_the_same_invitation():
    permissions = parse_qs(urlsplit(invite(7)).query)["permissions"][0]

    assert f"scope=bot+applications.commands&permissions={permissions}`" in README.read_text()
