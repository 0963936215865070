"""Noise for playouts: a number below 2**31, and the next one by `(noise * FACTOR + STEP) & MASK`.

Written out where it is drawn: a call would cost more than the rest.
Its high bits are the good ones.
"""

from typing import Final

FACTOR: Final = 1103515245
STEP: Final = 12345
"""Those of the C standard's example of a generator."""

MASK: Final = (1 << 31) - 1
