"""The database: all SQL of the project, with one repository per aggregate.

Callers open a transaction and reach the repositories through it. They pass ids and texts, and get
frozen records.
"""

from bot.storage.matches import StateColumns
from bot.storage.people import PersonRecord
from bot.storage.records import (
    COMPUTER,
    OUTDATED_LINK,
    SHOWN_PLAIN,
    SHOWN_POSTING,
    TABLE,
    Agreement,
    ChangeRecord,
    DeskPlace,
    Ending,
    Event,
    How,
    MatchAccessRecord,
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
    Why,
)
from bot.storage.repository import Committed
from bot.storage.store import Storage
from bot.storage.transaction import Transaction, Transactions

__all__ = [
    "COMPUTER",
    "OUTDATED_LINK",
    "SHOWN_PLAIN",
    "SHOWN_POSTING",
    "TABLE",
    "Agreement",
    "ChangeRecord",
    "Committed",
    "DeskPlace",
    "Ending",
    "Event",
    "How",
    "MatchAccessRecord",
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
    "StateColumns",
    "Status",
    "Storage",
    "Telling",
    "TimeControl",
    "TokenRecord",
    "Transaction",
    "Transactions",
    "Way",
    "Why",
]
