"""The puzzle maker of each game that has puzzles, by the game's key."""

from collections.abc import Mapping
from typing import Any, Final

from games.conquest.puzzles import ConquestPuzzles
from games.pico.puzzles import PicoPuzzles
from games.prize.puzzles import PrizePuzzles
from games.puzzle import PuzzleMaker
from games.spite.puzzles import SpitePuzzles

AnyPuzzleMaker = PuzzleMaker[Any]

PUZZLES: Final[Mapping[str, AnyPuzzleMaker]] = {
    "pico": PicoPuzzles(),
    "conquest": ConquestPuzzles(),
    "prize": PrizePuzzles(),
    "spite": SpitePuzzles(),
}
"""In the order in which the games take turns, one day each."""
