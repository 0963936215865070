"""Statements in words, where SQLAlchemy's constructs are not to be read or a plan depends on words.

What SQLite and PostgreSQL want said differently stands in braces.
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
"""What stands in braces, by the name of the dialect. A partial index of SQLite counts only where
its own condition stands in the words, hence ` = 1`."""


class Statement:
    """A statement for either database.

    `binds` are its parameters with their types; PostgreSQL has to know them. Those in `lists` are
    lists of ids, for IN. `more` is what else stands in braces.
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
        """The statement as this database wants it."""
        return self.texts[connection.dialect.name]
