"""What a seat can write, and how it is written (`str`)."""

from dataclasses import dataclass

from games.conquest.layout import Square


@dataclass(frozen=True, slots=True)
class Order:
    """Some troops of one square march one step."""

    source: Square
    troops: int
    target: Square

    def __str__(self) -> str:
        return f"{self.source}-{self.troops}-{self.target}"


@dataclass(frozen=True, slots=True)
class Reinforcement:
    """One troop comes from the bank to a square."""

    square: Square

    def __str__(self) -> str:
        return f"+{self.square}"


@dataclass(frozen=True, slots=True)
class Redeployment:
    """One troop goes from a square back to its headquarters."""

    source: Square

    def __str__(self) -> str:
        return f"{self.source}>HQ"


Placement = Reinforcement | Redeployment


@dataclass(frozen=True, slots=True)
class Plan:
    """The orders of all battalions of a seat; None is a pass."""

    orders: tuple[Order | None, ...]

    def __str__(self) -> str:
        return " / ".join("pass" if order is None else str(order) for order in self.orders)


@dataclass(frozen=True, slots=True)
class Choice:
    """A Commander's Choice: battle, or everything stays."""

    fight: bool

    def __str__(self) -> str:
        return "fight" if self.fight else "hold"


@dataclass(frozen=True, slots=True)
class Supply:
    """What all battalions of a seat do in the reinforcement phase; None is nothing."""

    placements: tuple[Placement | None, ...]

    def __str__(self) -> str:
        return " / ".join("none" if part is None else str(part) for part in self.placements)


Move = Plan | Choice | Supply
