"""Lessons in the sandbox: finishing them, leaving and continuing them, and who is offered one."""

import pytest

from bot.errors import StorageUnavailableError
from bot.interactions.challenges import ChallengeCommands
from bot.interactions.error_handler import UNSAVED
from games import GAMES
from games.computers import COMPUTERS
from tests.support.lessons import branches
from tests.support.presentations import PRESENTATIONS
from tests.support.tables import labels

RIGHT = {
    game: {key: move for (key, move), branch in branches(game).items() if branch.right}
    for game in PRESENTATIONS
}
LESSON = PRESENTATIONS["pico"].lesson
CHANGED = "This lesson has changed"

pytestmark = pytest.mark.usefixtures("lowest")


async def learn(table, name="Ann", channel="games", **options):
    answer = await table.person(name).slash("learn", channel=channel, **options)
    return (await answer.settled()).message


def button(message, act, what=""):
    """The custom_id of a button with this act, and an argument that ends with `what`."""
    ids = [b.custom_id for b in message.buttons if b.custom_id]
    return next(i for i in ids if i.split(":")[3] == act and i.endswith(what))


async def press(table, message, custom_id, name="Ann"):
    """Click a button that edits its own message, and return once it has been edited."""
    await table.person(name).click(message, custom_id)
    await table.settled()


async def answered(table, message, game, key, name="Ann"):
    await press(table, message, button(message, "answer", f" {RIGHT[game][key]}"), name)


async def learned(table, message, game, name="Ann"):
    """Give right answers from here to the end; the number of taps."""
    taps = 0
    while True:
        (key,) = {b.custom_id.split(" ")[1] for b in message.buttons if ":answer:" in b.custom_id}
        await answered(table, message, game, key, name)
        taps += 1
        if "Next" not in labels(message):
            return taps
        await press(table, message, "Next", name)
        taps += 1


async def began(table, public):
    await table.discord.until(lambda: "Sealed deal" in public.text)


async def test_a_lesson_is_a_private_message(table):
    message = await learn(table, game="pico")

    assert message.ephemeral_to == table.person("Ann").id
    assert "### Pico · 1 of 6: The higher card wins" in message.text
    assert len(message.images) == 1
    assert labels(message) == ["5 ••", "9 •••", "All lessons", "Rules"]


async def test_a_wrong_answer_is_played_and_explained_and_can_be_tried_again(table):
    message = await learn(table, game="pico")
    asked = message.images[0].url

    await press(table, message, "5 ••")
    assert "Not this one" in message.text
    assert "7 beats 5. Robin scores 2 dots." in message.text
    assert message.images[0].url != asked
    await press(table, message, "Try again")
    assert "Robin plays the 7" in message.text
    await press(table, message, "9 •••")

    assert "9 beats 7. You score 3 dots." in message.text
    assert labels(message) == ["Next", "All lessons", "Rules"]
    await press(table, message, "Next")
    assert "2 of 6: Not too high" in message.text


async def test_a_lesson_can_be_continued_also_after_a_restart(table):
    message = await learn(table, game="pico")
    await press(table, message, "9 •••")

    await table.restart()

    await press(table, message, "Next")  # an outdated button
    assert "2 of 6" in message.text
    assert "2 of 6" in (await learn(table, game="pico")).text
    assert "1 of 6" in (await learn(table, game="duel")).text
    assert "1 of 6" in (await learn(table, "Bo", game="pico")).text


async def test_the_list_of_lessons_shows_progress_and_continues_from_there(table):
    message = await learn(table, game="pico")
    await press(table, message, "9 •••")

    await press(table, message, "All lessons")

    assert "**Pico** · step 2 of 6 is next" in message.text
    assert labels(message) == ["Continue", *["Start"] * (len(GAMES) - 1)]
    await press(table, message, "Continue")
    assert "2 of 6" in message.text
    await press(table, message, "Back")
    assert "1 of 6" in message.text


@pytest.mark.parametrize("game", PRESENTATIONS)
async def test_each_lesson_ends_with_a_match_against_the_easiest_computer(table, game):
    message = await learn(table, game=game)

    taps = await learned(table, message, game)
    answer = await table.person("Ann").click(message, "Play against a beginner")
    public = (await answer.settled()).message

    assert taps == 2 * len(PRESENTATIONS[game].lesson) - 1
    await began(table, public)
    assert public.ephemeral_to is None
    assert f"Computer ({COMPUTERS[game].levels[0].key})" in public.text
    shown = await learn(table)
    assert f"{len(PRESENTATIONS[game].lesson)} steps, done ✓" in shown.text


