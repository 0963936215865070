"""Short matches of every game with random moves, and their exports."""

import json

from bot.matches.verification import verify
from games.chance import Chance
from games.conquest import CONQUEST
from games.duel import DUEL
from games.pico import PICO
from games.prize import PRIZE
from games.spite import SPITE
from tests.support.matches import ANN, BEA, CYD, DAN, GUILD, begun

PEOPLE = (ANN, BEA, CYD, DAN)
SHORT = {
    "pico": (2, PICO.presets["standard"]),
    "pico three": (3, PICO.presets["pico1-three"]),
    "duel": (2, DUEL.presets["standard"]),
    "conquest": (4, CONQUEST.options(turn_limit=5)),
    "conquest teams": (2, CONQUEST.options(turn_limit=5, equal="bounce", redeployment=True)),
    "prize": (2, PRIZE.options(hand_limit=2)),
    "spite": (2, SPITE.presets["quick"]),
}


async def seated(matches, case):
    """Begin a match of a case of `SHORT`; its id and the users who play."""
    seats, options = SHORT[case]
    people = PEOPLE[:seats]
    match = await begun(matches, *people[1:], game=case.split()[0], options=options)
    return match, people


async def play(matches, match, people, *, until=100_000):
    """Play random moves up to the step `until`; the public snapshot of each step, by step."""
    chance, seen = Chance("players", 0), {}
    snapshot = await matches.public(match)
    while snapshot.awaiting and snapshot.step < until:
        seen[snapshot.step] = snapshot
        seat = min(snapshot.awaiting - snapshot.chosen)
        own = await matches.snapshot(match, people[seat])
        effect = await matches.submit(
            match, snapshot.step, people[seat], str(chance.pick(own.legal))
        )
        snapshot = effect.public()
    return seen


async def exported(archive, match, user=ANN):
    files = await archive.export(
        match, user=user, guild=GUILD, title=lambda snapshot: snapshot.game
    )
    return json.loads(files.json), files


def checked(data):
    """The points of an export that `verify` finds wrong, as sentences."""
    finding = verify(json.dumps(data).encode())
    return [point for right, point in finding.points if not right]
