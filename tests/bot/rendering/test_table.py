"""The table and the hands of a match of Pico, in every phase."""

import hashlib
from dataclasses import replace

import pytest

from bot.messaging.components import Link, Select
from bot.messaging.content import Layout
from bot.rendering import render
from bot.rendering.phrases import GONE, OPEN, OVER, RUNNING, seat_names
from bot.rendering.presentation import Presentations
from cogs.pico.presentation import PicoPresentation
from games.pico import PICO
from tests.support.match_records import change
from tests.support.matches import ANN, BEA, CYD, NOW, SEED, A, B, begun, dealt, opened

URL = "https://discord.com/channels/77/88/501"
THREE = dealt(3)
COMMITMENT = hashlib.sha256(SEED.encode()).hexdigest()


@pytest.fixture
def presentations():
    loaded = Presentations()
    loaded[PICO.key] = PicoPresentation()
    return loaded


@pytest.fixture
def show(presentations):
    """Renders a snapshot after checking it against Discord's limits."""

    def sheet_of(snapshot, url=URL):
        content = render(snapshot, presentations, url)
        layout = Layout(content, "attachment://picture.png")
        assert layout.total_children_count <= 40
        assert len(words(content)) <= 4000
        assert content.picture is None or 0 < len(content.picture.alt) <= 1024
        assert all(len(row) <= 5 for row in content.rows if not isinstance(row, Select | str))
        assert all(0 < len(button.label) <= 80 for row in rows(content) for button in row)
        ids = [str(button.press) for button in clickable(content)]
        assert len(set(ids)) == len(ids)
        return content

    return sheet_of


def words(content):
    """All text of a content, including buttons and alt text."""
    labels = [button.label for row in rows(content) for button in row]
    alt = "" if content.picture is None else content.picture.alt
    return "\n".join([content.head, content.foot, alt, *labels])


def rows(content):
    """The buttons, row by row; a menu is a row of its options."""
    found = [row for row in content.rows if not isinstance(row, str)]  # text above them is left out
    return [row.options if isinstance(row, Select) else row for row in found]


def clickable(content):
    buttons = [row for row in content.rows if not isinstance(row, Select | str)]
    menus = [row for row in content.rows if isinstance(row, Select)]
    return [*menus, *(b for row in buttons for b in row if not isinstance(b, Link))]


def ids(content):
    return [str(button.press) for button in clickable(content)]


def tappers(content):
    """The seats that have buttons to tap on the table."""
    presses = [press.split(":") for press in ids(content)]
    return {arg.split()[0] for *_, act, arg in presses if act == "tap"}


def offering(snapshot, *offers):
    """The snapshot with each seat making one of these offers."""
    seats = snapshot.seats
    offering = [replace(info, agrees=what) for info, what in zip(seats, offers, strict=False)]
    return replace(snapshot, seats=(*offering, *seats[len(offers) :]))


async def test_people_are_mentioned(matches):
    match = await opened(matches, BEA, CYD)

    assert seat_names(await matches.public(match)) == (f"<@{ANN}>", f"<@{BEA}>", f"<@{CYD}>")


async def test_a_challenge_says_who_has_to_answer(matches, show):
    match = await opened(matches, BEA, CYD)
    await matches.accept(match, CYD)

    content = show(await matches.public(match))

    assert content.head == (
        f"### Pico · Pico I for three\n<@{ANN}> challenges <@{BEA}> and <@{CYD}>.\n"
        f"Waiting for <@{BEA}>. Once everyone accepts, press **My hand** at the table to see your "
        "hand. `/preferences` decides whether I also send your hand by direct message.\n"
        f"-# Slow: 1 day a move · Rated · expiry: <t:{int(NOW) + 3 * 86_400}:R> · challenge {match}"
    )
    assert ids(content) == [
        f"f1:{match}:0:accept:",
        f"f1:{match}:0:decline:",
        f"f1:{match}:0:vacate:",
        f"f1:{match}:0:withdraw:",
        f"f1:{match}:0:rules:pico",
    ]
    assert (content.color, content.picture) == (OPEN, None)


async def test_an_open_table_says_how_many_players_are_missing(matches, show):
    match = await opened(
        matches, options=PICO.presets["pico1-three"], opponents=(BEA,), wanted=3, tap=True
    )

    content = show(await matches.public(match))

    assert content.head.split("\n")[1:4] == [
        f"<@{ANN}> challenges <@{BEA}> and is looking for 1 more player.",
        f"✓ <@{ANN}> · … <@{BEA}> · ○ open",
        (
            f"Waiting for <@{BEA}> and 1 more player. Once all seats are taken, you each choose "
            "with one tap at the table. `/notify` decides whether and how I tell you that it's "
            "your turn."
        ),
    ]


