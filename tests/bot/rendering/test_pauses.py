"""Messages of matches that aren't played where they are: paused, or moved to a thread."""

from dataclasses import replace

import pytest

from bot.cluster.share import EVERYTHING
from bot.matches.listing import listing
from bot.matches.pauses import Pauses
from bot.messaging.components import Link
from bot.messaging.content import MAX_TEXT_LENGTH
from bot.rendering import render
from bot.rendering.hand import CLOSED
from bot.rendering.match_list import match_list_content
from bot.rendering.pauses import moved_content
from bot.rendering.phrases import GONE
from bot.rendering.presentation import Presentations
from bot.settings.preferences import Preferences
from cogs.pico.presentation import PicoPresentation
from games.pico import PICO
from tests.support.deadlines import Clock
from tests.support.matches import ANN, BEA, CHANNEL, CYD, GUILD, NOW, begun
from tests.support.snapshots import URL

MONTH = 30 * 86_400
PRESENTATION = PicoPresentation()


@pytest.fixture
def presentations():
    loaded = Presentations()
    loaded[PICO.key] = PRESENTATION
    return loaded


@pytest.fixture
async def paused(matches, storage):
    match = await begun(matches)
    await Pauses(storage, now=lambda: NOW).pause(match, CHANNEL)
    return match


async def test_a_paused_hand_says_why_and_how_the_match_can_go_on(matches, paused, presentations):
    content = render(await matches.snapshot(paused, ANN), presentations)

    assert content.head == (
        f"### Pico · 13 cards: your hand\n🔵 <@{ANN}> against 🔶 <@{BEA}>\n"
        "⏸️ **Paused**: I lost access to this match's channel. Nobody can choose, and no "
        "clock runs. Any player can resume the match with `/resume` in a channel of the server "
        "that I can use. If I was removed from the server, add me again first. "
        f"If nobody does by <t:{int(NOW) + MONTH}:f>, I close it without a result."
    )
    assert content.rows == (
        (Link(label="Go to the server", url=f"https://discord.com/channels/{GUILD}"),),
    )
    assert content.picture is not None


async def test_the_command_to_resume_is_named(matches, paused, storage, presentations):
    hand = render(await matches.snapshot(paused, ANN), presentations)
    listed = match_list_content(await listing(storage, ANN), presentations, 0)

    assert "resume the match with `/resume` in" in hand.head
    assert "use `/resume` in one that I can use" in listed.head


async def test_a_paused_match_shows_the_number_that_resume_asks_for(
    matches, paused, storage, presentations
):
    table = render(await matches.public(paused), presentations)
    hand = render(await matches.snapshot(paused, ANN), presentations)
    listed = match_list_content(await listing(storage, ANN), presentations, 0)

    assert table.foot.endswith(f"\n-# Match {paused}")
    assert hand.foot.endswith(f"\n-# Match {paused}")
    assert f" against <@{BEA}> · match {paused} · I lost access" in listed.head


async def test_a_paused_table_offers_nothing_to_click(matches, paused, presentations):
    content = render(await matches.public(paused), presentations)

    assert content.rows == ()
    assert "your hand" not in content.head


async def test_a_resting_table_says_who_has_left(matches, presentations):
    match = await begun(matches, BEA, CYD, wanted=3, options=PICO.presets["pico1-three"])
    left = (await matches.concede(match, ANN)).public()

    content = render(replace(left, paused_why="agreed", due_at=NOW), presentations)

    assert content.foot.endswith(f"\n🔵 <@{ANN}> resigned")


@pytest.mark.parametrize("why", ["agreed", "lost"])
async def test_a_player_who_left_is_not_told_how_a_pause_ends_because_they_cannot_end_it(
    matches, presentations, why
):
    match = await begun(matches, BEA, CYD, wanted=3, options=PICO.presets["pico1-three"])
    left = (await matches.concede(match, ANN)).snapshot_of(ANN)

    content = render(replace(left, paused_why=why, due_at=NOW), presentations, URL)

    assert content.head.endswith("You resigned. The others play on.")
    assert content.rows == ((Link(label="Go to the table", url=URL),),)


async def test_a_paused_hand_in_words_has_no_picture(matches, paused, presentations, storage):
    await Preferences(storage, share=EVERYTHING, now=lambda: NOW).change(ANN, "pictures off")

    content = render(await matches.snapshot(paused, ANN), presentations)

    assert content.picture is None
    assert "Pico" in content.foot


async def test_a_match_that_nobody_resumes_says_so_at_its_end(
    matches, paused, presentations, storage
):
    await Clock(storage, now=lambda: NOW + MONTH).act(paused)

    content = render(await matches.snapshot(paused, BEA), presentations)

    assert "it was paused for 30 days" in content.head
    assert content.color == GONE


async def test_the_signpost_links_to_the_thread(matches):
    snapshot = await matches.public(await begun(matches))

    content = moved_content(snapshot, PRESENTATION, 505)

    assert content.head.endswith("The match has started in <#505>.")
    (row,) = content.rows
    assert isinstance(row, tuple)
    (link,) = row
    assert link.url == f"https://discord.com/channels/{GUILD}/505"


def test_a_message_in_words_leaves_room_for_a_note():
    assert MAX_TEXT_LENGTH + len(f"\n{CLOSED}") <= 4000
