"""Resolving steps after choices and departures, and ending matches.

Everything here runs within the caller's transaction.
"""

import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot import codec
from bot.matches import clocks, state_upgrades
from bot.matches.effect import Effect
from bot.matches.loaded import LoadedMatch, agreed_draw
from bot.matches.time_controls import SLOW, TURN_GRACE
from bot.storage import (
    Agreement,
    Ending,
    MatchRecord,
    MoveRecord,
    ResultRecord,
    SeatRecord,
    StateColumns,
    Status,
    Transaction,
    Why,
)
from games import AnyGame, IllegalMoveError, Outcome, Seat
from games.chance import Chance


def state_columns(game: AnyGame, state: Any, clocks_of: MatchRecord) -> StateColumns:  # noqa: ANN401
    """The columns that a new state changes, with the clocks of `clocks_of`."""
    assert clocks_of.due_at is not None
    return StateColumns(
        schema=state_upgrades.schema(game.key),
        state=codec.encode(state),
        turn=clocks_of.turn,
        deadline=clocks_of.deadline,
        due_at=clocks_of.due_at,
    )


def new_seed() -> str:
    """An unpredictable seed: 64 hexadecimal digits, as exports require."""
    return secrets.token_hex(32)


async def deal(writing: Transaction, found: LoadedMatch, seed: str, now: int) -> None:
    """Deal the match and start its clocks."""
    record = found.record
    state = found.game.setup(found.options, len(record.seats), Chance(seed, 0))
    begun = clocks.started(record, await vacation_ends(writing, record, now), now)
    begun = clocks.with_next_due(begun, found.game.awaiting(state), now)
    await writing.matches.deal(
        record.id, state_columns(found.game, state, begun), seed=seed, now=now
    )
    await writing.clocks.put_seats(record, begun)


async def vacation_ends(writing: Transaction, record: MatchRecord, now: int) -> dict[int, int]:
    """When the vacation of each player who is on one ends, by user id.

    Empty unless vacations stop the clocks of this match.
    """
    if record.time_control not in SLOW or record.guild is None:
        return {}
    playing = [s.user for s in record.seats if s.computer is None and s.left is None]
    return await writing.clocks.on_vacation(playing, record.guild, now)


async def queue_turn_notices(writing: Transaction, found: LoadedMatch, now: int) -> None:
    """Queue a turn notice for each player who owes a move, sent if they do after `TURN_GRACE`.

    Not in a solo match: its player waits for computers only, and just for seconds.
    """
    if found.record.guild is None:
        return
    owing = sorted(found.owing)
    users = [found.record.seats[seat].user for seat in owing]
    record, due_at = found.record, now + int(TURN_GRACE.total_seconds())
    await writing.notices.queue(record.id, "turn", users, due_at=due_at, turn=record.turn)


async def queue_start_notices(
    writing: Transaction, found: LoadedMatch, users: Collection[int], actor: int, now: int
) -> None:
    """Queue notices for these users that the match has started, and the turn notices.

    Both wait for `TURN_GRACE`: a hand that is sent by direct message reports the start as well.
    """
    record, due_at = found.record, now + int(TURN_GRACE.total_seconds())
    await writing.notices.queue(
        record.id, "accepted", users, due_at=due_at, turn=record.turn, actor=actor
    )
    await queue_turn_notices(writing, found, now)


async def resolve(
    writing: Transaction,
    found: LoadedMatch,
    now: int,
    *,
    actor: int | None = None,
    by_itself: bool = False,
) -> Effect:
    """Play all steps for which all awaited seats have chosen, and end the match if it is over.

    Forced moves that play themselves are chosen after each step. `actor` is the user who has just
    chosen; `by_itself` says that nobody has, because the moves were forced.
    """
    turn, resolved = found.record.turn, False
    while found.awaiting and not found.owing:
        found = await _play(writing, found, now, by_itself=by_itself or resolved)
        found = await choose_forced(writing, found, forced_choices(found), now)
        resolved = True
    if found.record.turn != turn:
        await queue_turn_notices(writing, found, now)
    continues = resolved and found.record.turn == turn and bool(found.awaiting)
    outcome = found.game.outcome(found.state)
    if outcome is not None:
        lines = result_records(found.record, outcome)
        found = await end(writing, found, "over", now, lines, actor=actor)
    return Effect(found, resolved=resolved or outcome is not None, turn_continues=continues)


