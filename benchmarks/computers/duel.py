"""How well the computer plays the tile duel: `python -m benchmarks.computers.duel`.

It prints P(win) - P(loss) of the first player against the second, with standard errors; a deal is
played twice, with the seats exchanged, as one sample. No player knows who its opponent is. The
baseline is the greedy player, the level `easy`; the strangers follow none of the strategies that
`opponent_model` knows.
"""

import argparse
import itertools
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from benchmarks.computers.cores import spread
from benchmarks.computers.pairs import Margin, Mix, margins, sample
from games.chance import Chance
from games.computer import Lesson, Level
from games.core import Seat
from games.duel import DUEL, Options, Tile, View
from games.duel.computer.matchings import position
from games.duel.computer.opponent_model import counter_greedy, greedy, strengths
from games.duel.computer.player import EASY, RISK, STEADY, STRONG, DuelComputer
from games.duel.computer.response import given_up
from games.equilibrium import Floats, draw

COMPUTER = DuelComputer()
GREEDY_MATCHES = 4
RISKS = (0.0, 0.05, 0.1, 0.25, 0.5, 2.0)
Lessons = Sequence[Lesson[View, Tile]]


def known(view: View) -> tuple[float, Floats]:
    now = position(view, Seat(0))
    return now.worth, now.payoffs


def plays(level: Level) -> Mix:
    return partial(COMPUTER.mix, level=level)


def reads(risk: float, lessons: Lessons = ()) -> Mix:
    return partial(COMPUTER.mix, level=STRONG, lessons=lessons, risk=risk)


def knows(other: Mix) -> Mix:
    return partial(_best_response, other)


def _best_response(other: Mix, view: View, seat: Seat) -> Floats:
    """The best response to the opponent's mix: the tile that gains most from it."""
    lost = given_up(position(view, Seat(1 - seat)), other(view, Seat(1 - seat)))
    return _pure(int(lost.argmax()), len(lost))


