"""People's preferences: stored, cached, and part of what a hand shows."""

from contextlib import asynccontextmanager

import pytest

from bot.cluster.share import EVERYTHING, Everything
from bot.errors import ButtonError, MaybeSavedError
from bot.messaging.content import MAX_TEXT_LENGTH, MessageContent, Picture
from bot.settings.preferences import BELIEVED_SECONDS, Preferences
from bot.storage import PersonRecord
from bot.storage.people import PreferencesRecord
from tests.support.broken_files import lost_answers
from tests.support.match_records import ask, dealt, forget_user, person_of, put_person
from tests.support.matches import ANN, BEA, CYD, begun


@pytest.fixture
def preferences(storage, watch):
    return Preferences(storage, share=EVERYTHING, now=watch)


@pytest.fixture
def elsewhere(storage, watch):
    """The preferences of another process, which doesn't notify others of its changes."""
    return Preferences(storage, share=EVERYTHING, now=watch)


async def test_by_default_hands_have_pictures_and_arrive_in_the_usual_place(preferences):
    assert await preferences.of(ANN) == PreferencesRecord(desk=None, pictures=True, forced=None)


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        ("desk here", PreferencesRecord(desk="here")),
        ("pictures off", PreferencesRecord(pictures=False)),
        ("forced always", PreferencesRecord(forced=True)),
        ("forced never", PreferencesRecord(forced=False)),
        ("challenges nobody", PreferencesRecord(left_alone=True)),
    ],
)
async def test_each_preference_is_changed_by_itself_and_stored(
    preferences, elsewhere, what, expected
):
    await preferences.change(ANN, what)

    assert await preferences.of(ANN) == expected
    assert await elsewhere.of(ANN) == expected


@pytest.mark.parametrize(
    ("there", "back"),
    [
        ("pictures off", "pictures on"),
        ("forced always", "forced game"),
        ("challenges nobody", "challenges everyone"),
    ],
)
async def test_each_preference_can_be_changed_back(preferences, there, back):
    await preferences.change(ANN, there)
    await preferences.change(ANN, back)

    assert await preferences.of(ANN) == PreferencesRecord()


async def test_choosing_direct_messages_is_stored_whatever_the_default_is(preferences):
    await preferences.change(ANN, "desk here")
    await preferences.change(ANN, "desk dm")

    assert await preferences.of(ANN) == PreferencesRecord(desk="dm")


async def test_changing_one_preference_leaves_the_others_unchanged(preferences):
    await preferences.change(ANN, "desk here")
    await preferences.change(ANN, "forced never")
    await preferences.change(ANN, "pictures off")

    expected = PreferencesRecord(desk="here", pictures=False, forced=False)
    assert await preferences.of(ANN) == expected


async def test_other_processes_are_told_of_a_change(storage, watch):
    told, share = [], Everything()
    share.tell = lambda *what: told.append(what)
    preferences = Preferences(storage, share, now=watch)

    with pytest.raises(ButtonError):
        await preferences.change(ANN, "desk nowhere")
    await preferences.change(ANN, "desk here")

    assert told == [("preferences", ANN)]


async def test_an_unknown_preference_is_refused(preferences):
    with pytest.raises(
        ButtonError, match=(r"That preference doesn't exist\. Use `/preferences` again\.")
    ):
        await preferences.change(ANN, "desk nowhere")


async def test_a_preference_that_was_read_or_changed_is_cached(preferences, database):
    await preferences.of(ANN)
    await preferences.change(BEA, "pictures off")

    assert ask(database, "SELECT user FROM people") == [(BEA,)]
    assert await preferences.wants_words(BEA)
    assert not await preferences.wants_words(ANN)


async def test_deleted_preferences_are_not_cached(preferences, storage):
    await preferences.change(ANN, "pictures off")
    await forget_user(storage, ANN)
    preferences.forget(ANN)

    assert not await preferences.wants_words(ANN)


async def test_preferences_deleted_while_they_are_read_are_not_cached(
    preferences, elsewhere, storage
):
    await elsewhere.change(ANN, "pictures off")
    reading = storage.reading

    @asynccontextmanager
    async def read_before_the_deletion():
        async with reading() as connection:
            yield connection
        await forget_user(storage, ANN)
        preferences.forget(ANN)

    storage.reading = read_before_the_deletion
    assert await preferences.wants_words(ANN)
    storage.reading = reading

    assert not await preferences.wants_words(ANN)


