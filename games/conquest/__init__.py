"""Divide & Conquer (board): march your troops onto four objectives, by secret orders."""

from games.conquest.battalions import TEAMS, Battalion
from games.conquest.board import Board, Stack
from games.conquest.layout import LAYOUT, Layout, Square
from games.conquest.moves import Choice, Move, Order, Plan, Redeployment, Reinforcement, Supply
from games.conquest.options import Options
from games.conquest.report import Conflict, Movement, Report, Reserve
from games.conquest.rules import CONQUEST, Conquest
from games.conquest.state import Contest, Pending, State
from games.conquest.view import View

__all__ = [
    "CONQUEST",
    "LAYOUT",
    "TEAMS",
    "Battalion",
    "Board",
    "Choice",
    "Conflict",
    "Conquest",
    "Contest",
    "Layout",
    "Move",
    "Movement",
    "Options",
    "Order",
    "Pending",
    "Plan",
    "Redeployment",
    "Reinforcement",
    "Report",
    "Reserve",
    "Square",
    "Stack",
    "State",
    "Supply",
    "View",
]
