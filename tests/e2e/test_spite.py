"""Whole matches of Spite and Malice through discord.py and the sandbox, and what is refused."""

import asyncio
import re

import pytest

from bot import codec
from games.spite import Options
from sandbox.faults import Fault
from tests.e2e.tables import labels, seated
from tests.games.spite_positions import position, side

BOTH = ("Ann", "Bo")
X = "\N{MULTIPLICATION SIGN}"
NO_SEAT = "You have no seat in this match"
ACTS = (":pick:", ":draft:")


async def begun(table, *, closed=(), **options):
    """The table of a match that Bo has accepted, with a desk for everybody who takes messages."""
    for name in closed:
        table.person(name).closed = True
    asked = await table.person("Ann").slash(
        "spite play", channel="games", opponent=table.person("Bo"), **{"pace": "live", **options}
    )
    public = asked.message
    await table.person("Bo").click(public, "Accept")
    await table.discord.until(
        lambda: (
            "is dealt by" in public.text
            and all(table.desk(name, public) for name in BOTH if name not in closed)
        )
    )
    await table.quiet_now()
    return public


async def laid(table, public, state):
    """Put the match into a position with Ann on turn, and bring table and desks to it."""
    match = table.match_of(public)
    await table.change(
        f"UPDATE matches SET state = '{codec.encode(state)}', step = step + 1 WHERE id = {match}"  # noqa: S608 - our own values
    )
    table.bot.updates.now(match)
    await table.quiet_now()


def offered(desk):
    """What a desk offers to play or take up, by its label."""
    return {
        b.label: b.custom_id
        for b in desk.buttons
        if b.custom_id and any(act in b.custom_id for act in ACTS)
    }


def step_of(desk):
    return next((int(i.split(":")[2]) for i in offered(desk).values()), None)


async def tap(table, name, desk, label):
    """Somebody taps what begins with this label, and the bot has done what follows at once."""
    (found,) = [i for text, i in offered(desk).items() if text.startswith(label)]
    answer = await table.person(name).click(desk, found)
    await handled(table)
    return answer


async def handled(table):
    """Return when every click has been seen to; what may wait a moment may still be waiting."""
    while handling := set(table.bot.clicks._handling):
        await asyncio.wait(handling)


class Flow:
    """Both desks of a match, and a player who plays what he can and then discards."""

    def __init__(self, table, public, desks):
        self.table, self.public, self.desks = table, public, desks

    @property
    def is_over(self):
        return "seed was" in self.public.text

    async def move(self):
        """One choice of the seat on turn, and both desks show what came of it."""
        (name,) = [name for name, desk in self.desks.items() if offered(desk)]
        desk = self.desks[name]
        labels_, step = list(offered(desk)), step_of(desk)
        await tap(self.table, name, desk, labels_[0])
        if step_of(desk) == step and not self.is_over:  # a card was taken up
            target = next(text for text, i in offered(desk).items() if ":pick:" in i)
            await tap(self.table, name, desk, target)
        await self.table.quiet_now()

    async def finish(self):
        while not self.is_over:
            await self.move()


@pytest.mark.parametrize(
    ("options", "title"),
    [
        ({"stock": 2, "turn_limit": 60}, "stocks of 2, at most 60 turns a game"),
        (
            {
                "stock": 1,
                "jokers": "with-kings",
                "strict_draw": True,
                "forced": "aces",
                "foundations": 3,
                "scoring": "games",
                "target": 2,
                "turn_limit": 40,
            },
            "stocks of 1, at most 3 foundations, forced aces, jokers and kings wild, strict draw",
        ),
    ],
    ids=["one game", "a series"],
)
async def test_a_match_is_played_to_its_end_by_direct_messages(table, options, title):
    public = await begun(table, **options)
    flow = Flow(table, public, {name: table.desk(name) for name in BOTH})

    await flow.finish()

    assert f"Spite and Malice · {title}" in public.text
    assert re.search(r"wins\*\*: |\*\*A draw\*\*: ", public.text)
    result = next(line for line in public.text.splitlines() if "**: " in line)
    assert all(result in desk.text for desk in flow.desks.values())
    assert all(len(table.letters(name)) == 1 for name in BOTH)
    assert table.sql("SELECT count(*) FROM results") == [(2,)]


