"""The computer player of Prize Dominoes: greedy, or by tree search over imagined hands."""

from games.prize.computer.player import PrizeComputer

__all__ = ["PrizeComputer"]
