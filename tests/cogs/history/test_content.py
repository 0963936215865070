"""The texts of a history: matches of several players, damaged matches, and very long lists."""

from dataclasses import replace

from bot.matches.loaded import agreed_draw
from bot.messaging.content import Layout
from bot.rendering.presentation import Presentations
from bot.stats.match_history import PER_PAGE, Entry, Page, Query
from bot.storage import ChangeRecord, SeatRecord, Spot
from bot.storage.match_history import EndedMatchRecord
from cogs.conquest.presentation import ConquestPresentation
from cogs.history.content import history_content
from games import GAMES, Outcome, Seat
from games.chance import Chance
from tests.support.snapshots import HUGE, snapshot

CONQUEST = GAMES["conquest"]
FULL = 4000
"""Discord's limit for all text of a message, in characters."""


class Match:
    """A stand-in for a match, with what a list of matches needs."""

    def __init__(self, *seats):
        self.id = 10**17
        self.guild = HUGE
        self.game = "conquest"
        self.seats = seats


def seat(user, computer=None):
    change = None if computer else ChangeRecord(before=1500, after=1510, nth=1)
    return SeatRecord(user=user, accepted=True, left=None, change=change, computer=computer)


def entry(*seats, rank=1, end="won", shown=None, table=None):
    match = Match(*(seats or map(seat, (7, 8, 9))))
    record = EndedMatchRecord(
        match=match, sequence=1, rank=rank, end=end, ended_at=1_800_000_000, table=table
    )
    return Entry(record=record, snapshot=shown)


def told(*entries, guild=77, user=7, name="Home"):
    page = Page(
        query=Query(user=user),
        guild=guild,
        entries=entries,
        first=0,
        total=len(entries),
        newest=None,
        newer=None,
        older=None,
        oldest=None,
    )
    presentations = Presentations()
    presentations["conquest"] = ConquestPresentation()
    return history_content(page, presentations, lambda _: name)


def deserted():
    """A match of four that all but the last have left, some by missing deadlines."""
    state = CONQUEST.setup(CONQUEST.presets["standard"], 4, Chance("ab" * 32, 0))
    for gone in range(3):
        state = CONQUEST.concede(state, Seat(gone), Chance("ab" * 32, gone))
    shown = snapshot("conquest", state, seats=4)
    return replace(shown, seats=tuple(replace(info, left_why="time") for info in shown.seats))


def test_with_several_players_the_place_is_named():
    lines = told(
        entry(rank=2, end="lost"), entry(rank=1, end="drawn"), entry(rank=3, end="lost")
    ).head.splitlines()[1::2]

    assert [line.split(" · ")[1] for line in lines] == ["**2nd of 3**", "**Drawn**", "**3rd of 3**"]


def test_a_shared_win_is_not_called_a_draw():
    """The next line names the winners, or says that all agreed; statistics count both as draws."""
    outcomes = [Outcome((1, 1, 3), (9, 9, 0), "troops"), Outcome((1, 1, 1), (9, 9, 9), "troops")]
    shown = [replace(deserted(), outcome=outcome) for outcome in outcomes]
    shown.append(replace(deserted(), outcome=agreed_draw([None, None, 1]), ending="draw"))

    content = told(*(entry(end="drawn", shown=one) for one in shown))

    lines = content.head.splitlines()[1::2]
    assert [line.split(" · ")[-2] for line in lines] == ["**Shared win**", "**Drawn**", "**Drawn**"]
    assert [option.note for option in content.rows[1].options] == ["Shared win", "Drawn", "Drawn"]


def test_a_match_that_cannot_be_decoded_is_described_by_its_result():
    content = told(entry(seat(7), seat(-5), seat(0, "easy")))

    assert content.head.splitlines()[1:] == [
        "**1.** Divide & Conquer (board) · **Won** · <t:1800000000:R>",
        "-# against a former player and Computer (easy) · rating 1500? → **1510?**",
    ]


def test_the_end_of_a_match_names_who_ran_out_of_time():
    content = told(entry(*(seat(HUGE - n) for n in range(4)), shown=deserted()), user=HUGE)

    assert f"· **<@{HUGE - 3}> wins**: " in content.head
    assert content.head.count("missed two deadlines in a row") == 1
    assert "missed two deadlines in a row · rating" in content.head


def test_the_longest_page_of_matches_of_all_servers_fits_a_message():
    seats = [seat(HUGE - n) for n in range(4)]
    longest = entry(*seats, shown=deserted(), table=Spot(HUGE, HUGE))

    content = told(*[longest] * PER_PAGE, guild=None, user=HUGE, name="*" * 50)

    assert Layout(content, None).content_length() < FULL
    assert content.head.count("· rating 1500? → **1510?**") == PER_PAGE
    assert "missed two deadlines" not in content.head
