"""CONTRIBUTING and `docs/` are up to date: they name every package, and nothing that is gone."""

import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from bot.config import Settings
from games import GAMES

# In one process, so that all code is read once.
pytestmark = pytest.mark.xdist_group("house")

ROOT = Path(__file__).resolve().parents[1]
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
GLOSSARY = ROOT / "docs" / "glossary.md"
RULINGS = ROOT / "docs" / "rulings.md"
PAGES = (CONTRIBUTING, ROOT / "README.md", ROOT / "SECURITY.md", *(ROOT / "docs").rglob("*.md"))
DOCUMENTS = (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / ".github").rglob("*.md"))
SOURCES = ("bot", "cogs", "games", "migrations", "sandbox", "tests", "benchmarks")
CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
PLACEHOLDER = re.compile(r"<\w+>")
NAMED_PATH = re.compile(r"[\w.*-]+(/[\w.*-]+)*/?(::\w+)?")
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
DEFINITION = re.compile(r"^\s*(?:class|(?:async )?def) (\w+)|^(\w+)(?:: .+)? = ", re.MULTILINE)
RULING = re.compile(r"^### R(\d+): ", re.MULTILINE)
CITATION = re.compile(r"\bR(\d+)(?:-R(\d+))?\b")
TARGET = re.compile(r"\bmake ([a-z][\w-]*)")
ROOM = re.compile(r'<text class="name"[^>]*>([^</]+)</text>')
ENDINGS = {".ini", ".md", ".py", ".svg", ".toml", ".txt", ".yml"}
MADE_WHEN_USED = {".env", "data", "backups"}
MAX_MODULES_IN_BOT = 12


@cache
def read(path):
    return path.read_text(encoding="utf-8")


@cache
def quoted(page):
    """Everything in backticks on a page, in order, without repetitions."""
    return list(dict.fromkeys(CODE.findall(read(page))))


def is_path(quote):
    return bool(NAMED_PATH.fullmatch(PLACEHOLDER.sub("*", quote))) and (
        "/" in quote or Path(quote.split("::")[0]).suffix in ENDINGS
    )


def found(quote):
    """The files that a path on a page means: `<game>` is any game, `.py` can be left out."""
    pattern = PLACEHOLDER.sub("*", quote.split("::")[0]).rstrip("/")
    return sorted(ROOT.glob(pattern)) or sorted(ROOT.glob(f"{pattern}.py"))


def exists(quote):
    """Whether the files that a path on a page means exist and have the name after `::`."""
    there, name = found(quote), quote.partition("::")[2]
    return bool(there or quote.split("/")[0] in MADE_WHEN_USED) and all(
        re.search(rf"\b{name}\b", read(path)) for path in there if name
    )


def wrong(right, wanted, *pages):
    """A line "page: quote" for every quote on these pages that is `wanted` and not `right`."""
    return "\n".join(
        f"{page.relative_to(ROOT).as_posix()}: {quote}"
        for page in pages
        for quote in quoted(page)
        if wanted(quote) and not right(quote)
    )


@cache
def source():
    """All code except this module, as one text."""
    modules = (path for folder in SOURCES for path in (ROOT / folder).rglob("*.py"))
    return "\n".join(read(path) for path in modules if path != Path(__file__).resolve())


@cache
def used():
    """All words in the code, and the settings' names in the environment."""
    return {*re.findall(r"\w+", source()), *map(str.upper, Settings.model_fields)}


@cache
def defined():
    """The names of all classes, functions and module-level variables."""
    return {named or assigned for named, assigned in DEFINITION.findall(source())}


@cache
def anchors(page):
    """The anchors that GitHub gives the headings of a page, in order."""
    said = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in HEADING.findall(read(page)))
    return [heading.replace(" ", "-") for heading in said]


def leads_somewhere(page, path, anchor):
    """Whether a link on a page leads to a file that exists, and to one heading if it has an anchor.

    GitHub numbers equal headings, so a link to one of them would lead to the first.
    """
    target = page.parent / path if path else page
    return target.exists() and (not anchor or anchors(target).count(anchor) == 1)


def rulings():
    """The numbers of the rulings, in the order of their page."""
    return [int(number) for number in RULING.findall(read(RULINGS))]


def cited(text):
    """The numbers of the rulings that a text cites; R14-R16 counts as three."""
    return {
        number
        for first, last in CITATION.findall(text)
        for number in range(int(first), int(last or first) + 1)
    }


def packages():
    """The paths of all folders with modules; `<game>` stands for every game."""
    holding = {path.parent for folder in SOURCES for path in (ROOT / folder).rglob("*.py")}
    parts = [path.relative_to(ROOT).parts for path in holding]
    # Folders further down in the tests mirror what is tested.
    shown = [part[:2] if part[0] == "tests" else part for part in parts]
    return {"/".join("<game>" if p in GAMES else p for p in part) for part in shown}


def modules_in_bot():
    return sorted(path.name for path in (ROOT / "bot").glob("*.py"))


def test_contributing_names_every_package():
    unnamed = packages() - {quote.rstrip("/") for quote in quoted(CONTRIBUTING)}

    assert not unnamed, "\n".join(sorted(unnamed))


