import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import ButtonError
from bot.messaging.components import Press
from bot.storage import MatchId
from tests.support.random_play import sentence

CUSTOM_ID_LIMIT = 100  # Discord's

args = st.text(st.characters(blacklist_characters=":", blacklist_categories=["Cs"]), max_size=55)
presses = st.builds(
    Press,
    st.integers(0, 10**18 - 1).map(MatchId),
    st.integers(0, 10**9 - 1),
    st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=12),
    args,
)


@given(presses)
def test_every_press_that_can_be_parsed_fits_discord_and_parses_back(press):
    text = str(press)

    assert len(text) <= CUSTOM_ID_LIMIT
    assert Press.parse(text) == press


def test_the_longest_press_is_as_long_as_discord_allows():
    longest = Press(MatchId(10**18 - 1), 10**9 - 1, "a" * 12, "x" * 55)

    assert len(str(longest)) == CUSTOM_ID_LIMIT
    assert Press.parse(str(longest)) == longest


def test_a_custom_id_is_written_as_in_messages_that_already_exist():
    assert str(Press(MatchId(12), 3, "pick", "E5-9-D4")) == "f1:12:3:pick:E5-9-D4"
    assert Press.parse("f1:0:2:board:pico") == Press(MatchId(0), 2, "board", "pico")
    assert Press.parse("f1:7:0:hand:") == Press(MatchId(7), 0, "hand")


@pytest.mark.parametrize(
    "forged",
    [
        pytest.param("", id="nothing"),
        pytest.param("accept", id="another bot's"),
        pytest.param("f2:1:0:hand:", id="This button is out of date. Use a newer message."),
        pytest.param("f1:1:0:hand", id="a part too few"),
        pytest.param("f1:1:0:hand::", id="a part too many"),
        pytest.param("f1:-1:0:hand:", id="a match below zero"),
        pytest.param("f1:1:-1:hand:", id="a step below zero"),
        pytest.param("f1::0:hand:", id="no match"),
        pytest.param("f1:1::hand:", id="no step"),
        pytest.param("f1:1:0::", id="no act"),
        pytest.param("f1:1:0:Hand:", id="a capital letter"),
        pytest.param("f1:1:0:hand2:", id="a digit in the act"),
        pytest.param("f1:1.0:0:hand:", id="a fraction"),
        pytest.param("f1:1e3:0:hand:", id="an exponent"),
        pytest.param("f1:0x1:0:hand:", id="hexadecimal"),
        pytest.param("f1: 1:0:hand:", id="a space"),
        pytest.param("f1:\N{ARABIC-INDIC DIGIT ONE}:0:hand:", id="a digit of another script"),
        pytest.param(f"f1:{10**18}:0:hand:", id="a match no database counts to"),
        pytest.param(f"f1:1:{10**9}:hand:", id="a step too far"),
        pytest.param(f"f1:1:0:{'a' * 13}:", id="an act too long"),
        pytest.param(f"f1:1:0:hand:{'x' * 56}", id="an argument too long"),
        pytest.param(" f1:1:0:hand:", id="a space before"),
    ],
)
def test_a_forged_custom_id_is_refused_with_a_sentence(forged):
    with pytest.raises(ButtonError) as refused:
        Press.parse(forged)

    sentence(refused.value)


def test_a_single_picked_value_becomes_the_argument():
    press = Press(MatchId(1), 2, "pick", "menu 0").with_values("E5-9")

    assert press == Press(MatchId(1), 2, "pick", "E5-9", ("E5-9",))


@pytest.mark.parametrize("values", [(), ("pico", "duel")])
def test_several_picked_values_leave_the_argument_as_it_is(values):
    press = Press(MatchId(0), 0, "switch", "games").with_values(*values)

    assert press == Press(MatchId(0), 0, "switch", "games", values)


def test_a_value_that_no_button_can_carry_is_refused():
    with pytest.raises(ButtonError):
        Press(MatchId(0), 0, "switch").with_values("pico", "a:b")
