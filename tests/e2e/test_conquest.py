"""Whole matches of the board game of conquest through discord.py and the sandbox, and refusals."""

import re

import pytest

from bot import codec
from games.conquest import CONQUEST, Options
from tests.support.conquest_states import BLUE, GREEN, RED, play, position
from tests.support.conquest_tables import FOUR, begun, choose, finish, moves, ordered, tap
from tests.support.drawing import Threads
from tests.support.tables import labels, seated
from tests.support.typed_commands import typed


@pytest.mark.parametrize(
    ("names", "options"),
    [
        (("Ann", "Bo"), {"goal": "both"}),
        (FOUR, {"equal": "choice", "reinforce": "together", "redeployment": True}),
    ],
    ids=["teams", "four"],
)
async def test_a_match_is_played_to_its_end_by_direct_messages(table, names, options):
    public = await begun(table, names, turn_limit=1, pace="live", **options)

    await finish(table, public, lambda name: table.desk(name, public), names)

    assert "Divide & Conquer (board) · " in public.text
    assert "after 1 turn" in public.text
    assert public.text.count("moves 10 from") + public.text.count("with 10") >= len(names)
    result = next(line for line in public.text.splitlines() if "after 1 turn" in line)
    assert all(result in table.desk(name, public).text for name in names)
    assert table.sql("SELECT count(*) FROM results") == [(len(names),)]


async def test_a_match_can_be_played_with_private_hands_only(table):
    names = ("Ann", "Bo", "Cleo")
    public = await begun(table, names, closed=names, turn_limit=1)
    desks = {name: await table.hand(name, public) for name in names}

    await finish(table, public, desks.get, names)

    assert all("Go to the table" in labels(desk) for desk in desks.values())


async def test_an_order_is_put_together_shown_and_changed_in_the_hand_only(table):
    public = await begun(table)
    desk = table.desk("Ann", public)

    await tap(table, "Ann", desk, "↘ D4")
    await tap(table, "Ann", desk, "9")
    drafted = desk.images[0].description
    before = table.sql("SELECT count(*) FROM moves")
    await tap(table, "Ann", desk, "Submit E5-9-D4")
    chosen = table.sql("SELECT move FROM moves")
    await tap(table, "Ann", desk, "↓ D5")
    await tap(table, "Ann", desk, "9")
    await tap(table, "Ann", desk, "Submit E5-9-D5")

    assert "Your order: Red E5-9-D4." in drafted
    assert before == [(0,)]
    assert chosen == [("E5-9-D4",)]
    assert table.sql("SELECT move FROM moves") == [("E5-9-D5",)]
    assert "You chose E5-9-D5." in desk.text


@pytest.mark.parametrize("elsewhere", [False, True])
async def test_a_draft_survives_what_others_do_meanwhile(table, elsewhere):
    """Even if another process did something before."""
    public = await begun(table, signal=True)
    desk = table.desk("Ann", public)
    await tap(table, "Ann", desk, "↘ D4")
    drafted = labels(desk)
    if elsewhere:
        await table.bot.services.live.note_changed_elsewhere(table.match_of(public))

    await point(table, "Bo", public, 2)
    after_the_signal = labels(desk)
    await tap(table, "Ann", desk, "9")
    await tap(table, "Ann", desk, "Submit E5-9-D4")
    await point(table, "Cleo", public, 1)

    assert "9" in drafted
    assert "🟩 → 🔷 · 🔷 → 🟩" in desk.text
    assert after_the_signal == drafted
    assert "9" not in labels(desk)
    assert "You chose E5-9-D4." in desk.text


async def point(table, name, public, seat):
    desk = table.desk(name, public)
    await tap(table, name, desk, "Signal …")
    await choose(table, name, desk, "Who is ahead?", str(seat))


async def test_an_order_is_shown_to_nobody_else_before_the_reveal(table):
    public = await begun(table)
    await table.person("Ann").slash("conquest order", channel="games", order="E5-9-D4")
    await table.person("Bo").slash("conquest order", channel="games", order="pass")
    await table.settled()
    others = (public, table.desk("Bo", public), table.desk("Cleo", public))

    seen = [f"{message.text} {message.images[0].description}" for message in others]
    await table.person("Cleo").slash("conquest order", channel="games", order="F6-3-G7")
    await table.discord.until(lambda: "E5-9-D4" in public.images[0].description)

    assert [text for text in seen if "E5-9-D4" in text] == []
    assert "has chosen ✓" in seen[0]
    assert "moves 9 from E5 to D4." in public.text
    assert "moves 3 from F6 to G7." in public.text


