"""Challenges that can't be made, and answers to challenges that don't make sense."""

import pytest

from sandbox.permissions import Permission
from tests.support.tables import labels
from tests.support.typed_commands import typed

NEEDED = {
    "View Channel": Permission.VIEW_CHANNEL,
    "Send Messages": Permission.SEND_MESSAGES,
    "Embed Links": Permission.EMBED_LINKS,
    "Attach Files": Permission.ATTACH_FILES,
}


def nothing_was_made(table, answer):
    """Whether the answer is private and no match was stored."""
    assert answer.ephemeral
    return table.sql("SELECT count(*) FROM matches") == [(0,)]


@pytest.mark.parametrize("names", [("Ann",), ("Bo", "Ann"), ("Ann", "Bo")])
async def test_nobody_can_challenge_themselves(table, names):
    answer = await table.ask("Ann", *names)

    assert answer.text == "You can't challenge yourself. Pick someone else in this server."
    assert nothing_was_made(table, answer)


async def test_nobody_can_challenge_another_bot(table):
    robot = table.discord.world.add_person("Robot")
    robot.bot = True
    ann, bo = table.person("Ann"), table.person("Bo")

    alone = await ann.slash("pico play", channel="games", opponent=robot)
    second = await ann.slash("pico play", channel="games", opponent=bo, second_opponent=robot)

    for answer in (alone, second):
        assert answer.text == (
            "Bots can't answer a challenge. Pick a person, or set `computer` to play a computer."
        )
        assert nothing_was_made(table, answer)


async def test_naming_the_bot_as_opponent_starts_a_match_against_a_computer(table):
    bot = table.discord.world.bot

    answer = await table.person("Ann").slash("pico play", channel="games", opponent=bot)

    assert "Computer (" in answer.text
    assert table.sql("SELECT status, rated FROM matches") == [("running", 0)]
    assert table.sql("SELECT count(*) FROM seats WHERE computer IS NOT NULL") == [(1,)]


async def test_naming_both_the_bot_and_a_level_is_refused(table):
    bot = table.discord.world.bot

    answer = await table.person("Ann").slash(
        "duel play", channel="games", opponent=bot, computer="easy"
    )

    assert answer.text == "You named me and chose a computer too. Leave one of them out."
    assert nothing_was_made(table, answer)


async def test_nobody_can_be_challenged_twice_in_one_match(table):
    answer = await table.ask("Ann", "Bo", "Bo")

    assert answer.text == "You named the same person twice. Every seat needs its own player."
    assert nothing_was_made(table, answer)


@pytest.mark.parametrize(
    ("names", "variant", "count"),
    [
        (("Ann", "Bo", "Cleo"), "standard", "2 players. With you, that's 3"),
        (("Ann", "Bo", "Cleo"), "pico1", "2 players. With you, that's 3"),
    ],
)
async def test_a_variant_requires_its_number_of_players(table, names, variant, count):
    answer = await table.ask(*names, variant=variant)

    assert answer.text == (
        f"This variant of Pico is for {count}. Choose another variant, or name fewer opponents."
    )
    assert nothing_was_made(table, answer)


@pytest.mark.parametrize(
    ("names", "title"), [(("Ann", "Bo"), "13 cards"), (("Ann", "Bo", "Cleo"), "Pico I for three")]
)
async def test_the_default_variant_fits_the_number_of_players(table, names, title):
    public = await table.challenge(*names)

    assert f"### Pico · {title}" in public.text


async def test_somebody_who_is_not_in_the_server_cannot_be_challenged(table):
    world = table.discord.world
    stranger = world.add_person("Eve", guild=world.add_guild("Elsewhere"))

    answer = await table.person("Ann").slash("pico play", channel="games", opponent=stranger)

    assert answer.text == "I can't find that person. Pick someone in this server."
    assert nothing_was_made(table, answer)


@pytest.mark.parametrize("lacking", NEEDED)
async def test_a_challenge_names_the_permission_that_the_bot_lacks_in_a_channel(table, lacking):
    table.discord.world.set_permissions("games", deny=NEEDED[lacking])

    answer = await table.ask("Ann", "Bo")

    assert answer.text == (
        f"I can't run a match in this channel: I need {lacking} here. Ask a moderator to allow "
        "that, or play in another channel."
    )
    assert nothing_was_made(table, answer)


@pytest.fixture
async def thread(table):
    """A thread below #games, in which the bot can write unless a test says otherwise."""
    world = table.discord.world
    world.set_permissions(
        "games", allow=Permission.CREATE_PUBLIC_THREADS | Permission.SEND_MESSAGES_IN_THREADS
    )
    parent = world.channel("games")
    message = await table.person("Ann").say(parent, "A place of our own")
    made = await table.bot.http.start_thread_with_message(
        parent.id, message.id, name="corner", auto_archive_duration=60, rate_limit_per_user=None
    )
    return world.channel(int(made["id"]))


async def test_threads_have_permissions_of_their_own(table, thread):
    table.discord.world.set_permissions("games", deny=Permission.SEND_MESSAGES_IN_THREADS)

    answer = await table.ask("Ann", "Bo", channel=thread)

    assert "I need Send Messages in Threads here." in answer.text
    assert nothing_was_made(table, answer)


