"""The requests that a round takes: 50 a second are allowed, without those by an interaction."""

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.support.services import AT_ONCE
from tests.support.tables import labels, seated

BOTH = ("Ann", "Bo")
RESOLVED = "Last trick"


@pytest.fixture
async def hasty(discord, tmp_path):
    """A table whose details ("has chosen") wait only briefly."""
    async with seated(discord, tmp_path, pacing=replace(AT_ONCE, detail=0.05)) as table:
        yield table


async def one_round(table, *names):
    """The counted requests of one round."""
    since = len(table.discord.requests)
    await table.trick(*names)
    await table.quiet_now()
    return [r for r in table.discord.requests[since:] if r.counted]


async def test_a_live_round_by_direct_messages_takes_at_most_one_counted_request(table):
    await table.match(variant="pico1")
    await one_round(table, "Ann", "Bo")

    for _ in range(3):
        counted = await one_round(table, "Ann", "Bo")
        assert len(counted) <= 1


async def test_a_slow_round_takes_at_most_one_counted_request(table):
    """While both players are active, nobody needs a new message; clicks edit the hands."""
    await table.match(variant="pico1", pace="slow")
    await one_round(table, *BOTH)

    counted = [len(await one_round(table, *BOTH)) for _ in range(3)]

    assert max(counted) <= 1


async def test_a_live_round_with_private_hands_takes_at_most_one_counted_request(table):
    for name in ("Ann", "Bo"):
        table.person(name).closed = True
    public = await table.match()
    desks = {name: await table.hand(name, public) for name in ("Ann", "Bo")}
    since = len(table.discord.requests)

    await table.trick_at(desks)
    await table.quiet_now()

    assert len([r for r in table.discord.requests[since:] if r.counted]) <= 1


async def test_a_round_takes_at_most_three_requests_when_every_token_has_expired(
    table, expired_tokens
):
    public = await table.match()

    counted = await one_round(table, "Ann", "Bo")

    assert len(counted) <= 3
    assert {r.path for r in counted} == {
        f"/channels/{m.channel_id}/messages/{m.id}"
        for m in (public, table.desk("Ann"), table.desk("Bo"))
    }


async def test_a_round_of_three_takes_at_most_four_requests_when_every_token_has_expired(
    table, expired_tokens
):
    await table.match("Ann", "Bo", "Cleo")

    assert len(await one_round(table, "Ann", "Bo", "Cleo")) <= 4


async def test_a_token_that_discord_no_longer_accepts_is_replaced_by_the_channel(table):
    """The bot's clock may lag behind Discord's, which then refuses a token that seems valid."""
    public = await table.match()
    await table.play("Ann")
    table.discord.clock.advance(timedelta(minutes=16))
    since = len(table.discord.requests)

    await table.play("Bo")
    await table.discord.until(
        lambda: (
            RESOLVED in public.images[0].description
            and all(table.step(table.desk(name)) == 1 for name in ("Ann", "Bo"))
        )
    )
    await table.quiet_now()

    refused = [r for r in table.discord.requests[since:] if r.status == 401]
    counted = [r for r in table.discord.requests[since:] if r.counted]
    assert {r.response["code"] for r in refused} == {50027}
    assert len(counted) <= 3
    again = len(table.discord.requests)
    await table.trick("Ann", "Bo")
    await table.quiet_now()
    assert [r for r in table.discord.requests[again:] if r.status == 401] == []


async def test_a_private_hand_whose_token_has_expired_is_sent_again_by_the_next_click(table):
    public = await table.match()
    here = await table.hand("Ann", public)
    table.discord.clock.advance(timedelta(minutes=16))

    await table.trick("Ann", "Bo")
    await table.quiet_now()
    stale = table.step(here)
    fresh = await table.hand("Ann", public)

    assert stale == 0
    assert table.step(fresh) == 1
    late = await table.person("Ann").click(here, table.cards(here)[0].custom_id)
    assert "your hand" in late.text
    assert "**Choose your card.**" in late.text


async def test_has_chosen_is_shown_if_the_others_take_their_time(hasty):
    public = await hasty.match()
    ann, bo = (hasty.person(name).mention for name in ("Ann", "Bo"))

    await hasty.play("Ann")

    await hasty.discord.until(lambda: f"{ann} has chosen ✓" in public.text)
    assert f"{bo} is choosing\N{NO-BREAK SPACE}…" in public.text


async def test_has_chosen_takes_no_request_if_both_choose_quickly(table):
    public = await table.match()
    await table.quiet_now()
    edits = public.edits

    await table.trick("Ann", "Bo")
    await table.quiet_now()

    assert public.edits == edits + 1
    assert "has chosen" not in public.text


async def test_a_changed_choice_is_not_announced_again(hasty):
    public = await hasty.match()
    await hasty.play("Ann", 0)
    await hasty.discord.until(lambda: "has chosen ✓" in public.text)
    edits = public.edits

    await hasty.play("Ann", 1)
    await hasty.quiet_now()

    assert public.edits == edits


async def test_a_changed_choice_compares_no_messages(table):
    """It is the most frequent click, and its answer has shown it to everybody concerned."""
    await table.match()
    await table.play("Ann", 0)
    await table.quiet_now()

    await table.play("Ann", 1)

    assert not table.bot.services.live._comparing._tasks


async def test_a_choice_changed_in_a_private_hand_is_shown_in_the_direct_message(table):
    public = await table.match()
    desk = table.desk("Ann")
    here = await table.hand("Ann", public)
    await table.pick("Ann", here, 0)
    await table.quiet_now()

    await table.pick("Ann", here, 1)
    await table.quiet_now()

    assert [b.style for b in table.cards(desk)] == [b.style for b in table.cards(here)]


async def test_a_picture_that_discord_already_has_is_not_sent_again(table):
    await table.match()
    since = len(table.discord.requests)

    await table.play("Ann", 0)
    await table.play("Ann", 1)

    assert [r.files for r in table.discord.requests[since:]] == [[], []]
    assert table.desk("Ann").images[0].url


async def test_discord_does_not_send_back_a_hand_that_shows_a_choice(table):
    await table.match()
    since = len(table.discord.requests)

    await table.play("Ann", 0)

    (answer,) = table.discord.requests[since:]
    assert (answer.status, answer.json["type"]) == (204, 7)
    assert "with_response" not in answer.query


async def test_a_message_that_is_up_to_date_is_not_edited(table):
    public = await table.match()
    await table.trick("Ann", "Bo")
    await table.quiet_now()
    since = len(table.discord.requests)

    table.bot.services.live.note_changed(table.match_of(public))
    await table.quiet_now()

    assert table.discord.requests[since:] == []
    assert labels(public) == ["My hand", "Menu", "Rules"]
