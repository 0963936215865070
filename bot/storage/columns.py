"""Maps the fields of a record to the columns of a table, for both reading and writing."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from sqlalchemy import BindParameter, Column, Table, bindparam

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

R = TypeVar("R", bound="DataclassInstance")

Converters = Mapping[str, Callable[[Any], Any]]
"""By field name, the function that converts a column's value to the field's, or back."""

_NONE: Final[Mapping[str, Any]] = MappingProxyType({})


class Columns(Generic[R]):
    """The fields of a record as columns of a table, in the order of the fields.

    A field has the name of its column unless `renamed` maps it to another. Fields in `besides` have
    no column. `read` converts column values to field values, `write` converts them back; fields in
    neither have the same value on both sides. `Literal` types are not checked when reading: the
    tables' CHECK constraints hold what they promise.
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
        """A record from these values, one per column, and from the fields in `besides`."""
        by_field = dict(zip(self._fields, values, strict=True))
        for name, convert in self._read:
            by_field[name] = convert(by_field[name])
        return self._record(**by_field | besides)

    @property
    def bound(self) -> dict[str, BindParameter[Any]]:
        """Bind parameters by column name, for a statement that is built once."""
        return bound(self.columns)

    def bound_values(self, record: R) -> dict[str, Any]:
        """The values of a record, by the names of the parameters in `bound`."""
        return {f"new_{name}": value for name, value in self.values(record).items()}

    def values(self, record: R) -> dict[str, Any]:
        """The values of a record by column name."""
        by_field = {name: getattr(record, name) for name in self._fields}
        for name, convert in self._write:
            by_field[name] = convert(by_field[name])
        return dict(zip(self._names, by_field.values(), strict=True))


def bound(columns: Collection[Column[Any]]) -> dict[str, BindParameter[Any]]:
    """Bind parameters named `new_<column>`, by column name, for a statement that is built once."""
    return {c.name: bindparam(f"new_{c.name}", type_=c.type) for c in columns}
