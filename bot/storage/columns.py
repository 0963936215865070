"""Which columns hold the fields of a record: said once, for reading it and for writing it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from sqlalchemy import BindParameter, Column, Table, bindparam

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

R = TypeVar("R", bound="DataclassInstance")

Converters = Mapping[str, Callable[[Any], Any]]
"""By the name of a field, what turns a value of one side into a value of the other."""

_NONE: Final[Mapping[str, Any]] = MappingProxyType({})


class Columns(Generic[R]):
    """The fields of a record as columns of a table, in the order of the fields.

    A field has the name of its column unless `renamed` says another one. Those named in `besides`
    are in no column. `read` turns the values of columns into those of fields, `write` back; what is
    named in neither is the same in both. The tables' own checks hold what `Literal` types promise.
    """

    def __init__(
        self,
        record: type[R],
        table: Table,
        *,
        renamed: Mapping[str, str] = _NONE,
        besides: Collection[str] = (),
        read: Converters = _NONE,
        write: Converters = _NONE,
    ) -> None:
        self._record = record
        self._fields = tuple(f.name for f in fields(record) if f.name not in besides)
        self._names = tuple(renamed.get(name, name) for name in self._fields)
        self._read = tuple(read.items())
        self._write = tuple(write.items())
        self.columns: tuple[Column[Any], ...] = tuple(table.c[name] for name in self._names)

    def __len__(self) -> int:
        return len(self.columns)

    def of(self, values: Sequence[Any], **besides: Any) -> R:  # noqa: ANN401 - of any column
        """The record of these values, one for each column, and of what is in none of them."""
        found = dict(zip(self._fields, values, strict=True))
        for name, convert in self._read:
            found[name] = convert(found[name])
        return self._record(**found | besides)

    @property
    def bound(self) -> dict[str, BindParameter[Any]]:
        """For a statement that is made once: where each column's value comes, by column."""
        return bound(self.columns)

    def bound_values(self, record: R) -> dict[str, Any]:
        """What a record says, by the names in `bound`."""
        return {f"new_{name}": value for name, value in self.values(record).items()}

    def values(self, record: R) -> dict[str, Any]:
        """What a record says, by the names of the columns."""
        found = {name: getattr(record, name) for name in self._fields}
        for name, convert in self._write:
            found[name] = convert(found[name])
        return dict(zip(self._names, found.values(), strict=True))


def bound(columns: Collection[Column[Any]]) -> dict[str, BindParameter[Any]]:
    """Where each of these columns' values comes in a statement that is made once, by column."""
    return {c.name: bindparam(f"new_{c.name}", type_=c.type) for c in columns}
