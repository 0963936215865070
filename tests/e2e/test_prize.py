"""Whole matches of Prize Dominoes through discord.py and the sandbox, and refusals."""

import re
from dataclasses import replace

import pytest

from bot import codec
from games.prize import Options
from tests.support.drawing import Threads
from tests.support.prize_snapshots import fullest_open, running, won
from tests.support.tables import labels, listen, seated

BOTH = ("Ann", "Bo")
NO_SEAT = "You're not playing in this match"


async def begun(table, **options):
    return await table.for_two("prize", "chosen at random", **options)


async def tap(table, name, desk, label):
    """Press this button of a hand, and wait until everybody has been shown the result."""
    (found,) = [b.custom_id for b in table.cards(desk) if b.label == label]
    answer = await table.person(name).click(desk, found)
    await table.settled()
    return answer


async def finish(table, public, desk_of):
    """Let the player whose turn it is press their first button, until the match is over."""
    while "seed was" not in public.text:
        (name,) = [name for name in BOTH if table.cards(desk_of(name))]
        await table.pick(name, desk_of(name))
        await table.settled()


def played(table):
    return [move for (move,) in table.sql("SELECT move FROM moves ORDER BY step")]


READY = running(line="4-6 6-5", a="5-4 3-3 2-2", b="6-3 5-1 5-0 4-1 4-0", stock="5-5 4-4")


@pytest.fixture
async def ready(table):
    """A match in which Ann has one tile that fits, at both ends."""
    public = await begun(table)
    await table.lay(public, READY)
    return public


async def test_a_match_is_played_to_its_end_by_direct_messages(table):
    public = await begun(table, hands=3)
    said = listen(table, public)

    await finish(table, public, table.desk)

    story = "\n".join(said)
    assert "· 3 hands" in public.text
    assert "Hand 2 (max 3)." in story
    assert "Hand 3 (max 3)." in story
    assert "as a prize" in story
    assert re.search(r"wins\*\*: |\*\*A draw\*\*: ", public.text)
    assert labels(public) == ["Rematch", "Replay", "Share", "Coach", "Export", "Rules", "Learn it"]
    result = next(
        line for line in public.text.splitlines() if re.search(r"\*\*.* after \d hands?", line)
    )
    assert all(result in table.desk(name).text for name in BOTH)


async def test_a_match_can_be_played_with_private_hands_only(table):
    public = await begun(table, closed=BOTH, hands=1, passes="empty-stock")
    desks = {name: await table.hand(name, public) for name in BOTH}

    await finish(table, public, desks.__getitem__)

    assert "· one hand, drawing isn't passing" in public.text
    result = next(
        line for line in public.text.splitlines() if re.search(r"\*\*.* after \d hands?", line)
    )
    for name, desk in desks.items():
        assert desk.ephemeral_to == table.person(name).id
        assert result in desk.text


@pytest.mark.parametrize("pace", ["slow", "none"])
async def test_a_match_that_lasts_for_days_is_played_to_its_end(table, pace):
    public = await begun(table, hands=1, pace=pace)

    await finish(table, public, table.desk)

    assert table.sql("SELECT status FROM matches") == [("over",)]


async def test_a_forced_move_is_played_once_its_player_turns_that_on(table):
    ann = table.person("Ann")
    public = await begun(table)
    await table.lay(public, running(line="4-6 6-5", a="5-1 3-3", b="6-3 4-1 4-0", stock="5-5 4-4"))

    panel = (await ann.slash("preferences", channel="games")).message
    await ann.select(panel, "Forced moves", "forced always")

    await table.discord.until(lambda: table.cards(table.desk("Bo")))
    assert "5-1" in played(table)[-1]
    assert table.sql("SELECT how FROM moves WHERE step = 1") == [("forced",)]


async def test_nothing_shows_that_only_one_tile_of_a_hidden_hand_fits(table):
    """Two positions in which one or two of Bo's tiles fit, and which look the same to Ann."""
    public = await begun(table)
    told = []
    for theirs, stock in (("4-0 5-1 2-1", "5-5 4-1"), ("4-0 4-1 2-1", "5-5 5-1")):
        await table.lay(public, running(line="4-6 6-6", a="6-3 3-3 2-2", b=theirs, stock=stock))

        await tap(table, "Ann", table.desk("Ann"), "6-3 right →")

        told.append([(m.text, m.images[0].description) for m in (public, table.desk("Ann"))])
    assert told[0] == told[1]
    assert played(table) == ["6-3 right", "6-3 right"]


async def test_a_forced_draw_is_played_automatically(table):
    public = await begun(table)
    await table.lay(public, running(line="4-6 6-6", a="6-3 3-3 2-2", b="5-1 2-1", stock="5-5 4-1"))

    await tap(table, "Ann", table.desk("Ann"), "6-3 right →")

    assert played(table)[:2] == ["6-3 right", "draw"]


