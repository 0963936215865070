"""The deal of a game (R29)."""

from dataclasses import replace

from games.chance import Chance
from games.core import Seat
from games.spite.belief import Took
from games.spite.cards import FIRST_PACK, WILDNESS, Face, arranged
from games.spite.events import Dealt
from games.spite.options import Options
from games.spite.state import Series, Side, State
from games.spite.table import HAND_SIZE, MutableSide, Table

Cards = tuple[Face, ...]


def first_game(options: Options, chance: Chance) -> State:
    """Deal the first game of a match; its dealer is drawn at random."""
    dealer = Seat(chance.below(2))
    sides, source, aside = _layout(options, dealer, chance)
    return State(
        series=Series(
            options=options, game=1, dealer=dealer, aside=aside, scores=(0, 0), last=None
        ),
        turn=1,
        on_turn=Seat(1 - dealer),
        draw="open" if options.strict_draw else "closed",
        sides=sides,
        source=source,
        foundations=(),
        removed=(),
        events=(Dealt(game=1, dealer=dealer),),
        turn_start=0,
        left=None,
        is_over=False,
    )


def deal_next_game(table: Table, chance: Chance) -> None:
    """Clear the table and deal the next game of a series; the other seat is the dealer."""
    game, dealer = table.series.game + 1, Seat(1 - table.series.dealer)
    sides, table.source, aside = _layout(table.series.options, dealer, chance)
    table.series = replace(table.series, game=game, dealer=dealer, aside=aside)
    table.sides = (MutableSide(sides[0]), MutableSide(sides[1]))
    table.foundations = ()
    table.removed = ()
    table.begin_turn(Seat(1 - dealer), 1)
    table.tell(Dealt(game=game, dealer=dealer))


def _layout(
    options: Options, dealer: Seat, chance: Chance
) -> tuple[tuple[Side, Side], Cards, Cards]:
    """Deal both sides, the source and the cards set aside."""
    first = chance.shuffled(FIRST_PACK)
    second = chance.shuffled(WILDNESS[options.jokers].second_pack)
    n = options.stock
    dealt = second[: 2 * HAND_SIZE]
    hands = dealt[::2], dealt[1::2]  # one at a time, non-dealer first
    sides = (
        _side(first[:n], hands[1 if dealer == 0 else 0]),
        _side(first[n : 2 * n], hands[1 if dealer == 1 else 0]),
    )
    return sides, second[2 * HAND_SIZE :], first[2 * n :]


def _side(stock: Cards, hand: Cards) -> Side:
    return Side(
        stock=stock,
        turned=stock[-1:],
        hand=arranged(hand),
        discards=((), (), (), ()),
        carried=(),
        trail=(Took(HAND_SIZE),),
    )