async def leave(
    writing: Transaction, found: LoadedMatch, seat: Seat, why: Why, now: int, actor: int | None
) -> Effect:
    """Remove a seat for good, drop choices that are no longer legal, and play on without it.

    Its player is notified unless they resigned. If this ends the match, its end is reported
    instead, to everyone but `actor`.
    """
    record = found.record
    # A chance of its own, so that a departure doesn't draw what the next step will draw.
    chance = Chance(f"{record.seed}:{seat} leaves", record.step)
    state = found.game.concede(found.state, seat, chance)
    after = replace(found, state=state)
    kept, dropped = _still_legal(after)
    timed = _clocks_after_leaving(found, after, kept, now, dropped=dropped)
    departed = await writing.matches.leave(
        record, seat, state_columns(found.game, state, timed), why=why
    )
    await writing.clocks.put_seats(record, timed)
    if any(other.agrees for other in record.seats):
        await writing.seats.clear_agreements(record.id)  # those who were asked have changed
    for other in set(found.choices) - set(kept):
        await writing.moves.drop(record.id, record.step, other)
    left = _without_agreements(_replace_but_clocks(timed, seat, departed))
    left = replace(left, by_clock=record.by_clock & set(kept))
    on = replace(after, record=left, choices=kept)
    if why != "resigned":
        await writing.notices.queue(record.id, "out", [departed.user], due_at=now, actor=actor)
    if _is_deserted(on):
        return Effect(await _end_deserted(writing, on, now, actor), resolved=True)
    if timed.turn != record.turn or dropped:
        await queue_turn_notices(writing, on, now)
    effect = await resolve(writing, on, now, actor=actor)
    return replace(effect, resolved=True)


def _clocks_after_leaving(
    found: LoadedMatch,
    after: LoadedMatch,
    kept: Mapping[Seat, Any],
    now: int,
    *,
    dropped: bool,
) -> MatchRecord:
    """The record with the clocks of the players who are left."""
    record = found.record
    if record.due_at is not None and after.awaiting <= found.awaiting and not dropped:
        return record
    # A new turn: players who must choose again get full time for it and a notice, too.
    timed = clocks.with_turn_restarted(record, found.owing, now)
    if after.awaiting <= found.awaiting and not dropped:
        timed = replace(timed, turn=record.turn)
    return clocks.with_next_due(timed, after.awaiting - set(kept), now)


def _replace_but_clocks(record: MatchRecord, seat: Seat, after: SeatRecord) -> MatchRecord:
    """The record with `after` as this seat, except for the seat's clocks, which are kept."""
    clock = record.seats[seat]
    after = replace(after, rested=clock.rested, reserve=clock.reserve, away_until=clock.away_until)
    return record.with_seat(seat, after)


def _without_agreements(record: MatchRecord, what: Agreement | None = None) -> MatchRecord:
    """The record without what its seats agree to, or only without this; as `clear_agreements`."""
    seats = (replace(s, agrees=None) if what in {None, s.agrees} else s for s in record.seats)
    return replace(record, seats=tuple(seats))


def _is_deserted(found: LoadedMatch) -> bool:
    """Whether only computers would play on."""
    playing = [seat for seat in found.record.seats if seat.left is None]
    return bool(found.awaiting) and all(seat.computer is not None for seat in playing)


async def _end_deserted(
    writing: Transaction, found: LoadedMatch, now: int, actor: int | None
) -> LoadedMatch:
    """End a match that only computers would play on: they draw, and people who left rank below."""
    outcome = agreed_draw([seat.left for seat in found.record.seats])
    lines = result_records(found.record, outcome)
    return await end(writing, found, "over", now, lines, ending="draw", actor=actor)


async def end(  # noqa: PLR0913 - as `MatchRepository.end`
    writing: Transaction,
    found: LoadedMatch,
    status: Status,
    now: int,
    outcome: Sequence[ResultRecord] = (),
    *,
    ending: Ending | None = None,
    actor: int | None = None,
) -> LoadedMatch:
    """End a match; returns it as it is then."""
    record = found.record
    await writing.matches.end(record, status, now, outcome, ending=ending, actor=actor)
    over = replace(record, status=status, ending=ending, due_at=record.counts_at)
    return replace(found, record=over)


