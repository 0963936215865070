"""Statements as SQL text, where Core's constructs are unreadable or a plan depends on wording.

What differs between SQLite and PostgreSQL is in braces.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from sqlalchemy import BigInteger, TextClause, bindparam, text
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.types import TypeEngine

_WORDS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "sqlite": MappingProxyType({"is_true": " = 1", "least": "min", "greatest": "max"}),
        "postgresql": MappingProxyType({"is_true": "", "least": "least", "greatest": "greatest"}),
    }
)
"""The replacements for braces, by dialect. SQLite uses a partial index only if its condition
appears literally, hence ` = 1`."""


class Statement:
    """A statement for either database.

    `binds` are its parameters with their types, which PostgreSQL needs. Those in `lists` are lists
    of ids, for IN. `more` has further replacements for braces.
    """

    def __init__(
        self,
        words: str,
        binds: Mapping[str, type[TypeEngine[Any]]],
        *,
        lists: tuple[str, ...] = (),
        more: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        bound = [
            *(bindparam(name, type_=kind) for name, kind in binds.items()),
            *(bindparam(name, type_=BigInteger, expanding=True) for name in lists),
        ]
        self.texts = {
            name: text(words.format(**known, **more)).bindparams(*bound)
            for name, known in _WORDS.items()
        }

    def on(self, connection: AsyncConnection) -> TextClause:
        """The statement for this connection's database."""
        return self.texts[connection.dialect.name]
