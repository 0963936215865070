"""Frozen dataclasses to JSON text and back, strictly: what reads back is what was written."""

from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from bot.errors import CorruptRecordError

T = TypeVar("T")


_ADAPTERS: dict[type[Any], TypeAdapter[Any]] = {}


def _adapter(kind: type[Any]) -> TypeAdapter[Any]:
    if kind not in _ADAPTERS:  # building one costs milliseconds
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]


def encode(value: Any) -> str:  # noqa: ANN401 - options and states of any game
    """The value as compact JSON text."""
    return _adapter(type(value)).dump_json(value).decode()


def decode(kind: type[T], text: str) -> T:
    """The value that `encode` turned into this text.

    Encoding it again must give the same text, so a missing or extra field, or one of another type,
    raises CorruptRecordError instead of being filled in, dropped or converted.
    """
    adapter: TypeAdapter[T] = _adapter(kind)
    try:
        value = adapter.validate_json(text, strict=True)
    except ValidationError as error:
        places = ", ".join(sorted({".".join(map(str, e["loc"])) for e in error.errors()}))
        raise CorruptRecordError(f"{kind.__qualname__} does not read back: {places}") from None
    if adapter.dump_json(value).decode() != text:
        raise CorruptRecordError(f"{kind.__qualname__} does not read back: it would lose something")
    return value
