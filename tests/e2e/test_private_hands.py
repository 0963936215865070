"""Private hands, and which of several processes keeps them up to date."""

import pytest

from bot.interactions import handover
from bot.storage import TABLE
from tests.support.solo import group_of
from tests.support.together import begun, cards, step, trick
from tests.support.waiting import until

pytestmark = pytest.mark.postgresql

UNFOLLOWED = "won't update by itself. To see what's new, use **My hand** at the table."


async def test_a_private_hand_is_kept_up_to_date_after_another_process_has_changed_its_match(
    together,
):
    for _ in range(2):
        await together.join()
    public = await begun(together)
    owner, other = together.holder_and_other(public.guild_id)
    (match,) = owner.owned
    (button,) = [b for b in public.buttons if b.custom_id and ":hand" in b.custom_id]
    clicked = await together.discord.person("Bo").click(public, button.custom_id)
    here = (await clicked.settled()).message
    slots = owner.bot.services.live.slots
    before = await slots.table(match)

    other.bot.services.live.retry_and_update(match)  # as `/preferences` does there
    await together.discord.until(lambda: slots._matches[match][TABLE] is not before)
    await trick(together)

    await together.discord.until(lambda: step(here) == 1)


async def test_a_solo_match_of_a_guest_is_answered_by_the_process_that_shows_it(
    together, monkeypatch
):
    # The owner of the match takes the command, however slow this machine is.
    for limit in ("PATIENCE", "FRESH", "ANSWER"):
        monkeypatch.setattr(handover, f"{limit}_SECONDS", 20.0)
    for _ in range(2):
        await together.join()
    owner, other = together.holder_and_other(None)
    place = group_of(together, "Ann", "Bo")
    await together.by_endpoint()
    together.discord.endpoint.urls = (other.url,)

    answer = await together.person("Ann").slash(
        "spite play", channel=place, options={"computer": "easy"}
    )
    await answer.settled()
    hands = [await member.bot.services.live.slots.hand(1, 0) for member in (owner, other)]

    await until(lambda: any(hand.private.copy for hand in hands))
    assert [hand.private.copy is not None for hand in hands] == [True, False]


async def test_a_hand_from_a_process_that_does_not_own_the_match_says_that_it_is_not_updated(
    together, monkeypatch
):
    """The owner of the match hangs, and never learns about that message."""
    for limit in ("FRESH", "ANSWER"):  # on a busy machine, the other may need longer
        monkeypatch.setattr(handover, f"{limit}_SECONDS", 20.0)
    for _ in range(2):
        await together.join()
    public = await begun(together)
    owner, other = together.holder_and_other(public.guild_id)
    await together.by_endpoint()
    button = next(b for b in public.buttons if b.custom_id and ":hand" in b.custom_id)
    bo, hands = together.person("Bo"), []
    with monkeypatch.context() as deaf:
        deaf.setattr(owner.bot.shared_work, "heard", lambda *_: None)
        for member in (owner, other):
            together.discord.endpoint.urls = (member.url,)
            clicked = await bo.click(public, button.custom_id)
            hands.append((await clicked.settled()).message)
        said = [UNFOLLOWED in hand.text for hand in hands]
        await (await bo.click(hands[1], cards(hands[1])[0])).settled()

    assert said == [False, True]
    assert "You chose" in hands[1].text
    assert UNFOLLOWED in hands[1].text


async def test_a_hand_links_to_the_list_if_another_process_shows_the_next_match(
    together, server, monkeypatch
):
    """**Play** reaches that process, whose hand is kept up to date."""
    for limit in ("PATIENCE", "FRESH", "ANSWER"):
        monkeypatch.setattr(handover, f"{limit}_SECONDS", 20.0)
    for _ in range(2):
        await together.join()
    ann = together.person("Ann")
    ann.closed = True
    guilds = {together.holder(g.id): g for g in together.discord.world.guilds.values()}
    for guild in guilds.values():
        channel = next(iter(guild.text_channels()))
        begun = await ann.slash("pico play", channel=channel.id, options={"computer": "easy"})
        await begun.settled()
    await until(lambda: server.ask("SELECT count(*) FROM matches") == [(2,)])

    shown = (await (await ann.slash("games", channel=ann.dm)).settled()).message
    hand = (await (await ann.click(shown, "Play 1")).settled()).message
    listed = (await (await ann.click(hand, "Next match")).settled()).message
    other = (await (await ann.click(listed, "Play 2")).settled()).message

    assert listed.text.startswith("### Your matches")
    assert cards(hand)
    assert cards(other)
    assert "won't update by itself" not in hand.text + other.text
