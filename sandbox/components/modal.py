"""Modals: their title, and the fields that people fill in."""

from typing import Final

from sandbox.components.interactive import read_entity_select, read_string_select
from sandbox.components.message import read_text
from sandbox.components.tree import ENTITY_SELECTS, ComponentTree, ComponentType, Reader, present
from sandbox.errors import Json
from sandbox.forms import Form

MAX_ROWS: Final = 5
TOP_LEVEL: Final = frozenset(
    {ComponentType.ACTION_ROW, ComponentType.LABEL, ComponentType.TEXT_DISPLAY}
)


def read_modal(form: Form, tree: ComponentTree) -> Json:
    """A modal as the client gets it."""
    modal: Json = {
        "custom_id": form.text("custom_id", 100, low=1, required=True),
        "title": form.text("title", 45, low=1, required=True),
    }
    entries = form.forms("components", MAX_ROWS, low=1, required=True)
    modal["components"] = [tree.read(entry, TOP_LEVEL, READERS) for entry in entries]
    tree.give_numbers()
    return modal


def _read_row(form: Form, tree: ComponentTree) -> Json:
    children = form.forms("components", 1, low=1, required=True)
    inputs = [tree.read(child, {ComponentType.TEXT_INPUT}, READERS) for child in children]
    for child in children:
        if not child.has("label"):
            child.note("label", "BASE_TYPE_REQUIRED", "This field is required")
    return {"components": inputs}


def _read_label(form: Form, tree: ComponentTree) -> Json:
    component = form.form("component", required=True)
    if component is not None and component.has("label"):
        message = "Components in a label cannot have a label"
        component.note("label", "COMPONENT_LABEL_NOT_ALLOWED", message)
    return {
        **present(
            label=form.text("label", 45, low=1, required=True),
            description=form.text("description", 100, low=1),
        ),
        "component": None if component is None else tree.read(component, IN_LABEL, READERS),
    }


def _read_input(form: Form, tree: ComponentTree) -> Json:
    low = form.integer("min_length", low=0, high=4000)
    high = form.integer("max_length", low=1, high=4000)
    if low is not None and high is not None and low > high:
        message = "min_length must be less than or equal to max_length"
        form.note("min_length", "TEXT_INPUT_COMPONENT_MIN_LENGTH_INVALID", message)
    value = form.text("value", high or 4000)
    return present(
        custom_id=tree.custom_id(form),
        style=form.choice("style", (1, 2), required=True),
        label=form.text("label", 45, low=1),
        value=value,
        placeholder=form.text("placeholder", 100),
        required=form.flag("required", default=True),
        min_length=low,
        max_length=high,
    )


def _is_required(form: Form) -> bool:
    """Whether a field must be filled in, which is the default; `min_values` can't be 0 then."""
    required = form.flag("required", default=True)
    if required and form.data.get("min_values") == 0:
        message = "A required component must have min_values of at least 1"
        form.note("min_values", "COMPONENT_REQUIRED_MIN_VALUES_INVALID", message)
    return required


def _required(reader: Reader) -> Reader:
    """The reader of a select in a modal, where it can be required but not disabled."""

    def read(form: Form, tree: ComponentTree) -> Json:
        if form.flag("disabled"):
            message = "Selects in a modal cannot be disabled"
            form.note("disabled", "COMPONENT_DISABLED_IN_MODAL", message)
        return reader(form, tree) | {"required": _is_required(form)}

    return read


def _group(low: int, *, many: bool) -> Reader:
    """The reader of a radio group, or of a checkbox group if `many`; at least `low` options."""

    def read(form: Form, tree: ComponentTree) -> Json:
        options = form.forms("options", 10, low=low, required=True)
        group: Json = {
            "custom_id": tree.custom_id(form),
            "required": _is_required(form),
            "options": [
                present(
                    label=option.text("label", 100, low=1, required=True),
                    value=option.text("value", 100, low=1, required=True),
                    description=option.text("description", 100),
                    default=option.flag("default") or None,
                )
                for option in options
            ],
        }
        if many:
            group["min_values"] = form.integer("min_values", low=0, high=10) or 0
            group["max_values"] = form.integer("max_values", low=1, high=10) or len(options)
        return group

    return read


def _read_checkbox(form: Form, tree: ComponentTree) -> Json:
    return {"custom_id": tree.custom_id(form), "default": form.flag("default")}


def _read_upload(form: Form, tree: ComponentTree) -> Json:
    low = form.integer("min_values", low=0, high=10)
    high = form.integer("max_values", low=1, high=10)
    return {
        "custom_id": tree.custom_id(form),
        "min_values": 1 if low is None else low,
        "max_values": high or 1,
        "required": _is_required(form),
    }


READERS: Final[dict[ComponentType, Reader]] = {
    ComponentType.ACTION_ROW: _read_row,
    ComponentType.LABEL: _read_label,
    ComponentType.TEXT_DISPLAY: read_text,
    ComponentType.TEXT_INPUT: _read_input,
    ComponentType.STRING_SELECT: _required(read_string_select),
    **dict.fromkeys(ENTITY_SELECTS, _required(read_entity_select)),
    ComponentType.FILE_UPLOAD: _read_upload,
    ComponentType.RADIO_GROUP: _group(2, many=False),
    ComponentType.CHECKBOX_GROUP: _group(1, many=True),
    ComponentType.CHECKBOX: _read_checkbox,
}
IN_LABEL: Final = frozenset(READERS) - TOP_LEVEL
