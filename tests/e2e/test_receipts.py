"""What only its player sees of a tap: what they chose, and later what came of it."""

import asyncio
from datetime import timedelta

import pytest

from sandbox import Fault
from tests.support.tables import resign
from tests.support.taps import begun, chosen, receipts, step, tap, taps, trick


async def test_only_the_player_is_told_what_they_tapped(table):
    public = await begun(table)

    answer = await tap(table, "Ann", public, which=2)
    await table.quiet_now()

    card = chosen(public, 2)
    assert answer.ephemeral
    assert answer.text == (
        f"**Round 1 of 2.** You chose **{card}**. "
        "Until everyone has chosen, another tap changes it."
    )
    assert "has chosen ✓" in public.text
    assert len(taps(public, 0)) == 6
    assert f"chose **{card}**" not in public.text


async def test_each_player_has_one_receipt_per_match_which_is_kept_up_to_date(table):
    """Each tap sends a new one, and the reveal edits it."""
    public = await begun(table, variant="pico1")
    first = (await tap(table, "Ann", public)).message
    again = await tap(table, "Ann", public, which=1)
    await table.handled()
    (receipt,) = receipts(table)
    changed, card = receipt.text, chosen(public, 1)

    await tap(table, "Bo", public)
    await table.discord.until(lambda: step(public) == 1)
    await table.quiet_now()
    revealed = receipt.text
    await tap(table, "Ann", public)
    await table.handled()
    (second,) = receipts(table)
    chosen_second = second.text
    await tap(table, "Bo", public)
    await table.discord.until(lambda: step(public) == 2)
    while taps(public, 0):
        await trick(table, public)
    await table.discord.until(lambda: "seed was" in public.text)
    await table.settled()
    (last,) = receipts(table)

    assert again.message is receipt
    assert again.followups == []
    assert first.deleted
    assert f"You chose **{card}**" in changed
    assert "You chose" not in revealed
    assert revealed.startswith("Revealed: ")
    assert "turn" not in revealed  # which would pass, and an edit may be too late by then
    assert "You chose" in chosen_second
    assert receipt.deleted
    assert last.text.startswith("This match is over. ")


async def test_a_receipt_shows_a_choice_that_was_changed_in_the_hand(table):
    panel = (await table.person("Ann").slash("preferences", channel="games")).message
    await table.person("Ann").select(panel, "Where you see your hand", "desk dm")
    public = await begun(table)
    receipt = (await tap(table, "Ann", public)).message
    await table.settled()

    await table.pick("Ann", table.desk("Ann"), which=3)
    await table.settled()

    ((move,),) = table.sql("SELECT move FROM moves")
    assert move == chosen(public, 3)
    assert f"You chose **{move}**" in receipt.text


async def test_the_receipt_of_a_player_who_resigned_before_the_reveal_reveals_nothing(table):
    public = await begun(table, "Ann", "Bo", "Cleo")
    receipt = (await tap(table, "Ann", public)).message

    await resign(table, "Ann", public)

    assert receipt.text == "You resigned. The others play on."


async def test_a_receipt_of_a_player_deleted_by_another_process_is_no_longer_edited(table):
    public = await begun(table, "Ann", "Bo", "Cleo")
    receipt = (await tap(table, "Cleo", public, seat=2)).message
    live, match = table.bot.services.live, table.match_of(public)
    (await live.slots.hand(match, 2)).abandon = lambda: None  # the receipt has a slot of its own
    before = receipt.edits

    await table.bot.services.erasure.delete(table.person("Cleo").id)
    await live.note_changed_elsewhere(match)
    await table.settled()

    assert receipt.edits == before


async def test_two_quick_taps_leave_one_receipt(table):
    public = await begun(table)

    await asyncio.gather(*(tap(table, "Ann", public, which=which) for which in (0, 1)))
    await table.settled()

    (receipt,) = receipts(table)
    ((move,),) = table.sql("SELECT move FROM moves")
    assert f"You chose **{move}**" in receipt.text