async def test_a_change_by_another_process_that_told_nobody_is_seen_when_the_cache_expires(
    preferences, elsewhere, watch
):
    assert not await preferences.wants_words(ANN)

    await elsewhere.change(ANN, "pictures off")
    watch.advance(BELIEVED_SECONDS)

    assert await preferences.wants_words(ANN)


async def test_preferences_are_read_again_after_forgetting_all(preferences, elsewhere):
    await preferences.of(ANN)
    await elsewhere.change(ANN, "pictures off")

    preferences.forget_all()

    assert await preferences.wants_words(ANN)


async def test_preferences_read_before_forgetting_all_are_not_cached(
    preferences, elsewhere, storage
):
    reading = storage.reading

    @asynccontextmanager
    async def read_before_the_change():
        async with reading() as connection:
            yield connection
        await elsewhere.change(ANN, "pictures off")
        preferences.forget_all()

    storage.reading = read_before_the_change
    assert not await preferences.wants_words(ANN)
    storage.reading = reading

    assert await preferences.wants_words(ANN)


async def test_choosing_direct_messages_again_lets_the_bot_send_them_at_once(preferences, storage):
    await put_person(storage, ANN, PersonRecord(dm_channel=5, dm_closed_at=1000))

    await preferences.change(ANN, "desk here")
    still = await person_of(storage, ANN)
    await preferences.change(ANN, "desk dm")

    assert still.dm_closed_at == 1000
    assert await person_of(storage, ANN) == PersonRecord(dm_channel=5, dm_closed_at=None)


async def test_turning_pictures_off_changes_only_that_players_hand(preferences, matches):
    match = await begun(matches)
    _, before, other = await matches.snapshots(match)
    await preferences.change(ANN, "pictures off")

    table, after, same = await matches.snapshots(match)

    assert (before.words, after.words) == (False, True)
    assert before.key != after.key
    assert same.key == other.key
    assert not hasattr(table, "words")


async def test_only_a_players_own_snapshot_has_their_choice_about_direct_messages(
    preferences, matches
):
    match = await begun(matches)
    await preferences.change(BEA, "desk here")

    table, ann, bea = await matches.snapshots(match)

    assert (ann.desk, bea.desk) == (None, "here")
    assert not hasattr(table, "desk")


async def test_a_change_names_the_running_matches_to_redraw(preferences, matches):
    running = await begun(matches)
    over = await begun(matches, interaction=2)
    await matches.concede(over, BEA)

    assert await preferences.change(ANN, "pictures off") == (
        PreferencesRecord(pictures=False),
        [running],
    )


async def test_a_change_whose_commit_was_unconfirmed_takes_effect(storage, watch):
    """The connection breaks during the commit; other processes are notified too."""
    told, share = [], Everything()
    share.tell = lambda *what: told.append(what)
    preferences = Preferences(storage, share, now=watch)
    await preferences.of(ANN)

    async with lost_answers(storage):
        with pytest.raises(MaybeSavedError):
            await preferences.change(ANN, "pictures off")

    assert await preferences.of(ANN) == PreferencesRecord(pictures=False)
    assert told == [("preferences", ANN)]


def drawn(alt, **parts):
    return MessageContent(picture=Picture(name="a", draw=bytes, subject=0, alt=alt), **parts)


def test_the_alt_text_replaces_the_picture():
    content = drawn("Ann plays the 9.", head="head", foot="foot").in_words()

    assert content == MessageContent(head="head", foot="Ann plays the 9.\nfoot")


def test_a_message_without_a_picture_is_unchanged():
    content = MessageContent(head="head", foot="foot")

    assert content.in_words() is content


def test_alt_text_too_long_for_a_message_is_truncated():
    content = drawn("x" * 5000, head="head", foot="foot", rows=("between", ())).in_words()

    assert len(content.head + content.foot + "between") == MAX_TEXT_LENGTH
    assert content.foot.endswith("x…\nfoot")


async def test_seats_have_their_players_preference_for_forced_moves(preferences, storage):
    match = await dealt(storage, users=(ANN, BEA, CYD))
    await preferences.change(ANN, "forced always")
    await preferences.change(BEA, "forced never")

    async with storage.reading() as reading:
        record = await reading.matches.load(match)
    assert [seat.forced for seat in record.seats] == [True, False, None]
