"""The colors of all pictures, on a dark ground that suits Discord's dark and light themes."""

from typing import Final

GROUND: Final = "#161a22"
PANEL: Final = "#262d3a"
PANEL_OWN: Final = "#33405a"
TRAY: Final = "#181d27"
TEXT: Final = "#f4f6fb"
MUTED: Final = "#b3bdce"
PAPER: Final = "#fdf8ec"
INK: Final = "#1b2130"
EDGE: Final = "#0d1016"
RED: Final = "#d1202f"
RED_ON_DARK: Final = "#ff6b76"
GOLD: Final = "#ffd447"
BACK: Final = "#44598a"
"""Of cards and dominoes that are face down."""

BACK_SIGN: Final = "#7e95c9"


def channels(color: str) -> tuple[int, int, int]:
    """Red, green and blue, 0 to 255, of a color written as `#rrggbb`."""
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def mix(color: str, other: str, share: float) -> str:
    """A color mixed with a share (0 to 1) of another."""
    pairs = zip(channels(color), channels(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def luminance(color: str) -> float:
    """The relative luminance of WCAG 2, 0 (black) to 1 (white)."""
    red, green, blue = (_linear(value / 255) for value in channels(color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(color: str, other: str) -> float:
    """The contrast ratio of WCAG 2, 1 to 21; large text needs 3, small text 4.5."""
    low, high = sorted((luminance(color), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def ink_on(color: str) -> str:
    """The text color, dark or light, that has more contrast on this background."""
    return max((INK, TEXT), key=lambda ink: contrast(ink, color))


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)
