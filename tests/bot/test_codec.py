import json
from dataclasses import dataclass
from enum import Enum

import pytest

from bot import codec
from bot.errors import CorruptRecordError
from games import GAMES, Seat
from games.chance import Chance
from tests.support.random_play import CASES, seed_of, steps
from tests.support.stored_states import damaged

STEPS = 40


class Suit(Enum):
    CLUBS = "clubs"
    HEARTS = "hearts"


@dataclass(frozen=True, slots=True)
class Card:
    suit: Suit
    face: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal:
    name: str
    rounds: int
    open: bool
    cards: tuple[Card, ...]
    held: dict[Seat, int]
    top: Card | None = None


DEAL = Deal(
    name="Zoë's",
    rounds=2,
    open=True,
    cards=(Card(Suit.HEARTS, 9), Card(Suit.CLUBS, 0)),
    held={Seat(0): 6, Seat(1): 5},
)
TEXT = codec.encode(DEAL)


def compact(record):
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False)


def test_a_value_reads_back_as_it_was():
    assert codec.decode(Deal, TEXT) == DEAL


def test_the_text_is_compact_and_names_every_field():
    assert TEXT == (
        '{"name":"Zoë\'s","rounds":2,"open":true,"cards":[{"suit":"hearts","face":9},'
        '{"suit":"clubs","face":0}],"held":{"0":6,"1":5},"top":null}'
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param('"rounds":2,', "", id="a field missing"),
        pytest.param(',"top":null', "", id="a field missing that has a default"),
        pytest.param('"face":9', '"face":9,"worth":3', id="a field added"),
        pytest.param('"rounds":2', '"rounds":"2"', id="text for a number"),
        pytest.param('"rounds":2', '"rounds":2.0', id="a fraction for a whole number"),
        pytest.param('"rounds":2', '"rounds":true', id="a truth for a number"),
        pytest.param('"rounds":2', '"rounds":null', id="nothing for a number"),
        pytest.param('"open":true', '"open":1', id="1 for true"),
        pytest.param('"open":true', '"open":"true"', id="text for a truth"),
        pytest.param("Zoë's", 'Zoë", "x', id="a string that ends early"),
        pytest.param("Zoë", "Zo\\u00eb", id="another spelling of the same letter"),
        pytest.param("hearts", "stars", id="a word that is none of them"),
        pytest.param('"0":6', '"00":6', id="another spelling of the same key"),
        pytest.param('"rounds":2,"open":true', '"open":true,"rounds":2', id="fields reordered"),
        pytest.param('"rounds":2', '"rounds":1,"rounds":2', id="a field twice"),
        pytest.param('"rounds":2', '"rounds": 2', id="a space within"),
        pytest.param('{"name"', ' {"name"', id="a space before"),
        pytest.param('"top":null}', '"top":null}\n', id="a line's end after"),
        pytest.param('"top":null}', '"top":null', id="the end cut off"),
        pytest.param(TEXT, "", id="no text at all"),
        pytest.param(TEXT, "null", id="nothing"),
        pytest.param(TEXT, "[]", id="a list"),
        pytest.param(TEXT, "nonsense", id="no JSON"),
    ],
)
def test_a_damaged_text_is_refused(old, new):
    text = TEXT.replace(old, new)
    assert text != TEXT

    with pytest.raises(CorruptRecordError, match=r"^Deal does not read back: "):
        codec.decode(Deal, text)


def test_the_error_names_the_place_and_never_the_value():
    with pytest.raises(CorruptRecordError) as refused:
        codec.decode(Deal, TEXT.replace("9", '"secret"').replace("true", "1"))

    assert str(refused.value) == "Deal does not read back: cards.0.face, open"
    assert refused.value.__suppress_context__


@pytest.mark.parametrize("case", CASES, ids=str)
def test_options_and_states_of_every_game_survive_storage(case):
    game, seed = case.game, seed_of(0)
    state = game.setup(case.options, case.seats, Chance(seed, 0))
    states = [state, *(after for _, after in steps(game, state, seed, after=0, bound=STEPS))]

    assert codec.decode(game.options, codec.encode(case.options)) == case.options
    assert [codec.decode(game.state, codec.encode(s)) for s in states] == states


@pytest.mark.parametrize("key", GAMES)
def test_every_kind_of_damage_to_a_stored_state_is_noticed(key):
    case = next(case for case in CASES if case.key == key)
    game, seed = case.game, seed_of(1)
    state = game.setup(case.options, case.seats, Chance(seed, 0))
    *_, (_, late) = steps(game, state, seed, after=0, bound=5)

    unnoticed = []
    for what, record in damaged(json.loads(codec.encode(late))):
        try:
            codec.decode(game.state, compact(record))
        except CorruptRecordError:
            continue
        unnoticed.append(what)
    assert unnoticed == []
