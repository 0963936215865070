"""The options of Divide and Conquer (tiles), and their names."""

import pytest

from cogs.duel.options import VARIANTS
from cogs.duel.presentation import DuelPresentation
from games.duel import DUEL, Options

SHOWN = DuelPresentation()


@pytest.mark.parametrize(("preset", "tiles"), [("standard", 10), ("large", 14)])
def test_every_variant_has_a_name(preset, tiles):
    assert SHOWN.variant(DUEL.presets[preset]) == f"{tiles} tiles"
    assert VARIANTS[preset].startswith(f"{tiles} tiles, ")


def test_every_preset_is_offered():
    assert set(VARIANTS) == set(DUEL.presets)
    assert {options.tiles for options in DUEL.presets.values()} == {10, 14}
    assert DUEL.presets["standard"] == Options()
