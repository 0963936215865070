"""Who makes the puzzles of each game, by the game's key; a game without any is missing here."""

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
"""In the order in which they take turns, a day each."""
