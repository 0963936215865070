"""How each game shows itself."""

from cogs.conquest.presentation import ConquestPresentation
from cogs.duel.presentation import DuelPresentation
from cogs.pico.presentation import PicoPresentation
from cogs.prize.presentation import PrizePresentation
from cogs.spite.presentation import SpitePresentation

PRESENTATIONS = {
    "pico": PicoPresentation(),
    "duel": DuelPresentation(),
    "prize": PrizePresentation(),
    "spite": SpitePresentation(),
    "conquest": ConquestPresentation(),
}
