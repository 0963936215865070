"""Writes many choices of moves by one statement: the hot path."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Text, bindparam, text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import MatchId
from games.core import Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """A chosen move, and the conditions under which it may be written."""

    match: MatchId
    step: int
    turn: int
    """The match's turn in which the move was checked: a step that was taken back is played again in
    another one."""

    seat: Seat
    move: str
    made_at: int
    gone: int
    """How many seats had left when the move was checked: another departure can make it illegal."""

    others: tuple[Seat, ...]
    """The other seats that owe a move. One of them must still have to choose; otherwise this pick
    is the last of its step and has to resolve it."""


# Text, not Core, in which a table-valued function joined to an upsert's SELECT is unreadable.
_PICKS: Final = {
    "sqlite": """
      SELECT value ->> 'match' AS match, value ->> 'step' AS step, value ->> 'turn' AS turn,
             value ->> 'seat' AS seat, value ->> 'move' AS move, value ->> 'made_at' AS made_at,
             value ->> 'gone' AS gone, value -> 'others' AS others
      FROM json_each(:picks)
    """,
    "postgresql": """
      SELECT * FROM jsonb_to_recordset(CAST(:picks AS jsonb)) AS given(
        match bigint, step bigint, turn bigint, seat bigint, move text, made_at bigint,
        gone bigint, others jsonb
      )
    """,
}
_OTHERS: Final = {
    "sqlite": "SELECT value FROM json_each(pick.others)",
    "postgresql": "SELECT value::bigint FROM jsonb_array_elements_text(pick.others)",
}
_WRITE: Final = """
    WITH pick AS ({picks})
    INSERT INTO moves (match, step, seat, move, how, made_at)
    SELECT matches.id, matches.step, pick.seat, pick.move, 'chosen', pick.made_at
    FROM pick
    JOIN matches ON matches.id = pick.match AND matches.step = pick.step
    WHERE matches.status = 'running' AND matches.paused_at IS NULL AND matches.turn = pick.turn
      AND (SELECT count(*) FROM seats WHERE seats.match = matches.id AND seats."left" IS NOT NULL)
          = pick.gone
      AND NOT EXISTS (
        SELECT 1 FROM seats AS own
        WHERE own.match = matches.id AND own.seat = pick.seat
          AND (own.strikes > 0 OR own.reserve IS NOT NULL
               AND (pick.made_at > matches.deadline + own.rested OR own.away_until > pick.made_at))
      )
      AND EXISTS (
        SELECT 1 FROM ({others}) AS other
        WHERE NOT EXISTS (
          SELECT 1 FROM moves AS made
          WHERE made.match = matches.id AND made.step = matches.step AND made.seat = other.value
        )
      )
    ON CONFLICT (match, step, seat) DO UPDATE
      SET move = excluded.move, how = excluded.how, made_at = excluded.made_at
    RETURNING match, seat,
      (SELECT matches.revision FROM matches WHERE matches.id = moves.match) AS revision
"""
_STATEMENTS: Final = {
    name: text(_WRITE.format(picks=_PICKS[name], others=_OTHERS[name])).bindparams(
        bindparam("picks", type_=Text)
    )
    for name in _PICKS
}


async def write(
    connection: AsyncConnection, picks: Sequence[Pick]
) -> dict[tuple[MatchId, Seat], int]:
    """Write the picks that are in time, except for those that complete a step.

    Returns those written, by match and seat, with the revision that their match had before. Picks
    that use up a reserve or clear a strike aren't written either, because that has to be stored
    too.

    There may be only one pick per match: two could complete its step together. For the same reason
    the caller must have locked the matches.
    """
    values = [
        {
            "match": pick.match,
            "step": pick.step,
            "turn": pick.turn,
            "seat": pick.seat,
            "move": pick.move,
            "made_at": pick.made_at,
            "gone": pick.gone,
            "others": pick.others,
        }
        for pick in picks
    ]
    statement = _STATEMENTS[connection.dialect.name]
    written = await connection.execute(statement, {"picks": json.dumps(values)})
    return {(MatchId(row.match), Seat(row.seat)): row.revision for row in written}
