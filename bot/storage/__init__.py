"""The database: all SQL of the project. Callers get frozen records and give ids and texts."""

from bot.storage.people import PersonRecord
from bot.storage.records import (
    TABLE,
    MatchId,
    MatchRecord,
    NewMatch,
    PlaceRecord,
    ResultRecord,
    SeatRecord,
    StandingRecord,
    Status,
)
from bot.storage.store import Storage
from bot.storage.transaction import Transaction

__all__ = [
    "TABLE",
    "MatchId",
    "MatchRecord",
    "NewMatch",
    "PersonRecord",
    "PlaceRecord",
    "ResultRecord",
    "SeatRecord",
    "StandingRecord",
    "Status",
    "Storage",
    "Transaction",
]