@pytest.mark.parametrize(
    ("opponents", "wanted", "said"),
    [
        ((BEA,), 2, "Nobody answered in time."),
        ((), 2, "Nobody joined in time."),
        ((BEA, CYD), 3, "Not everyone answered in time."),
        ((BEA,), 3, "Not enough players joined in time."),
    ],
)
async def test_a_challenge_that_expired_says_why_and_what_to_do(
    matches, show, database, opponents, wanted, said
):
    options = PICO.presets["standard" if wanted == 2 else "pico1-three"]
    match = await opened(matches, options=options, opponents=opponents, wanted=wanted)
    change(database, "UPDATE matches SET status = 'expired'")

    content = show(await matches.public(match))

    assert content.head.endswith(
        f"\nThe challenge expired. {said} To make a new one, use `/pico play`."
    )
    assert (content.rows, content.color) == ((), GONE)


@pytest.mark.parametrize(
    ("accepted", "act", "said"),
    [
        ((), "decline", "declined the challenge."),
        ((CYD,), "vacate", "gave up their seat, so the challenge is off."),
    ],
)
async def test_the_player_who_ended_a_challenge_is_named(matches, show, accepted, act, said):
    match = await opened(matches, BEA, CYD)
    for user in accepted:
        await matches.accept(match, user)

    effect = await getattr(matches, act)(match, CYD)

    assert show(effect.public()).head.endswith(f"\n<@{CYD}> {said}")


async def test_a_deleted_player_who_declined_is_not_named(matches, show, storage):
    match = await opened(matches)
    await matches.decline(match, BEA)
    async with storage.transaction() as writing:
        await writing.erasure.forget(BEA)

    assert show(await matches.public(match)).head.endswith("\nThe challenge was declined.")


async def test_a_challenge_looks_the_same_to_everybody_it_is_for(matches, show):
    match = await opened(matches)

    assert show(await matches.snapshot(match, BEA)) == show(await matches.public(match))


@pytest.mark.parametrize(
    ("act", "user", "said"),
    [
        ("decline", BEA, f"<@{BEA}> declined the challenge."),
        ("withdraw", ANN, "The challenge was withdrawn."),
    ],
)
async def test_a_challenge_that_ended_without_a_match_has_no_buttons(
    matches, show, act, user, said
):
    match = await opened(matches)
    effect = await getattr(matches, act)(match, user)

    content = show(effect.public())

    assert content.head.endswith(f"\n<@{ANN}> challenges <@{BEA}>.\n{said}")
    assert (content.rows, content.color, content.picture) == ((), GONE, None)


async def test_the_table_shows_who_has_chosen_and_who_is_choosing(matches, show):
    match = await begun(matches)
    await matches.submit(match, 0, BEA, str(dealt().hands[B][0]))

    content = show(await matches.public(match))

    assert content.head.startswith("### Pico · 13 cards\n")
    assert "**Round 1 of 2.**" in content.head
    assert f"<@{ANN}> is choosing\N{NO-BREAK SPACE}…" in content.foot
    assert f"<@{BEA}> has chosen ✓" in content.foot
    assert content.foot.endswith(
        f"-# Rated · Sealed deal `{COMMITMENT[:8]}`: `/verify` explains it"
    )
    assert COMMITMENT[:9] not in words(content)
    assert ids(content) == [
        f"f1:{match}:0:hand:",
        f"f1:{match}:0:menu:",
        f"f1:{match}:0:rules:pico",
    ]
    assert content.color == RUNNING


@pytest.mark.parametrize(
    ("offers", "lengths"),
    [
        ((), []),
        (("draw",), [2]),
        (("draw", "call_off"), [4]),
        (("draw", "call_off", "pause"), [4, 2]),
    ],
)
async def test_yes_and_no_of_each_offer_are_beside_each_other(matches, show, offers, lengths):
    table = await matches.public(await begun(matches, BEA, CYD))

    *answering, _ = rows(show(offering(table, *offers)))

    assert [len(row) for row in answering] == lengths
    acts = [(button.press.act, button.press.arg) for row in answering for button in row]
    assert acts == [(act, what) for what in offers for act in ("agree", "refuse")]


async def test_with_the_taps_of_three_people_there_is_room_to_answer_two_offers(matches, show):
    """A third offer is answered in the hand."""
    table = await matches.public(await begun(matches, BEA, CYD, tap=True))
    two = show(offering(table, "draw", "call_off"))
    three = show(offering(table, "draw", "call_off", "pause"))

    assert [press for press in ids(two) if ":agree:" in press]
    assert not [press for press in ids(three) if ":agree:" in press]
    assert "To answer the offers, press **My hand**." in three.rows
    assert tappers(three) == {"0", "1", "2"}


async def test_for_taps_people_have_buttons_and_computers_have_none(matches, show):
    match = await begun(matches, BEA, tap=True)
    table = await matches.public(match)
    first, second = table.seats
    other = replace(table, seats=(first, replace(second, user=None, computer="strong")))

    assert tappers(show(table)) == {"0", "1"}
    assert tappers(show(other)) == {"0"}


@pytest.mark.parametrize("index", range(6))
async def test_only_a_players_own_hand_depends_on_their_choice(matches, show, index):
    """Neither words nor buttons nor picture of any other message reveal what was chosen."""
    match = await begun(matches)
    hand = dealt().hands[A]
    await matches.submit(match, 0, ANN, str(hand[0]))
    before = [show(snapshot) for snapshot in await matches.snapshots(match)]

    await matches.submit(match, 0, ANN, str(hand[index]))

    table, own, other = (show(snapshot) for snapshot in await matches.snapshots(match))
    assert (table, other) == (before[0], before[2])
    assert (own == before[1]) is (index == 0)


