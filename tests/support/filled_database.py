"""A few rows with values for every table and column, which no migration may lose."""

from types import MappingProxyType
from typing import Any

_MATCH = MappingProxyType(
    {
        "game": "pico",
        "options": '{"deck":"standard"}',
        "guild": 77,
        "channel": 88,
        "opener": 1001,
        "wanted": 2,
        "pace": "slow",
        "tap": 1,
        "rated": 1,
        "limited": 0,
        "predecessor": None,
        "seed": "ab" * 32,
        "schema": 1,
        "state": "{}",
        "step": 1,
        "turn": 1,
        "late": "0",
        "due_at": 1_700_000_900,
        "closes_at": 1_700_000_900,
        "deadline": 1_700_000_900,
        "paused_at": None,
        "paused_why": "agreed",
        "remark": "resumed",
        "counts_at": 1_700_000_400,
        "taken_back": 1,
        "begun_at": 1_700_000_100,
        "ending": None,
        "opened_at": 1_700_000_000,
        "ended_at": None,
        "settled": 0,
        "revision": 7,
    }
)

_SEATED = MappingProxyType(
    {
        "left_why": None,
        "strikes": 1,
        "invited": 1,
        "nudged_at": 1_700_000_300,
        "agrees": "draw",
        "wished": 1,
        "signal": 1,
        "plays_here": 0,
        "told": 3,
        "told_event": "over",
        "told_turn": 1,
        "told_by": 1,
        "computer": "strong",
        "rested": 60,
        "reserve": 3600,
        "away_until": 1_700_000_500,
    }
)
_CHOSEN = MappingProxyType({"how": "time", "made_at": 1_700_000_200})
_PERSON = MappingProxyType(
    {
        "dm_opened_at": 1_700_000_002,
        "desk": "here",
        "pictures": 0,
        "forced": 1,
        "notices": "nudged=channel time=channel",
        "remind_before": 3600,
        "hidden": 1,
        "left_alone": 1,
    }
)

FORMER_COLUMNS = MappingProxyType({"seats": {"reminded": 1}, "people": {"remind": "channel"}})
"""Columns that only earlier revisions have, with a value for every row, by table."""

