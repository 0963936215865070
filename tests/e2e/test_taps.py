"""One tap: hands whose cards everybody may know are buttons on the table itself."""

import asyncio
import json
from datetime import timedelta

import pytest

from sandbox import Fault
from tests.support.tables import labels, resign

BOTH = ("Ann", "Bo")


async def begun(table, *names, **options):
    """A table with taps that everybody has accepted, at live pace unless another is named."""
    names = names or BOTH
    wanted = {"pace": "live", "hand": "tap", **options}
    public = await table.challenge(*names, **wanted)
    for name in names[1:]:
        await table.person(name).click(public, "Accept")
    await table.discord.until(lambda: "Round 1" in public.text)
    await table.quiet_now()
    return public


def taps(message, seat):
    """The buttons of a seat's own block."""
    return [b for b in message.buttons if b.custom_id and f":tap:{seat} " in b.custom_id]


def chosen(message, which):
    """What Ann's button of this number chooses."""
    return taps(message, 0)[which].custom_id.rpartition(" ")[2]


def receipts(table, name):
    """What only this person sees in the channel."""
    mine = table.person(name).id
    return [m for m in table.person(name).see("games") if m.ephemeral_to == mine]


def step(message):
    return int(taps(message, 0)[0].custom_id.split(":")[2])


async def tap(table, name, public, *, seat=None, which=0):
    owner = BOTH.index(name) if seat is None else seat
    return await table.person(name).click(public, taps(public, owner)[which].custom_id)


async def trick(table, public):
    """Both tap their first card, and the table has moved on."""
    before = step(public)
    for name in BOTH:
        await tap(table, name, public)
    await table.discord.until(lambda: not taps(public, 0) or step(public) != before)


async def test_the_table_offers_both_hands_and_no_desk_is_sent(table):
    public = await begun(table, variant="pico1")

    assert [len(taps(public, seat)) for seat in (0, 1)] == [5, 5]
    assert {"My hand", "Rules"} < set(labels(public))
    assert [table.letters(name) for name in BOTH] == [[], []]


async def test_a_match_is_played_to_its_end_on_the_table_alone(table):
    public = await begun(table, variant="pico1")

    while taps(public, 0):
        await trick(table, public)
    await table.discord.until(lambda: "seed was" in public.text)

    assert [table.letters(name) for name in BOTH] == [[], []]
    assert table.sql("SELECT count(*) FROM results") == [(2,)]


async def test_only_the_player_is_told_what_was_tapped(table):
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


async def test_a_match_gives_each_one_receipt_which_says_what_is_true(table):
    """Each tap brings a new one; the reveal edits it."""
    public = await begun(table, variant="pico1")
    first = (await tap(table, "Ann", public)).message
    again = await tap(table, "Ann", public, which=1)
    await table.handled()
    (receipt,) = receipts(table, "Ann")
    changed, card = receipt.text, chosen(public, 1)

    await tap(table, "Bo", public)
    await table.discord.until(lambda: step(public) == 1)
    await table.quiet_now()
    revealed = receipt.text
    await tap(table, "Ann", public)
    await table.handled()
    (second,) = receipts(table, "Ann")
    chosen_second = second.text
    await tap(table, "Bo", public)
    await table.discord.until(lambda: step(public) == 2)
    while taps(public, 0):
        await trick(table, public)
    await table.discord.until(lambda: "seed was" in public.text)
    await table.settled()
    (last,) = receipts(table, "Ann")

    assert again.message is receipt
    assert again.followups == []
    assert first.deleted
    assert f"You chose **{card}**" in changed
    assert "You chose" not in revealed
    assert revealed.startswith("Revealed: ")
    assert "turn" not in revealed  # which passes, and it may not be edited by then
    assert "You chose" in chosen_second
    assert receipt.deleted
    assert last.text.startswith("This match is over. ")


async def test_a_receipt_says_what_was_changed_in_the_hand_since(table):
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


async def test_a_receipt_of_who_resigned_before_the_reveal_says_that_and_reveals_nothing(table):
    public = await begun(table, "Ann", "Bo", "Cleo")
    receipt = (await tap(table, "Ann", public)).message

    await resign(table, "Ann", public)

    assert receipt.text == "You resigned. The others play on."