async def test_a_receipt_is_kept_up_to_date_even_if_another_process_did_something(table):
    public = await begun(table)
    await tap(table, "Ann", public)
    await table.bot.services.live.note_changed_elsewhere(table.match_of(public))

    await tap(table, "Bo", public)
    await table.discord.until(lambda: step(public) == 1)
    await table.settled()

    (receipt,) = receipts(table)
    assert receipt.text.startswith("Revealed: ")


async def test_a_player_who_dismissed_the_receipt_gets_a_new_one_in_the_next_step(table):
    """Discord tells nobody about that, and accepts edits that nobody sees."""
    public = await begun(table)
    receipt = (await tap(table, "Ann", public)).message
    table.person("Ann").dismiss(receipt)
    await tap(table, "Bo", public)
    await table.discord.until(lambda: step(public) == 1)

    await tap(table, "Ann", public, which=1)
    await table.handled()

    (seen,) = receipts(table)
    assert f"You chose **{chosen(public, 1)}**" in seen.text
    assert receipt.deleted


@pytest.mark.parametrize("which", [0, 1], ids=["the same", "another"])
async def test_a_player_who_dismissed_the_receipt_gets_another_with_the_next_tap(table, which):
    public = await begun(table)
    receipt = (await tap(table, "Ann", public)).message
    table.person("Ann").dismiss(receipt)

    await tap(table, "Ann", public, which=which)
    await table.handled()

    (seen,) = receipts(table)
    assert f"You chose **{chosen(public, which)}**" in seen.text
    assert receipt.deleted


async def test_changing_a_choice_by_taps_takes_two_uncounted_requests(table):
    public = await begun(table)
    await tap(table, "Ann", public)
    await table.quiet_now()
    since = len(table.discord.requests)

    await tap(table, "Ann", public, which=1)
    await table.quiet_now()

    asked = table.discord.requests[since:]
    assert [r.method for r in asked] == ["POST", "DELETE"]
    assert not any(r.counted for r in asked)


async def test_an_old_receipt_that_could_not_be_deleted_is_no_longer_edited(table):
    """Only deleting it has failed; the stored message is the one that replaced it."""
    public = await begun(table)
    old = (await tap(table, "Ann", public)).message
    table.discord.faults.add(Fault(method="DELETE", path="^/webhooks/", status=404, code=10008))
    new = (await tap(table, "Ann", public)).message
    await table.handled()
    said = old.text

    await tap(table, "Bo", public)
    await table.discord.until(lambda: step(public) == 1)
    await table.quiet_now()

    assert receipts(table) == [old, new]
    assert old.text == said
    assert new.text.startswith("Revealed: ")


async def test_a_receipt_stays_and_is_kept_up_to_date_if_a_new_one_cannot_be_sent(table):
    public = await begun(table)
    old = (await tap(table, "Ann", public)).message
    await tap(table, "Bo", public)
    await table.discord.until(lambda: step(public) == 1)
    await table.quiet_now()
    table.discord.faults.add(Fault(method="POST", path="^/webhooks/", status=403, code=200000))

    await tap(table, "Ann", public, which=1)
    await table.settled()

    assert receipts(table) == [old]
    assert f"You chose **{chosen(public, 1)}**" in old.text


async def test_a_receipt_that_can_no_longer_be_edited_is_replaced_by_another(table):
    public = await begun(table)
    old = (await tap(table, "Ann", public)).message
    await table.settled()
    table.discord.faults.add(
        Fault(method="PATCH", path="^/webhooks/", saying="Revealed", status=401, code=50027)
    )
    await tap(table, "Bo", public)
    await table.discord.until(lambda: step(public) == 1)
    await table.settled()

    answer = await tap(table, "Ann", public, which=1)
    await table.handled()

    assert "You chose" in old.text
    assert answer.message is receipts(table)[-1]
    assert f"You chose **{chosen(public, 1)}**" in answer.message.text


async def test_after_a_quarter_of_an_hour_a_tap_sends_a_new_receipt(table, monkeypatch):
    public = await begun(table)
    monkeypatch.setattr("bot.messaging.first_answer.TOKEN_LIFE", timedelta())

    old = (await tap(table, "Ann", public)).message
    new = (await tap(table, "Ann", public, which=1)).message

    assert new is not old
    assert f"You chose **{chosen(public, 1)}**" in new.text
