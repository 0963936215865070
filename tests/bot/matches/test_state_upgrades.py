from types import MappingProxyType

import pytest

from bot.errors import CorruptRecordError
from bot.matches import state_upgrades
from games import GAMES


@pytest.fixture(autouse=True)
def history(monkeypatch):
    """Register a game whose state has changed its shape twice."""
    steps = {
        ("chess", 1): lambda text: text + " with castling",
        ("chess", 2): lambda text: text + " and a clock",
    }
    monkeypatch.setattr(state_upgrades, "SCHEMAS", MappingProxyType({"chess": 3}))
    monkeypatch.setattr(state_upgrades, "UPGRADES", MappingProxyType(steps))


@pytest.mark.parametrize(
    ("number", "text"),
    [(1, "board with castling and a clock"), (2, "board and a clock"), (3, "board")],
)
def test_an_old_state_passes_through_every_later_upgrade(number, text):
    assert state_upgrades.upgrade("chess", number, "board") == text


def test_a_game_whose_state_never_changed_has_schema_one():
    assert state_upgrades.schema("go") == 1
    assert state_upgrades.upgrade("go", 1, "board") == "board"


def test_a_state_written_by_a_newer_version_is_refused():
    with pytest.raises(CorruptRecordError, match=r"chess was written by a newer version \(4\)"):
        state_upgrades.upgrade("chess", 4, "board")


def test_every_old_schema_of_every_game_has_an_upgrade(monkeypatch):
    monkeypatch.undo()
    owed = {(key, n) for key in GAMES for n in range(1, state_upgrades.schema(key))}

    assert set(state_upgrades.UPGRADES) == owed
    assert set(state_upgrades.SCHEMAS) <= set(GAMES)
