"""The list of a person's matches and challenges, those that wait for them first."""

from itertools import pairwise

import pytest

from bot.computers.pool import SynchronousPool
from bot.matches import Matches
from bot.matches.agreements import Agreements
from bot.matches.listing import listing
from bot.matches.pauses import Pauses
from bot.messaging.content import Layout
from bot.rendering.match_list import MATCHES_PER_PAGE, match_list_content
from bot.rendering.presentation import Presentations
from bot.storage import TABLE, MessageRef
from bot.storage.guilds import GuildRecord
from cogs.conquest.presentation import ConquestPresentation
from cogs.pico.presentation import PicoPresentation
from games.conquest import CONQUEST
from games.pico import PICO
from tests.support.clock import DAY
from tests.support.deadlines import Clock
from tests.support.match_records import change, put_message, settle
from tests.support.matches import (
    ANN,
    BEA,
    CHANNEL,
    CYD,
    DAN,
    GUILD,
    NOW,
    RETURNS,
    A,
    B,
    begun,
    dealt,
    opened,
)

FAR = 10**18  # as long as Discord's ids


@pytest.fixture
def presentations():
    loaded = Presentations()
    loaded[PICO.key] = PicoPresentation()
    loaded[CONQUEST.key] = ConquestPresentation()
    return loaded


@pytest.fixture
def show(storage, presentations):
    """Returns a page of somebody's list after checking it against Discord's limits."""

    async def page_of(user=ANN, page=0):
        content = match_list_content(await listing(storage, user), presentations, page)
        assert len(content.head) + len(content.foot) <= 4000
        assert Layout(content, None).total_children_count <= 40
        return content

    return page_of


def card():
    return str(dealt().hands[A][0])


async def test_matches_that_wait_for_the_person_come_first(matches, storage):
    """A move owed, a challenge received, a challenge sent, a choice made."""
    chosen = await begun(matches, 2001, interaction=1)
    await matches.submit(chosen, 0, ANN, card())
    given = await opened(matches, 2002, interaction=2)
    received = await opened(matches, ANN, opener=2003, interaction=3)
    owed = await begun(matches, 2004, interaction=4)

    entries = await listing(storage, ANN)

    assert [(entry.snapshot.match, entry.wants) for entry in entries] == [
        (owed, "move"),
        (received, "answer"),
        (chosen, "others"),
        (given, "players"),
    ]


async def test_the_most_urgent_match_comes_first_and_matches_without_a_clock_last(matches, storage):
    time_controls = ["relaxed", "none", "live", "slow"]
    for i, time_control in enumerate(time_controls):
        await begun(matches, 2001 + i, interaction=i, time_control=time_control)

    entries = await listing(storage, ANN)

    assert [entry.snapshot.time_control for entry in entries] == ["live", "slow", "relaxed", "none"]


async def test_finished_left_declined_and_others_matches_are_not_listed(matches, storage):
    await begun(matches, CYD, opener=BEA, interaction=1)
    await matches.concede(await begun(matches, BEA, interaction=2), ANN)
    await matches.decline(await opened(matches, BEA, interaction=3), BEA)
    left = await begun(matches, BEA, CYD, interaction=4)
    await matches.concede(left, ANN)

    assert await listing(storage, ANN) == ()
    assert [entry.snapshot.match for entry in await listing(storage, CYD)] == [1, left]


async def test_the_list_reveals_nothing_of_another_hand(matches, storage, pointing):
    await begun(matches, game="pointing", options=pointing.presets["standard"])
    own, hidden = map(str, dealt(game=pointing).numbers)

    (entry,) = await listing(storage, ANN)

    assert (own in repr(entry), hidden in repr(entry)) == (True, False)


async def test_a_damaged_match_does_not_hide_the_others(matches, storage, database):
    await begun(matches, 2001, interaction=1)
    whole = await begun(matches, 2002, interaction=2)
    change(database, "UPDATE matches SET state = '{' WHERE id = 1")

    assert [entry.snapshot.match for entry in await listing(storage, ANN)] == [whole]


async def test_a_line_links_to_table_and_hand_and_has_the_time_limit(matches, storage, show):
    match = await begun(matches)
    for place, at in ((TABLE, (5, 6)), (0, (7, 8)), (1, (9, 10))):
        channel, message = at
        await put_message(
            storage, match, place, MessageRef(channel=channel, message=message, shown="")
        )

    content = await show()

    assert content.head == (
        "### Your matches\n**Your turn**\n- [Pico · 13 cards](https://discord.com/channels/77/5/6)"
        f" against <@{BEA}> · time limit: <t:{int(NOW) + 86_400}:R> · "
        "[your hand](https://discord.com/channels/@me/7/8)"
    )
    assert content.foot == "-# Your turn: 1"
    assert not any(content.rows)


async def test_a_match_without_a_clock_has_no_time_limit(matches, show):
    await begun(matches, time_control="none")

    assert (await show()).head.endswith(f"- **1.** Pico · 13 cards against <@{BEA}>")


