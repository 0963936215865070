"""Moderation: ending matches, unseating players and withdrawing challenges."""

import pytest

from bot.errors import MatchError, NoSuchMatchError, NotSeatedError, PausedError, TooLateError
from bot.matches.moderation import Moderation
from tests.support.match_records import ask
from tests.support.matches import (
    ANN,
    BEA,
    CHANNEL,
    CYD,
    DAN,
    GUILD,
    WITH_COMPUTER,
    begun,
    opened,
    refusal,
)

NOT_HERE = "No match with that number is being played in this server. Pick one from the list."
NEITHER_HERE = "No match or challenge in this server has that number. Pick one from the list."
NONE_HERE = "No match is being played in this server."


@pytest.fixture
def moderation(storage, watch):
    return Moderation(storage, now=watch)


@pytest.mark.parametrize("pausing", [False, True])
async def test_a_moderator_closes_a_match_without_a_result(
    matches, pauses, moderation, database, pausing
):
    match = await begun(matches)
    await (pauses.pause(match, CHANNEL) if pausing else pauses.pause_channel(0))

    snapshot = (await moderation.end(match, GUILD)).public()

    assert (snapshot.status, snapshot.ending, snapshot.outcome) == ("closed", "moderator", None)
    assert ask(database, "SELECT count(*) FROM results") == [(0,)]


async def test_no_snapshot_of_a_match_closed_by_a_moderator_awaits_anybody(matches, moderation):
    """The rules don't know this ending and would still await moves."""
    match = await begun(matches)
    before = [snapshot.view.awaiting for snapshot in await matches.snapshots(match)]

    effect = await moderation.end(match, GUILD)

    after = [effect.public(), effect.snapshot_of(ANN), effect.snapshot_of(BEA)]
    assert before == [(0, 1)] * 3
    assert [snapshot.view.awaiting for snapshot in after] == [()] * 3


async def test_an_unseated_player_loses_to_the_one_who_stays(matches, moderation):
    match = await begun(matches)

    snapshot = (await moderation.unseat(match, GUILD, BEA, DAN)).public()

    assert snapshot.status == "over"
    assert snapshot.outcome.ranks == (1, 2)
    assert snapshot.seats[1].left_why == "unseated"


async def test_with_three_players_the_others_play_on_after_an_unseating(matches, moderation):
    match = await begun(matches, BEA, CYD)

    snapshot = (await moderation.unseat(match, GUILD, BEA, DAN)).public()

    assert snapshot.status == "running"
    assert snapshot.awaiting == {0, 2}


TOLD = """
    SELECT "user", event FROM notices WHERE event IN ('out', 'over', 'watched') ORDER BY "user"
"""


@pytest.mark.parametrize(
    ("moderator", "told"),
    [
        (DAN, [(ANN, "over"), (BEA, "over")]),
        (ANN, [(BEA, "over"), (DAN, "watched")]),
        (BEA, [(ANN, "over"), (DAN, "watched")]),
    ],
)
async def test_everybody_but_the_moderator_is_notified_of_an_end_by_unseating(
    matches, moderation, storage, database, moderator, told
):
    """Watchers are notified too; the moderator may be a player."""
    match = await begun(matches)
    async with storage.transaction() as writing:
        await writing.watches.add(match, DAN)

    await moderation.unseat(match, GUILD, BEA, moderator)

    assert ask(database, TOLD) == told


@pytest.mark.parametrize(("moderator", "told"), [(DAN, [(ANN, "over")]), (ANN, [(DAN, "watched")])])
async def test_the_same_people_are_notified_if_only_computers_are_left(
    matches, moderation, storage, database, moderator, told
):
    computers = {**WITH_COMPUTER, "computers": ("easy", "easy")}
    match = await opened(matches, opponents=(), **computers)
    async with storage.transaction() as writing:
        await writing.watches.add(match, DAN)

    await moderation.unseat(match, GUILD, ANN, moderator)

    assert ask(database, TOLD) == told


@pytest.mark.parametrize(("moderator", "told"), [(DAN, [(BEA, "out")]), (BEA, [])])
async def test_an_unseated_player_is_notified_then_and_at_the_end(
    matches, moderation, database, moderator, told
):
    match = await begun(matches, BEA, CYD)

    await moderation.unseat(match, GUILD, BEA, moderator)
    first = ask(database, TOLD)
    await matches.concede(match, CYD)

    assert first == told
    assert ask(database, TOLD) == [(ANN, "over"), (BEA, "over")]


async def test_only_players_of_the_match_can_be_unseated(matches, moderation):
    match = await begun(matches, BEA, CYD)
    await matches.concede(match, CYD)

    stranger = await refusal(moderation.unseat(match, GUILD, DAN, DAN))
    gone = await refusal(moderation.unseat(match, GUILD, CYD, DAN))

    assert stranger == (NotSeatedError, "This person isn't playing in this match.")
    assert gone == (MatchError, "This person has already left this match.")