@pytest.mark.parametrize("denied", [Permission(0), Permission.SEND_MESSAGES], ids=["no", "yes"])
async def test_a_match_can_be_played_in_a_thread(table, thread, denied):
    """Even if the bot can't write in the channel itself."""
    table.discord.world.set_permissions(
        "games", allow=Permission.SEND_MESSAGES_IN_THREADS, deny=denied
    )

    public = await table.match(channel=thread, variant="pico1")
    await table.finish(public, "Ann", "Bo")

    assert public.channel_id == thread.id
    assert "seed was" in public.text


async def test_no_match_begins_in_a_locked_thread(table, thread):
    """A moderator can use commands there, but the bot couldn't edit a table."""
    thread.thread.locked = True
    table.discord.world.emit("thread_updated", thread)

    answer = await table.ask("Ann", "Bo", channel=thread)

    assert answer.text.startswith("This thread is locked, so I can't run matches here. Unlock it")
    assert nothing_was_made(table, answer)


async def test_a_stranger_can_neither_accept_nor_decline_nor_withdraw_a_challenge(table):
    public = await table.challenge()
    dan = table.person("Dan")

    answers = [await dan.click(public, label) for label in ("Accept", "Decline", "Withdraw")]

    assert [answer.text for answer in answers] == [
        "This challenge isn't for you. Start your own with a `play` command.",
        "This challenge isn't for you. Start your own with a `play` command.",
        (
            "Only the challenger can withdraw this challenge. If you're "
            "invited, **Decline** turns it down."
        ),
    ]
    assert all(answer.ephemeral for answer in answers)
    assert "Accept" in labels(public)


async def test_the_challenger_can_neither_accept_nor_decline(table):
    public = await table.challenge()

    accepted = await table.person("Ann").click(public, "Accept")
    declined = await table.person("Ann").click(public, "Decline")

    assert accepted.text == "You've already accepted. Wait for the others."
    assert declined.text == "This is your own challenge. To take it back, press **Withdraw**."


async def test_the_challenged_player_cannot_withdraw(table):
    public = await table.challenge()

    answer = await table.person("Bo").click(public, "Withdraw")

    assert answer.text == (
        "Only the challenger can withdraw this challenge. If you're "
        "invited, **Decline** turns it down."
    )


@pytest.mark.parametrize(
    ("name", "label", "status", "sentence"),
    [
        ("Bo", "Decline", "declined", " declined the challenge."),
        ("Ann", "Withdraw", "withdrawn", "The challenge was withdrawn."),
    ],
)
async def test_a_declined_or_withdrawn_challenge_loses_its_buttons(
    table, name, label, status, sentence
):
    public = await table.challenge()

    answer = await table.person(name).click(public, label)
    await table.discord.until(lambda: sentence in public.text)

    assert answer.kind == 6
    assert labels(public) == []
    assert table.sql("SELECT status FROM matches") == [(status,)]


@pytest.mark.parametrize(
    ("end", "sentence"),
    [
        (("Bo", "decline"), "This challenge was declined. Start a new one with a `play` command."),
        (
            ("Ann", "withdraw"),
            "This challenge was withdrawn. Start a new one with a `play` command.",
        ),
        (
            ("Bo", "accept"),
            "This challenge was accepted, and the match has started. `/watch` leads there.",
        ),
    ],
)
@pytest.mark.parametrize(
    ("name", "act"), [("Bo", "accept"), ("Bo", "decline"), ("Ann", "withdraw")]
)
async def test_a_challenge_can_be_answered_only_once(table, end, sentence, name, act):
    public = await table.challenge()
    ending, how = end
    await table.person(ending).forge(public, custom_id=f"f1:1:0:{how}:")

    answer = await table.person(name).forge(public, custom_id=f"f1:1:0:{act}:")

    # A message that is behind may be updated by the click first.
    await table.discord.until(lambda: answer.ephemeral or answer.followups)
    (told,) = [answer.message] if answer.ephemeral else answer.followups
    assert (typed(told.text), told.ephemeral_to) == (sentence, table.person(name).id)


async def test_a_match_of_three_waits_for_the_last_to_accept(table):
    public = await table.challenge("Ann", "Bo", "Cleo")

    await table.person("Bo").click(public, "Accept")
    await table.discord.until(lambda: f"for {table.person('Cleo').mention}." in public.text)
    twice = await table.person("Bo").click(public, "Accept")
    declined = await table.person("Bo").click(public, "Decline")

    assert twice.text == "You've already accepted. Wait for the others."
    assert declined.text == "You've already accepted. To give up your seat, press **Leave**."
    assert "Accept" in labels(public)
    assert table.letters("Ann") == []


async def test_a_choice_before_the_match_begins_is_refused(table):
    public = await table.challenge()

    answer = await table.person("Ann").forge(public, custom_id="f1:1:0:pick:5")

    assert answer.text == (
        "This match hasn't started yet: someone still has to accept. Wait for them."
    )