async def test_the_reveal_is_drawn_for_everybody(discord, tmp_path):
    async with seated(discord, tmp_path, Threads()) as table:
        public = await begun(table, ("Ann", "Bo"))
        first = public.read(public.images[0].url)
        for name, order in (("Ann", "E5-9-D4 / pass"), ("Bo", "F5-2-G5 / E6-10-D7")):
            await table.person(name).slash("conquest order", channel="games", order=order)
        await table.discord.until(lambda: "Turn 1 was revealed" in public.text)
        await table.quiet_now()

        assert public.read(public.images[0].url).startswith(b"\x89PNG")
        assert public.read(public.images[0].url) != first
        assert table.desk("Bo", public).images[0].description.startswith("Board 10 by 10")


async def test_only_the_attacker_is_asked_for_a_commanders_choice(table):
    public = await begun(table, equal="choice")
    state = position(3, {RED: "D4:3", GREEN: "D5:3", BLUE: "G7:2"}, equal="choice")
    await table.lay(public, play(state, "D4-3-D5", "pass", "G7-2-H8"))
    desk = table.desk("Ann", public)
    asked = {name: moves(table.desk(name, public)) for name in ("Ann", "Bo", "Cleo")}

    await tap(table, "Ann", desk, "Hold: stay on D4")

    assert asked == {"Ann": ["Fight: both lose 3", "Hold: stay on D4"], "Bo": [], "Cleo": []}
    assert "holds back, so nothing changes." in public.text
    assert "moves 2 from G7 to H8." in public.text


async def test_only_the_player_concerned_is_asked_for_a_reinforcement(table):
    public = await begun(table)
    state = position(3, {RED: "E5:8 C3:1"})
    await table.lay(public, play(state, "pass", "pass", "pass"))
    desk = table.desk("Ann", public)

    offered = moves(desk)
    await tap(table, "Ann", desk, "C3: 1 → 2")

    assert offered == ["E5 HQ: 8 → 9", "C3: 1 → 2", "No troop"]
    assert "Reinforced: 🔴 one on C3." in public.text
    assert "Turn 2 of 100: secret orders" in public.text


async def test_a_signal_is_shown_on_the_table_and_can_be_taken_back(table):
    public = await begun(table, signal=True)
    desk = table.desk("Bo", public)

    await tap(table, "Bo", desk, "Signal …")
    await choose(table, "Bo", desk, "Who is ahead?", "2")
    told = public.text
    await tap(table, "Bo", desk, "Signal …")
    await choose(table, "Bo", desk, "Who is ahead?", "nobody")

    assert "Who they say is ahead: 🟩 → 🔷" in told
    assert "they say is ahead" not in public.text
    assert table.sql("SELECT signal FROM seats") == [(None,)] * 3


async def test_a_draft_is_kept_while_a_signal_is_given(table):
    public = await begun(table, signal=True)
    desk = table.desk("Ann", public)

    await tap(table, "Ann", desk, "↘ D4")
    await tap(table, "Ann", desk, "Signal …")
    await choose(table, "Ann", desk, "Who is ahead?", "2 0 E5-10-D4")
    await tap(table, "Ann", desk, "Signal …")
    await tap(table, "Ann", desk, "Back")
    await tap(table, "Ann", desk, "Submit E5-10-D4")

    assert "Who they say is ahead: 🔴 → 🔷" in public.text
    assert table.sql("SELECT move FROM moves") == [("E5-10-D4",)]


@pytest.mark.parametrize(
    ("signal", "who", "sentence"),
    [
        (False, "Ann", "This match has no signals. They're an option of `/conquest play`."),
        (True, "Dan", "You're not playing in this match, so you can't signal."),
    ],
    ids=["not agreed", "stranger"],
)
async def test_an_invalid_signal_is_refused(table, signal, who, sentence):
    public = await begun(table, signal=signal)
    match = table.match_of(public)

    answer = await table.person(who).forge(public, custom_id=f"f1:{match}:0:signal:1")

    assert typed(answer.text) == sentence
    assert table.sql("SELECT signal FROM seats") == [(None,)] * 3


