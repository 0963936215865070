"""How moves of Divide & Conquer (board) are written and read."""

import pytest

from games.conquest import CONQUEST, Choice, Order, Plan, Redeployment, Reinforcement, Supply

WRITTEN = [
    ("E5-9-D4", Plan((Order("E5", 9, "D4"),))),
    ("A10-10-B10", Plan((Order("A10", 10, "B10"),))),
    ("pass", Plan((None,))),
    ("E5-9-D4 / pass", Plan((Order("E5", 9, "D4"), None))),
    ("pass / F6-1-G7", Plan((None, Order("F6", 1, "G7")))),
    ("fight", Choice(fight=True)),
    ("hold", Choice(fight=False)),
    ("+F5", Supply((Reinforcement("F5"),))),
    ("none", Supply((None,))),
    ("+E5 / none", Supply((Reinforcement("E5"), None))),
    ("D4>HQ", Supply((Redeployment("D4"),))),
    ("none / J10>HQ", Supply((None, Redeployment("J10")))),
]


@pytest.mark.parametrize(("text", "move"), WRITTEN, ids=[text for text, _ in WRITTEN])
def test_a_move_is_written_in_the_notation_and_parsed_back(text, move):
    assert str(move) == text
    assert CONQUEST.parse(text) == move


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ("e5-9-d4", "E5-9-D4"),
        ("  E5 - 9 - D4  ", "E5-9-D4"),
        ("E5\N{EN DASH}9\N{EN DASH}D4", "E5-9-D4"),
        ("E5 \N{EN DASH} 9 \N{EN DASH} D4", "E5-9-D4"),
        ("e 5-9-d 4", "E5-9-D4"),
        ("E5-9-D4/PASS", "E5-9-D4 / pass"),
        ("Pass   /   Pass", "pass / pass"),
        ("FIGHT", "fight"),
        (" Hold\n", "hold"),
        ("+ f5", "+F5"),
        ("None", "none"),
        ("d4 > hq", "D4>HQ"),
        ("d4>hq/+e5", "D4>HQ / +E5"),
    ],
)
def test_case_spaces_and_en_dashes_are_parsed_leniently(text, exact):
    assert str(CONQUEST.parse(text)) == exact


@pytest.mark.parametrize(
    "text",
    [
        "",
        "E5",
        "E5-9",
        "E5-9-D4-",
        "E5-D4",
        "E5-0-D4",
        "E5-09-D4",
        "E05-9-D4",
        "E5-9-D04",
        "E5--9-D4",
        "E5-1 0-D4",
        "E5-9\N{EM DASH}D4",
        "E5-\N{ARABIC-INDIC DIGIT NINE}-D4",
        "E5-99999-D4",
        "pass pass",
        "pass /",
        "/ pass",
        "pass / pass / pass",
        "none / none / none",
        "E5-9-D4 / none",
        "+E5 / pass",
        "fight / hold",
        "pa\N{LATIN SMALL LETTER LONG S}s",
        "+",
        "+05",
        "+HQ",
        "D4>E5",
        "HQ>D4",
        "D4>HQ>",
        "signal 2",
    ],
)
def test_any_other_text_is_refused_with_a_sentence(text):
    with pytest.raises(ValueError, match=r"^That isn't a move\. .*\.$"):
        CONQUEST.parse(text)


@pytest.mark.parametrize("text", ["K5-9-J5", "E5-9-E11", "+A99", "Z1>HQ", "pass / E5-1-K5"])
def test_a_square_off_the_board_is_named(text):
    with pytest.raises(ValueError, match=r"isn't on the board: rows go from A to J"):
        CONQUEST.parse(text)
