"""The moves and their notation (`str`)."""

from dataclasses import dataclass

from games.conquest.layout import Square


@dataclass(frozen=True, slots=True)
class Order:
    """Move troops from one square to a neighboring one."""

    source: Square
    troops: int
    target: Square

    def __str__(self) -> str:
        return f"{self.source}-{self.troops}-{self.target}"


@dataclass(frozen=True, slots=True)
class Reinforcement:
    """Put one troop from the bank on a square."""

    square: Square

    def __str__(self) -> str:
        return f"+{self.square}"


@dataclass(frozen=True, slots=True)
class Redeployment:
    """Move one troop from a square back to its headquarters."""

    source: Square

    def __str__(self) -> str:
        return f"{self.source}>HQ"


Placement = Reinforcement | Redeployment


@dataclass(frozen=True, slots=True)
class Plan:
    """The order of each battalion of a seat; None is a pass."""

    orders: tuple[Order | None, ...]

    def __str__(self) -> str:
        return " / ".join("pass" if order is None else str(order) for order in self.orders)


@dataclass(frozen=True, slots=True)
class Choice:
    """A Commander's Choice: to fight a battle, or to leave everything as it is."""

    fight: bool

    def __str__(self) -> str:
        return "fight" if self.fight else "hold"


@dataclass(frozen=True, slots=True)
class Supply:
    """What each battalion of a seat does in the reinforcement phase; None is nothing."""

    placements: tuple[Placement | None, ...]

    def __str__(self) -> str:
        return " / ".join("none" if part is None else str(part) for part in self.placements)


Move = Plan | Choice | Supply