async def test_a_match_is_played_by_private_desks_alone(table):
    public = await begun(table, closed=BOTH, stock=1, turn_limit=20)
    flow = Flow(table, public, {name: await table.hand(name, public) for name in BOTH})

    await flow.finish()

    assert all(labels(desk) == ["To the table"] for desk in flow.desks.values())


LONG_TURN = position(
    side(stock="4 10", hand="A 2 3 4 5", d1="8 7 6", d2="9"),
    side(stock="Q Q", hand="5 5 6 6 8"),
    stock=2,
)
"""Nine cards can be played one after the other: the hand, d1, d2, the stock; then sevens come."""

PLAYS = ("A", "2", "3", "4", "5", "D1 6", "D1 7", "D1 8", "D2 9", "Stock 10")


async def test_a_turn_of_many_plays_flows_on_one_desk_message(discord, tmp_path):
    """A play costs its answer and an edit through the click, neither of which Discord counts."""
    async with seated(discord, tmp_path, soon=600) as table:
        public = await begun(table, stock=2)
        await laid(table, public, LONG_TURN)
        desk, steps = table.desk("Ann"), []
        since, edits, table_edits = len(table.discord.requests), desk.edits, public.edits

        for label in PLAYS:
            await tap(table, "Ann", desk, label)
            steps.append(step_of(desk))

        made = table.discord.requests[since:]
        assert steps == [steps[0] + i for i in range(len(PLAYS))]
        assert desk.edits == edits + len(PLAYS)
        assert len(made) == 2 * len(PLAYS)
        assert [r for r in made if r.counted] == []
        assert public.edits == table_edits
        assert table.desk("Ann") is desk


async def test_the_table_is_edited_once_when_a_turn_of_many_plays_ends(discord, tmp_path):
    async with seated(discord, tmp_path, soon=600) as table:
        public = await begun(table, stock=2)
        await laid(table, public, LONG_TURN)
        desk, edits = table.desk("Ann"), public.edits
        for label in PLAYS:
            await tap(table, "Ann", desk, label)

        await tap(table, "Ann", desk, "Discard 7")
        await tap(table, "Ann", desk, "d4, empty")
        await table.discord.until(lambda: f"discarded **7 {X}5** onto d4" in public.text)
        await table.quiet_now()

        assert public.edits == edits + 1
        assert "played **A** **2** **3** **4** **5** onto the new f1, drew 5 cards" in public.text
        assert offered(table.desk("Bo"))
        assert not offered(desk)


async def test_the_table_follows_a_turn_that_goes_on_in_a_moment(discord, tmp_path):
    async with seated(discord, tmp_path, soon=0.05) as table:
        public = await begun(table, stock=2)
        await laid(table, public, LONG_TURN)

        await tap(table, "Ann", table.desk("Ann"), "A")

        await table.discord.until(lambda: "played **A** onto the new f1" in public.text)
        await table.discord.until(lambda: "played **A** onto" in table.desk("Bo").text)
        assert offered(table.desk("Bo")) == {}


async def test_a_private_desk_flows_too_and_the_other_desk_follows(discord, tmp_path):
    async with seated(discord, tmp_path, soon=600) as table:
        public = await begun(table, stock=2)
        await laid(table, public, LONG_TURN)
        here, letter, steps = await table.hand("Ann", public), table.desk("Ann"), []
        await table.quiet_now()
        since, edits = len(table.discord.requests), letter.edits

        for label in PLAYS[:4]:
            await tap(table, "Ann", here, label)
            steps.append(step_of(here))

        assert steps == [steps[0] + i for i in range(4)]
        assert [r for r in table.discord.requests[since:] if r.counted] == []
        assert letter.edits == edits
        await table.quiet_now()
        assert letter.edits == edits + 1
        assert labels(letter) == labels(here)