async def test_paused_matches_are_listed_separately_with_how_they_continue(matches, show, storage):
    owed = await begun(matches, interaction=1)
    lost = await begun(matches, CYD, interaction=2)
    await Pauses(storage, now=lambda: NOW).pause(lost, CHANNEL)
    rested = await begun(matches, DAN, interaction=3)
    agreements = Agreements(storage, SynchronousPool(), now=lambda: NOW, returns=RETURNS)
    for user in (ANN, DAN):
        await agreements.offer(rested, user, "pause")
    for user in (ANN, BEA):
        await matches.submit(owed, 0, user, card() if user == ANN else str(dealt().hands[1][0]))

    shown = await show()

    lines = shown.head.split("\n")[1:]
    assert [lines[0], lines[2]] == ["**Your turn**", "**Paused**"]
    assert sorted(lines[3:]) == [
        (
            f"- **2.** Pico · 13 cards against <@{DAN}> · match {rested} · "
            f"until <t:{int(NOW) + 14 * 86_400}:f>"
        ),
        (
            f"- Pico · 13 cards against <@{CYD}> · match {lost} · I lost access to its "
            f"channel; use `/resume` in one that I can use before <t:{int(NOW) + 30 * 86_400}:f>"
        ),
    ]
    assert shown.foot == "-# Your turn: 1 · Paused: 2"


async def test_challenges_say_who_asks_and_who_still_has_to_answer(matches, show):
    one = await opened(matches, ANN, opener=BEA, interaction=1)
    two = await opened(matches, CYD, interaction=2)
    options = PICO.presets["pico1-three"]
    three = await opened(matches, interaction=3, options=options, opponents=(DAN,), wanted=3)

    lines = (await show()).head.split("\n")

    terms = f"Slow: 1 day a move · Rated · expiry: <t:{int(NOW) + 3 * 86_400}:R>"
    assert lines[1:] == [
        "**Challenges for you**",
        f"- **1.** Pico · 13 cards from <@{BEA}> · {terms} · challenge {one}",
        "**Your challenges**",
        f"- **2.** Pico · 13 cards waiting for <@{CYD}> · {terms} · challenge {two}",
        (
            f"- **3.** Pico · Pico I for three waiting for <@{DAN}> and 1 more to join · {terms} "
            f"· challenge {three}"
        ),
    ]


async def test_an_empty_list_says_how_to_start_a_match(show):
    content = await show()

    assert "You have no matches or challenges right now." in content.head
    assert "use the `play` command of any game in `/help`, or right-click" in content.head


@pytest.mark.slow
async def test_twenty_long_lines_are_split_into_pages(matches, storage, show):
    """With four players each, the longest ids, and links to tables and hands."""
    for i in range(20):
        first = FAR + 10 * i
        match = await begun(
            matches,
            first,
            first + 1,
            first + 2,
            opener=ANN,
            interaction=i,
            game="conquest",
            options=CONQUEST.presets["standard"],
        )
        for place in (TABLE, 0):
            at = MessageRef(channel=FAR, message=FAR, shown="")
            await put_message(storage, match, place, at)

    pages = [await show(page=page) for page in range(4)]

    lines = [page.head.count("\n- ") for page in pages]
    assert lines == [
        MATCHES_PER_PAGE,
        MATCHES_PER_PAGE,
        20 - 2 * MATCHES_PER_PAGE,
        20 - 2 * MATCHES_PER_PAGE,
    ]
    assert pages[0].foot.endswith(" · page 1 of 3")
    assert [[b.label for b in page.rows[0]] for page in pages[:3]] == [
        ["Next ▶"],
        ["◀ Previous", "Next ▶"],
        ["◀ Previous"],
    ]
    assert all(one.head != other.head for one, other in pairwise(pages[:3]))


async def test_a_match_that_ended_on_time_is_listed_while_it_can_be_resumed(
    matches, storage, show, watch, reopenings
):
    match = await begun(matches)
    timeouts = Clock(storage, now=watch)
    for _ in range(2):
        watch.advance(DAY)
        await timeouts.act(match)
    counts_at = (await matches.public(match)).counts_at

    content = await show()
    await reopenings.want(match, ANN)
    asking, asked = await show(), await show(BEA)
    strange = await listing(storage, CYD)
    async with storage.transaction() as writing:
        settings = GuildRecord(guild=GUILD, time_off_barred=frozenset({"resume"}))
        await writing.guilds.put_settings(settings)
    barred = await listing(storage, ANN)

    assert content.head.endswith(
        f"**Out of time**\n- **1.** Pico · 13 cards against <@{BEA}> · can be resumed until "
        f"<t:{counts_at}:f>"
    )
    assert content.foot == "-# Out of time: 1"
    assert [[len(row) for row in one.rows if row] for one in (content, asking)] == [[1], []]
    assert asking.head.endswith(
        f" · you want to resume it; waiting for an answer until <t:{counts_at}:f>"
    )
    assert asked.head.endswith(
        f"**Waiting for your answer**\n- **1.** Pico · 13 cards against <@{ANN}> · <@{ANN}> wants "
        f"to resume it; answer before <t:{counts_at}:f>"
    )
    assert (asking.foot, asked.foot) == ("-# Out of time: 1", "-# Waiting for your answer: 1")
    assert (strange, barred) == ((), ())


