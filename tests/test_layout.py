"""The code has the layout that CONTRIBUTING describes: small modules, a cog and tests per game."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from bot.client import EXTENSIONS
from games import GAMES
from games.computers import COMPUTERS

# In one process, so that each module is read and parsed once.
pytestmark = pytest.mark.xdist_group("layout")

ROOT = Path(__file__).resolve().parents[1]
SHIPPED = ("bot", "cogs", "games", "migrations", "sandbox")
MAX_MODULE_LINES = 400
MAX_FUNCTION_LINES = 40
LONG_FUNCTIONS = {
    "bot/services.py: __init__": "wires all there is, once, in one order",
    "cogs/spite/commands.py: play": "the options of the command are its parameters",
    "games/prize/computer/playout.py: finished": "the hot loop: a call a turn is what it saves",
}
"""Functions that would not be easier to read in parts, and why."""

DECIDED_ONCE = {"now", "owns", "returns", "share"}
"""Parameters that must be the same object in the whole bot. They have no defaults: a forgotten one
would silently be another object."""

NOTE = re.compile(r"\b(?:TODO|FIXME|XXX)\b(?!\(#\d+\))")
MOCK = re.compile(r"^\s*(?:from|import) (?:unittest|mock|pytest_mock)\b", re.MULTILINE)
UNTYPED = re.compile(r"type: ignore(?!\[[^\]]*\]  # )|\bcast\((?!.*  # )")
WORD = re.compile(r"[A-Za-z0-9]+")
CODE = re.compile(r"\s*[^\s#]")


class Module(NamedTuple):
    """What the tests need of a module; keeping its syntax tree would take too much memory."""

    words: set[str]
    """The words in its names, imports and texts, without comments and docstrings."""

    functions: list[tuple[str, int]]
    """(name, lines of code) of each function."""

    usual: list[tuple[str, str]]
    """(function, parameter) of each parameter with a default."""


def files(ending, *folders):
    """The paths, relative to the root, of the files below these folders that match a pattern."""
    return sorted(
        path.relative_to(ROOT) for folder in folders for path in (ROOT / folder).rglob(ending)
    )


@cache
def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


@cache
def parsed(path):
    tree = ast.parse(read(path))
    documentation, texts, functions = set(), set(), []
    code = {n for n, line in enumerate(read(path).splitlines(), 1) if CODE.match(line)}
    for node in ast.walk(tree):  # parents come before their children
        if isinstance(node, ast.Expr):
            documentation.add(id(node.value))
            if isinstance(node.value, ast.Constant):
                code.difference_update(range(node.lineno, node.end_lineno + 1))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            functions.append(node)
        if id(node) not in documentation:
            texts.update(text for text in vars(node).values() if isinstance(text, str))
    words = {word for text in texts for word in WORD.findall(text)}
    lengths = [(f.name, len(code & {*range(f.lineno, f.end_lineno + 1)})) for f in functions]
    usual = [(f.name, name) for f in functions for name in with_default(f.args)]
    return Module(words, lengths, usual)


def with_default(arguments):
    """The names of the parameters that have a default."""
    placed = [*arguments.posonlyargs, *arguments.args]
    named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    first = len(placed) - len(arguments.defaults)
    return [a.arg for a in placed[first:]] + [a.arg for a, usual in named if usual is not None]


def missing(*paths):
    """The paths that aren't files."""
    return [path for path in paths if not (ROOT / path).is_file()]


MODULES = files("*.py", *SHIPPED)
SCRIPTS = files("*.js", "sandbox")
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
"""The modules that every game's cog has."""


def test_no_module_is_too_long():
    lengths = {path: len(read(path).splitlines()) for path in (*MODULES, *SCRIPTS)}
    long = [f"{path}: {lines} lines" for path, lines in lengths.items() if lines > MAX_MODULE_LINES]

    assert not long, "\n".join(long)


def test_no_function_is_too_long():
    """Docstrings, comments and empty lines don't count; migrations are never changed."""
    long = [
        f"{path}: {name}, {lines} lines"
        for path in MODULES
        if path.parts[0] != "migrations"
        for name, lines in parsed(path).functions
        if lines > MAX_FUNCTION_LINES and f"{path.as_posix()}: {name}" not in LONG_FUNCTIONS
    ]

    assert not long, "\n".join(long)


def test_parameters_decided_once_for_the_bot_have_no_defaults():
    forgettable = [
        f"{path}: {function}, {name}"
        for path in files("*.py", "bot")
        for function, name in parsed(path).usual
        if name in DECIDED_ONCE and path != Path("bot/client.py")  # which decides it
    ]

    assert not forgettable, "\n".join(forgettable)


