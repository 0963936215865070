"""How the computer plays Prize Dominoes: greedily, or by tree search over imagined hands."""

from games.prize.computer.player import PrizeComputer

__all__ = ["PrizeComputer"]