async def test_two_quick_taps_leave_one_receipt(table):
    public = await begun(table)

    await asyncio.gather(*(tap(table, "Ann", public, which=which) for which in (0, 1)))
    await table.settled()

    (receipt,) = receipts(table, "Ann")
    ((move,),) = table.sql("SELECT move FROM moves")
    assert f"You chose **{move}**" in receipt.text


async def test_who_dismissed_the_receipt_is_told_of_the_next_step_by_a_new_one(table):
    """Of that Discord tells nobody, and an edit of it is taken and seen by nobody."""
    public = await begun(table)
    receipt = (await tap(table, "Ann", public)).message
    table.person("Ann").dismiss(receipt)
    await tap(table, "Bo", public)
    await table.discord.until(lambda: step(public) == 1)

    await tap(table, "Ann", public, which=1)
    await table.handled()

    (seen,) = receipts(table, "Ann")
    assert f"You chose **{chosen(public, 1)}**" in seen.text
    assert receipt.deleted


@pytest.mark.parametrize("which", [0, 1], ids=["the same", "another"])
async def test_who_dismissed_the_receipt_gets_another_by_the_next_tap(table, which):
    public = await begun(table)
    receipt = (await tap(table, "Ann", public)).message
    table.person("Ann").dismiss(receipt)

    await tap(table, "Ann", public, which=which)
    await table.handled()

    (seen,) = receipts(table, "Ann")
    assert f"You chose **{chosen(public, which)}**" in seen.text
    assert receipt.deleted


async def test_another_choice_of_the_same_step_takes_two_requests_that_do_not_count(table):
    public = await begun(table)
    await tap(table, "Ann", public)
    await table.quiet_now()
    since = len(table.discord.requests)

    await tap(table, "Ann", public, which=1)
    await table.quiet_now()

    asked = table.discord.requests[since:]
    assert [r.method for r in asked] == ["POST", "DELETE"]
    assert not any(r.counted for r in asked)


async def test_an_old_receipt_that_stays_is_no_longer_edited(table):
    """Only deleting it has failed: what is noted is the one that came in its place."""
    public = await begun(table)
    old = (await tap(table, "Ann", public)).message
    table.discord.faults.add(Fault(method="DELETE", path="^/webhooks/", status=404, code=10008))
    new = (await tap(table, "Ann", public)).message
    await table.handled()
    said = old.text

    await tap(table, "Bo", public)
    await table.discord.until(lambda: step(public) == 1)
    await table.quiet_now()

    assert receipts(table, "Ann") == [old, new]
    assert old.text == said
    assert new.text.startswith("Revealed: ")


async def test_a_receipt_stays_and_says_what_is_true_where_a_new_one_cannot_be_sent(table):
    public = await begun(table)
    old = (await tap(table, "Ann", public)).message
    await tap(table, "Bo", public)
    await table.discord.until(lambda: step(public) == 1)
    await table.quiet_now()
    table.discord.faults.add(Fault(method="POST", path="^/webhooks/", status=403, code=200000))

    await tap(table, "Ann", public, which=1)
    await table.settled()

    assert receipts(table, "Ann") == [old]
    assert f"You chose **{chosen(public, 1)}**" in old.text


async def test_a_receipt_that_can_be_edited_no_more_is_followed_by_another(table):
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
    assert answer.message is receipts(table, "Ann")[-1]
    assert f"You chose **{chosen(public, 1)}**" in answer.message.text


async def test_after_a_quarter_of_an_hour_a_tap_gives_a_new_receipt(table, monkeypatch):
    public = await begun(table)
    monkeypatch.setattr("bot.messaging.first_answer.TOKEN_LIFE", timedelta())

    old = (await tap(table, "Ann", public)).message
    new = (await tap(table, "Ann", public, which=1)).message

    assert new is not old
    assert f"You chose **{chosen(public, 1)}**" in new.text


async def test_a_round_by_taps_costs_no_request_that_counts(table):
    public = await begun(table, pace="slow")
    await trick(table, public)
    await table.quiet_now()
    since = len(table.discord.requests)

    for _ in range(3):
        await trick(table, public)
        await table.quiet_now()

    assert [r.path for r in table.discord.requests[since:] if r.counted] == []


async def test_a_choice_is_changed_by_another_tap(table):
    public = await begun(table)
    await tap(table, "Ann", public, which=0)

    await tap(table, "Ann", public, which=1)

    card = taps(public, 0)[1].custom_id.rpartition(" ")[2]
    assert table.sql("SELECT move FROM moves") == [(card,)]


