"""The values that a person enters into modals and selects, as they're sent."""

from collections.abc import Mapping
from typing import Any

from sandbox.components.tree import ENTITY_SELECTS, ComponentType
from sandbox.errors import ImpossibleError, Json
from sandbox.guilds import CHANNEL_TYPES, Channel
from sandbox.interactions import ResolvedData
from sandbox.members import Role, User

ENTITY_CLASSES = {"user": User, "role": Role, "channel": Channel}
SHORT = 1
"""The style of a text input with one line."""


def submitted_components(
    modal: Json, values: Mapping[str, Any], resolved: ResolvedData
) -> list[Json]:
    """The components of MODAL_SUBMIT; the keys of `values` are custom ids or labels.

    Raises ImpossibleError if the client wouldn't accept a value.
    """
    fields = _Fields(values, resolved)
    components = [fields.read(component) for component in modal["components"]]
    if fields.unused:
        raise ImpossibleError(f"The modal has no field {', '.join(sorted(fields.unused))}.")
    return components


class _Fields:
    def __init__(self, values: Mapping[str, Any], resolved: ResolvedData) -> None:
        self._values = values
        self._resolved = resolved
        self.unused = set(values)

    def read(self, component: Json) -> Json:
        kind = component["type"]
        base = {"type": kind, "id": component["id"]}
        if kind == ComponentType.TEXT_DISPLAY:
            return base
        if kind == ComponentType.ACTION_ROW:
            inner = [self._field(child, child.get("label")) for child in component["components"]]
            return {**base, "components": inner}
        return {**base, "component": self._field(component["component"], component["label"])}

    def _field(self, field: Json, label: str | None) -> Json:
        given = None
        for name in (field["custom_id"], label or ""):
            if name in self._values:
                self.unused.discard(name)
                given = self._values[name]
                break
        answer = {key: field[key] for key in ("type", "id", "custom_id")}
        if field["type"] == ComponentType.TEXT_INPUT:
            return answer | {"value": _text(field, given)}
        if field["type"] == ComponentType.CHECKBOX:
            return answer | {"value": bool(field["default"] if given is None else given)}
        if field["type"] == ComponentType.RADIO_GROUP:
            chosen = chosen_options(field, [] if given is None else [given], 1)
            return answer | {"value": chosen[0] if chosen else None}
        values = [] if given is None else given if isinstance(given, list | tuple) else [given]
        return answer | {"values": chosen_values(field, list(values), self._resolved)}


def _text(field: Json, given: object) -> str:
    text = field.get("value", "") if given is None else str(given)
    if field["style"] == SHORT and "\n" in text:
        raise ImpossibleError(f"{field['custom_id']!r} takes one line.")
    low = field.get("min_length") or (1 if field.get("required", True) else 0)
    high = field.get("max_length") or 4000
    if (text or field.get("required", True)) and not low <= len(text) <= high:
        message = f"{field['custom_id']!r} takes {low} to {high} characters, not {len(text)}."
        raise ImpossibleError(message)
    return text


def chosen_values(field: Json, given: list[Any], resolved: ResolvedData) -> list[str]:
    """The values of a select as they're sent; ImpossibleError if the client wouldn't allow them."""
    high = field.get("max_values", 1)
    if field["type"] in ENTITY_SELECTS:
        kinds = ENTITY_SELECTS[ComponentType(field["type"])]
        classes = tuple(ENTITY_CLASSES[kind] for kind in kinds)
        for entity in given:
            types = field.get("channel_types") or CHANNEL_TYPES
            is_other = isinstance(entity, Channel) and entity.type not in types
            if is_other or not isinstance(entity, classes):
                raise ImpossibleError(f"{field['custom_id']!r} does not offer {entity!r}.")
        values = [resolved.add(entity) for entity in given]
    else:
        values = chosen_options(field, given, high)
    if len(set(values)) < len(values):
        raise ImpossibleError(f"{field['custom_id']!r} takes each value once.")
    low = field.get("min_values", 1)
    if not field.get("required", True) and not values:
        return values
    if not low <= len(values) <= high:
        message = f"{field['custom_id']!r} takes {low} to {high} values, not {len(values)}."
        raise ImpossibleError(message)
    return values


def chosen_options(field: Json, given: list[Any], high: int) -> list[str]:
    """The values of the chosen options, each given by its value or label; `high` at most."""
    values = []
    for wanted in given[: high + 1]:
        found = [o["value"] for o in field["options"] if wanted in (o["value"], o["label"])]
        if not found:
            offered = ", ".join(repr(option["label"]) for option in field["options"])
            raise ImpossibleError(f"{field['custom_id']!r} offers {offered}, not {wanted!r}.")
        values.append(found[0])
    if field.get("required") and not values:
        raise ImpossibleError(f"{field['custom_id']!r} needs a choice.")
    return values
