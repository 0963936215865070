"""A rectangle in whole pixels, and ways to cut it into smaller ones."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Box:
    left: int
    top: int
    width: int
    height: int

    @property
    def right(self) -> int:
        return self.left + self.width

    @property
    def bottom(self) -> int:
        return self.top + self.height

    def inset(self, x: int, y: int | None = None) -> "Box":
        """The box without a margin of `x` at the sides and `y` (default: `x`) above and below."""
        y = x if y is None else y
        return Box(self.left + x, self.top + y, self.width - 2 * x, self.height - 2 * y)

    def moved(self, x: int, y: int) -> "Box":
        return Box(self.left + x, self.top + y, self.width, self.height)

    def cut_left(self, width: int, gap: int = 0) -> tuple["Box", "Box"]:
        """A part of this width on the left, and what remains to the right of the gap."""
        rest = self.width - width - gap
        part = Box(self.left, self.top, width, self.height)
        return part, Box(self.right - rest, self.top, rest, self.height)

    def cut_right(self, width: int, gap: int = 0) -> tuple["Box", "Box"]:
        """A part of this width on the right, and what remains to the left of the gap."""
        rest, part = self.cut_left(self.width - width - gap, gap)
        return part, rest

    def cut_top(self, height: int, gap: int = 0) -> tuple["Box", "Box"]:
        """A part of this height at the top, and what remains below the gap."""
        rest = self.height - height - gap
        part = Box(self.left, self.top, self.width, height)
        return part, Box(self.left, self.bottom - rest, self.width, rest)

    def cut_bottom(self, height: int, gap: int = 0) -> tuple["Box", "Box"]:
        """A part of this height at the bottom, and what remains above the gap."""
        rest, part = self.cut_top(self.height - height - gap, gap)
        return part, rest

    def columns(self, count: int, gap: int = 0) -> tuple["Box", ...]:
        """Equal parts from left to right."""
        width = (self.width - gap * (count - 1)) // count
        step = width + gap
        return tuple(Box(self.left + i * step, self.top, width, self.height) for i in range(count))

    def rows(self, count: int, gap: int = 0) -> tuple["Box", ...]:
        """Equal parts from top to bottom."""
        height = (self.height - gap * (count - 1)) // count
        step = height + gap
        return tuple(Box(self.left, self.top + i * step, self.width, height) for i in range(count))

    def centered(self, width: int, height: int) -> "Box":
        """A box of this size around the same center."""
        left = self.left + (self.width - width) // 2
        return Box(left, self.top + (self.height - height) // 2, width, height)
