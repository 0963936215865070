"""The matches of a server in `/watch`: what's listed for a reader, in which order; watchers."""

import pytest

from bot.errors import MatchError, NoSuchMatchError, TooLateError
from bot.matches.watching import (
    EVERYTHING,
    GONE,
    MAX_FOLLOWED_MATCHES,
    PER_PAGE,
    Watched,
    WatchPage,
)
from bot.messaging.components import Section
from bot.messaging.content import Layout
from bot.rendering.watch_list import watch_list_content
from bot.storage import TABLE, MessageRef
from games import GAMES
from games.chance import Chance
from games.conquest import CONQUEST
from tests.support import spite_snapshots
from tests.support.clock import HOUR
from tests.support.match_records import ask, change, forget_user, put_message, settle
from tests.support.matches import (
    ANN,
    BEA,
    CHANNEL,
    CYD,
    DAN,
    GUILD,
    NOW,
    A,
    begun,
    dealt,
    everything,
    opened,
    refusal,
)
from tests.support.presentations import presentations
from tests.support.snapshots import snapshot

pytestmark = pytest.mark.slow

FAR = 10**18  # as long as Discord's ids
SHOWN = presentations()
ALONE = {"query": EVERYTHING, "number": 0, "last": 0, "followed": 0, "open_seats": 0}
WAR = {"game": "conquest", "options": CONQUEST.presets["standard"]}


def followers(database, match):
    rows = ask(database, 'SELECT match, "user" FROM watches')
    return {user for followed, user in rows if followed == match}


async def told(storage, match):
    """Return the people with a notice of a match, and its event."""
    async with storage.reading() as reading:
        due = await reading.notices.due_in(match, NOW + HOUR)
    return [(notice.user, notice.event) for notice in due]


# Which matches, and in which order.


async def test_open_seats_come_first_then_games_by_their_newest_activity(matches, watch, listed):
    old = await begun(matches, interaction=1)
    war = await begun(matches, BEA, CYD, interaction=2, **WAR)
    watch.advance(HOUR)
    seat = await opened(matches, interaction=3, opponents=(), wanted=2)
    asked = await opened(matches, CYD, interaction=4)
    watch.advance(HOUR)
    hand = dealt().hands[A]
    await matches.submit(old, 0, ANN, str(hand[0]))
    await matches.submit(old, 0, BEA, str(dealt().hands[1][0]))

    assert await listed() == [seat, old, asked, war]
    assert await listed(game="pico") == [seat, old, asked]
    assert await listed(game="duel") == []


async def test_a_secret_choice_does_not_change_the_order(matches, watch, listed):
    first = await begun(matches, interaction=1)
    second = await begun(matches, CYD, interaction=2)
    before = await listed()
    watch.advance(HOUR)

    await matches.submit(first, 0, ANN, str(dealt().hands[A][0]))

    assert await listed() == before == [second, first]


@pytest.mark.parametrize("index", range(3))
async def test_the_list_is_the_same_whatever_is_chosen(matches, watching, index):
    match = await begun(matches)
    await matches.submit(match, 0, ANN, str(dealt().hands[A][0]))
    before = await watching.page(GUILD, BEA, everything)

    await matches.submit(match, 0, ANN, str(dealt().hands[A][index]))

    after = await watching.page(GUILD, BEA, everything)
    assert after == before
    assert watch_list_content(after, SHOWN) == watch_list_content(before, SHOWN)


async def test_the_list_contains_no_secrets_even_for_a_player(matches, watching, pointing):
    """Not even the player's own hand, because the list is for spectators."""
    await begun(matches, game="pointing", options=pointing.presets["standard"])
    own, hidden = map(str, dealt(game=pointing).numbers)

    page = await watching.page(GUILD, ANN, everything)

    assert own not in repr(page)
    assert hidden not in repr(page)


@pytest.mark.parametrize("key", GAMES)
def test_the_list_does_not_depend_on_secrets_of_any_game(key):
    """Text and buttons are the same whatever was dealt and chosen."""
    told, truths = set(), set()
    for deal in range(4):
        state = played_on(GAMES[key], f"deal {deal}", which=-(deal % 2))
        truths.add(repr(state))
        entry = Watched(
            snapshot=onlook(key, state),
            table="https://discord.com/channels/77/5/6",
            active_at=int(NOW),
            is_followed=False,
            is_own=False,
            has_left=False,
            is_invited=False,
        )
        page = WatchPage(entries=(entry,), by_game={key: 1}, **ALONE)
        told.add(repr(watch_list_content(page, SHOWN)))

    assert len(truths) > 1
    assert len(told) == 1


def onlook(key, state):
    if key == "spite":
        return spite_snapshots.snapshot(state, None)
    return snapshot(key, state, step=3, chosen=(0,))