async def test_nobody_can_be_unseated_while_a_match_is_paused(matches, pauses, moderation):
    match = await begun(matches)
    await pauses.pause(match, CHANNEL)

    error, sentence = await refusal(moderation.unseat(match, GUILD, BEA, DAN))

    assert error is PausedError
    assert sentence == (
        "This match is paused, so you can't remove anyone. End it, or wait until its players "
        "resume it."
    )


ELSEWHERE = {
    "end": lambda acts, match: acts.end(match, GUILD + 1),
    "unseat": lambda acts, match: acts.unseat(match, GUILD + 1, BEA, DAN),
    "ask to unseat": lambda acts, match: acts.must_be_removable(match, GUILD + 1, BEA),
    "withdraw": lambda acts, match: acts.withdraw(match, GUILD + 1, DAN),
}
"""Acts of moderators of another server than the match's."""


@pytest.mark.parametrize(
    ("act", "not_here"),
    [(act, NOT_HERE if "unseat" in name else NEITHER_HERE) for name, act in ELSEWHERE.items()],
    ids=ELSEWHERE,
)
async def test_moderators_can_act_only_on_matches_of_their_own_server(
    matches, moderation, act, not_here
):
    match = await begun(matches)
    assert await refusal(act(moderation, match)) == (NoSuchMatchError, NONE_HERE)
    await begun(matches, interaction=2, guild=GUILD + 1)

    assert await refusal(act(moderation, match)) == (NoSuchMatchError, not_here)
    assert (await matches.public(match)).status == "running"


@pytest.mark.parametrize(
    ("act", "said"),
    [
        ("end", NEITHER_HERE),
        ("withdraw", NEITHER_HERE),
        ("unseat", NONE_HERE),
        ("ask to unseat", NONE_HERE),
    ],
)
async def test_a_refusal_does_not_point_to_an_empty_list(matches, moderation, act, said):
    """The list of players to unseat has only running matches."""
    await opened(matches, BEA, guild=GUILD + 1)

    assert await refusal(ELSEWHERE[act](moderation, 404)) == (NoSuchMatchError, said)


async def test_a_finished_or_open_match_cannot_be_ended(matches, moderation):
    """A confirmation may come late; the refusal says what has happened to the match."""
    over = await begun(matches)
    await matches.concede(over, BEA)
    open_ = await opened(matches, CYD, interaction=2)
    await begun(matches, interaction=3)

    assert await refusal(moderation.end(over, GUILD)) == (TooLateError, "That match is over.")
    assert (await refusal(moderation.end(open_, GUILD)))[0] is TooLateError
    assert await refusal(moderation.end(404, GUILD)) == (NoSuchMatchError, NEITHER_HERE)


@pytest.mark.parametrize(("moderator", "told"), [(DAN, [(ANN, "declined")]), (ANN, [])])
async def test_the_challenger_is_notified_when_a_moderator_withdraws_their_challenge(
    matches, moderation, database, moderator, told
):
    match = await opened(matches, BEA)

    snapshot = (await moderation.withdraw(match, GUILD, moderator)).public()

    assert (snapshot.status, snapshot.ending) == ("withdrawn", "moderator")
    assert ask(database, 'SELECT "user", event FROM notices') == told
    assert await refusal(matches.accept(match, BEA)) == (
        TooLateError,
        "This challenge was withdrawn. Start a new one with a `play` command.",
    )


async def test_a_challenge_accepted_meanwhile_is_not_withdrawn(matches, moderation):
    """The moderator may play in it, and must not be able to end their own rated match."""
    match = await begun(matches)

    assert await refusal(moderation.withdraw(match, GUILD, ANN)) == (
        TooLateError,
        "This challenge was accepted, and the match has started. `/watch` leads there.",
    )


async def test_nobody_can_be_unseated_from_a_challenge(matches, moderation):
    match = await opened(matches, BEA)

    assert await refusal(moderation.unseat(match, GUILD, BEA, DAN)) == (
        MatchError,
        (
            "This match hasn't started yet, so there's nobody to remove. To withdraw the "
            "challenge, use `/moderate end`."
        ),
    )


async def test_the_list_has_running_matches_newest_first(matches, pauses, moderation):
    first = await begun(matches)
    second = await begun(matches, BEA, CYD, interaction=2)
    await pauses.pause(second, CHANNEL)
    await begun(matches, interaction=3, guild=GUILD + 1)
    challenge = await opened(matches, DAN, interaction=4)
    await matches.decline(await opened(matches, CYD, interaction=5), CYD)

    running = await moderation.running(GUILD)
    unfinished = await moderation.unfinished(GUILD)

    assert [(m.match, m.paused) for m in running] == [(second, True), (first, False)]
    assert [(m.match, m.is_open) for m in unfinished] == [
        (challenge, True),
        (second, False),
        (first, False),
    ]