async def test_a_play_by_a_forged_button_of_the_table_counts_and_leaves_the_table_a_table(
    discord, tmp_path
):
    async with seated(discord, tmp_path, soon=600) as table:
        public = await begun(table, stock=2)
        await laid(table, public, LONG_TURN)
        desk = table.desk("Ann")
        before = step_of(desk)

        await table.person("Ann").forge(public, custom_id=offered(desk)["A → new"])

        await table.discord.until(lambda: step_of(desk) == before + 1)
        await table.discord.until(lambda: "played **A**" in public.text)
        assert offered(public) == {}


async def test_a_play_that_could_not_be_shown_is_shown_with_the_table_at_once(discord, tmp_path):
    async with seated(discord, tmp_path, soon=600) as table:
        public = await begun(table, stock=2)
        await laid(table, public, LONG_TURN)
        desk = table.desk("Ann")
        before = step_of(desk)
        table.discord.faults.add(Fault(method="PATCH", path=r"^/webhooks/", drop=True))

        await tap(table, "Ann", desk, "A")

        await table.discord.until(lambda: step_of(desk) == before + 1)
        await table.discord.until(lambda: "played **A**" in public.text)


KINGS = position(
    side(stock="4 10", hand="K 9 9 9 J", d1="8"),
    side(stock="Q Q", hand="5 5 6 6 8"),
    piles=("A 2 3", "A"),
    stock=2,
)


@pytest.fixture
async def kings(table):
    """A match in which Ann has a king with three targets, and three nines."""
    public = await begun(table, stock=2)
    await laid(table, public, KINGS)
    return public


async def test_a_card_with_several_targets_takes_two_taps(table, kings):
    desk = table.desk("Ann")

    answer = await tap(table, "Ann", desk, "K")
    shown = list(offered(desk))
    question = desk.text
    await tap(table, "Ann", desk, "f1 as 4")

    assert answer.kind == 7  # at once: nothing is drawn for it
    assert shown == ["f1 as 4", "f2 as 2", "new as A", "Back"]
    assert "Where does the K go?" in question
    assert table.sql("SELECT move FROM moves") == [("K>f1",)]
    assert "K as 4" in desk.text
    assert "needs 5" in desk.images[0].description


async def test_a_card_taken_up_can_be_put_back(table, kings):
    del kings
    desk = table.desk("Ann")
    before = labels(desk)

    await tap(table, "Ann", desk, "K")
    await tap(table, "Ann", desk, "Back")

    assert labels(desk) == before
    assert table.sql("SELECT count(*) FROM moves") == [(0,)]


async def test_the_number_of_cards_discarded_together_can_be_chosen(table, kings):
    del kings
    desk = table.desk("Ann")

    await tap(table, "Ann", desk, f"Discard 9 {X}3")
    shown = list(offered(desk))
    await tap(table, "Ann", desk, f"9 {X}2")
    await tap(table, "Ann", desk, "d1, on 8")

    assert shown[:4] == ["9", f"9 {X}2", f"✓ 9 {X}3", "d1, on 8"]
    assert table.sql("SELECT move FROM moves") == [("9x2>d1",)]


@pytest.mark.parametrize(
    ("arg", "sentence"),
    [
        ("9>f1", "The foundation f1 needs a 4 or a wild card, not a 9."),
        ("stock>new", "A new foundation begins with an ace or a wild card, not with a 10."),
        ("Q>d1", "You do not hold a queen; your hand is 9, 9, 9, J, K."),
        ("9x4>d1", "You hold only 3 of the rank 9, not 4."),
        ("draw", "Cards are drawn by themselves in this match; make another move."),
    ],
)
async def test_an_illegal_move_is_refused_with_the_reason(table, kings, arg, sentence):
    del kings
    desk = table.desk("Ann")
    step = step_of(desk)

    answer = await table.person("Ann").forge(desk, custom_id=f"f1:1:{step}:pick:{arg}")

    assert answer.text == sentence
    assert answer.ephemeral
    assert table.sql("SELECT count(*) FROM moves") == [(0,)]


