"""One step of a match: a play, a discard or a draw, and all that follows automatically."""

from dataclasses import replace
from typing import assert_never

from games.chance import Chance
from games.core import Seat
from games.spite.cards import FACE_NAMED, RANKS, WILDNESS, Face
from games.spite.deal import deal_next_game
from games.spite.events import Discarded, Played, Stuck
from games.spite.legality import can_play, forced_faces, offers_draw
from games.spite.moves import NEW, PILES, STOCK, Discard, Draw, Move, Play
from games.spite.refusals import place_of
from games.spite.state import Ending, GameResult, State
from games.spite.table import MutableSide, Table


def apply_move(state: State, move: Move, chance: Chance) -> State:
    """The state after a legal move of the seat on turn."""
    table = Table(state)
    match move:
        case Play():
            _play(table, move, chance)
        case Discard():
            _discard(table, move, chance)
        case Draw():
            table.draw = "drawn"
            table.draw_up(chance)
        case _:
            assert_never(move)
    return table.state()


def _play(table: Table, move: Play, chance: Chance) -> None:
    side = table.own_side
    if table.draw == "open":
        table.draw = "forfeited" if offers_draw(table, len(side.hand)) else "closed"
    _place_on_foundation(table, move, _take_card(side, move.source))
    if not side.stock:
        table.end_turn()
        _end_game(table, "stock", chance)
    elif not side.hand:
        if table.draw != "forfeited":
            table.draw_up(chance)
        if not (side.hand or can_play(table)):
            table.tell(Stuck(seat=table.on_turn, was_passed_over=False))
            _end_turn(table, chance)


def _take_card(side: MutableSide, source: str) -> Face:
    """Take a card from its source."""
    if source == STOCK:
        return side.play_stock()
    if source in PILES:
        return side.play_discard(PILES[source])
    face = FACE_NAMED[source]
    side.give(face, 1, ())
    return face


def _place_on_foundation(table: Table, move: Play, face: Face) -> None:
    """Place a card on its foundation; a complete one leaves the table."""
    piles = list(table.foundations)
    if move.target == NEW:
        piles.append(())
    i = len(piles) - 1 if move.target == NEW else place_of(move.target)
    pile = piles[i] = (*piles[i], face)
    is_complete = len(pile) == WILDNESS[table.series.options.jokers].height
    if is_complete:
        del piles[i]
        table.removed += pile
    table.foundations = tuple(piles)
    table.tell(
        Played(
            seat=table.on_turn,
            source="hand" if move.source in FACE_NAMED else move.source,
            face=face,
            rank=RANKS[len(pile) - 1],
            target=f"f{i + 1}",
            is_complete=is_complete,
        )
    )


def _discard(table: Table, move: Discard, chance: Chance) -> None:
    # The discard was legal, so the hand had none of these faces.
    lacked = forced_faces(table.series.options, table.foundations)
    table.own_side.give(move.face, move.count, lacked)
    table.own_side.discard(move.face, move.count, PILES[move.pile])
    table.tell(Discarded(seat=table.on_turn, face=move.face, count=move.count, pile=move.pile))
    _end_turn(table, chance)


def _end_turn(table: Table, chance: Chance) -> None:
    """Begin the turn of the next seat; one that can do nothing at all is passed over (R33)."""
    table.end_turn()
    for _ in table.sides:
        if table.turn == table.series.options.turn_limit:
            _end_game(table, "turn limit", chance)
            return
        table.begin_turn(Seat(1 - table.on_turn), table.turn + 1)
        if not table.series.options.strict_draw:
            table.draw_up(chance)
        held = len(table.own_side.hand)
        if held or offers_draw(table, held) or can_play(table):
            return
        table.tell(Stuck(seat=table.on_turn, was_passed_over=True))
    _end_game(table, "stalemate", chance)


def _end_game(table: Table, ending: Ending, chance: Chance) -> None:
    """Score the game, and deal the next one unless the match is over (R36)."""
    first, second = (len(side.stock) for side in table.sides)
    winner = None if first == second else Seat(0 if first < second else 1)
    points = abs(first - second)
    series = table.series
    result = GameResult(
        game=series.game, winner=winner, points=points, stocks=(first, second), ending=ending
    )
    gained = 1 if series.options.scoring == "games" else points
    scores = (
        series.scores[0] + (gained if winner == 0 else 0),
        series.scores[1] + (gained if winner == 1 else 0),
    )
    table.series = replace(series, scores=scores, last=result)
    target, limit = series.options.target, series.options.game_limit
    table.is_over = target is None or max(scores) >= target or series.game == limit
    if not table.is_over:
        deal_next_game(table, chance)
