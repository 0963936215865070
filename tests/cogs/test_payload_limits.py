"""The largest messages of every game, with everything that they can show, fit Discord's limits.

Each game's own tests look at many more positions; here, everything else is added that a message can
show: deadlines, strikes, offers, signals, taps, words instead of pictures.
"""

from dataclasses import fields, replace
from functools import cache
from typing import Any

import pytest

from bot.matches import PublicSnapshot
from bot.matches.listing import Entry
from bot.matches.watching import MAX_FOLLOWED_MATCHES, PER_PAGE, Watched, WatchPage, WatchQuery
from bot.messaging.components import LARGEST_ID, Button, Press
from bot.messaging.content import Layout
from bot.rendering import render
from bot.rendering.hand import CLOSED, with_next
from bot.rendering.match_list import MATCHES_PER_PAGE, match_list_content
from bot.rendering.menu import menu_content
from bot.rendering.watch_list import watch_list_content
from cogs.conquest.options import options_from
from games import GAMES, Seat
from games.chance import Chance
from sandbox.clock import Clock
from sandbox.errors import DiscordError
from sandbox.messages import Flag
from sandbox.payload_reader import Upload
from sandbox.world import World
from tests.support import conquest_snapshots, prize_snapshots, spite_snapshots
from tests.support.presentations import presentations
from tests.support.random_play import CASES, match_of
from tests.support.snapshots import HUGE, URL, is_hand, snapshot

pytestmark = pytest.mark.slow

STATUSES = ("running", "closed")
LATEST = 253_402_300_799  # the last Unix time that Discord's timestamps can show
PRESENTATIONS = presentations()
SHOWN_TO_ALL = [field.name for field in fields(PublicSnapshot)]


def played(key):
    """Positions of random matches in all variants of a game."""
    cases = [case for case in CASES if case.key == key]
    return [(state, case.seats) for case in cases for _, state in match_of(case, 0).spread(6)]


def marched():
    """Positions of Divide & Conquer (board) in which much has happened."""
    return [
        (state, seats)
        for seats in (2, 3, 4)
        for variant in range(len(conquest_snapshots.VARIANTS))
        for state in conquest_snapshots.states(seats, variant, 1)[2::25]
    ]


LARGEST = {
    "conquest": marched,
    "prize": lambda: played("prize") + [(w(), 2) for w in prize_snapshots.WORST.values()],
    "spite": lambda: [(worst, 2) for worst in spite_snapshots.WORST.values()],
}
"""By game: functions that make positions with larger messages than random matches have."""


@cache
def largest(key):
    """The positions of a game; made only when needed, because every worker imports this module."""
    return LARGEST[key]() if key in LARGEST else played(key)


TWINS = (Button(label="One", press=Press(1, 0, "rules")),) * 2
NOW = {"time_control": "relaxed", "due_at": LATEST, "rated": False}


def burdened(onlook, seats):
    """The snapshot with everything that a message can show besides the position."""
    over = onlook.status == "over"
    agreed = ("rematch",) * 4 if over else ("draw", "call_off", "pause", "take_back")
    infos = tuple(
        replace(
            info,
            agrees=agreed[i] if i + 1 < seats or not over else None,
            signal=Seat(seats - 1 - i),
            strikes=1,
            left_why="unseated" if info.left else None,
        )
        for i, info in enumerate(onlook.seats)
    )
    late = tuple(Seat(i) for i in range(seats))
    tap = GAMES[onlook.game].hands_are_public
    return replace(onlook, seats=infos, late=late, tap=tap, **NOW)


def snapshots(key):
    """The snapshots of everybody and of each seat, before and after choosing."""
    for state, seats in largest(key):
        for seat in (None, *range(seats)):
            if key == "spite":  # in which nobody chooses while another does
                yield burdened(spite_snapshots.snapshot(state, seat), seats)
                continue
            for chosen in ((), tuple(GAMES[key].awaiting(state))):
                found = snapshot(key, state, seat=seat, chosen=chosen, step=10**9 - 1, seats=seats)
                yield burdened(found, seats)


def drafts(onlook):
    """No draft, and for each control, the first and the last draft that it leads to."""
    found = [""]
    for control in PRESENTATIONS[onlook.game].controls(onlook, ""):
        choices = getattr(control, "choices", control)
        found += [choice.move for choice in (choices[0], choices[-1]) if choice.act == "draft"]
    return found


def read(shown):
    """Check a message as Discord does; raises if it would be refused."""
    body: dict[str, Any] = {"flags": int(Flag.COMPONENTS_V2)}
    files = []
    media = None
    if shown.picture is not None:
        files = [Upload(0, shown.picture.file, "image/png", b"\x89PNG")]
        body["attachments"] = [{"id": 0, "filename": shown.picture.file}]
        media = f"attachment://{shown.picture.file}"
    body["components"] = Layout(shown, media).to_components()
    return World(Clock()).payloads.read(body, files, HUGE)


