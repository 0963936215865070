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
    MessageRef,
    MoveRecord,
    NewMatch,
    ResultRecord,
    SeatRecord,
    Status,
    TimeControl,
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
    "MessageRef",
    "MoveRecord",
    "NewMatch",
    "PersonRecord",
    "ResultRecord",
    "SeatRecord",
    "Status",
    "Storage",
    "TimeControl",
    "Transaction",
    "Why",
]
