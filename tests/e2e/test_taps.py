"""One tap: hands whose cards everybody may know are buttons on the table itself."""

import pytest

from tests.support.tables import labels

BOTH = ("Ann", "Bo")


async def begun(table, *names, **options):
    """A table with taps that everybody has accepted, at live pace unless another is named."""
    names = names or BOTH
    wanted = {"pace": "live", "desk": "tap", **options}
    public = await table.challenge(*names, **wanted)
    for name in names[1:]:
        await table.person(name).click(public, "Accept")
    await table.discord.until(lambda: "Round 1" in public.text)
    await table.quiet_now()
    return public


def taps(message, seat):
    """The buttons of a seat's own block."""
    return [b for b in message.buttons if b.custom_id and f":tap:{seat} " in b.custom_id]


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

    card = taps(public, 0)[2].custom_id.rpartition(" ")[2]
    assert answer.ephemeral
    assert answer.text == (f"You chose **{card}**. You can change it until everyone has chosen.")
    assert "has chosen ✓" in public.text
    assert len(taps(public, 0)) == 6
    assert f"chose **{card}**" not in public.text


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

    assert answer.text.startswith("That round is over.")
    assert table.sql("SELECT count(*) FROM moves WHERE step = 1") == [(0,)]


@pytest.mark.parametrize("argument", ["", "0", "x 9", "0 x", "7 9"])
async def test_a_forged_tap_is_refused(table, argument):
    public = await begun(table)

    answer = await table.person("Ann").forge(public, custom_id=f"f1:1:0:tap:{argument}")

    assert answer.ephemeral
    assert table.sql("SELECT count(*) FROM moves") == [(0,)]


async def test_three_can_tap(table):
    public = await begun(table, "Ann", "Bo", "Cleo", variant="pico1-three")

    hands = [{b.custom_id.rpartition(" ")[2] for b in taps(public, seat)} for seat in range(3)]
    assert all(len(hand) == len(taps(public, seat)) > 3 for seat, hand in enumerate(hands))
    assert [b.custom_id for b in public.buttons].count("f1:1:0:hand:") == 1


async def test_at_a_slower_pace_a_desk_tells_whose_move_it_is(table):
    public = await begun(table, pace="slow")

    await table.discord.until(lambda: all(table.desk(name, public) for name in BOTH))

    assert len(taps(public, 0)) == 6


async def test_taps_outlast_a_restart(table):
    public = await begun(table)
    await tap(table, "Ann", public)

    await table.restart()
    await tap(table, "Bo", public)
    await table.discord.until(lambda: step(public) == 1)

    assert table.sql("SELECT count(*) FROM moves") == [(2,)]
