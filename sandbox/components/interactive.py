"""Buttons and selects."""

from collections.abc import Collection
from typing import Final

from sandbox.components.tree import ENTITY_SELECTS, ComponentTree, ComponentType, Reader, present
from sandbox.errors import Json
from sandbox.forms import Form
from sandbox.guilds import CHANNEL_TYPES, Channel

LINK_STYLE: Final = 5
PREMIUM_STYLE: Final = 6
BUTTON_STYLES: Final = range(1, 7)


def read_button(form: Form, tree: ComponentTree) -> Json:
    style = form.choice("style", BUTTON_STYLES, required=True)
    label = form.text("label", 80)
    emoji = tree.emoji(form)
    url = form.url("url", 512, schemes=("http", "https", "discord"))
    sku = form.snowflake("sku_id")
    custom_id = tree.custom_id(form, required=False)
    if style == PREMIUM_STYLE:
        _check_premium(form)
    elif style is not None:
        _check_target(form, style)
        if not form.data.get("label") and not form.has("emoji"):
            message = "A label or emoji is required"
            form.note("label", "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED", message)
    return present(
        style=style,
        label=label or None,
        emoji=emoji,
        custom_id=custom_id,
        url=url,
        sku_id=None if sku is None else str(sku),
        disabled=form.flag("disabled") or None,
    )


def _check_target(form: Form, style: int) -> None:
    has_id, has_url = form.has("custom_id"), form.has("url")
    if has_id and has_url:
        message = "A custom id and url cannot both be specified"
        form.note("custom_id", "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", message)
    elif style == LINK_STYLE and not has_url:
        form.note("url", "BUTTON_COMPONENT_URL_REQUIRED", "A url is required")
    elif style != LINK_STYLE and not has_id:
        form.note("custom_id", "BUTTON_COMPONENT_CUSTOM_ID_REQUIRED", "A custom id is required")


def _check_premium(form: Form) -> None:
    if not form.has("sku_id"):
        form.note("sku_id", "BASE_TYPE_REQUIRED", "This field is required")
    for name in ("custom_id", "label", "url", "emoji"):
        if form.has(name):
            message = "A premium button cannot have this field"
            form.note(name, "BUTTON_COMPONENT_PREMIUM_FIELD_NOT_ALLOWED", message)


def read_option(form: Form, tree: ComponentTree) -> Json:
    """One option of a string select."""
    return present(
        label=form.text("label", 100, low=1, required=True),
        value=form.text("value", 100, low=1, required=True),
        description=form.text("description", 100),
        emoji=tree.emoji(form),
        default=form.flag("default") or None,
    )


def _select(form: Form, tree: ComponentTree) -> Json:
    low = form.integer("min_values", low=0, high=25)
    high = form.integer("max_values", low=1, high=25)
    low, high = 1 if low is None else low, 1 if high is None else high
    if low > high:
        message = "min_values must be less than or equal to max_values"
        form.note("min_values", "SELECT_COMPONENT_MIN_VALUES_INVALID", message)
    return present(
        custom_id=tree.custom_id(form),
        placeholder=form.text("placeholder", 150),
        min_values=low,
        max_values=high,
        disabled=form.flag("disabled") or None,
    )


def read_string_select(form: Form, tree: ComponentTree) -> Json:
    select = _select(form, tree)
    options = form.forms("options", 25, low=1, required=True)
    select["options"] = [read_option(option, tree) for option in options]
    values = [option.get("value") for option in select["options"]]
    for option, value, before in zip(options, values, range(len(values)), strict=True):
        if value is not None and value in values[:before]:
            message = "The specified option value is already used"
            option.note("value", "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", message)
    if options and select["max_values"] > len(options):
        message = "max_values exceeds the number of options"
        form.note("max_values", "SELECT_COMPONENT_MAX_VALUES_EXCEEDS_OPTIONS", message)
    defaults = sum(option.get("default", False) for option in select["options"])
    if defaults > select["max_values"]:
        message = "The number of default options exceeds max_values"
        form.note("options", "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES", message)
    return select


def read_entity_select(form: Form, tree: ComponentTree) -> Json:
    """A select of users, roles, both, or channels."""
    kinds = ENTITY_SELECTS[ComponentType(form.data["type"])]
    select = _select(form, tree)
    if form.data["type"] == ComponentType.CHANNEL_SELECT and form.has("channel_types"):
        select["channel_types"] = form.choices("channel_types", CHANNEL_TYPES)
    defaults = []
    for default in form.forms("default_values", 25):
        if default.data.get("type") not in kinds:
            default.note("type", "BASE_TYPE_CHOICES", f"Value must be one of {kinds}.")
        identity = default.snowflake("id", required=True)
        if form.data["type"] == ComponentType.CHANNEL_SELECT and identity is not None:
            _check_channel(default, tree.find_channel(identity), select.get("channel_types"))
        defaults.append({"id": str(identity), "type": default.data.get("type")})
    if len(defaults) > select["max_values"]:
        message = "The number of default values exceeds max_values"
        form.note("default_values", "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES", message)
    if defaults:
        select["default_values"] = defaults
    return select


def _check_channel(form: Form, channel: Channel | None, kinds: Collection[int] | None) -> None:
    """Refuse a default channel that can't be chosen; what Discord does isn't documented."""
    if channel is None or (kinds and channel.type not in kinds):
        form.note("id", "SELECT_COMPONENT_INVALID_DEFAULT_VALUE", "Invalid default value")


INTERACTIVE: Final[dict[ComponentType, Reader]] = {
    ComponentType.BUTTON: read_button,
    ComponentType.STRING_SELECT: read_string_select,
    **dict.fromkeys(ENTITY_SELECTS, read_entity_select),
}