async def test_every_option_reaches_the_match(table):
    await begun(table, hands=12, passes="empty-stock", pace="relaxed")

    ((options, pace),) = table.sql("SELECT options, pace FROM matches")
    assert codec.decode(Options, options) == Options(
        pass_only_when_stock_is_empty=True, hand_limit=12
    )
    assert pace == "relaxed"


async def test_the_default_options_follow_the_rulebook(table):
    public = await begun(table)

    ((options,),) = table.sql("SELECT options FROM matches")
    assert codec.decode(Options, options) == Options()
    assert "Prize Dominoes · standard" in public.text


async def test_a_tile_is_played_at_the_end_that_was_tapped(table, ready):
    desk = table.desk("Ann")
    offered = [button.label for button in table.cards(desk)]

    await tap(table, "Ann", desk, "← 5-4 left")

    assert offered == ["← 5-4 left", "5-4 right →"]
    assert played(table)[:1] == ["5-4 left"]
    assert "played 5-4 at the left end. Both ends show 5" in ready.text
    assert "Line from left to right: 5-4, 4-6, 6-5." in ready.images[0].description


async def test_a_hand_is_shown_to_its_player_only(table, ready):
    await tap(table, "Ann", table.desk("Ann"), "5-4 right →")

    places = {"table": ready, "Ann": table.desk("Ann"), "Bo": table.desk("Bo")}
    told = {name: f"{at.text} {at.images[0].description}" for name, at in places.items()}
    assert [name for name, text in told.items() if "3-3" in text] == ["Ann"]
    assert [name for name, text in told.items() if "6-3" in text] == ["Bo"]
    assert not any("4-4" in text for text in told.values())  # in the stock


async def test_only_its_player_is_asked_where_to_put_a_drawn_tile_that_fits_both_ends(table):
    public = await begun(table)
    await table.lay(public, replace(READY, hands=(((3, 3), (2, 2)), ((6, 3),)), stock=((5, 4),)))

    await tap(table, "Ann", table.desk("Ann"), "Draw")
    asked = table.desk("Ann").text
    others = [f"{at.text} {at.images[0].description}" for at in (public, table.desk("Bo"))]
    await tap(table, "Ann", table.desk("Ann"), "The 5 at the right →")

    assert "**You drew the 5-4, which fits both ends.** Where does it go?" in asked
    assert not any("5-4" in text for text in others)
    assert played(table)[:2] == ["draw", "right"]
    assert "drew 5-4 and played it at the right end" in public.text


async def test_a_prize_is_chosen_from_the_opened_hand(table):
    public = await begun(table)
    state = won(b="6-3 6-6 1-0", prizes=("6-6 6-5", "4-4"))
    await table.lay(public, replace(state, prizes=(((6, 5),), ((4, 4),))))
    everybody = [at.images[0].description for at in (public, *map(table.desk, BOTH))]
    desk = table.desk("Ann")
    offered = [button.label for button in table.cards(desk)]

    await tap(table, "Ann", desk, "1-0 · 2 new")

    assert all("Hand: 6-3, 6-6, 1-0." in text for text in everybody)
    assert offered == ["6-3 · 1 new", "6-6", "1-0 · 2 new"]
    assert "took the 1-0 as a prize" in public.text
    assert "prizes: 6-5, 1-0 (new: 1-0)" in public.images[0].description
    assert "**4 of 7** numbers in 2 prizes: needs 2, 3 and 4" in public.text
    assert "Hand 2 (max 50)" in public.text


async def test_a_prize_from_a_very_full_hand_is_chosen_in_a_menu(table):
    public = await begun(table)
    await table.lay(public, fullest_open())
    desk = table.desk("Bo")

    await table.person("Bo").select(desk, "Choose your prize", "take 4-3")
    await table.settled()

    assert played(table)[:1] == ["take 4-3"]
    assert "took the 4-3 as a prize" in public.text


async def test_a_prize_can_be_played_from_the_row(table):
    public = await begun(table)
    state = running(line="4-6 6-6", a="5-5 3-3", b="2-2 1-1", prizes=("6-1 2-0", ""), stock="3-0")
    await table.lay(public, state)

    await tap(table, "Ann", table.desk("Ann"), "Prize 6-1 right →")

    assert "played the prize 6-1 at the right end" in public.text
    assert "Blue circle 1, prizes: 2-0; needs" in public.images[0].description