async def test_a_stranger_and_the_other_seat_are_told_why_they_may_not_play(table, kings):
    step = step_of(table.desk("Ann"))
    custom_id = f"f1:1:{step}:pick:J>d2"

    stranger = await table.person("Dan").forge(kings, custom_id=custom_id)
    other = await table.person("Bo").forge(table.desk("Bo"), custom_id=custom_id)

    assert stranger.text == f"{NO_SEAT}, so you can't choose in it."
    assert other.text == "You owe no move now; it is the other seat's turn."
    assert table.sql("SELECT count(*) FROM moves") == [(0,)]


async def test_a_play_of_an_old_step_is_not_made_in_the_next(table, kings):
    del kings
    desk = table.desk("Ann")
    late = f"f1:1:{step_of(desk)}:pick:J>d2"
    await tap(table, "Ann", desk, "K")
    await tap(table, "Ann", desk, "new as A")

    answer = await table.person("Ann").forge(desk, custom_id=late)

    assert answer.text.startswith("That round is over.")
    assert table.sql("SELECT move FROM moves") == [("K>new",)]


async def test_a_nonsensical_draft_shows_the_desk_as_it_is(table, kings):
    del kings
    desk = table.desk("Ann")
    step, before = step_of(desk), labels(desk)
    await tap(table, "Ann", desk, "K")

    await table.person("Ann").forge(desk, custom_id=f"f1:1:{step}:draft:")
    await handled(table)

    assert labels(desk) == before


async def test_a_turn_goes_on_after_a_restart(table, kings):
    del kings
    desk = table.desk("Ann")
    await tap(table, "Ann", desk, "K")
    await tap(table, "Ann", desk, "f1 as 4")

    await table.restart()
    await tap(table, "Ann", desk, "Discard J")
    await tap(table, "Ann", desk, "d4, empty")
    await table.discord.until(lambda: offered(table.desk("Bo")))

    assert [move for (move,) in table.sql("SELECT move FROM moves")] == ["K>f1", "J>d4"]


async def test_every_option_reaches_the_match(table):
    await begun(
        table,
        variant="quick",
        foundations=4,
        forced="aces-and-twos",
        jokers="instead",
        strict_draw=True,
        scoring="points",
        target=50,
        turn_limit=100,
        game_limit=7,
        pace="relaxed",
    )

    ((options, pace),) = table.sql("SELECT options, pace FROM matches")
    assert codec.decode(Options, options) == Options(
        stock=13,
        foundations=4,
        forced="aces-and-twos",
        jokers="instead",
        strict_draw=True,
        scoring="points",
        target=50,
        turn_limit=100,
        game_limit=7,
    )
    assert pace == "relaxed"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"target": 3}, "A single game has no target; score by games or by points."),
        (
            {"scoring": "points", "target": 30},
            "Points are played to 25, 50 or 100, not to 30.",
        ),
    ],
    ids=["no series", "points"],
)
async def test_options_that_do_not_go_together_are_refused(table, options, sentence):
    answer = await table.person("Ann").slash(
        "spite play", channel="games", opponent=table.person("Bo"), **options
    )

    assert answer.text == sentence
    assert answer.ephemeral
    assert table.sql("SELECT count(*) FROM matches") == [(0,)]


async def test_the_rules_open_for_the_reader_only(table):
    answer = await table.person("Ann").slash("spite rules", channel="games")

    message = (await answer.settled()).message
    assert message.ephemeral_to == table.person("Ann").id
    assert "Spite and Malice in one glance" in message.text