def result_records(record: MatchRecord, outcome: Outcome) -> list[ResultRecord]:
    """The result of each seat."""
    first = outcome.ranks.count(1)
    return [
        ResultRecord(
            seat=Seat(i),
            user=seat.user,
            rank=outcome.ranks[i],
            score=outcome.scores[i],
            won=int(outcome.ranks[i] == 1 and first == 1),
            drawn=int(outcome.ranks[i] == 1 and first > 1),
            lost=int(outcome.ranks[i] > 1),
            computer=seat.computer,
        )
        for i, seat in enumerate(record.seats)
    ]


async def _play(
    writing: Transaction, found: LoadedMatch, now: int, *, by_itself: bool
) -> LoadedMatch:
    """Play the current step; its number guards the write, so that no step is played twice.

    `by_itself` says that all its moves were forced, so that no player had a say in it.
    """
    record, game = found.record, found.game
    moves = {seat: found.choices[seat] for seat in found.awaiting}
    state = game.play(found.state, moves, Chance(record.seed or "", record.step + 1))
    after = replace(found, state=state, choices={})
    timed = _clocks_after_step(found, after.awaiting, now)
    late = tuple(sorted(record.by_clock))
    await writing.matches.advance(
        record.id, record.step, state_columns(game, state, timed), late=late
    )
    await writing.clocks.put_seats(record, timed)
    for what in _lapsed(record, frozenset() if by_itself else frozenset(moves)):
        await writing.seats.clear_agreements(record.id, what)
        timed = _without_agreements(timed, what)
    on = replace(timed, step=record.step + 1, late=late, by_clock=frozenset(), remark=None)
    return replace(after, record=on)


def _lapsed(record: MatchRecord, moving: frozenset[Seat]) -> list[Agreement]:
    """The offers that end with this step: one of the `moving` seats hasn't agreed to them."""
    standing = {seat.agrees for seat in record.seats if seat.agrees is not None}
    return [
        what
        for what in sorted(standing)
        if what == "take_back"  # it is about the step before this one
        or any(record.seats[seat].agrees != what for seat in moving)
    ]


def _clocks_after_step(found: LoadedMatch, awaiting: frozenset[Seat], now: int) -> MatchRecord:
    """The record with its clocks after a step: consecutive steps of one seat share a deadline."""
    record = found.record
    turn_continues = len(awaiting) == 1 and awaiting == found.awaiting
    if turn_continues and record.due_at is not None and record.deadline is not None:
        return record
    timed = clocks.next_turn(record, now)
    if turn_continues:
        timed = replace(timed, turn=record.turn)
    return clocks.with_next_due(timed, awaiting, now)


def forced_choices(found: LoadedMatch) -> Mapping[Seat, Any]:
    """The only legal move of each seat that owes one, if it plays itself.

    The player's preference decides that; without one, the game does.
    """
    game, choices = found.game, {}
    for seat in found.owing:
        wanted = found.record.seats[seat].forced
        if not (game.plays_forced_moves if wanted is None else wanted):
            continue
        only, *others = game.legal_moves(found.state, seat)
        if not others and (wanted or game.is_openly_forced(found.state, seat, only)):
            choices[seat] = only
    return choices


async def choose_forced(
    writing: Transaction,
    found: LoadedMatch,
    moves: Mapping[Seat, Any],  # of the game's own type
    now: int,
) -> LoadedMatch:
    """Store these forced moves as choices in the current step; returns the match with them."""
    for seat, move in moves.items():
        chosen = MoveRecord(text=str(move), how="forced", made_at=now)
        await writing.moves.choose(found.record.id, found.record.step, seat, chosen)
    return replace(found, choices={**found.choices, **moves})


def _still_legal(found: LoadedMatch) -> tuple[dict[Seat, Any], bool]:
    """The choices that are legal after a departure, and whether an awaited seat lost its choice."""
    awaited = found.game.awaiting(found.state)
    kept, dropped = {}, False
    for seat, move in found.choices.items():
        if seat not in awaited:
            continue
        try:
            found.game.check(found.state, seat, move)
        except IllegalMoveError:
            dropped = True
        else:
            kept[seat] = move
    return kept, dropped