async def test_the_seed_is_in_no_message_of_a_running_match(matches, show):
    match = await begun(matches)

    for snapshot in await matches.snapshots(match):
        assert SEED not in words(show(snapshot))


async def test_a_hand_has_a_button_for_every_card_and_the_question(matches, show):
    match = await begun(matches)

    content = show(await matches.snapshot(match, ANN))

    picks = [f"f1:{match}:0:pick:{face}" for face in dealt().hands[A]]
    assert ids(content) == [
        *picks,
        f"f1:{match}:0:menu:",
        f"f1:{match}:0:rules:pico",
    ]
    assert [len(row) for row in content.rows] == [3, 3, 3]
    assert content.rows[-1][-1] == Link(label="Table", url=URL)
    assert "Choose your card" in content.foot
    assert content.head.startswith("### Pico · 13 cards: your hand\n")
    assert {button.style for row in content.rows[:2] for button in row} == {"primary"}


async def test_a_hand_whose_table_is_unknown_has_no_link(matches, show):
    match = await begun(matches)

    content = show(await matches.snapshot(match, ANN), None)

    assert len(clickable(content)) == sum(len(row) for row in content.rows)


async def test_a_hand_marks_its_players_choice(matches, show):
    match = await begun(matches)
    face = dealt().hands[A][4]
    effect = await matches.submit(match, 0, ANN, str(face))

    content = show(effect.snapshot_of(ANN))

    (marked,) = [button for button in clickable(content) if button.style == "success"]
    assert marked.label.startswith(f"✓ {face} ")
    assert marked.press.arg == str(face)
    assert f"**You chose {face}.**" in content.foot


async def test_a_hand_in_the_next_step_has_buttons_of_that_step(matches, show):
    match = await begun(matches)
    await matches.submit(match, 0, ANN, str(dealt().hands[A][0]))
    effect = await matches.submit(match, 0, BEA, str(dealt().hands[B][0]))

    content = show(effect.snapshot_of(ANN))

    assert {b.press.step for b in clickable(content) if b.press.act == "pick"} == {1}
    assert content.picture.file != show(effect.snapshot_of(BEA)).picture.file


async def test_a_player_who_left_is_shown_as_gone_and_no_longer_has_a_hand(matches, show):
    match = await begun(matches, BEA, CYD)
    effect = await matches.concede(match, CYD)

    assert f"<@{CYD}> resigned" in show(effect.public()).foot
    desk = show(effect.snapshot_of(CYD))
    assert desk.head.endswith("\nYou resigned. The others play on.")
    way = Link(label="Go to the table", url=URL)
    assert (desk.rows, desk.color, desk.picture) == (((way,),), GONE, None)
    assert show(effect.snapshot_of(CYD), None).rows == ()


async def test_a_match_that_is_over_shows_result_and_seed_and_asks_for_nothing(matches, show):
    match = await begun(matches)
    effect = await matches.concede(match, BEA)

    table, desk = show(effect.public()), show(effect.snapshot_of(BEA))

    assert f"**<@{ANN}> wins**" in table.head
    assert f"**<@{ANN}> wins**" in desk.head
    assert table.foot.endswith(
        f"-# Sealed deal `{COMMITMENT[:8]}`: its seed was secret until now. **Export** has it, "
        "and `/verify` checks it."
    )
    assert SEED not in words(table)
    acts = [press.split(":")[3] for press in ids(table)]
    assert acts == ["rematch", "replay", "share", "export", "rules"]
    assert [press.split(":")[3] for press in ids(desk)] == acts[:-1]
    assert desk.rows[-1][-1] == Link(label="Go to the table", url=URL)
    assert all(not isinstance(part, Link) for part in show(effect.snapshot_of(ANN), None).rows[0])
    assert {table.color, desk.color} == {OVER}


@pytest.mark.slow
async def test_every_position_of_a_match_of_three_fits_into_a_message(matches, show):
    """Played with the lowest cards, so that it lasts long; `show` checks every message."""
    match = await begun(matches, BEA, CYD)
    snapshots = await matches.snapshots(match)
    steps = 0
    while snapshots[0].status == "running":
        for snapshot in snapshots[1:]:
            user = snapshot.seats[snapshot.seat].user
            await matches.submit(match, snapshot.step, user, str(snapshot.legal[0]))
        snapshots = await matches.snapshots(match)
        assert [show(snapshot).color for snapshot in snapshots]
        steps += 1

    assert steps > 10


async def test_nobody_waits_for_a_player_who_owes_nothing(matches, show):
    """In a game of turns, only one player is asked."""
    match = await begun(matches)
    snapshot = replace(await matches.public(match), awaiting=frozenset({B}))

    waiting = show(snapshot).foot.splitlines()[1]

    assert f"<@{BEA}> is choosing" in waiting
    assert f"<@{ANN}>" not in waiting
