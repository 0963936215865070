"""The house is as CONTRIBUTING says: small modules, one cog and one set of tests a game."""

import ast
import re
from pathlib import Path

import pytest

from bot.client import EXTENSIONS
from games import GAMES
from games.computers import COMPUTERS

ROOT = Path(__file__).resolve().parents[1]
SHIPPED = ("bot", "cogs", "games", "migrations", "sandbox")
MAX_MODULE_LINES = 400
NOTE = re.compile(r"\b(?:TODO|FIXME|XXX)\b(?!\(#\d+\))")


def files(ending, *folders):
    """The files below these folders, by their path from the root."""
    return sorted(
        path.relative_to(ROOT) for folder in folders for path in (ROOT / folder).rglob(ending)
    )


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def called(path):
    """The plain names that a module calls."""
    return {
        node.func.id
        for node in ast.walk(ast.parse(read(path)))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }


def words(path):
    """The words of a module's code: names, imports and texts, but no comments and docstrings."""
    tree = ast.parse(read(path))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if id(node) not in docstrings:
            fields = (value for _, value in ast.iter_fields(node) if isinstance(value, str))
            for text in fields:
                yield from re.findall(r"[A-Za-z0-9]+", text)


MODULES = files("*.py", *SHIPPED)
WITH_COG = [key for key in GAMES if f"cogs.{key}" in EXTENSIONS]
TEMPLATE = (
    "commands",
    "presentation",
    "controls",
    "options",
    "text",
    "alt_text",
    "pictures",
    "manual",
    "manual_pictures",
    "lesson",
)
"""The modules that the cog of every game has."""

each_module = pytest.mark.parametrize("path", MODULES, ids=str)


@pytest.mark.parametrize("path", [*MODULES, *files("*.js", "sandbox")], ids=str)
def test_no_module_is_longer_than_can_be_read_at_once(path):
    assert len(read(path).splitlines()) <= MAX_MODULE_LINES


def test_half_of_the_modules_are_short():
    lengths = sorted(len(read(path).splitlines()) for path in MODULES)

    assert lengths[len(lengths) // 2] <= 120


@each_module
def test_every_module_says_first_what_it_is(path):
    assert ast.get_docstring(ast.parse(read(path))) or not read(path)


@each_module
def test_no_call_is_left_over_from_looking_for_a_mistake(path):
    """Only a program prints; the bot logs."""
    allowed = {"print"} if path.name == "__main__.py" else set()

    assert called(path) & {"print", "breakpoint"} <= allowed


@pytest.mark.parametrize("path", [*MODULES, *files("*.js", "sandbox")], ids=str)
def test_a_note_of_work_to_do_names_its_issue(path):
    assert NOTE.search(read(path)) is None


@pytest.mark.parametrize(
    ("text", "noted"),
    [("# TODO: later", True), ("# TODO(#12): later", False), ("method", False)],
)
def test_notes_are_recognized(text, noted):
    assert bool(NOTE.search(text)) is noted


@pytest.mark.parametrize("key", GAMES)
def test_every_game_has_a_package_and_tests_of_its_rules(key):
    assert (ROOT / "games" / key / "rules.py").is_file()
    assert (ROOT / "tests" / "games" / key / "test_rules.py").is_file()


@pytest.mark.parametrize("key", COMPUTERS)
def test_every_computer_has_a_package_and_tests_beside_those_of_the_rules(key):
    assert (ROOT / "games" / key / "computer" / "__init__.py").is_file()
    assert (ROOT / "tests" / "games" / key / "test_computer.py").is_file()


def test_what_is_about_one_game_is_tested_in_the_folder_of_that_game():
    paths = files("test_*.py", "tests/games")

    assert {path.parts[2] for path in paths if len(path.parts) > 3} == set(GAMES)
    assert not [path for path in paths if path.stem.split("_")[1] in GAMES]


@pytest.mark.parametrize("path", files("*.py", "bot"), ids=str)
def test_the_bot_knows_no_game_by_name(path):
    """What is of one game only stands in the game or in its cog."""
    named = {word.lower() for word in words(path)} & set(GAMES)
    named |= {game.title for game in GAMES.values() if game.title in read(path)}

    assert named == set()


@pytest.mark.parametrize("key", WITH_COG)
def test_a_cog_of_a_game_has_the_modules_of_all(key):
    assert [name for name in TEMPLATE if not (ROOT / "cogs" / key / f"{name}.py").is_file()] == []


@pytest.mark.parametrize("key", WITH_COG)
def test_a_game_with_a_cog_has_tests_of_its_modules(key):
    """The commands of all games are tested together, in `tests/cogs/test_commands.py`."""
    folder = ROOT / "tests" / "cogs" / key
    modules = [name for name in TEMPLATE if name != "commands"]

    assert [name for name in modules if not (folder / f"test_{name}.py").is_file()] == []


@pytest.mark.parametrize(
    "path", files("test_*.py", *(f"tests/cogs/{key}" for key in GAMES)), ids=str
)
def test_a_test_of_a_cog_is_named_after_its_module(path):
    assert (ROOT / "cogs" / path.parts[2] / path.name.removeprefix("test_")).is_file()


def test_every_cog_is_loaded_and_every_extension_is_a_cog():
    """A game is shown by one cog: its package, or a module where one is enough."""
    cogs = {
        ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        for path in files("*.py", "cogs")
        if "async def setup(" in read(path)
    }

    assert set(EXTENSIONS) == cogs
    assert len(EXTENSIONS) == len(cogs)


def test_every_folder_of_tests_mirrors_one_of_the_project():
    """Wherever a test is looked for, it is beside what it tests; whole matches span everything."""
    folders = {path.parent.relative_to("tests") for path in files("test_*.py", "tests")}

    unknown = {
        folder.as_posix()
        for folder in folders - {Path(), Path("e2e")}
        if folder.parts[0] not in SHIPPED or not (ROOT / folder).is_dir()
    }
    assert not unknown
