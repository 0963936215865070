"""The owner's setting that sends hands by direct message only to people who asked for that."""

import pytest

from tests.support.openings import begun, having, openings, prefer
from tests.support.services import settings
from tests.support.tables import seated

BOTH = ("Ann", "Bo")


@pytest.fixture
async def asked(discord, tmp_path):
    """A table where only people who asked for it get their hand by direct message."""
    named = {"settings_": settings(hands_by_direct_message="asked")}
    async with seated(discord, tmp_path, **named) as table:
        yield table


async def test_only_people_who_asked_get_hands_by_direct_message(asked):
    panel = await prefer(asked, "Bo", "desk dm")
    public = await begun(asked, *BOTH)
    await asked.discord.until(lambda: asked.desk("Bo"))
    await asked.quiet_now()

    here = await asked.hand("Ann", public)

    assert having(asked, BOTH) == ["Bo"]
    assert len(openings(asked)) == 1
    assert len(asked.cards(here)) == 6
    assert "direct message" not in here.text
    assert "By direct message" in chosen(panel)


async def test_somebody_who_has_not_chosen_sees_the_default(asked):
    panel = (await asked.person("Ann").slash("preferences", channel="games")).message

    assert "At the table, with My hand" in chosen(panel)


async def test_setting_another_preference_does_not_ask_for_direct_messages(asked):
    ann = asked.person("Ann")
    panel = (await ann.slash("preferences", channel="games")).message
    await ann.select(panel, "Pictures or words", "pictures off")

    await begun(asked, *BOTH)
    await asked.quiet_now()

    assert openings(asked) == []
    assert asked.sql("SELECT desk FROM people") == [(None,)]


def chosen(panel):
    """The labels of the default option in each of the panel's select menus."""
    return [next(o["label"] for o in s.options if o.get("default")) for s in panel.selects]
