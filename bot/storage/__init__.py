"""The database: all SQL of the project. Callers get frozen records and give ids and texts."""

from bot.storage.people import PersonRecord
from bot.storage.records import (
    TABLE,
    Agreement,
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
    StandingRecord,
    Status,
    Why,
)
from bot.storage.store import Storage
from bot.storage.transaction import Dealt, Transaction

__all__ = [
    "TABLE",
    "Agreement",
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
    "StandingRecord",
    "Status",
    "Storage",
    "Transaction",
    "Why",
]
