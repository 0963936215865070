"""Queries of the computer ladder: only current members, and the games shown."""

from bot.stats.leaderboards import Query
from bot.storage.computer_ladder import ComputerLadderRepository
from tests.bot.stats.test_leaderboards import Membership, Unknown, boards_of
from tests.bot.storage.test_computer_ladder import played_computers
from tests.support.matches import ANN, BEA, GUILD


async def ladder_after_two_matches(storage, members, **wish):
    """Store a match each of Ann and Bea, who did better, against a computer; returns the ladder."""
    await played_computers(storage, 1, [(ANN, 2), ("easy", 1)])
    await played_computers(storage, 2, [(BEA, 1), ("easy", 2)])
    query = Query(computers=True, **wish)
    return await boards_of(storage, members).ladder(GUILD, query, 0, ANN)


def users(ladder):
    return {game: [line.user for line in page.lines] for game, page in ladder.pages.items()}


async def test_people_who_left_the_server_are_not_on_its_ladder(storage):
    ladder = await ladder_after_two_matches(storage, Membership(BEA), game="pico")

    assert users(ladder) == {"pico": [ANN]}
    assert (ladder.pages["pico"].own.place, ladder.complete) == (1, True)


async def test_membership_is_checked_for_people_who_move_up_too(storage):
    """Of 13 people with 10 per page, the first and the eleventh have left."""
    people = range(101, 114)  # equal lines are ordered by id, highest first
    for user in people:
        await played_computers(storage, user, [(user, 1), ("easy", 2)])
    members = Membership(113, 103)
    boards = boards_of(storage, members)

    ladder = await boards.ladder(GUILD, Query(game="pico", computers=True), 0, ANN)

    assert users(ladder) == {"pico": [112, 111, 110, 109, 108, 107, 106, 105, 104, 102]}
    assert ladder.complete


async def test_people_who_left_take_no_place_on_later_pages_either(storage):
    """Of 13 people with 10 per page, the second has left; nobody is on both pages."""
    for user in range(101, 114):  # equal lines are ordered by id, highest first
        await played_computers(storage, user, [(user, 1), ("easy", 2)])
    members = Membership(112)
    boards = boards_of(storage, members)
    query = Query(game="pico", computers=True)

    ladder = await boards.ladder(GUILD, query, 1, ANN)

    assert users(ladder) == {"pico": [102, 101]}
    assert ladder.pages["pico"].total == 12


async def test_the_ladder_of_all_games_omits_games_that_nobody_has_played(storage):
    assert users(await ladder_after_two_matches(storage, Membership())) == {"pico": [BEA, ANN]}


async def test_if_membership_is_unknown_everybody_is_shown_and_marked_incomplete(storage):
    ladder = await ladder_after_two_matches(storage, Unknown(), game="pico")

    assert users(ladder) == {"pico": [BEA, ANN]}
    assert not ladder.complete


async def test_results_are_read_once_however_many_people_have_left(storage, monkeypatch):
    """It's known who has left only after their results were read."""
    read, ranking = [], ComputerLadderRepository.ranking

    async def note(repository, board):
        read.append(board.game)
        return await ranking(repository, board)

    monkeypatch.setattr(ComputerLadderRepository, "ranking", note)

    await ladder_after_two_matches(storage, Membership(BEA), game="pico")

    assert read == ["pico"]