def middling(view: View, seat: Seat) -> Floats:
    """A stranger: the median of its tiles, ordered by how many tiles they beat."""
    order = np.argsort(strengths(position(view, seat)), kind="stable")
    return _pure(int(order[len(order) // 2]), len(order))


def swinging(view: View, seat: Seat) -> Floats:
    """A stranger: its highest tile, then its lowest, and so on."""
    count = len(view.hands[seat])
    return _pure(count - 1 if count % 2 else 0, count)


def two_minded(view: View, seat: Seat) -> Floats:
    """A stranger: half of the time greedy, half of the time expecting a greedy opponent."""
    now = position(view, seat)
    mix: Floats = (greedy(now) + counter_greedy(now)) / 2
    return mix


def sulking(view: View, seat: Seat) -> Floats:
    """A stranger: the greedy tile, but after it has lost a pair any other tile."""
    best = greedy(position(view, seat))
    if view.last is None or view.last.winner == seat or len(best) == 1:
        return best
    rest = np.where(best > 0, 0.0, 1.0)
    return rest / rest.sum() if rest.any() else best


STRANGERS: Mapping[str, Mix] = {
    "middling": middling,
    "swinging": swinging,
    "two-minded": two_minded,
    "sulking": sulking,
}


def _pure(chosen: int, count: int) -> Floats:
    mix = np.zeros(count)
    mix[chosen] = 1.0
    return mix


def margins_of(tiles: int, pairs: Sequence[tuple[Mix, Mix]], deals: Sequence[str]) -> list[Margin]:
    return margins(DUEL, Options(tiles=tiles), pairs, known, deals)


def levels(tiles: int, deals: Sequence[str]) -> None:
    print(f"P(win) - P(loss) between levels, {tiles} tiles, {2 * len(deals)} matches:")
    pairs = list(itertools.combinations(reversed(COMPUTER.levels), 2))
    players = [(plays(better), plays(worse)) for better, worse in pairs]
    for (better, worse), found in zip(pairs, margins_of(tiles, players, deals), strict=True):
        target = "   (target: at least +0.15)" if (better, worse) == (STRONG, EASY) else ""
        print(f"  {better.key:8} against {worse.key:8} {found}{target}", flush=True)


def budgets(tiles: int, deals: Sequence[str]) -> None:
    print(f"Gain of strong by its risk limit, {tiles} tiles, {2 * len(deals)} matches each;")
    print("the last column is against an opponent who knows its mix (target: at least -risk):")
    pairs = [
        (reads(risk), other)
        for risk in RISKS
        for other in (plays(EASY), plays(STEADY), knows(reads(risk)))
    ]
    gains = iter([found.gain() for found in margins_of(tiles, pairs, deals)])
    for risk in RISKS:
        columns = [f"{name} {next(gains)}" for name in ("greedy", "steady", "knower")]
        print(f"  risk {risk:.2f}: {'; '.join(columns)}", flush=True)


def taught(tiles: int, deals: Sequence[str], seed: str) -> None:
    print(f"strong at risk {RISK} by the opponent's finished matches that it knows, {tiles} tiles:")
    others, counts, pairs = {"greedy": plays(EASY), **STRANGERS}, (0, 3, 10), []
    for other in others.values():
        past = [_finished(tiles, other, f"{seed} past {number}") for number in range(10)]
        for count in counts:
            lessons = [lesson for finished in past[:count] for lesson in finished]
            pairs.append((reads(RISK, lessons), other))
    gains = iter([found.gain() for found in margins_of(tiles, pairs, deals)])
    for name in others:
        columns = [f"after {count} {next(gains)}" for count in counts]
        print(f"  {name:12}{'; '.join(columns)}", flush=True)


def _finished(tiles: int, player: Mix, seed: str) -> Lessons:
    """The choices of a player in a match against random moves."""
    state, step, lessons = DUEL.setup(Options(tiles=tiles), 2, Chance(seed, 0)), 0, []
    while DUEL.awaiting(state):
        step += 1
        chance, view = Chance(seed, step), DUEL.observe(state, Seat(1))
        tile = Tile(view.hands[1][draw(player(view, Seat(1)), chance)])
        lessons.append(Lesson(Seat(1), view, tile))
        other = DUEL.fallback(state, Seat(0), chance)
        state = DUEL.play(state, {Seat(0): other, Seat(1): tile}, chance)
    return lessons


def changing(tiles: int, sessions: Sequence[str]) -> None:
    print(f"strong against an opponent who is greedy for {GREEDY_MATCHES} matches, {tiles} tiles,")
    print("then knows its mix for as many;")
    print(f"{len(sessions)} sessions (target: at least -0.10 per match):")
    found = np.array(list(spread(partial(_session, tiles), sessions)))
    greedy_part, knowing = found[:, :GREEDY_MATCHES], found[:, GREEDY_MATCHES:]
    for name, part in (
        ("while greedy", greedy_part),
        ("first match after", knowing[:, :1]),
        ("all after", knowing),
    ):
        print(f"  {name:18}{sample(part.mean(axis=1).tolist())} per match", flush=True)


def _session(tiles: int, name: str) -> list[float]:
    """The luck-adjusted result of each match of `strong` against an opponent it meets again."""
    lessons: list[Lesson[View, Tile]] = []
    found = []
    for number in range(2 * GREEDY_MATCHES):
        ours, strong = number % 2, reads(RISK, tuple(lessons))
        other = plays(EASY) if number < GREEDY_MATCHES else knows(strong)
        players = (strong, other) if ours == 0 else (other, strong)
        deal = f"{name} {number}"
        state, step = DUEL.setup(Options(tiles=tiles), 2, Chance(deal, 0)), 0
        expected = known(DUEL.observe(state, None))[0]
        while DUEL.awaiting(state):
            step += 1
            worth, payoffs = known(DUEL.observe(state, None))
            views = [DUEL.observe(state, Seat(seat)) for seat in range(2)]
            mixes = [player(views[i], Seat(i)) for i, player in enumerate(players)]
            expected += float(mixes[0] @ payoffs @ mixes[1]) - worth
            mind = Chance(f"{deal} minds", step)
            moves = {Seat(i): Tile(views[i].hands[i][draw(mixes[i], mind)]) for i in range(2)}
            lessons.append(Lesson(Seat(1 - ours), views[1 - ours], moves[Seat(1 - ours)]))
            state = DUEL.play(state, moves, mind)
        found.append(expected if ours == 0 else -expected)
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="How well the computer plays the tile duel.")
    parser.add_argument("--deals", type=int, default=100, help="deals for each pair of players")
    parser.add_argument("--seed", default="duel")
    asked = parser.parse_args(arguments)
    deals = [f"{asked.seed} {number}" for number in range(asked.deals)]
    print(f"Deals {deals[0]!r} to {deals[-1]!r}.")
    for tiles in (10, 14):
        levels(tiles, deals if tiles == 10 else deals[: max(1, len(deals) // 4)])
    budgets(10, deals)
    taught(10, deals[: max(1, len(deals) // 2)], asked.seed)
    changing(10, [f"{asked.seed} session {number}" for number in range(max(2, len(deals) // 2))])


if __name__ == "__main__":
    main()
