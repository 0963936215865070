"""Messages and channels that are deleted during a match, and rows that can't be decoded."""

from datetime import timedelta

import pytest
from structlog.testing import capture_logs

from bot.config import Support
from sandbox.permissions import Permission
from sandbox.ratelimits import Bucket
from tests.support.clock import MINUTE
from tests.support.tables import labels
from tests.support.typed_commands import typed


def standing(table, channel="games"):
    """The tables in a channel."""
    return [m for m in table.person("Ann").see(channel) if "Pico ·" in m.text]


async def test_a_deleted_table_is_posted_again(table):
    public = await table.match()
    table.discord.world.delete_message(public)

    await table.trick("Ann", "Bo")
    await table.discord.until(lambda: standing(table))

    (again,) = standing(table)
    assert "Last trick" in again.images[0].description
    assert labels(again) == ["My hand", "Menu", "Rules"]
    assert again.pinged == frozenset()
    await table.trick("Ann", "Bo")
    await table.finish(again, "Ann", "Bo")
    assert standing(table) == [again]


async def test_hands_link_to_the_table_that_was_posted_again(table):
    public = await table.match()
    table.discord.world.delete_message(public)
    await table.trick("Ann", "Bo")
    await table.discord.until(lambda: standing(table))

    await table.trick("Ann", "Bo")

    (again,) = standing(table)
    (link,) = [b.url for b in table.desk("Ann").buttons if b.url]
    assert link.endswith(f"/{again.id}")


async def test_a_mention_is_not_mistaken_for_the_deleted_table(table):
    """After a restart, the bot looks for a table that it may have sent without confirmation."""
    table.discord.world.set_permissions("games", allow=Permission.READ_MESSAGE_HISTORY)
    table.person("Bo").closed = True
    public = await table.match(pace="slow")
    await table.play("Ann")
    table.watch.advance(3 * MINUTE)
    await table.told()
    (mention,) = [m for m in table.person("Dan").see("games") if "It's your turn" in m.text]
    hand = await table.hand("Bo", mention)
    await table.restart()
    table.discord.world.delete_message(public)

    await table.pick("Bo", hand)
    await table.settled()
    await table.told()

    (again,) = standing(table)
    assert "Last trick" in again.images[0].description
    assert mention.deleted


async def test_no_requests_are_made_about_a_deleted_channel(table):
    """Discord bans clients that keep requesting what no longer exists."""
    public = await table.match()
    await table.stop()
    table.discord.world.delete_channel("games")
    await table.start()
    await table.discord.until(lambda: "**Paused**" in table.desk("Ann").text)
    await table.quiet_now()
    since = len(table.discord.requests)

    table.bot.services.live.retry_and_update(table.match_of(public))
    await table.quiet_now()

    assert table.requests(path=str(public.channel_id), since=since) == []


async def test_a_match_goes_on_in_hands_if_the_bot_can_no_longer_post(table, expired_tokens):
    await table.match()
    table.discord.world.set_permissions("games", deny=Permission.ATTACH_FILES)

    await table.trick("Ann", "Bo")
    await table.trick("Ann", "Bo")

    assert table.step(table.desk("Ann")) == 2


async def test_a_match_is_paused_if_the_bot_can_no_longer_see_its_channel(table, expired_tokens):
    await table.match()
    table.discord.world.set_permissions("games", deny=Permission.VIEW_CHANNEL)

    await table.play("Ann")
    await table.quiet_now()

    assert "**Paused**" in table.desk("Bo").text


async def test_a_deleted_hand_is_sent_again_in_the_next_round(table):
    public = await table.match()
    table.discord.world.delete_message(table.desk("Bo"))
    here = await table.hand("Bo", public)

    await table.trick_at({"Ann": table.desk("Ann"), "Bo": here})
    await table.discord.until(lambda: table.desk("Bo"))

    assert [table.step(desk) for desk in table.letters("Bo")] == [1]


async def test_a_player_who_lost_table_and_hand_gets_both_again(table):
    public = await table.match()
    await table.quiet_now()
    await table.stop()
    table.discord.world.delete_message(public)
    table.discord.world.delete_message(table.desk("Bo"))
    await table.start()

    await table.play("Ann")
    await table.quiet_now()
    (again,) = standing(table)
    await table.pick("Bo", await table.hand("Bo", again))
    await table.discord.until(
        lambda: table.desk("Bo") and "Last trick" in again.images[0].description
    )
    await table.quiet_now()

    assert [table.step(desk) for desk in table.letters("Bo")] == [1]


