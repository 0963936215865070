"""The database: all SQL of the project. Callers get frozen records and give ids and texts."""

from bot.storage.people import PersonRecord
from bot.storage.records import (
    COMPUTER,
    TABLE,
    Agreement,
    ChangeRecord,
    Ending,
    How,
    MatchId,
    MatchRecord,
    MoveRecord,
    NewMatch,
    Pace,
    PlaceRecord,
    ResultRecord,
    SeatRecord,
    Status,
    Why,
)
from bot.storage.store import Storage
from bot.storage.transaction import Dealt, Transaction

__all__ = [
    "COMPUTER",
    "TABLE",
    "Agreement",
    "ChangeRecord",
    "Dealt",
    "Ending",
    "How",
    "MatchId",
    "MatchRecord",
    "MoveRecord",
    "NewMatch",
    "Pace",
    "PersonRecord",
    "PlaceRecord",
    "ResultRecord",
    "SeatRecord",
    "Status",
    "Storage",
    "Transaction",
    "Why",
]