async def test_each_block_answers_to_its_owner_only(table):
    public = await begun(table)

    others = await tap(table, "Ann", public, seat=1)
    strangers = await tap(table, "Cleo", public, seat=0)

    assert others.text == "Those aren't yours. Use the buttons under your name."
    assert strangers.text.startswith("You're not playing in this match")
    assert table.sql("SELECT count(*) FROM moves") == [(0,)]


async def test_a_tap_on_an_old_round_is_not_played_in_the_new_one(table):
    public = await begun(table)
    old = taps(public, 0)[0].custom_id
    await trick(table, public)

    answer = await table.person("Ann").forge(public, custom_id=old)

    assert answer.text == "That round is over. The table shows the current one."
    assert table.sql("SELECT count(*) FROM moves WHERE step = 1") == [(0,)]


@pytest.mark.parametrize("argument", ["", "0", "x 9", "0 x", "7 9"])
async def test_a_forged_tap_is_refused(table, argument):
    public = await begun(table)

    answer = await table.person("Ann").forge(public, custom_id=f"f1:1:0:tap:{argument}")

    assert answer.ephemeral
    assert table.sql("SELECT count(*) FROM moves") == [(0,)]


async def test_three_can_tap(table):
    public = await begun(table, "Ann", "Bo", "Cleo", variant="pico1-three")

    ((state,),) = table.sql("SELECT state FROM matches")
    for seat, hand in enumerate(json.loads(state)["hands"]):
        faces = [int(b.custom_id.rpartition(" ")[2]) for b in taps(public, seat)]
        assert faces == sorted(set(hand)), "equal cards are one button"
    assert [b.custom_id for b in public.buttons].count("f1:1:0:hand:") == 1


async def test_no_hand_comes_by_itself_but_to_who_has_asked_for_direct_messages(table):
    panel = (await table.person("Bo").slash("preferences", channel="games")).message
    await table.person("Bo").select(panel, "Where you see your hand", "desk dm")

    public = await begun(table, pace="slow")
    await table.discord.until(lambda: table.letters("Bo"))

    assert table.letters("Ann") == []
    assert len(taps(public, 0)) == 6


async def test_a_hand_is_brought_to_who_taps_and_has_been_away(table):
    public = await begun(table, pace="slow")
    await trick(table, public)

    brought = await table.bring(0)
    await trick(table, public)
    await table.quiet_now()

    assert brought
    (hand,) = table.letters("Ann")
    assert table.step(hand) == 2
    assert table.person("Ann").unread == 1
    assert table.letters("Bo") == []


async def test_one_tap_is_usual_where_hands_are_public(table):
    answer = await table.person("Ann").slash(
        "pico play", channel="games", opponent=table.person("Bo"), pace="slow"
    )
    await table.person("Bo").click(answer.message, "Accept")

    await table.discord.until(lambda: len(taps(answer.message, 0)) == 6)


async def test_taps_outlast_a_restart(table):
    public = await begun(table)
    await tap(table, "Ann", public)

    await table.restart()
    await tap(table, "Bo", public)
    await table.discord.until(lambda: step(public) == 1)

    assert table.sql("SELECT count(*) FROM moves") == [(2,)]


async def test_a_table_that_may_not_be_edited_is_edited_through_a_tap(table, monkeypatch):
    """Such an edit needs no permission."""
    monkeypatch.setattr("bot.messaging.first_answer.TOKEN_LIFE", timedelta())
    public = await begun(table)
    path = rf"^/channels/.*/messages/{public.id}$"
    table.discord.faults.add(Fault(method="PATCH", path=path, status=403, code=50013, times=None))
    cards = [[b.custom_id.rpartition(" ")[2] for b in taps(public, seat)] for seat in (0, 1)]
    for name in BOTH:
        await tap(table, name, public)
    await table.settled()
    assert step(public) == 0
    monkeypatch.setattr("bot.messaging.first_answer.TOKEN_LIFE", timedelta(minutes=14))

    for seat, name in enumerate(BOTH):
        await table.person(name).forge(public, custom_id=f"f1:1:1:tap:{seat} {cards[seat][1]}")
    await table.settled()

    assert step(public) == 2
