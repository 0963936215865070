"""Profiles and rivalries: which matches count, against whom, which variant and server."""

import itertools

import pytest

from bot.errors import ButtonError, MatchError
from bot.stats.profiles import Profiles, Query, query_of
from bot.stats.visibility import Audience
from bot.storage.profiles import (
    FORMER,
    PRIVATE,
    STATEMENTS,
    ScopeRecord,
    scope_query,
)
from tests.support.match_records import change, finished, forget_user, hide
from tests.support.matches import ANN, BEA, CYD, DAN, GUILD, Somebody
from tests.support.plans import plan_of

HERE = ScopeRecord(user=ANN, guild=GUILD)
IN_SERVER = Audience(asker=ANN, guild=GUILD, private=False)
IN_LETTERS = Audience(asker=ANN, guild=None, private=True)


NUMBERS = itertools.count(1)
"""Interaction ids of the challenges, which must differ."""


async def play(storage, *matches, **changes):
    """Store matches of Ann's, given as pairs of the opponents and the ranks, hers first."""
    for others, ranks in matches:
        await finished(storage, next(NUMBERS), (ANN, *others), ranks, **changes)


async def profile(storage, *, audience=IN_SERVER, page=0, **wanted):
    return await Profiles(storage).profile(Query(user=ANN, **wanted), audience, page)


async def rivalry(storage, rival=BEA, *, audience=IN_SERVER, **wanted):
    query = Query(user=ANN, rival=rival, **wanted)
    return await Profiles(storage).rivalry(query, audience)


async def met(storage, *, onlooker=0, first=0, count=10, scope=HERE):
    async with storage.reading() as reading:
        return await reading.profiles.opponents(scope, onlooker=onlooker, first=first, count=count)


def lines(page):
    return [(line.user, line.matches, line.ahead, line.level, line.behind) for line in page.lines]


async def test_matches_are_counted_together_and_by_game(storage):
    await play(storage, ([BEA], (1, 2)), ([BEA], (1, 1)), ([CYD], (2, 1)))
    await play(storage, ([BEA], (1, 2)), game="duel")

    found = await profile(storage)

    total = found.total
    assert (total.matches, total.won, total.drawn, total.lost) == (4, 2, 1, 1)
    assert [(game, t.matches, t.won) for game, t in found.games.items()] == [
        ("pico", 3, 1),
        ("duel", 1, 1),
    ]
    assert (found.streaks.last, found.streaks.length) == ("won", 1)


async def test_a_profile_can_be_of_one_game(storage):
    await play(storage, ([BEA], (1, 2)))
    await play(storage, ([BEA], (2, 1)), game="duel")

    found = await profile(storage, game="duel")

    assert (found.total.matches, found.total.lost, list(found.games)) == (1, 1, ["duel"])


async def test_matches_of_other_servers_are_shown_only_to_the_person(storage):
    await play(storage, ([BEA], (1, 2)))
    await play(storage, ([BEA], (2, 1)), ([CYD], (2, 1)), guild=GUILD + 1)

    here = await profile(storage)
    everywhere = await profile(storage, audience=IN_LETTERS)
    there = await profile(storage, audience=IN_LETTERS, server=GUILD + 1)
    forged = await profile(storage, server=GUILD + 1)

    assert (here.total.won, here.total.lost, here.servers) == (1, 0, {})
    assert (everywhere.total.matches, everywhere.servers) == (3, {GUILD + 1: 2, GUILD: 1})
    assert (there.total.lost, there.guild, there.servers) == (2, GUILD + 1, everywhere.servers)
    assert (forged.total, forged.guild, forged.servers) == (here.total, GUILD, {})


async def test_matches_with_computers_are_not_results_against_people(storage, database):
    await play(storage, ([BEA], (1, 2)), ([CYD], (1, 2)))
    change(database, "UPDATE results SET levels = 'easy' WHERE match = 2")

    found = await profile(storage)

    assert found.total.matches == 1
    assert lines(found.opponents) == [(BEA, 1, 1, 0, 0)]


async def test_casual_matches_count_without_changing_the_rating(storage):
    await play(storage, ([BEA], (1, 2)))
    await play(storage, ([BEA], (2, 1)), rated=False)

    found = await profile(storage)

    assert found.total.matches == 2
    assert [point.rating for point in found.ratings[0].points] == [1563]


async def test_the_favorite_variant_is_the_most_played_and_of_ties_the_latest(storage):
    decks = ("standard", "pico2", "standard", "pico2", "pico1")
    for n, deck in enumerate(decks):
        options = f'{{"deck":"{deck}"}}'
        await finished(storage, n + 1, (ANN, BEA), (1, 2), options=options)

    async with storage.reading() as reading:
        liked = await reading.profiles.favorite(HERE)

    assert (liked.options, liked.matches) == ('{"deck":"pico2"}', 2)


async def test_unreadable_options_are_not_shown_as_the_favorite(storage):
    await play(storage, ([BEA], (1, 2)), options='{"deck":"of yore"}')

    assert (await profile(storage)).favorite is None


async def test_opponents_are_ordered_by_number_of_matches_then_by_the_latest(storage):
    await play(storage, ([BEA], (1, 2)), ([CYD], (2, 1)), ([DAN], (1, 1)), ([CYD], (1, 2)))

    assert lines(await met(storage)) == [(CYD, 2, 1, 0, 1), (DAN, 1, 0, 1, 0), (BEA, 1, 1, 0, 0)]


