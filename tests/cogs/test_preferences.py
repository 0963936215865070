"""/preferences in the sandbox: hands by direct message or at the table, pictures or words."""

import pytest

from bot.errors import StorageUnavailableError
from bot.interactions.error_handler import SAVED
from bot.matches.forced_moves import ForcedMoves
from bot.matches.limits import NOT_CHALLENGED
from sandbox import Fault
from tests.support.typed_commands import typed

TOO_LATE = {"path": "/callback$", "status": 404, "code": 10062, "after": True}


async def prefer(table, name, placeholder, value, channel="games"):
    """Change a preference; the panel afterwards."""
    person = table.person(name)
    panel = (await person.slash("preferences", channel=channel)).message
    await person.select(panel, placeholder, value)
    return panel


def chosen(panel):
    """The chosen label in each of the panel's menus."""
    return [next(o["label"] for o in s.options if o.get("default")) for s in panel.selects]


async def test_the_panel_shows_the_choices_and_changes_at_once(table):
    panel = await prefer(table, "Ann", "Forced moves", "forced never")

    assert panel.ephemeral_to == table.person("Ann").id
    assert chosen(panel) == ["By direct message", "Pictures", "Let me tap them", "Everyone"]
    again = (await table.person("Ann").slash("preferences", channel="games")).message
    assert chosen(again) == chosen(panel)


async def test_a_person_who_takes_no_challenges_gets_none_and_the_challenger_is_not_told_why(table):
    panel = await prefer(table, "Bo", "Who can challenge you", "challenges nobody")
    bo = table.person("Bo").mention

    refused = await table.ask("Ann", "Bo")

    assert chosen(panel)[3] == "Nobody"
    assert refused.ephemeral
    assert refused.text == NOT_CHALLENGED.format(table.person("Bo").id)
    assert bo in refused.text
    assert table.sql("SELECT count(*) FROM matches") == [(0,)]

    await prefer(table, "Bo", "Who can challenge you", "challenges everyone")
    assert (await table.ask("Ann", "Bo")).ephemeral is False


async def test_preferences_can_be_changed_in_direct_messages_too(table):
    panel = await prefer(table, "Ann", "Pictures or words", "pictures off", table.person("Ann").dm)

    assert chosen(panel)[1] == "Words only"


async def test_a_forged_preference_is_refused(table):
    panel = (await table.person("Ann").slash("preferences", channel="games")).message

    answer = await table.person("Ann").forge(panel, custom_id="f1:0:0:prefer:desk moon")

    assert typed(answer.text) == "That preference doesn't exist. Use `/preferences` again."


async def test_a_person_who_wants_hands_at_the_table_gets_no_direct_message(table):
    await prefer(table, "Bo", "Where you see your hand", "desk here")
    public = await table.challenge()
    await table.person("Bo").click(public, "Accept")
    await table.discord.until(lambda: table.desk("Ann") is not None)
    await table.quiet_now()

    desk = await table.hand("Bo", public)

    assert table.letters("Bo") == []
    assert len(table.cards(desk)) == 6
    assert "can't reach you" not in desk.text


async def test_the_option_for_hands_at_the_table_says_how_players_hear_of_their_turn(table):
    panel = (await table.person("Ann").slash("preferences", channel="games")).message
    (_, here) = panel.selects[0].options

    assert here["description"] == (
        "Only you see it. For your turn I mention you at the table, unless /notify says off"
    )


async def test_a_person_who_wants_direct_messages_again_gets_the_hands_of_running_matches(table):
    await prefer(table, "Bo", "Where you see your hand", "desk here")
    public = await table.challenge()
    await table.person("Bo").click(public, "Accept")
    await table.discord.until(lambda: table.desk("Ann") is not None)

    await prefer(table, "Bo", "Where you see your hand", "desk dm")

    await table.discord.until(lambda: table.desk("Bo", public) is not None)


async def test_a_deleted_hand_is_not_sent_again_to_a_person_who_wants_no_direct_messages(table):
    public = await table.match()
    await prefer(table, "Bo", "Where you see your hand", "desk here")
    await table.quiet_now()
    table.discord.world.delete_message(table.desk("Bo"))

    await table.trick_at({"Ann": table.desk("Ann"), "Bo": await table.hand("Bo", public)})
    await table.quiet_now()

    assert table.letters("Bo") == []


async def test_the_hand_of_a_running_match_changes_to_words_and_back_to_pictures(table):
    public = await table.match()
    pictured = table.desk("Bo")
    description = pictured.images[0].description

    await prefer(table, "Bo", "Pictures or words", "pictures off")
    await table.discord.until(lambda: not table.desk("Bo").images)
    words = table.desk("Bo").text
    await prefer(table, "Bo", "Pictures or words", "pictures on")
    await table.discord.until(lambda: table.desk("Bo").images)

    assert description in words.replace("\n", " ")  # with a line for each subject
    assert "\nBlue circle 1" in words
    assert description not in table.desk("Bo").text.replace("\n", " ")
    assert public.images
    assert table.desk("Ann").images


async def test_a_new_preference_is_shown_even_if_the_answer_fails(table):
    await table.match()
    ann = table.person("Ann")
    panel = (await ann.slash("preferences", channel="games")).message

    table.discord.faults.add(Fault(**TOO_LATE))
    await ann.select(panel, "Pictures or words", "pictures off")

    await table.discord.until(lambda: not table.desk("Ann").images)
    assert not table.discord.faults.ordered


async def test_a_new_preference_is_shown_even_if_nothing_can_be_read_afterwards(table, monkeypatch):
    async def fail(*_):
        raise StorageUnavailableError("the disk does not work")

    await table.match()
    ann = table.person("Ann")
    panel = (await ann.slash("preferences", channel="games")).message

    with monkeypatch.context() as disk:
        disk.setattr(ForcedMoves, "play_owed", fail)
        answer = await ann.select(panel, "Pictures or words", "pictures off")
        await table.handled()

    assert [said.text for said in answer.followups] == [SAVED]
    assert chosen(panel)[1] == "Words only"
    await table.discord.until(lambda: not table.desk("Ann").images)


async def test_a_person_who_reopens_direct_messages_gets_the_hand_even_if_the_answer_fails(
    table,
):
    ann = table.person("Ann")
    ann.closed = True
    public = await table.challenge()
    await table.person("Bo").click(public, "Accept")
    await table.discord.until(lambda: table.desk("Bo") is not None)
    await table.quiet_now()
    assert table.sql("SELECT count(*) FROM people WHERE dm_closed_at NOT NULL") == [(1,)]
    ann.closed = False
    panel = (await ann.slash("preferences", channel="games")).message

    table.discord.faults.add(Fault(**TOO_LATE))
    await ann.select(panel, "Where you see your hand", "desk dm")

    await table.discord.until(lambda: table.desk("Ann") is not None)
    assert not table.discord.faults.ordered


async def test_a_match_can_be_played_in_words_alone(table):
    await prefer(table, "Bo", "Pictures or words", "pictures off")
    public = await table.match(variant="pico1")

    await table.finish(public, "Ann", "Bo")

    assert not table.desk("Bo").images
    assert table.desk("Ann").images


@pytest.mark.parametrize(("choice", "pictures"), [("pictures on", 1), ("pictures off", 0)])
async def test_the_rules_follow_the_same_preference(table, choice, pictures):
    ann = table.person("Ann")
    await prefer(table, "Ann", "Pictures or words", choice)

    answer = await (await ann.slash("pico rules", channel="games")).settled()
    turned = next(b.label for b in answer.message.buttons)
    page = (await (await ann.click(answer.message, turned)).settled()).message

    assert len(page.images) == pictures
