"""The components of a message, with and without the flag IS_COMPONENTS_V2."""

from typing import Final

from sandbox.components.interactive import INTERACTIVE
from sandbox.components.tree import SELECTS, ComponentTree, ComponentType, Reader
from sandbox.errors import Json
from sandbox.forms import Form

MAX_COMPONENTS: Final = 40
MAX_TEXT_CHARACTERS: Final = 4000
MAX_ROWS: Final = 5
ROW_WIDTH: Final = 5

IN_CONTAINER: Final = frozenset(
    {
        ComponentType.ACTION_ROW,
        ComponentType.SECTION,
        ComponentType.TEXT_DISPLAY,
        ComponentType.MEDIA_GALLERY,
        ComponentType.FILE,
        ComponentType.SEPARATOR,
    }
)
TOP_LEVEL: Final = IN_CONTAINER | {ComponentType.CONTAINER}
LEGACY_TOP_LEVEL: Final = frozenset({ComponentType.ACTION_ROW})


def read_components(form: Form, tree: ComponentTree, *, v2: bool) -> list[Json] | None:
    """The components of a body as Discord returns them; None if it has no field `components`."""
    if "components" not in form.data:
        return None
    if v2:
        allowed, entries = TOP_LEVEL, form.forms("components", MAX_COMPONENTS)
    else:
        allowed, entries = LEGACY_TOP_LEVEL, _rows(form)
    components = [tree.read(entry, allowed, READERS) for entry in entries]
    if tree.count > MAX_COMPONENTS:
        message = f"Total number of components exceeds maximum of {MAX_COMPONENTS}"
        form.note("components", "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", message)
    if tree.text > MAX_TEXT_CHARACTERS:
        message = f"Components displayable text size exceeds maximum size of {MAX_TEXT_CHARACTERS}"
        form.note("components", "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", message)
    tree.give_numbers()
    return components


def _rows(form: Form) -> list[Form]:
    value = form.data["components"]
    if isinstance(value, list) and len(value) > MAX_ROWS:
        message = f"Must be between 1 and {MAX_ROWS} in length."
        form.note("components", "BASE_TYPE_BAD_LENGTH", message)
        return []
    return form.forms("components", MAX_ROWS)


def _read_row(form: Form, tree: ComponentTree) -> Json:
    children, width = [], 0
    for child in form.forms("components", ROW_WIDTH, low=1, required=True):
        component = tree.read(child, INTERACTIVE, READERS)
        width += ROW_WIDTH if component.get("type") in SELECTS else 1
        if width > ROW_WIDTH:
            message = "The specified component exceeds the maximum width"
            child.note(None, "COMPONENT_LAYOUT_WIDTH_EXCEEDED", message)
        children.append(component)
    return {"components": children}


def read_text(form: Form, tree: ComponentTree) -> Json:
    content = form.text("content", MAX_TEXT_CHARACTERS, low=1, required=True) or ""
    tree.text += len(content)
    return {"content": content}


def _read_section(form: Form, tree: ComponentTree) -> Json:
    texts = [
        tree.read(child, {ComponentType.TEXT_DISPLAY}, READERS)
        for child in form.forms("components", 3, low=1, required=True)
    ]
    accessory = form.form("accessory", required=True)
    allowed = {ComponentType.BUTTON, ComponentType.THUMBNAIL}
    shown = None if accessory is None else tree.read(accessory, allowed, READERS)
    return {"components": texts, "accessory": shown}


def _picture(form: Form, tree: ComponentTree) -> Json:
    media = form.form("media", required=True)
    return {
        "media": None if media is None else tree.media.read(media, "url"),
        "description": form.text("description", 1024, low=1),
        "spoiler": form.flag("spoiler"),
    }


def _read_gallery(form: Form, tree: ComponentTree) -> Json:
    items = form.forms("items", 10, low=1, required=True)
    return {"items": [_picture(item, tree) for item in items]}


def _read_file(form: Form, tree: ComponentTree) -> Json:
    file = form.form("file", required=True)
    if file is None:
        return {}
    if not str(file.data.get("url", "")).startswith("attachment://"):
        message = "File components only support attachment:// references"
        file.note("url", "UNFURLED_MEDIA_ITEM_ATTACHMENT_REFERENCE_REQUIRED", message)
        return {}
    media = tree.media.read(file, "url")
    name = file.data["url"].removeprefix("attachment://")
    size = tree.media.size(name)
    return {"file": media, "name": name, "size": size, "spoiler": form.flag("spoiler")}


def _read_separator(form: Form, _: ComponentTree) -> Json:
    spacing = form.choice("spacing", (1, 2))
    return {"spacing": spacing or 1, "divider": form.flag("divider", default=True)}


def _read_container(form: Form, tree: ComponentTree) -> Json:
    children = form.forms("components", MAX_COMPONENTS, low=1, required=True)
    return {
        "accent_color": form.integer("accent_color", low=0, high=0xFFFFFF),
        "spoiler": form.flag("spoiler"),
        "components": [tree.read(child, IN_CONTAINER, READERS) for child in children],
    }


READERS: Final[dict[ComponentType, Reader]] = {
    **INTERACTIVE,
    ComponentType.ACTION_ROW: _read_row,
    ComponentType.SECTION: _read_section,
    ComponentType.TEXT_DISPLAY: read_text,
    ComponentType.THUMBNAIL: _picture,
    ComponentType.MEDIA_GALLERY: _read_gallery,
    ComponentType.FILE: _read_file,
    ComponentType.SEPARATOR: _read_separator,
    ComponentType.CONTAINER: _read_container,
}
