"""How well the computer plays Pico: `python -m benchmarks.computers.pico`.

It prints P(win) - P(loss) of the first player against the second, with standard errors; a deal is
played twice, with the seats exchanged, as one sample. Exploitability is measured by an adversary
that searches whole matches by the rules for the best response to the mixes of `perfect`. For three
seats, see `pico_three`.
"""

import argparse
import itertools
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from benchmarks.computers.cores import spread
from benchmarks.computers.pairs import Mix, margins
from benchmarks.computers.pico_three import CONTESTS, among_three
from games.chance import Chance
from games.computer import Level
from games.core import Seat
from games.equilibrium import Floats
from games.pico import DECKS, PICO, Card, Options, State, View
from games.pico.computer.player import EASY, PERFECT, STRONG, PicoComputer
from games.pico.computer.sides import Holdings
from games.pico.computer.solution import Solution, advice, later_rounds
from games.pico.decks import DeckName

COMPUTER = PicoComputer()
A, B = Seat(0), Seat(1)
NEVER = Chance("nothing is drawn after the deal", 0)


class Adversary:
    """The best response of seat 1 to `perfect` in seat 0, in every position of a match."""

    def __init__(self) -> None:
        self._answers: dict[State, float] = {}
        self.exploitability = 0.0
        """The most that it gains over the value of any position that it has searched."""

    @property
    def positions(self) -> int:
        return len(self._answers)

    def worth(self, state: State) -> float:
        """P(win) - P(loss) of `perfect` against the adversary."""
        over = PICO.outcome(state)
        if over is not None:
            return float(np.sign(over.scores[A] - over.scores[B]))
        # The order in which cards were won doesn't affect the rest of the match, and of the first
        # round only the lead does.
        lead = sum(total[A] - total[B] for total in state.totals)
        totals = ((max(lead, 0), max(-lead, 0)),) * len(state.totals)
        won = tuple(tuple(sorted(cards)) for cards in state.won)
        state = replace(state, last=None, won=won, totals=totals)
        if state not in self._answers:
            self._answers[state] = self._answer(state)
        return self._answers[state]

    def _answer(self, state: State) -> float:
        view = PICO.observe(state, A)
        mix = COMPUTER.mix(view, A, PERFECT)
        after = [
            [
                self.worth(PICO.play(state, {A: Card(mine), B: Card(theirs)}, NEVER))
                for theirs in state.hands[B]
            ]
            for mine in state.hands[A]
        ]
        worst = float((mix @ np.array(after)).min())
        worth = COMPUTER.luck(view, A)
        assert worth is not None
        self.exploitability = max(self.exploitability, worth - worst)
        return worst


def known(view: View) -> tuple[float, Floats]:
    found = advice(view, A)
    return found.worth, found.payoffs


def plays(level: Level) -> Mix:
    return partial(COMPUTER.mix, level=level)


def solving(decks: Sequence[DeckName], deals: Sequence[str]) -> None:
    print("Seconds of CPU to solve a match for one seat (target: at most 0.5 with 13 cards):")
    for deck in decks:
        seconds = []
        for deal in deals:
            hands = PICO.setup(Options(deck=deck), 2, Chance(deal, 0)).hands
            mine, theirs = (Holdings(hand, DECKS[deck].dots) for hand in hands)
            begin = time.process_time()
            Solution(mine, theirs, lead=0, later=later_rounds(deck, hands[1], hands[0], 1))
            seconds.append(time.process_time() - begin)
        print(f"  {deck:12} mean {np.mean(seconds):.3f}, slowest {max(seconds):.3f}", flush=True)


def exploiting(deals_of: Mapping[DeckName, Sequence[str]]) -> None:
    print("Exploitability of perfect in any position of whole matches (target: at most 1e-9):")
    found = spread(exploited, [(deck, deal) for deck, deals in deals_of.items() for deal in deals])
    for deck, deals in deals_of.items():
        most, positions = zip(*itertools.islice(found, len(deals)), strict=True)
        print(
            f"  {deck:12} {max(most):.1e} in {sum(positions)} positions of {len(deals)} deals",
            flush=True,
        )


def exploited(dealt: tuple[DeckName, str]) -> tuple[float, int]:
    """The exploitability in a deal, and the number of positions searched."""
    deck, deal = dealt
    adversary = Adversary()
    adversary.worth(PICO.setup(Options(deck=deck), 2, Chance(deal, 0)))
    return adversary.exploitability, adversary.positions


def between_two(deck: DeckName, deals: Sequence[str]) -> None:
    print(f"P(win) - P(loss) with two seats, {deck}, {2 * len(deals)} matches:")
    pairs = list(itertools.combinations(reversed(COMPUTER.levels), 2))
    players = [(plays(better), plays(worse)) for better, worse in pairs]
    found = margins(PICO, Options(deck=deck), players, known, deals)
    for (better, worse), margin in zip(pairs, found, strict=True):
        target = "   (target: at least +0.65)" if (better, worse) == (PERFECT, EASY) else ""
        print(f"  {better.key:8} against {worse.key:8} {margin}{target}", flush=True)


def choosing(deck: DeckName, deals: Sequence[str]) -> None:
    """Print how long choices of `strong` take in matches of three such players."""
    seconds = [each for deal in deals for each in choices_of_three(deck, deal)]
    middle, slowest = np.percentile(seconds, (50, 99))
    print(
        f"Seconds of CPU of {len(seconds)} choices of strong with three seats, {deck}: median"
        f" {middle:.2f}, p99 {slowest:.2f} (target: at most 2)"
    )


def choices_of_three(deck: DeckName, deal: str) -> Iterator[float]:
    """Seconds of CPU of the first choice in each trick; the others use its cached results."""
    state, mind = PICO.setup(Options(deck=deck), 3, Chance(deal, 0)), Chance(f"{deal} minds", 1)
    while awaited := PICO.awaiting(state):
        views = {seat: PICO.observe(state, seat) for seat in sorted(awaited)}
        begin = time.process_time()
        moves = {A: COMPUTER.choose(views.pop(A), A, STRONG, mind)}
        yield time.process_time() - begin
        for seat, view in views.items():
            moves[seat] = COMPUTER.choose(view, seat, STRONG, mind)
        state = PICO.play(state, moves, NEVER)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="How well the computer plays Pico.")
    parser.add_argument("--deals", type=int, default=100, help="deals for each pair of players")
    parser.add_argument("--short", action="store_true", help="leave out the slowest parts")
    parser.add_argument("--seed", default="pico")
    asked = parser.parse_args(arguments)
    deals = [f"{asked.seed} {number}" for number in range(asked.deals)]
    print(f"Deals {deals[0]!r} to {deals[-1]!r}.")
    two: list[DeckName] = [name for name, deck in DECKS.items() if deck.seats == 2]
    three: list[DeckName] = [name for name, deck in DECKS.items() if deck.seats == 3]
    solving(two, deals[:20])
    standard: Mapping[DeckName, Sequence[str]] = {} if asked.short else {"standard": deals[:1]}
    exploiting({**standard, "pico1": deals[:2], "pico2": deals[:2]})
    between_two("standard", deals)
    for deck in three:
        choosing(deck, deals[: 1 if asked.short else 2])
        contests = CONTESTS[:1] if asked.short else CONTESTS
        among_three(deck, deals[: max(2, len(deals) // 3)], contests)


if __name__ == "__main__":
    main()