def test_half_of_the_modules_are_short():
    lengths = sorted(len(read(path).splitlines()) for path in MODULES)

    assert lengths[len(lengths) // 2] <= 120


def test_every_todo_names_its_issue():
    notes = [
        f"{path}: {note.group()}"
        for path in (*MODULES, *SCRIPTS)
        if (note := NOTE.search(read(path))) is not None
    ]

    assert not notes, "\n".join(notes)


def test_no_test_uses_mocks():
    """Tests use fakes: an object that accepts any call proves little."""
    mocking = [str(path) for path in files("*.py", "tests") if MOCK.search(read(path))]

    assert not mocking, "\n".join(mocking)


def test_every_cast_and_type_ignore_gives_its_reason_on_the_line():
    """That is, for `cast` and `type: ignore`; in the storage, `cast` is SQL's."""
    unexplained = [
        f"{path}:{number}: {line.strip()}"
        for path in MODULES
        for number, line in enumerate(read(path).splitlines(), 1)
        if UNTYPED.search(line.replace(" cast(", "") if "storage" in path.parts else line)
    ]

    assert not unexplained, "\n".join(unexplained)


@pytest.mark.parametrize(
    ("line", "explained"),
    [
        ("x = f(y)  # type: ignore[misc]", False),
        ("x = f(y)  # type: ignore[misc, arg-type]  # the library's", True),
        ("x = f(y)  # type: ignore", False),
        ("x = cast(int, y)", False),
        ("x = cast(int, y)  # the library says str", True),
        ("broadcast(y)", True),
    ],
)
def test_reasons_are_recognized(line, explained):
    assert (UNTYPED.search(line) is None) is explained


@pytest.mark.parametrize(
    ("text", "noted"),
    [("# TODO: later", True), ("# TODO(#12): later", False), ("method", False)],
)
def test_todos_are_recognized(text, noted):
    assert bool(NOTE.search(text)) is noted


@pytest.mark.parametrize("key", GAMES)
def test_every_game_has_a_package_and_tests_of_its_rules(key):
    gone = missing(f"games/{key}/rules.py", f"tests/games/{key}/test_rules.py")

    assert not gone, "\n".join(gone)


@pytest.mark.parametrize("key", COMPUTERS)
def test_every_computer_has_a_package_and_tests_next_to_those_of_the_rules(key):
    gone = missing(f"games/{key}/computer/__init__.py", f"tests/games/{key}/test_computer.py")

    assert not gone, "\n".join(gone)


def test_tests_of_a_single_game_are_in_its_folder():
    paths = files("test_*.py", "tests/games")

    assert {path.parts[2] for path in paths if len(path.parts) > 3} == set(GAMES)
    assert not [path for path in paths if path.stem.split("_")[1] in GAMES]


def test_the_issue_form_for_rules_offers_every_game():
    form = yaml.safe_load(read(".github/ISSUE_TEMPLATE/rules.yml"))
    (choice,) = (part for part in form["body"] if part["type"] == "dropdown")

    assert choice["attributes"]["options"] == [game.title for game in GAMES.values()]


def test_the_bot_knows_no_game_by_name():
    """What concerns a single game is in the game or in its cog."""
    titles = [game.title for game in GAMES.values()]
    named = [
        f"{path}: {name}"
        for path in files("*.py", "bot")
        for name in (
            *sorted({word.lower() for word in parsed(path).words} & set(GAMES)),
            *(title for title in titles if title in read(path)),
        )
    ]

    assert not named, "\n".join(named)


@pytest.mark.parametrize("key", WITH_COG)
def test_every_games_cog_has_the_modules_of_the_template(key):
    gone = missing(*(f"cogs/{key}/{name}.py" for name in TEMPLATE))

    assert not gone, "\n".join(gone)


@pytest.mark.parametrize("key", WITH_COG)
def test_every_module_of_a_games_cog_has_tests(key):
    """`commands` and `manual_pictures` are tested for all games together."""
    modules = [name for name in TEMPLATE if name not in {"commands", "manual_pictures"}]
    gone = missing(*(f"tests/cogs/{key}/test_{name}.py" for name in modules))

    assert not gone, "\n".join(gone)


def test_every_test_module_of_a_games_cog_is_named_after_the_module_it_tests():
    tests = files("test_*.py", *(f"tests/cogs/{key}" for key in GAMES))
    gone = missing(*(f"cogs/{path.parts[2]}/{path.name.removeprefix('test_')}" for path in tests))

    assert not gone, "\n".join(gone)


def test_every_cog_is_loaded_and_every_extension_is_a_cog():
    """A cog is a package or a module with `setup`."""
    cogs = {
        ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        for path in files("*.py", "cogs")
        if "async def setup(" in read(path)
    }

    assert set(EXTENSIONS) == cogs
    assert len(EXTENSIONS) == len(cogs)


def test_every_folder_of_tests_mirrors_one_of_the_project():
    """Except `tests/e2e`, whose tests span everything."""
    folders = {path.parent.relative_to("tests") for path in files("test_*.py", "tests")}

    unknown = {
        folder.as_posix()
        for folder in folders - {Path(), Path("e2e")}
        if folder.parts[0] not in SHIPPED or not (ROOT / folder).is_dir()
    }
    assert not unknown
