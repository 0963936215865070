"""Resigning, with confirmation, from matches of two and of three."""

import pytest

from tests.support.tables import labels


async def resign(table, name, desk=None):
    """Let somebody resign and confirm; returns the answer to the confirmation."""
    asked = await table.asked_to_resign(name, desk)
    return await table.person(name).click(asked.message, "Resign")


async def test_resigning_needs_a_private_confirmation(table):
    public = await table.match()

    asked = await table.asked_to_resign("Ann")

    assert asked.ephemeral
    assert asked.text.startswith("Resign from this match? ")
    assert f"{table.person('Bo').mention} wins." in asked.text
    assert labels(asked.message) == ["Resign", "Keep playing"]
    assert table.sql("SELECT status FROM matches") == [("running",)]
    assert "Sealed deal" in public.text


async def test_a_player_who_changes_their_mind_plays_on(table):
    await table.match()
    asked = await table.asked_to_resign("Ann")

    answer = await table.person("Ann").click(asked.message, "Keep playing")

    assert answer.text == "You're still in the match."
    assert labels(asked.message) == []
    assert table.sql("SELECT status FROM matches") == [("running",)]
    assert table.step(table.desk("Ann")) == 0


async def test_a_player_who_changes_their_mind_too_late_is_told_that_the_match_is_over(table):
    public = await table.match()
    asked = await table.asked_to_resign("Ann")
    await resign(table, "Bo")
    await table.over(public, "Ann", "Bo")

    answer = await table.person("Ann").click(asked.message, "Keep playing")

    assert "still in the match" not in answer.text
    assert "over" in answer.text


async def test_if_one_of_two_resigns_the_other_wins_at_once(table):
    public = await table.match()
    await table.trick("Ann", "Bo")

    answer = await resign(table, "Ann")
    await table.over(public, "Ann", "Bo")

    ann, bo = (table.person(name).mention for name in ("Ann", "Bo"))
    assert answer.text == "You resigned."
    assert labels(answer.message) == []
    for message in (public, table.desk("Ann"), table.desk("Bo")):
        assert f"**{bo} wins**: {ann} resigned." in message.text
        assert message.text.count("resigned") == 1
        assert "is out;" not in message.text
    assert table.sql("SELECT user, won, lost FROM results ORDER BY seat") == [
        (table.person("Ann").id, 0, 1),
        (table.person("Bo").id, 1, 0),
    ]


async def test_if_one_of_three_resigns_the_others_play_on(table):
    names = ("Ann", "Bo", "Cleo")
    public = await table.match(*names)
    await table.trick(*names)

    asked = await table.asked_to_resign("Bo")
    question = asked.text
    await table.person("Bo").click(asked.message, "Resign")
    bo = table.person("Bo").mention
    await table.discord.until(lambda: f"{bo} is out;" in public.text)
    await table.discord.until(lambda: "You resigned" in table.desk("Bo").text)

    assert "and they play on" in question
    assert labels(table.desk("Bo")) == ["Go to the table"]
    await table.finish(public, "Ann", "Cleo")
    assert f"{bo} resigned." in public.text
    await table.discord.until(lambda: f"{bo} resigned." in table.desk("Bo").text)
    assert table.sql("SELECT rank FROM results WHERE seat = 1") == [(3,)]


@pytest.mark.parametrize("chosen", [("Ann",), ("Ann", "Cleo")], ids=["one", "both"])
async def test_the_choices_of_the_remaining_players_are_kept(table, chosen):
    names = ("Ann", "Bo", "Cleo")
    public = await table.match(*names)
    faces = {}
    for name in chosen:
        faces[name] = table.cards(table.desk(name))[2].custom_id.split(":")[4]
        await table.play(name, 2)

    await resign(table, "Bo")
    for name in {"Ann", "Cleo"} - set(chosen):
        faces[name] = table.cards(table.desk(name))[0].custom_id.split(":")[4]
        await table.play(name)
    await table.discord.until(
        lambda: all(table.step(table.desk(name)) == 1 for name in ("Ann", "Cleo"))
    )

    moves = dict(table.sql("SELECT seat, move FROM moves WHERE step = 0"))
    assert moves == {0: faces["Ann"], 2: faces["Cleo"]}
    for face in faces.values():
        assert f"played {face} (" in public.images[0].description


async def test_a_player_who_resigned_can_do_nothing_in_the_match(table):
    public = await table.match("Ann", "Bo", "Cleo")
    card = table.cards(table.desk("Bo"))[0].custom_id
    await resign(table, "Bo")
    bo = table.person("Bo")

    answers = [
        await bo.forge(public, custom_id=custom_id)
        for custom_id in (card, "f1:1:0:hand:", "f1:1:0:resign:", "f1:1:0:leave:")
    ]

    said = "You resigned. You can follow the match at its table."
    assert [answer.text for answer in answers] == [said] * len(answers)


async def test_the_confirmation_can_be_answered_late(table):
    """The round goes on meanwhile, and the match may be over when it is answered."""
    public = await table.match()
    asked = await table.asked_to_resign("Ann")
    await resign(table, "Bo")
    await table.over(public, "Ann", "Bo")

    answer = await table.person("Ann").click(asked.message, "Resign")

    assert answer.text == "That match is over."
    assert table.sql("SELECT won FROM results ORDER BY seat") == [(1,), (0,)]