ROWS: dict[str, list[dict[str, Any]]] = {
    "matches": [
        {**_MATCH, "id": 1, "interaction": 11, "status": "running"},
        {
            **_MATCH,
            "id": 2,
            "interaction": 12,
            "status": "over",
            "predecessor": 1,
            "ended_at": 5,
            "settled": 1,
        },
        {**_MATCH, "id": 3, "interaction": 13, "status": "declined", "seed": None, "state": None},
    ],
    "seats": [
        {
            "match": 1,
            "seat": 0,
            "user": 1001,
            "accepted": 1,
            "left": None,
            "left_step": None,
            **_SEATED,
        },
        {"match": 1, "seat": 1, "user": 1002, "accepted": 1, "left": 1, "left_step": 0, **_SEATED},
        {
            "match": 2,
            "seat": 0,
            "user": 1001,
            "accepted": 1,
            "left": None,
            "left_step": None,
            **_SEATED,
        },
        {
            "match": 3,
            "seat": 0,
            "user": 1001,
            "accepted": 0,
            "left": None,
            "left_step": None,
            **_SEATED,
        },
    ],
    "moves": [
        {"match": 1, "step": 0, "seat": 0, "move": "9", **_CHOSEN},
        {"match": 1, "step": 1, "seat": 0, "move": "12", **_CHOSEN},
        {"match": 1, "step": 1, "seat": 1, "move": "2", **_CHOSEN},
    ],
    "places": [
        {
            "match": 1,
            "place": -1,
            "channel": 88,
            "message": 501,
            "shown": "running.1..",
            "turn": 1,
            "revision": 6,
            "leftover": None,
            "coming": 0,
            "unshown": 1,
            "token": "an-interaction",
            "token_until": 1_800_000_900,
            "token_message": 77,
        },
        {
            "match": 1,
            "place": 0,
            "channel": 901,
            "message": 502,
            "shown": "running.1..12",
            "turn": 1,
            "revision": 7,
            "leftover": 500,
            "coming": 1,
            "unshown": 0,
            "token": None,
            "token_until": None,
            "token_message": None,
        },
    ],
    "notices": [
        {
            "id": 9,
            "match": 1,
            "user": 1001,
            "event": "turn",
            "actor": 1002,
            "turn": 1,
            "due_at": 1_700_000_160,
        }
    ],
    "sent_notices": [
        {"match": 1, "user": 1001, "message": 503, "channel": 88, "event": "time", "turn": 1}
    ],
    "results": [
        {
            "match": 2,
            "seat": 0,
            "guild": 77,
            "game": "pico",
            "user": 1001,
            "rank": 1,
            "score": 17,
            "won": 1,
            "drawn": 0,
            "lost": 0,
            "ended_at": 5,
            "sequence": 3,
            "rated": 1,
            "season": 1,
            "before": 1512,
            "after": 1524,
            "nth": 6,
            "computer": "easy",
            "levels": "easy strong",
        }
    ],
    "seasons": [
        {
            "id": 1,
            "guild": 77,
            "name": "Spring",
            "folded": "spring",
            "started_at": 4,
            "announce_in": 5,
        }
    ],
    "ratings": [
        {
            "guild": 77,
            "game": "pico",
            "season": 0,
            "user": 1001,
            "mu": 26.1,
            "sigma": 7.3,
            "rating": 1524,
            "established": 1,
            "matches": 6,
            "won": 3,
            "drawn": 1,
            "lost": 2,
        }
    ],
    "people": [
        {"user": 1001, "dm_channel": 901, "dm_closed_at": None, **_PERSON},
        {"user": 1002, "dm_channel": None, "dm_closed_at": 1_700_000_001, **_PERSON},
    ],
    "blocks": [{"user": 1001, "blocked": 1002}],
    "servers": [
        {
            "guild": 77,
            "pace": "slow",
            "tap": 1,
            "threads": 1,
            "games_off": "duel",
            "time_off_barred": "pause",
            "left_at": 5,
            "puzzle_channel": 88,
            "digest_channel": 88,
        }
    ],
    "vacations": [{"user": 1001, "guild": 77, "started_at": 6, "until": 7}],
    "server_channels": [{"guild": 77, "channel": 88}],
    "synced_commands": [{"application": 42, "fingerprint": "cd" * 32, "ids": '{"pico": 43}'}],
    "puzzle_answers": [
        {
            "day": 20_000,
            "user": 1001,
            "guild": 77,
            "choice": "9",
            "solved": 1,
            "answered_at": 1_728_000_100,
        }
    ],
    "puzzle_shares": [
        {
            "day": 20_000,
            "user": 1001,
            "guild": 77,
            "channel": 88,
            "message": 508,
            "shared_at": 1_728_086_400,
        }
    ],
    "puzzle_days": [{"day": 20_000, "hours": 7, "hour": 480_011}],
    "puzzle_posts": [
        {
            "id": 3,
            "guild": 77,
            "day": 20_000,
            "channel": 88,
            "due_at": 1_728_000_000,
            "message": 504,
            "failure": "the channel is gone",
        }
    ],
    "digest_posts": [
        {
            "id": 4,
            "guild": 77,
            "day": 20_002,
            "channel": 88,
            "due_at": 1_728_172_800,
            "message": 505,
            "failure": "the channel is gone",
        }
    ],
    "shares": [{"match": 2, "user": 1001, "channel": 88, "message": 506, "shared_at": 6}],
    "traces": [
        {
            "channel": 88,
            "message": 507,
            "kind": "share",
            "match": 2,
            "due_at": 1_700_000_000,
            "until": 1_700_604_800,
        }
    ],
    "former_people": [{"mark": "0f" * 32, "until": 1_702_592_000}],
    "former_blocks": [{"mark": "0f" * 32, "user": 1001}],
    "processes": [{"name": "bot-1", "until": 1_700_000_010.5}],
    "shards": [
        {
            "number": 0,
            "holder": "bot-1",
            "until": 1_700_000_010.5,
            "away_since": 1_700_000_004.5,
        }
    ],
    "identifies": [{"bucket": 0, "next_at": 1_700_000_005.5}],
    "handed": [{"id": 905, "process": "bot-1", "payload": "{}", "at": 1_700_000_001.5}],
    "watches": [{"match": 1, "user": 1001}],
    "asks": [
        {"match": 1, "actor": 1002, "user": 1001, "asked_at": 1_700_000_000, "declined": 1},
    ],
    "vain_nudges": [{"match": 1, "seat": 0, "target": 1, "nudged_at": 1_700_000_300}],
    "lessons": [{"user": 1001, "game": "pico", "exercise": "twice", "number": 1, "done": 1}],
}


def fill_server(client):
    """Insert `ROWS` into a PostgreSQL database of any revision, as far as it has the columns."""
    for table, rows in ROWS.items():
        known = f"SELECT column_name FROM information_schema.columns WHERE table_name = '{table}'"  # noqa: S608
        columns = {name for (name,) in client.ask(known)}
        for row in rows:
            every = {**FORMER_COLUMNS.get(table, {}), **row}
            values = {f'"{n}"': v for n, v in every.items() if n in columns and v is not None}
            if values:
                listed = ", ".join(f"'{value}'" for value in values.values())
                client.script(f'INSERT INTO "{table}" ({", ".join(values)}) VALUES ({listed})')  # noqa: S608