async def test_a_match_that_can_be_resumed_is_listed_however_old_it_is(
    over, match, matches, storage
):
    """Even if no older match is still being played."""
    await settle(storage, match)
    later = await begun(matches, 2001, interaction=2)

    assert {entry.snapshot.match for entry in await listing(storage, ANN)} == {match, later}


async def test_a_held_match_counts_as_finished_only_once_its_result_counts(
    over, match, matches, storage, reopenings, watch
):
    """Until then it can be resumed, and so doesn't count as finished."""

    async def told_of(interaction):
        watch.advance(1)
        later = Matches(storage, now=watch, returns=RETURNS)
        new = await begun(later, 2001, interaction=interaction)
        async with storage.reading() as reading:
            return await reading.match_lists.finished_before(new, ANN, 20)

    before = await told_of(2)
    await reopenings.count_result(match, ANN)

    assert (before, await told_of(3)) == ([], [match])


@pytest.mark.parametrize("user", [ANN, BEA], ids=["who won", "who ran out of time"])
async def test_a_match_that_can_be_resumed_is_listed_for_both(over, match, storage, user):
    entries = await listing(storage, user)

    assert over.seats[B].left_why == "time"
    assert [entry.snapshot.match for entry in entries] == [match]


async def test_an_offer_waits_for_an_answer_only_if_no_move_is_owed(matches, show, storage):
    match = await begun(matches)
    agreements = Agreements(storage, SynchronousPool(), now=lambda: NOW, returns=RETURNS)
    await agreements.offer(match, BEA, "pause")
    owing = await show()
    await matches.submit(match, 0, ANN, card())
    await agreements.offer(match, ANN, "draw")

    shown, others = await show(), await listing(storage, BEA)

    assert owing.foot == "-# Your turn: 1"
    assert shown.head.split("\n")[1:] == [
        "**Waiting for your answer**",
        (
            f"- **1.** Pico · 13 cards against <@{BEA}> · <@{BEA}> offers a pause · "
            f"time limit: <t:{int(NOW) + 86_400}:R>"
        ),
    ]
    assert [entry.wants for entry in others] == ["move"]


async def test_a_request_to_resume_is_listed_before_challenges(matches, storage, watch, reopenings):
    held = await begun(matches, interaction=1)
    timeouts = Clock(storage, now=watch)
    for _ in range(2):
        watch.advance(DAY)
        await timeouts.act(held)
    await reopenings.want(held, BEA)
    challenge = await opened(matches, ANN, opener=2003, interaction=2)
    owed = await begun(matches, 2004, interaction=3)

    entries = await listing(storage, ANN)

    assert [(entry.snapshot.match, entry.wants) for entry in entries] == [
        (owed, "move"),
        (held, "agreement"),
        (challenge, "answer"),
    ]


@pytest.mark.parametrize(("here", "offered"), [(None, ["Play 1"]), (GUILD, ["Play 1"]), (FAR, [])])
async def test_a_hand_can_be_opened_in_direct_messages_and_its_own_server(
    matches, storage, presentations, here, offered
):
    """It isn't offered in another server."""
    await begun(matches)

    content = match_list_content(await listing(storage, ANN), presentations, 0, here=here)

    assert [button.label for row in content.rows for button in row] == offered


HANDLES = {"Answer 1", "Resume 2", "Resume 3"}
OFFERED = {None: (HANDLES, 0), GUILD: (HANDLES, 0), FAR: (set(), 3)}


@pytest.mark.parametrize("here", OFFERED)
async def test_answers_are_buttons_where_they_work_and_else_point_to_the_table(
    matches, storage, presentations, watch, reopenings, here
):
    wished, held = [await begun(matches, interaction=number) for number in (1, 2)]
    for _ in range(2):
        watch.advance(DAY)
        for match in (wished, held):
            await Clock(storage, now=watch).act(match)
    await reopenings.want(wished, BEA)
    asked = await begun(matches, CYD, interaction=3)
    await matches.submit(asked, 0, ANN, card())
    agreements = Agreements(storage, SynchronousPool(), now=lambda: NOW, returns=RETURNS)
    await agreements.offer(asked, CYD, "draw")
    for match in (wished, held, asked):
        await put_message(storage, match, TABLE, MessageRef(channel=5, message=match, shown=""))

    content = match_list_content(await listing(storage, ANN), presentations, 0, here=here)

    labels = {button.label for row in content.rows for button in row}
    assert (labels, content.head.count("at the table")) == OFFERED[here]