@pytest.mark.parametrize("key", GAMES)
def test_the_largest_messages_of_every_game_are_accepted(key):
    for onlook in snapshots(key):
        for draft in drafts(onlook) if is_hand(onlook) else [""]:
            shown = render(onlook, PRESENTATIONS, URL, draft)
            for way in (shown, shown.in_words()):
                read(with_next(replace(way, foot=f"{way.foot}\n{CLOSED}"), onlook))


@pytest.mark.parametrize("key", GAMES)
def test_the_menu_of_every_game_is_accepted(key):
    for onlook in snapshots(key):
        read(menu_content(onlook, PRESENTATIONS[key]))


def listed(match, agrees, *, status, by=()):
    """A match of four in the longest variant, in which these other seats all agree to `agrees`."""
    options = options_from(
        4,
        equal=None,
        reinforce="together",
        redeployment=None,
        signal=True,
        goal=None,
        turn_limit=None,
    )
    state = GAMES["conquest"].setup(options, 4, Chance("ab" * 32, 0))
    shown = snapshot("conquest", state, seat=Seat(0), seats=4)
    seats = tuple(
        replace(info, agrees=agrees if i in by else None) for i, info in enumerate(shown.seats)
    )
    clock = {"due_at": LATEST} if status == "running" else {"counts_at": LATEST}
    waiting = {"match": match, "awaiting": frozenset({Seat(1)}), "seats": seats}
    hand = f"https://discord.com/channels/@me/{HUGE}/{HUGE}"
    return Entry(snapshot=replace(shown, status=status, **waiting, **clock), table=URL, hand=hand)


AGREED = {
    "resume": "want to resume it",
    "draw": "offer a draw",
    "call_off": "offer to call the match off",
    "pause": "offer a pause",
    "take_back": "offer to take back the last step",
}
SOME = {(1, 2, 3): "all of them", (1, 3): f"<@{HUGE - 1}> and <@{HUGE - 3}>"}
"""By the seats that agree: how the list refers to them after the same line has named them."""


@pytest.mark.parametrize("by", SOME, ids=["all others", "two of them"])
@pytest.mark.parametrize("agrees", AGREED)
def test_the_largest_page_of_matches_is_accepted(agrees, by):
    """There are other pages too, and as many headings as the list can have."""
    status = "closed" if agrees == "resume" else "running"
    page = [listed(n, agrees, status=status, by=by) for n in range(MATCHES_PER_PAGE)]
    others = [listed(n, None, status=status) for n in range(100, 112) for status in STATUSES]

    content = match_list_content([*page, *others], PRESENTATIONS, 0)

    read(content)
    assert content.head.count(f" · {SOME[by]} {AGREED[agrees]}") == MATCHES_PER_PAGE


def challenged(match):
    """A challenge to three others, with the longest variant and the longest pace."""
    entry = listed(match, None, status="open")
    seats = tuple(
        replace(info, accepted=i == 0, invited=i > 0) for i, info in enumerate(entry.snapshot.seats)
    )
    open_one = {"view": None, "counts_at": None, "due_at": LATEST, "seats": seats}
    terms = {"time_control": "today_reserve", "rated": False}
    return replace(entry, snapshot=replace(entry.snapshot, **open_one, **terms))


def watched(entry):
    """The same challenge in `/watch`, with a button for each answer."""
    shown = {name: getattr(entry.snapshot, name) for name in SHOWN_TO_ALL}
    return Watched(
        snapshot=PublicSnapshot(**shown),
        table=URL,
        active_at=LATEST,
        is_followed=False,
        is_own=False,
        has_left=False,
        is_invited=True,
    )


def test_the_largest_pages_of_challenges_with_all_their_options_are_accepted():
    page = [challenged(n) for n in range(MATCHES_PER_PAGE)]
    server = WatchPage(
        entries=tuple(watched(entry) for entry in page[:PER_PAGE]),
        query=WatchQuery(game="conquest", user=LARGEST_ID),
        number=1,
        last=2,
        by_game={"conquest": 18},
        followed=MAX_FOLLOWED_MATCHES,
        open_seats=18,
    )

    own = match_list_content([*page, *page], PRESENTATIONS, 0)
    joined = watch_list_content(server, PRESENTATIONS)

    read(own)
    read(joined)
    terms = (
        f"Today: 1 hour a move and 6 hours in reserve · Casual, unrated · expiry: <t:{LATEST}:R>"
    )
    assert own.head.count(terms) == MATCHES_PER_PAGE
    assert sum(terms in str(row) for row in joined.rows) == PER_PAGE


@pytest.mark.parametrize(
    "change", [{"head": "x" * 4000}, {"rows": (TWINS,)}], ids=["words", "buttons"]
)
def test_a_message_that_is_too_large_is_noticed(change):
    shown = render(next(snapshots("pico")), PRESENTATIONS, URL)

    with pytest.raises(DiscordError, match="Invalid Form Body"):
        read(replace(shown, **change))