async def test_a_message_too_old_to_be_edited_is_replaced_by_a_new_one(table, expired_tokens):
    public = await table.match()
    table.discord.clock.advance(timedelta(hours=2))
    # No edit is allowed; the library tries five times before it raises.
    table.discord.limits.old_edits[public.channel_id] = Bucket(0, timedelta(milliseconds=10))

    await table.trick("Ann", "Bo")
    await table.discord.until(lambda: public.deleted)

    (again,) = standing(table)
    assert "Last trick" in again.images[0].description
    table.discord.limits.old_edits.clear()
    await table.finish(again, "Ann", "Bo")
    assert standing(table) == [again]


async def test_a_challenge_whose_message_was_deleted_harms_no_other_match(table):
    """Nobody sees it, so nobody can answer it."""
    public = await table.challenge()
    table.discord.world.delete_message(public)

    second = await table.match("Ann", "Cleo")
    await table.trick("Ann", "Cleo")

    assert table.match_of(second) == 2
    assert table.sql("SELECT status FROM matches") == [("open",), ("running",)]


DAMAGE = {
    "field": """UPDATE matches SET state = replace(state, '"round":1', '"round":"one"')""",
    "cut": "UPDATE matches SET state = substr(state, 1, 40)",
    "too much": """UPDATE matches SET state = replace(state, '{"options"', '{"x":1,"options"')""",
    "options": """UPDATE matches SET options = '{"deck":"tarot"}'""",
    "game": "UPDATE matches SET game = 'tarot'",
    "schema": "UPDATE matches SET schema = 99",
    "never dealt": "UPDATE matches SET state = NULL",
}
DAMAGED = (
    "This match's record is damaged, so it can't continue. Nothing else is affected. Please tell "
    "the bot's owner."
)


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
async def test_a_damaged_record_gets_a_sentence_and_a_log_line_without_secrets(table, damage):
    public = await table.match()
    ((seed,),) = table.sql("SELECT seed FROM matches")
    desk = table.desk("Ann")
    await table.stop()  # a running bot remembers what it has read
    await table.change(damage)
    await table.start()
    await table.repaired()

    with capture_logs() as logs:
        answers = [
            await table.pick("Ann", desk),
            await table.person("Bo").click(public, "My hand"),
            await table.person("Ann").click(desk, "Menu"),
        ]

    assert [answer.text for answer in answers] == [DAMAGED] * 3
    told = [line for line in logs if line["event"] != "ready"]  # Discord decides when it comes
    assert [line["event"] for line in told] == ["corrupt record"] * 3
    assert [line["log_level"] for line in told] == ["error"] * 3
    assert seed not in str(logs)
    assert "hands" not in str(logs)


async def test_a_damaged_record_harms_no_other_match(table):
    await table.match("Ann", "Bo")
    sound = await table.match("Cleo", "Dan", variant="pico1")
    await table.change(f"{DAMAGE['field']} WHERE id = 1")

    await table.play("Ann")
    await table.finish(sound, "Cleo", "Dan")

    assert "dots over both rounds" in sound.text


async def test_a_damaged_record_does_not_keep_the_bot_from_starting(table):
    public = await table.match("Ann", "Bo")
    sound = await table.match("Cleo", "Dan")
    await table.stop()
    await table.change(f"{DAMAGE['field']}, revision = revision + 1 WHERE id = 1")

    with capture_logs() as logs:
        await table.start()
        await table.trick("Cleo", "Dan")
        answer = await table.person("Ann").click(public, "My hand")

    assert answer.text == DAMAGED
    assert {"event": "match not shown", "match": 1} in [
        {key: line[key] for key in ("event", "match")} for line in logs if "match" in line
    ]
    assert "Sealed deal" in sound.text


@pytest.mark.parametrize(
    ("support", "where"),
    [
        (Support(), "give the bot's owner"),
        (Support(url="https://example.com"), "go to <https://example.com> and give"),
        (Support(channel=1, url="https://example.com"), "use `/report` and give"),
    ],
    ids=["nowhere", "a page", "a command"],
)
async def test_a_bug_gets_an_apology_with_a_number_that_is_in_the_log(table, support, where):
    """An act that fails unexpectedly; the apology names no command that isn't available there."""
    public = await table.match()
    table.bot.services.reports.support = support

    async def fail(interaction, press):
        raise RuntimeError("nobody has thought of this")

    table.bot.services.router.remove("hand")
    table.bot.services.router.add("hand", fail)

    with capture_logs() as logs:
        answer = await table.person("Ann").click(public, "My hand")

    (line,) = [line for line in logs if line["event"] == "bug"]
    assert answer.ephemeral
    assert typed(answer.text) == (
        "Something went wrong on my end. Nothing you did is lost, so try again. If it happens "
        f"again, {where} the number `{line['number']}`."
    )
