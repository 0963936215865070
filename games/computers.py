"""The computer player of each game, by the game's key. Every game has one."""

from collections.abc import Mapping
from typing import Any, Final

from games.computer import Computer
from games.conquest.computer import ConquestComputer
from games.duel.computer import DuelComputer
from games.pico.computer import PicoComputer
from games.prize.computer import PrizeComputer
from games.spite.computer import SpiteComputer

AnyComputer = Computer[Any, Any, Any]

COMPUTERS: Final[Mapping[str, AnyComputer]] = {
    "conquest": ConquestComputer(),
    "duel": DuelComputer(),
    "pico": PicoComputer(),
    "prize": PrizeComputer(),
    "spite": SpiteComputer(),
}
