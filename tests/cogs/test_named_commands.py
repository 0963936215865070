"""Commands that texts name: each of them exists, and can be tapped."""

import ast
import re
from pathlib import Path

import pytest
from discord import app_commands

from bot.messaging.components import Button, Press, Section
from bot.messaging.content import DISCORDS_TEXT_LENGTH, MessageContent
from bot.text import tappable
from tests.support.typed_commands import TAPPED, typed

ROOT = Path(__file__).parents[2]
NAMED = re.compile(r"`/([a-z]+(?: [a-z]+)?)")


def texts(folder):
    """The string literals in the modules of a folder, without docstrings."""
    for file in (ROOT / folder).rglob("*.py"):
        every = list(ast.walk(ast.parse(file.read_text())))
        described = {id(node.value) for node in every if isinstance(node, ast.Expr)}
        for node in every:
            if not isinstance(node, ast.Constant) or id(node) in described:
                continue
            if isinstance(node.value, str):
                yield file.name, node.value


async def test_texts_name_existing_commands_without_options(table):
    walked = table.bot.tree.walk_commands()
    usable = {each.qualified_name for each in walked if not isinstance(each, app_commands.Group)}
    named = [
        (file, found[0], text[found.end() : found.end() + 1])
        for folder in ("bot", "cogs", "games")
        for file, text in texts(folder)
        for found in NAMED.finditer(text)
    ]

    assert len(named) > 60
    assert not [each for each in named if each[1].removeprefix("`/") not in usable]
    assert {end for _, _, end in named} == {"`"}


async def test_the_guide_for_players_names_every_command_or_its_group(table):
    guide = (ROOT / "docs" / "playing.md").read_text()
    used = [
        each for each in table.bot.tree.walk_commands() if not isinstance(each, app_commands.Group)
    ]

    assert len(used) > 30
    assert not [
        each.qualified_name
        for each in used
        if not re.search(rf"`/{each.qualified_name}[` ]", guide)
        and (each.parent is None or f"`/{each.root_parent.name}`" not in guide)
    ]


async def test_a_refusal_links_to_the_command_that_helps(table):
    ann, ids = table.person("Ann"), await table.bot.services.command_ids.known()

    refused = await ann.slash("unblock", channel="games", user=table.person("Bo"))

    assert f"</block:{ids['block']}>" in refused.text
    assert typed(refused.text).endswith("`/block` shows your list.")


async def test_a_message_links_to_the_commands_that_it_names(table):
    ids = await table.bot.services.command_ids.known()
    public = await table.challenge()

    answer = await (await table.person("Cleo").slash("help", channel="games")).settled()

    assert f"</preferences:{ids['preferences']}> decides" in public.text
    assert TAPPED.search(answer.text)
    assert "`/" not in answer.text


async def test_command_ids_are_cached_for_links_in_answers(table, monkeypatch):
    ids = dict(await table.bot.services.command_ids.known())

    monkeypatch.setattr(table.bot.services.command_ids, "_storage", None)

    said = table.bot.services.command_ids.tappable("Use `/help` again.")
    assert said == f"Use </help:{ids['help']}> again."


def told(length=0):
    """A message that names a command in each of its texts, after the names became links."""
    content = MessageContent(
        head="`/help`",
        foot="`/help`" + "x" * length,
        rows=(
            "`/help`",
            Section(text="`/help`", accessory=Button(label="`/help`", press=Press(1, 0, "x"))),
        ),
    )
    return content.with_text(lambda text: tappable(text, {"help": 7}))


def test_commands_become_links_in_all_texts_of_a_message_but_not_in_labels():
    content = told()
    line, section = content.rows

    assert (content.head, content.foot, line, section.text) == ("</help:7>",) * 4
    assert section.accessory.label == "`/help`"


@pytest.mark.parametrize(("room", "said"), [(0, "</help:7>"), (-1, "`/help`")])
def test_a_message_that_would_become_too_long_gets_no_links(room, said):
    length = DISCORDS_TEXT_LENGTH - room - 4 * len("</help:7>")

    assert told(length).head == said
