"""The options of a match of Divide & Conquer: read from `/conquest play`, and described briefly."""

from typing import Any, Final

from bot.errors import ChallengeError
from bot.interactions.game_options import checked_options
from bot.text import capitalized, listed
from games.conquest import Options

EQUAL: Final = {
    "annihilate": "All of them are lost (printed rule)",
    "choice": "Commander's Choice: the attacker decides",
    "bounce": "The attackers turn back, no losses",
}
REINFORCE: Final = {
    "in-order": "One player at a time (printed rule)",
    "together": "All at once in secret: saves time in slow matches",
}
GOAL: Final = {
    "either": "All four objectives of either battalion",
    "both": "All objectives of both battalions at once",
}
PLAYERS: Final = {
    2: "2 players, two battalions each",
    3: "3 players, one battalion each",
    4: "4 players, one battalion each",
}


def options_from(seats: int, **chosen: Any) -> Options:  # noqa: ANN401 - options vary in type
    """The options with these fields; None means the default, which is the rulebook's.

    Raises ChallengeError if they don't go together, or don't fit this many seats.
    """
    if chosen.get("goal") == "both" and seats > 2:
        raise ChallengeError(
            f"With {seats} players, everyone has only one battalion. Leave out the option `goal`, "
            "or choose two players."
        )
    return checked_options(Options, **chosen)


def seats_for(players: int | None, opponents: int, *, computer: bool = False) -> int:
    """The number of seats for the challenger, this many named opponents, and maybe a computer.

    `players` None means as many as are named, at least two. Raises ChallengeError if there aren't
    enough seats for everyone.
    """
    least, most = 1 + opponents + computer, max(PLAYERS)
    seats = max(2, least) if players is None else players
    if least <= min(seats, most):
        return seats
    whom = "you and the computer" if computer else "you"
    ways = ["name fewer opponents"]
    ways += ["choose more players"] if least <= most else []
    ways += ["leave the computer out"] if computer else []
    limit = f"and at most {most} can play" if least > most else f"not {seats}"
    raise ChallengeError(
        f"With {whom}, that's {least} players, {limit}. {capitalized(listed(ways, 'or'))}."
    )


def named(options: Options) -> str:
    """What differs from the printed game, the most important first; `standard` if nothing does."""
    plain = Options()
    parts = []
    if options.goal == "both":
        parts.append("win with both battalions")
    if options.equal == "choice":
        parts.append("Commander's Choice")
    if options.equal == "bounce":
        parts.append("equals bounce")
    if options.turn_limit != plain.turn_limit:
        turns = "one turn" if options.turn_limit == 1 else f"{options.turn_limit} turns"
        parts.append(f"at most {turns}")
    if options.redeployment:
        parts.append("redeployment")
    if options.reinforce == "together":
        parts.append("reinforcing together")
    if options.signal:
        parts.append("signals")
    return ", ".join(parts) or "standard"
