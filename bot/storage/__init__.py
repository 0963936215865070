"""The database: all SQL of the project, with one repository per aggregate.

Callers open a transaction and reach the repositories through it. They pass ids and texts, and get
frozen records.
"""

from bot.storage.matches import Dealt
from bot.storage.people import PersonRecord
from bot.storage.records import (
    ASTRAY,
    COMPUTER,
    PLAIN,
    POSTING,
    TABLE,
    Agreement,
    ChangeRecord,
    DeskPlace,
    Ending,
    Event,
    How,
    MatchId,
    MatchRecord,
    MessageRef,
    MoveRecord,
    NewMatch,
    PauseReason,
    Remark,
    ResultRecord,
    SeatRecord,
    Shown,
    Spot,
    Status,
    Telling,
    TimeControl,
    TokenRecord,
    Way,
    Whereabouts,
    Why,
)
from bot.storage.repository import Committed
from bot.storage.store import Storage
from bot.storage.transaction import Transaction, Transactions

__all__ = [
    "ASTRAY",
    "COMPUTER",
    "PLAIN",
    "POSTING",
    "TABLE",
    "Agreement",
    "ChangeRecord",
    "Committed",
    "Dealt",
    "DeskPlace",
    "Ending",
    "Event",
    "How",
    "MatchId",
    "MatchRecord",
    "MessageRef",
    "MoveRecord",
    "NewMatch",
    "PauseReason",
    "PersonRecord",
    "Remark",
    "ResultRecord",
    "SeatRecord",
    "Shown",
    "Spot",
    "Status",
    "Storage",
    "Telling",
    "TimeControl",
    "TokenRecord",
    "Transaction",
    "Transactions",
    "Way",
    "Whereabouts",
    "Why",
]
