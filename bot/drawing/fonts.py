"""The typeface of the pictures: DejaVu as matplotlib ships it, never the machine's fonts."""

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from PIL import ImageFont

REGULAR = "DejaVuSans.ttf"
BOLD = "DejaVuSans-Bold.ttf"


@lru_cache(maxsize=1)
def folder() -> Path:
    """The folder of matplotlib's fonts, found without importing matplotlib (0.3 s)."""
    package = find_spec("matplotlib")
    if package is None or not package.submodule_search_locations:
        raise RuntimeError("The pictures need the fonts of matplotlib, which is not installed.")
    return Path(package.submodule_search_locations[0]) / "mpl-data" / "fonts" / "ttf"


@lru_cache(maxsize=64)
def font(size: int, *, bold: bool = True) -> ImageFont.FreeTypeFont:
    """The typeface at a size in pixels.

    Basic layout keeps the pixels the same whether or not the machine has Raqm.
    """
    path = folder() / (BOLD if bold else REGULAR)
    return ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)