def played_on(game, seed, *, which):
    """Play three steps with each seat's legal move at index `which`; returns the state."""
    state = game.setup(game.presets["standard"], 2, Chance(seed, 0))
    for step in range(3):
        moves = {seat: game.legal_moves(state, seat)[which] for seat in game.awaiting(state)}
        state = game.play(state, moves, Chance(seed, step + 1))
    return state


async def test_finished_matches_and_those_of_other_servers_are_not_listed(matches, listed):
    await matches.concede(await begun(matches, interaction=1), ANN)
    await matches.decline(await opened(matches, interaction=2), BEA)
    await begun(matches, interaction=3, guild=GUILD + 1)

    assert await listed() == []


async def test_matches_in_unreadable_channels_are_not_listed(matches, storage, watching, listed):
    """The table may be in a thread, so its current channel decides."""
    await begun(matches, interaction=1)
    moved = await begun(matches, CYD, interaction=2)
    await put_message(storage, moved, TABLE, MessageRef(channel=5, message=6, shown=""))

    page = await watching.page(GUILD, DAN, lambda channel: channel == 5)

    assert [entry.snapshot.match for entry in page.entries] == [moved]
    assert page.by_game == {"pico": 1}
    assert await listed(sees=lambda _: False) == []


async def test_a_damaged_match_does_not_hide_the_others(matches, database, listed):
    await begun(matches, interaction=1)
    whole = await begun(matches, CYD, interaction=2)
    change(database, "UPDATE matches SET state = '{' WHERE id = 1")

    assert await listed() == [whole]


@pytest.mark.slow
async def test_sixty_matches_are_split_into_pages(matches, storage, watching):
    """With ids as long as Discord's and the most players that a game can have."""
    for i in range(60):
        people = [FAR + 10 * i + n for n in range(4)]
        match = await begun(matches, *people[1:], opener=people[0], interaction=i, **WAR)
        await put_message(storage, match, TABLE, MessageRef(channel=FAR, message=FAR, shown=""))
    seen = []
    for number in range(12):
        page = await watching.page(GUILD, DAN, everything, number=number)
        content = watch_list_content(page, SHOWN)
        words = [row if isinstance(row, str) else getattr(row, "text", "") for row in content.rows]
        assert len(content.head) + sum(map(len, words)) <= 4000
        assert Layout(content, None).total_children_count <= 40
        seen.append([entry.snapshot.match for entry in page.entries])

    assert sorted(match for numbers in seen[:10] for match in numbers) == list(range(1, 61))
    assert [len(numbers) for numbers in seen] == [PER_PAGE] * 12
    assert seen[9] == seen[10] == seen[11]  # beyond the end is the last page


async def test_each_match_has_a_line_and_a_button(matches, storage, watching):
    seat = await opened(matches, interaction=1, opener=CYD, opponents=(), wanted=2)
    await begun(matches, CYD, interaction=2)
    other = await begun(matches, CYD, opener=BEA, interaction=3)
    await put_message(storage, other, TABLE, MessageRef(channel=5, message=6, shown=""))

    content = watch_list_content(await watching.page(GUILD, ANN, everything), SHOWN)

    seats, join, pico, follow, own, count = content.rows[:6]
    expiry = int(NOW) + 3 * 86_400
    assert (seats, pico) == ("**Open seats**", "**Pico**")
    assert isinstance(join, Section)
    assert join.text == (
        f"Pico · 13 cards\n<@{CYD}> is waiting for 1 more player\n"
        f"-# Slow: 1 day a move · Rated · expiry: <t:{expiry}:R> · challenge {seat}"
    )
    assert str(join.accessory.press) == f"f1:{seat}:0:takeseat:all"
    assert follow.text == (
        "[13 cards](https://discord.com/channels/77/5/6)\n"
        f"<@{BEA}> against <@{CYD}>\n-# started <t:{int(NOW)}:R>"
    )
    assert str(follow.accessory.press) == f"f1:{other}:0:follow:all"
    assert own.endswith(f"-# you have a seat · started <t:{int(NOW)}:R>")
    assert count == "-# 3 matches · 1 with open seats"


# Watchers.


async def test_watchers_are_stored_until_the_finished_match_is_settled(
    storage, database, matches, watching
):
    match = await begun(matches)
    for user in (DAN, CYD, DAN):
        await watching.follow(match, user, GUILD, everything)

    assert followers(database, match) == {CYD, DAN}
    await matches.concede(match, ANN)
    assert followers(database, match) == {CYD, DAN}  # so that they can be notified
    await settle(storage, match)
    assert followers(database, match) == set()