async def test_a_player_with_only_one_choice_need_not_click(table):
    """Bo has nothing that fits and nothing to draw, so Bo passes without a click."""
    public = await begun(table)
    state = running(line="4-6 6-5", a="5-4 5-3 2-2", b="1-1 0-0", stock="")
    await table.lay(public, state)

    await tap(table, "Ann", table.desk("Ann"), "5-4 right →")

    assert played(table)[:2] == ["5-4 right", "pass"]
    assert "passed" in public.text


async def test_pictures_have_their_words_as_alt_text(discord, tmp_path):
    async with seated(discord, tmp_path, Threads()) as table:
        public = await begun(table)
        await table.lay(public, READY)

        messages = [public, *(table.desk(name) for name in BOTH)]
        for message in messages:
            (image,) = message.images
            assert message.read(image.url).startswith(b"\x89PNG")
            assert image.description.startswith("Prize Dominoes, hand 1 (max 50),")
        assert len({m.read(m.images[0].url) for m in messages}) == 3


async def test_a_finished_match_counts_on_the_servers_leaderboard(table):
    public = await begun(table, hands=1)
    await finish(table, public, table.desk)

    answer = await table.person("Dan").slash("leaderboard", channel="lobby", game="prize")

    text = (await answer.settled()).message.text
    assert "Leaderboard · Prize Dominoes" in text
    assert all(table.person(name).mention in text for name in BOTH)


async def test_a_player_who_resigns_loses(table, ready):
    await table.person("Ann").forge(table.desk("Ann"), custom_id="f1:1:1:leave:")
    await table.over(ready, *BOTH)

    assert (
        f"**{table.person('Bo').mention} wins**: {table.person('Ann').mention} resigned."
        in ready.text
    )
    assert "6-3" not in ready.images[0].description


async def test_a_stranger_and_the_opponent_are_told_why_they_cannot_move(table, ready):
    stranger = await table.person("Dan").forge(ready, custom_id="f1:1:1:pick:5-4 left")
    other = await table.person("Bo").forge(table.desk("Bo"), custom_id="f1:1:1:pick:6-3 right")

    assert stranger.text == f"{NO_SEAT}. Start your own with a `play` command."
    assert other.text == "It's not your turn."
    assert played(table) == []


async def test_a_click_on_a_past_turn_is_not_played_in_the_next(table, ready):
    del ready
    late = table.cards(table.desk("Ann"))[-1].custom_id
    await tap(table, "Ann", table.desk("Ann"), "← 5-4 left")
    before = played(table)

    answer = await table.person("Ann").forge(table.desk("Ann"), custom_id=late)

    assert answer.text.startswith("That round is over.")
    assert played(table) == before


@pytest.mark.parametrize(
    ("arg", "sentence"),
    [
        ("3-3 left", "The 3-3 fits neither end: the line ends in 4 and 5."),
        (
            "6-3 left",
            "The 6-3 isn't in your hand, which has 5-4, 3-3, 2-2.",
        ),
        ("draw", "You have a tile that fits, so you must play one, for example 5-4 left."),
        ("5-4", "Name the end too: 5-4 left or 5-4 right."),
        ("take 6-3", "You can't take a prize yet: this hand isn't over."),
    ],
)
async def test_an_illegal_move_is_refused_with_the_reason(table, ready, arg, sentence):
    del ready

    answer = await table.person("Ann").forge(table.desk("Ann"), custom_id=f"f1:1:1:pick:{arg}")

    assert answer.text == sentence
    assert answer.ephemeral
    assert played(table) == []


@pytest.mark.parametrize("text", ["", "seven", "7-7 left", "6-4 up"])
async def test_something_that_is_not_a_move_is_refused(table, ready, text):
    del ready

    answer = await table.person("Ann").forge(table.desk("Ann"), custom_id=f"f1:1:1:pick:{text}")

    assert (
        "isn't a move. Write for example 6-4 left, 6-4 (to open), draw, left, prize 6-4 right, "
        "pass or take 6-4, with numbers from 0 to 6."
    ) in answer.text
    assert played(table) == []


async def test_a_nonsensical_draft_shows_the_hand_as_it_is(table, ready):
    del ready
    desk = table.desk("Ann")
    before = labels(desk)

    await table.person("Ann").forge(desk, custom_id="f1:1:1:draft:5-4")
    await table.settled()

    assert labels(desk) == before


async def test_a_hand_goes_on_after_a_restart(table, ready):
    desk = table.desk("Ann")

    await table.restart()
    await tap(table, "Ann", desk, "5-4 right →")

    assert played(table)[:1] == ["5-4 right"]
    assert "played 5-4 at the right end" in ready.text


async def test_only_the_reader_sees_the_rules(table):
    answer = await table.person("Ann").slash("prize rules", channel="games")

    message = (await answer.settled()).message
    assert message.ephemeral_to == table.person("Ann").id
    assert "### The idea" in message.text
