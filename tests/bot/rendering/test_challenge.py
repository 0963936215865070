"""What a challenge says about the players it's for, and about its open seats."""

import pytest

from bot.matches.rated_quota import PER_PAIR
from bot.rendering import render
from bot.rendering.presentation import Presentations
from bot.time_units import DAY_SECONDS
from cogs.conquest.presentation import ConquestPresentation
from cogs.pico.presentation import PicoPresentation
from games.conquest import CONQUEST
from games.pico import PICO
from tests.support.matches import ANN, BEA, CYD, NOW, begun, opened

THREE = {"options": PICO.presets["pico1-three"], "wanted": 3}
MIDNIGHT = int(NOW - NOW % DAY_SECONDS + DAY_SECONDS)
WAR = {"game": "conquest", "options": CONQUEST.presets["standard"], "wanted": 4}


@pytest.fixture
def lines(matches):
    """The lines of a challenge."""
    presentations = Presentations()
    presentations[PICO.key] = PicoPresentation()
    presentations[CONQUEST.key] = ConquestPresentation()

    async def shown(match):
        return render(await matches.public(match), presentations).head.splitlines()

    return shown


@pytest.fixture
def asked(lines):
    """The line below the title of a challenge."""

    async def line(match):
        return (await lines(match))[1]

    return line


async def test_the_number_of_players_wanted_goes_down_as_people_join(matches, asked):
    match = await opened(matches, opponents=(), **THREE)
    assert await asked(match) == f"<@{ANN}> is looking for 2 opponents."

    await matches.join(match, CYD)

    assert await asked(match) == f"<@{ANN}> is looking for 1 more player."


async def test_with_an_invited_player_and_one_who_joined_no_player_is_wanted(matches, asked):
    match = await opened(matches, BEA, **THREE)
    await matches.join(match, CYD)

    assert await asked(match) == f"<@{ANN}> challenges <@{BEA}> and <@{CYD}>."


async def test_a_challenge_with_all_seats_taken_names_everybody(matches, asked):
    match = await opened(matches, BEA, **WAR)
    await matches.join(match, CYD)
    assert await asked(match) == (f"<@{ANN}> challenges <@{BEA}> and is looking for 1 more player.")

    await matches.seat_computer(match, ANN, "easy")
    full = f"<@{ANN}> challenges <@{BEA}>, <@{CYD}> and Computer (easy)."
    assert await asked(match) == full
    await matches.withdraw(match, ANN)

    assert await asked(match) == full


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"opponents": (), "wanted": 2}, f"<@{ANN}> was looking for an opponent."),
        ({"opponents": (), **THREE}, f"<@{ANN}> was looking for 2 opponents."),
        ({"opponents": (BEA,), **THREE}, f"<@{ANN}> challenges <@{BEA}>."),
    ],
)
async def test_a_challenge_that_is_over_is_not_looking_for_anybody(matches, asked, options, said):
    match = await opened(matches, **options)

    await matches.withdraw(match, ANN)

    assert await asked(match) == said


async def test_a_player_who_joined_a_challenge_without_a_match_is_not_called_challenged(
    matches, asked
):
    match = await opened(matches, opponents=(), **THREE)
    await matches.join(match, CYD)

    await matches.withdraw(match, ANN)

    assert await asked(match) == f"<@{ANN}> was looking for 2 opponents."


@pytest.mark.parametrize(("options", "whose"), [(THREE, "your hand"), (WAR, "your orders")])
async def test_a_challenge_says_what_may_be_sent_by_direct_message(matches, lines, options, whose):
    match = await opened(matches, BEA, **options)

    assert any(
        line.endswith(f"decides whether I also send {whose} by direct message.")
        for line in await lines(match)
    )


async def often(matches, *opponents):
    """Begin as many rated matches as a pair can begin in a day."""
    for n in range(PER_PAIR):
        await begun(matches, *opponents, interaction=n)


async def terms_of(lines, match):
    return (await lines(match))[-1]


@pytest.mark.parametrize("opponents", [(BEA,), (BEA, CYD)])
async def test_a_challenge_says_that_it_would_begin_casual_today(matches, lines, opponents):
    """Those challenged may want to accept it tomorrow instead."""
    await often(matches, BEA)

    match = await opened(matches, *opponents, interaction=99)

    assert (
        f"Casual until <t:{MIDNIGHT}:f>: the daily limit of {PER_PAIR} rated matches per pair was "
        "reached ·"
    ) in await terms_of(lines, match)


@pytest.mark.parametrize(
    ("challenge", "said"),
    [
        ({"rated": False}, "· Casual, unrated ·"),
        ({"opponents": (CYD,)}, "· Rated ·"),
        ({"opponents": (BEA,), **THREE}, "· Rated ·"),  # nobody knows yet who will join
    ],
)
async def test_the_limit_of_a_pair_says_nothing_about_other_challenges(
    matches, lines, challenge, said
):
    await often(matches, BEA)

    match = await opened(matches, interaction=99, **challenge)

    assert said in await terms_of(lines, match)