async def test_watchers_are_kept_while_a_result_is_held(storage, database, matches, watching):
    """While its result is held, the match can be resumed."""
    match = await begun(matches)
    await watching.follow(match, DAN, GUILD, everything)
    change(database, "UPDATE matches SET counts_at = 5")
    await matches.concede(match, ANN)
    await settle(storage, match)
    held = followers(database, match)

    async with storage.transaction() as writing:
        await writing.matches.count_result(await writing.matches.load(match), int(NOW), ())
    await settle(storage, match)

    assert held == {DAN}
    assert followers(database, match) == set()


async def test_a_player_who_resigned_can_follow_the_match_as_a_watcher(
    storage, database, matches, watching
):
    match = await begun(matches, BEA, CYD)
    await matches.concede(match, ANN)

    page = await watching.page(GUILD, ANN, everything)
    _, line, *_ = watch_list_content(page, SHOWN).rows
    await watching.follow(match, ANN, GUILD, everything)

    assert line.text.splitlines()[1] == f"<@{BEA}> against <@{CYD}>"
    assert str(line.accessory.press) == f"f1:{match}:0:follow:all"
    assert followers(database, match) == {ANN}
    await matches.concede(match, BEA)

    assert await told(storage, match) == [(CYD, "over"), (ANN, "watched")]


async def test_a_player_who_forfeited_counts_as_a_player_and_cannot_follow(
    database, three, forfeit, watching
):
    await forfeit(three, ANN, BEA)

    page = await watching.page(GUILD, CYD, everything)
    (entry,) = page.entries

    assert entry.snapshot.seats[2].left_why == "time"
    assert any("you lost your seat" in repr(row) for row in watch_list_content(page, SHOWN).rows)
    assert (await refusal(watching.follow(three, CYD, GUILD, everything)))[0] is MatchError
    assert followers(database, three) == set()


def test_an_empty_list_names_the_command_that_helps_to_start_a_match():
    content = watch_list_content(WatchPage(entries=(), by_game={}, **ALONE), SHOWN)

    assert "`/help` shows how to start one" in content.head


async def test_unfollowing_or_deletion_removes_a_watcher(storage, database, matches, watching):
    match = await begun(matches)
    for user in (CYD, DAN):
        await watching.follow(match, user, GUILD, everything)

    await watching.stop(match, CYD)
    await forget_user(storage, DAN)

    assert followers(database, match) == set()
    assert not await watching.is_followed(match, CYD)


async def test_a_watcher_who_takes_a_seat_gets_only_notices_for_players(storage, matches, watching):
    match = await opened(matches, opponents=(), wanted=2)
    await watching.follow(match, DAN, GUILD, everything)
    await matches.join(match, DAN)
    await matches.concede(match, ANN)

    assert (DAN, "over") in await told(storage, match)
    assert (DAN, "watched") not in await told(storage, match)


async def test_own_unreadable_and_finished_matches_cannot_be_followed(matches, watching):
    match = await begun(matches)
    over = await begun(matches, CYD, interaction=2)
    await matches.concede(over, ANN)

    assert await refusal(watching.follow(match, ANN, GUILD, everything)) == (
        MatchError,
        "You have or had a seat in this match, so I tell you about it anyway.",
    )
    hidden = (NoSuchMatchError, GONE)
    assert await refusal(watching.follow(match, DAN, GUILD, lambda _: False)) == hidden
    assert await refusal(watching.follow(match, DAN, GUILD + 1, everything)) == hidden
    assert await refusal(watching.must_be_seen(match, GUILD, lambda c: c != CHANNEL)) == hidden
    assert await refusal(watching.follow(over, DAN, GUILD, everything)) == (
        TooLateError,
        "That match is over.",
    )


@pytest.mark.parametrize("status", ["declined", "expired"])
async def test_a_declined_or_expired_challenge_cannot_be_followed(
    database, matches, watching, status
):
    match = await opened(matches)
    change(database, f"UPDATE matches SET status = '{status}'")  # noqa: S608 - our own words

    refused = await refusal(watching.follow(match, DAN, GUILD, everything))

    assert refused == (TooLateError, "That match is over.")


async def test_the_number_of_followed_matches_is_limited(database, matches, watching, monkeypatch):
    monkeypatch.setattr("bot.matches.watching.MAX_FOLLOWED_MATCHES", 1)
    first = await begun(matches, interaction=1)
    second = await begun(matches, CYD, interaction=2)
    await watching.follow(first, DAN, GUILD, everything)

    kind, said = await refusal(watching.follow(second, DAN, GUILD, everything))

    assert kind is MatchError
    assert said.startswith("You follow 1 matches")
    assert followers(database, second) == set()
    assert MAX_FOLLOWED_MATCHES == 50