async def test_a_last_answer_whose_result_cannot_be_shown_is_not_stored_either(table, monkeypatch):
    """The learner is told that it didn't work."""
    ann, number = table.person("Ann"), len(LESSON) - 1
    await table.bot.services.progress.solved(ann.id, "pico", LESSON, number - 1)
    message = await learn(table, game="pico")

    async def fail(*_):
        raise StorageUnavailableError("the disk does not work")

    with monkeypatch.context() as disk:
        disk.setattr(ChallengeCommands, "first_match", fail)
        custom_id = button(message, "answer", f" {RIGHT['pico'][LESSON[number].key]}")
        refused = await (await ann.click(message, custom_id)).settled()

    assert refused.text == UNSAVED
    assert table.sql("SELECT number, done FROM lessons") == [(number, 0)]
    await answered(table, message, "pico", LESSON[number].key)
    assert table.sql("SELECT number, done FROM lessons") == [(0, 1)]


async def test_in_direct_messages_a_lesson_leads_to_a_solo_match(table):
    await table.match()  # so that the bot can write to Ann
    ann = table.person("Ann")
    answer = await ann.slash("learn", channel=table.desk("Ann").channel_id, game="pico")
    message = (await answer.settled()).message

    await learned(table, message, "pico")
    await (await ann.click(message, "Play against a beginner")).settled()

    begun = table.sql("SELECT status, guild FROM matches ORDER BY id DESC LIMIT 1")
    assert begun == [("running", None)]


async def test_a_lesson_offers_no_match_if_the_game_is_turned_off(table):
    public = await table.match()
    guild = table.sql("SELECT guild FROM matches WHERE id = ?", table.match_of(public))[0][0]
    await table.change(
        "INSERT INTO servers (guild, threads, games_off, time_off_barred)"  # noqa: S608 - ours
        f" VALUES ({guild}, 0, 'pico', '')"
    )
    await table.restart()
    message = await learn(table, game="pico")

    await learned(table, message, "pico")

    assert "Play against a beginner" not in labels(message)


@pytest.mark.parametrize(
    ("custom_id", "says"),
    [
        ("f1:0:0:answer:pico gone 9", CHANGED),
        ("f1:0:0:answer:pico higher 16", CHANGED),
        ("f1:0:0:answer:pico", CHANGED),
        ("f1:0:0:answer:", "I don't know that game"),
        ("f1:0:0:exercise:pico gone", CHANGED),
        ("f1:0:0:exercise:chess", "I don't know that game"),
        ("f1:0:0:learn:chess", "I don't know that game"),
    ],
)
async def test_a_button_of_an_older_lesson_gets_a_sentence(table, custom_id, says):
    message = await learn(table, game="pico")

    answer = await (await table.person("Ann").forge(message, custom_id=custom_id)).settled()

    assert says in answer.text


async def test_a_bookmark_of_an_older_version_continues_with_an_explanation(table):
    ann = table.person("Ann").id
    await table.change(f"INSERT INTO lessons VALUES ({ann}, 'pico', 'gone', 2, 0)")  # noqa: S608

    message = await learn(table, game="pico")

    assert "has changed since you were last here" in message.text
    assert "3 of 6" in message.text
    await answered(table, message, "pico", LESSON[2].key)
    await press(table, message, "Next")
    assert "4 of 6" in message.text
    assert "has changed" not in (await learn(table, game="pico")).text


async def test_a_challenge_offers_the_lesson_to_newcomers(table):
    public = await table.challenge()

    assert "New to Pico?" in public.text
    answer = await (await table.person("Bo").click(public, "Learn it")).settled()
    assert answer.message.ephemeral_to == table.person("Bo").id
    assert "1 of 6" in answer.message.text
    await learned(table, answer.message, "pico", "Bo")

    again = await table.challenge("Cleo", "Bo")

    assert "Learn it" not in labels(again)


async def test_the_end_of_a_first_match_offers_the_lesson_at_table_and_hand(table):
    public = await table.match()
    assert "Learn it" not in labels(public)
    await table.finish(public, "Ann", "Bo")
    assert "Learn it" in labels(public)
    assert "Learn it" in labels(table.desk("Bo", public))

    second = await table.match("Ann", "Bo")
    asked = await table.challenge("Cleo", "Bo")
    await table.finish(second, "Ann", "Bo")

    assert "Learn it" not in labels(asked)
    assert "Learn it" not in labels(second)
    assert "Learn it" not in labels(table.desk("Ann", second))


async def test_progress_is_exported_and_deleted_with_everything_else(table):
    message = await learn(table, game="pico")
    await press(table, message, "9 •••")
    asked = await table.person("Ann").slash("privacy delete", channel="games")
    assert "how far you are in lessons" in asked.message.text

    for label in ("Delete…", "Delete it for good"):
        await press(table, asked.message, label)

    assert table.sql("SELECT * FROM lessons") == []
    assert "1 of 6" in (await learn(table, game="pico")).text


async def test_people_who_want_no_pictures_get_words(table):
    panel = await (await table.person("Ann").slash("preferences", channel="games")).settled()
    await table.person("Ann").select(panel.message, "Pictures or words", "pictures off")

    message = await learn(table, game="pico")

    assert message.images == []
    assert "Hand: 2 (1), 5 (2), 9 (3)" in message.text