def test_contributing_names_every_module_directly_in_bot():
    modules = {f"bot/{module}" for module in modules_in_bot() if not module.startswith("__")}
    unnamed = modules - set(quoted(CONTRIBUTING))

    assert not unnamed, "\n".join(sorted(unnamed))


def test_few_modules_are_directly_in_bot():
    assert len(modules_in_bot()) <= MAX_MODULES_IN_BOT


def test_the_picture_shows_the_bots_layers_in_order():
    """Except the layer that starts the bot; the last layer is named after its first module."""
    contracts = tomllib.loads(read(ROOT / "pyproject.toml"))["tool"]["importlinter"]["contracts"]
    (layers,) = (c["layers"] for c in contracts if c.get("containers") == ["bot"])
    start, *rooms, lowest = layers
    _, drawn = re.split(r">bot/<", read(ROOT / "docs" / "architecture.svg"))

    assert start == "__main__ : cli"
    assert ROOM.findall(drawn) == [*rooms, f"{lowest.split(' : ')[0]} …"]


def test_every_path_on_a_page_exists():
    gone = wrong(exists, is_path, *PAGES)

    assert not gone, gone


def test_every_name_on_a_page_is_in_the_code():
    pages = (CONTRIBUTING, *(ROOT / "docs").rglob("*.md"))
    unknown = wrong(lambda q: q in used() or found(q), IDENTIFIER.fullmatch, *pages)

    assert not unknown, unknown


def test_every_type_in_the_glossary_is_defined():
    undefined = wrong(
        lambda q: q in defined(), lambda q: IDENTIFIER.fullmatch(q) and q[0].isupper(), GLOSSARY
    )

    assert not undefined, undefined


def test_every_link_between_pages_leads_to_an_existing_file_and_heading():
    broken = [
        f"{page.relative_to(ROOT).as_posix()}: {path}#{anchor}"
        for page in DOCUMENTS
        for path, anchor in LINK.findall(read(page))
        if not leads_somewhere(page, path, anchor)
    ]

    assert not broken, "\n".join(broken)


@pytest.mark.parametrize(
    ("path", "anchor", "leads"),
    [
        ("README.md", "", True),
        ("README.md", "settings", True),
        ("", "keep-it-running", True),
        ("docs/hosting.md", "new-puzzles-every-year", True),
        ("README.md", "clicks-by-https", False),
        ("", "clicks-by-https", False),
        ("docs/gone.md", "", False),
        ("docs/match.png", "", True),
    ],
)
def test_links_are_checked_down_to_the_heading(path, anchor, leads):
    assert leads_somewhere(ROOT / "README.md", path, anchor) is leads


def test_every_cited_ruling_has_an_entry():
    pages = (*(read(page) for page in PAGES), read(ROOT / "games/conquest/layout.toml"))
    unknown = {f"R{number}" for number in cited("\n".join((source(), *pages)))} - {
        f"R{number}" for number in rulings()
    }

    assert not unknown, ", ".join(sorted(unknown))


def test_no_two_rulings_have_the_same_number():
    numbers = rulings()

    assert numbers
    assert len(set(numbers)) == len(numbers), numbers


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("(R15, R37)", {15, 37}),
        ("made exact by R14-R16", {14, 15, 16}),
        ("`R8`.", {8}),
        ("A1R2, R2D2, PR7", set()),
    ],
)
def test_citations_are_recognized(text, numbers):
    assert cited(text) == numbers


def test_every_make_target_on_a_page_exists():
    targets = re.findall(r"^([a-z][\w-]*):", read(ROOT / "Makefile"), re.MULTILINE)
    unknown = [
        f"{page.relative_to(ROOT).as_posix()}: make {target}"
        for page in PAGES
        for quote in (
            *quoted(page),
            *(line for line in read(page).splitlines() if line.startswith("    ")),
        )
        for target in TARGET.findall(quote)
        if target not in targets
    ]

    assert not unknown, "\n".join(unknown)


def test_the_version_is_the_latest_in_the_changelog():
    version = re.search(r'^version = "(.+)"$', read(ROOT / "pyproject.toml"), re.MULTILINE)
    released = re.findall(
        r"^## (\d+\.\d+\.\d+) - \d{4}-\d{2}-\d{2}$", read(ROOT / "CHANGELOG.md"), re.MULTILINE
    )

    assert version is not None
    assert version[1] == released[0]


def test_the_changelog_names_the_newest_revision_of_the_database():
    migrates = re.compile(r"revisions? (?:\d{4} to )?(\d{4})\)")
    newest = max(path.name[:4] for path in (ROOT / "migrations" / "versions").glob("[0-9]*.py"))

    assert migrates.findall(read(ROOT / "CHANGELOG.md"))[:1] == [newest]


@pytest.mark.parametrize(
    ("quote", "path"),
    [
        ("bot/live/", True),
        ("games/<game>/rules.py", True),
        ("bot/client.py::Facedown", True),
        ("pyproject.toml", True),
        ("/pico play", False),
        ("f1:<match>:<step>:<act>:<arg>", False),
        ("results.levels", False),
        ("python -m bot", False),
    ],
)
def test_paths_are_recognized(quote, path):
    assert is_path(quote) is path


def test_paths_that_are_gone_are_noticed():
    assert found("bot/client.py")
    assert found("games/<game>/rules.py")
    assert not found("bot/desks.py")
    assert not found("games/<game>/desks.py")