async def test_with_three_players_everybody_with_a_worse_rank_is_beaten(storage):
    await play(storage, ([BEA, CYD], (2, 1, 3)), ([BEA, CYD], (2, 1, 2)))

    found = await profile(storage)

    assert found.total.lost == 2
    assert lines(found.opponents) == [(CYD, 2, 1, 1, 0), (BEA, 2, 0, 0, 2)]


async def test_a_page_of_opponents_beyond_the_end_is_the_last_page(storage):
    for n in range(5):
        await play(storage, ([2000 + n], (1, 2)))

    beyond = await met(storage, first=90, count=2)

    assert (beyond.first, beyond.total) == (4, 5)
    assert lines(beyond) == [(2000, 1, 1, 0, 0)]
    assert beyond == await met(storage, first=4, count=2)


async def test_former_players_share_one_line(storage):
    await play(storage, ([BEA], (1, 2)), ([CYD], (1, 2)), ([DAN], (1, 2)))

    await forget_user(storage, BEA)
    await forget_user(storage, CYD)

    assert lines(await met(storage)) == [(FORMER, 2, 2, 0, 0), (DAN, 1, 1, 0, 0)]


@pytest.mark.parametrize(
    ("onlooker", "named"), [(0, PRIVATE), (DAN, PRIVATE), (ANN, BEA), (BEA, BEA)]
)
async def test_a_private_opponent_is_named_only_to_the_two_players(
    storage, database, onlooker, named
):
    await play(storage, ([BEA], (1, 2)))
    hide(database, BEA)

    assert lines(await met(storage, onlooker=onlooker)) == [(named, 1, 1, 0, 0)]


async def test_a_rivalry_is_counted_from_the_first_persons_side(storage):
    await play(storage, ([BEA], (2, 1)), ([BEA, CYD], (1, 2, 3)), ([CYD], (2, 1)), ([BEA], (1, 2)))

    found = await rivalry(storage)

    total = found.total
    assert (total.matches, total.won, total.drawn, total.lost) == (3, 2, 0, 1)
    assert (found.streaks.last, found.streaks.length) == ("won", 2)
    assert [meeting.match for meeting, _ in found.latest] == [4, 2, 1]
    assert {(line.user, line.game) for line in found.ratings} == {(ANN, "pico"), (BEA, "pico")}


async def test_a_rivalry_across_all_servers_shows_no_ratings(storage):
    await play(storage, ([BEA], (2, 1)))
    await play(storage, ([BEA], (2, 1)), guild=GUILD + 1)

    found = await rivalry(storage, audience=IN_LETTERS)

    assert (found.total.lost, found.ratings, found.servers) == (2, [], {GUILD: 1, GUILD + 1: 1})


def test_a_query_is_made_from_the_options_of_the_command():
    query = query_of(ANN, None, "pico", Somebody(BEA), words=True)

    assert query == Query(user=ANN, game="pico", rival=BEA, words=True)
    assert query_of(ANN, Somebody(BEA), None, None, words=False).people == (BEA,)


@pytest.mark.parametrize(
    ("user", "rival", "sentence"),
    [
        (Somebody(7, bot=True), None, "<@7> is a bot. Pick a person."),
        (None, Somebody(8, bot=True), "<@8> is a bot. Pick a person."),
        (None, Somebody(ANN), "You can't compare someone with themselves"),
        (Somebody(BEA), Somebody(BEA), "You can't compare someone with themselves"),
    ],
)
def test_bots_and_comparing_a_person_with_themselves_are_refused(user, rival, sentence):
    with pytest.raises(MatchError, match=sentence):
        query_of(ANN, user, None, rival, words=False)


@pytest.mark.parametrize(
    "query",
    [
        Query(user=ANN),
        Query(user=2**63 - 1, game="conquest", rival=2**63 - 1, words=True),
        Query(user=ANN, game="conquest", rival=2**63 - 1, server=2**63 - 1, words=True),
    ],
)
def test_a_query_survives_in_the_arg_of_a_button_and_fits(query):
    assert Query.parse(str(query), user=ANN) == query
    assert len(str(query)) <= 55
    assert ":" not in str(query)


@pytest.mark.parametrize("text", ["", "x - 0 p", "7 - 0", "7 chess 0 p", "7 - 0 q", "s - 0 p"])
def test_any_other_text_is_not_a_query(text):
    with pytest.raises(ButtonError, match="Use `/stats` again"):
        Query.parse(text, user=ANN)


@pytest.mark.sqlite
@pytest.mark.parametrize("scope", [HERE, ScopeRecord(user=ANN, game="pico")])
@pytest.mark.parametrize("statement", STATEMENTS)
def test_no_statistics_query_reads_a_whole_table(database, statement, scope):
    query, values = scope_query(statement, scope)
    text = query.texts["sqlite"]
    wanted = {"rival": BEA, "onlooker": 0, "first": 0, "count": 10, "lately": 9}
    every = {**values, **wanted, "former": 0, "private": -1}
    asked_for = {name: value for name, value in every.items() if f":{name}" in str(text)}

    plan = plan_of(database, text.bindparams(**asked_for))

    tables = ("mine", "other", "matches", "people")
    assert [step for step in plan if step.startswith("SEARCH mine USING COVERING INDEX")]
    assert not [step for step in plan if step.startswith(tuple(f"SCAN {t}" for t in tables))]
