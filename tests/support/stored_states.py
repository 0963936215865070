"""Stored states, and damaged ones, for tests of the contract and of storage."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from games import AnyGame


@cache
def adapter(kind: type) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def stored(game: AnyGame, state: Any) -> str:
    """A state as the JSON text that is stored."""
    return adapter(game.state).dump_json(state).decode()


def restored(game: AnyGame, text: str) -> Any:
    """The state in a text; raises ValueError if encoding it again gives different JSON.

    That comparison finds what validation accepts: added fields, and lost fields with a default.
    """
    state = adapter(game.state).validate_json(text, strict=True)
    if json.loads(stored(game, state)) != json.loads(text):
        raise ValueError("The state read is not the state that was stored.")
    return state


def damaged(record: Any, path: str = "state") -> Iterator[tuple[str, Any]]:
    """Copies of a JSON value, each with one field missing, added, or of another type.

    Each comes after a description of the damage, for example "state.options.deck is missing".
    """
    if isinstance(record, dict):
        yield f"{path} has a field more", {**record, "surplus": 1}
        for name in record:
            without = {key: value for key, value in record.items() if key != name}
            yield f"{path}.{name} is missing", without
            for what, value in damaged(record[name], f"{path}.{name}"):
                yield what, {**record, name: value}
    if isinstance(record, list):
        for i, item in enumerate(record):
            for what, value in damaged(item, f"{path}[{i}]"):
                yield what, [*record[:i], value, *record[i + 1 :]]
    yield f"{path} is of another type", another_type(record)


def another_type(value: Any) -> Any:
    if isinstance(value, bool | int):
        return f"{value}"
    if isinstance(value, str):
        return 7
    return {"surplus": 1} if value is None else "text"
