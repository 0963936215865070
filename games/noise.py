"""Constants of a linear congruential generator, for playouts.

Its state, called noise, is a number from 0 to 2**31 - 1, followed by
`(noise * FACTOR + STEP) & MASK`. The formula is written out wherever a number is drawn, since a
function call would take longer than the rest. Only the high bits are random enough to be used.
"""

from typing import Final

FACTOR: Final = 1103515245
STEP: Final = 12345
"""`FACTOR` and `STEP` are those of the example generator in the C standard."""

MASK: Final = (1 << 31) - 1