async def test_a_player_who_resigned_cannot_signal(table):
    public = await begun(table, signal=True)
    await table.bot.services.matches.concede(table.match_of(public), table.person("Ann").id)

    answer = await table.person("Ann").forge(
        public, custom_id=f"f1:{table.match_of(public)}:0:signal:1"
    )

    assert answer.text == "You resigned. You can follow the match at its table."


async def test_a_player_who_resigned_cannot_be_signaled_as_ahead(table):
    public = await begun(table, signal=True)
    match = table.match_of(public)
    await table.bot.services.matches.concede(match, table.person("Ann").id)

    answer = await table.person("Bo").forge(public, custom_id=f"f1:{match}:0:signal:0")

    assert answer.text == (
        "That player has left the match, so they can't be ahead. Pick someone who still plays."
    )
    assert table.sql("SELECT signal FROM seats") == [(None,)] * 3


# Refusals and restarts.


async def test_a_stranger_and_a_past_step_are_refused(table):
    public = await begun(table)
    match = table.match_of(public)
    late = f"f1:{match}:0:pick:E5-9-D4"

    stranger = await table.person("Dan").forge(public, custom_id=late)
    for name in ("Ann", "Bo", "Cleo"):
        await ordered(table, name, "pass")
    await table.settled()
    answer = await table.person("Ann").forge(table.desk("Ann", public), custom_id=late)
    draft = await table.person("Ann").forge(
        table.desk("Ann", public), custom_id=f"f1:{match}:0:draft:0 E5-9-D4"
    )

    assert (
        stranger.text == "You're not playing in this match. Start your own with a `play` command."
    )
    said = "That round is over. What you see now is the current one."  # "orders" here, not "hand"
    assert [answer.text, draft.text] == [said, said]
    assert [m for (m,) in table.sql("SELECT move FROM moves")] == ["pass"] * 3


async def test_a_draft_from_a_message_that_is_no_hand_refers_to_my_orders(table):
    public = await begun(table)

    answer = await table.person("Ann").forge(
        public, custom_id=f"f1:{table.match_of(public)}:0:draft:0 E5-9-D4"
    )

    assert answer.text == "That button is out of date. Press **My orders** at the table."


async def test_a_hand_from_before_a_restart_still_takes_an_order(table):
    public = await begun(table)
    desk = table.desk("Ann", public)
    await tap(table, "Ann", desk, "↘ D4")

    await table.restart()
    await tap(table, "Ann", desk, "Submit E5-10-D4")

    assert table.sql("SELECT move FROM moves") == [("E5-10-D4",)]
    assert "You chose E5-10-D4." in table.desk("Ann", public).text


async def test_every_option_reaches_the_match(table):
    await begun(
        table,
        ("Ann", "Bo"),
        players=2,
        equal="choice",
        reinforce="together",
        redeployment=True,
        signal=True,
        goal="both",
        turn_limit=30,
        pace="relaxed",
    )

    ((options, pace),) = table.sql("SELECT options, pace FROM matches")
    assert codec.decode(Options, options) == Options(
        equal="choice",
        reinforce="together",
        redeployment=True,
        signal=True,
        goal="both",
        turn_limit=30,
    )
    assert pace == "relaxed"


async def test_too_many_opponents_are_refused(table):
    answer = await table.person("Ann").slash(
        "conquest play",
        channel="games",
        opponent=table.person("Bo"),
        second_opponent=table.person("Cleo"),
        players=2,
    )

    assert answer.text.startswith("With you, that's 3 players, not 2.")
    assert table.sql("SELECT count(*) FROM matches") == [(0,)]


async def test_a_goal_of_two_battalions_is_refused_if_everyone_starts_with_one(table):
    answer = await table.person("Ann").slash(
        "conquest play",
        channel="games",
        opponent=table.person("Bo"),
        second_opponent=table.person("Cleo"),
        goal="both",
    )

    assert answer.text.startswith("With 3 players, everyone has only one battalion.")
    assert table.sql("SELECT count(*) FROM matches") == [(0,)]


async def test_seats_without_a_named_opponent_are_open(table):
    answer = await table.person("Ann").slash("conquest play", channel="games", players=4)

    assert "Join" in labels(answer.message)
    assert table.sql("SELECT wanted FROM matches") == [(4,)]


async def test_only_the_reader_sees_the_rules(table):
    answer = await table.person("Ann").slash("conquest rules", channel="games")

    message = (await answer.settled()).message
    assert message.ephemeral_to == table.person("Ann").id
    assert re.search(r"### Divide & Conquer at a glance", message.text)
    assert CONQUEST.title in message.text
