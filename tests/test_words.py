"""Plain English: words and patterns that must not come back in the texts that people read.

These are the sentences in the code (of docstrings, only those that describe commands), the pages
for players and owners, and the unreleased part of the changelog. That people are *they* is checked
in all code, including docstrings and tests.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pytest

# In one process, so that everything is read once.
pytestmark = pytest.mark.xdist_group("words")

ROOT: Final = Path(__file__).parents[1]

FOLDERS: Final = ("bot", "cogs", "games")
PAGES: Final = (
    "README.md",
    "PRIVACY.md",
    "TERMS.md",
    "SECURITY.md",
    ".env.example",
    "docs/listing.md",
    "docs/hosting.md",
    "docs/operating.md",
    "docs/playing.md",
)
SQL: Final = ROOT / "bot" / "storage"
"""Not read: it has SQL, and no sentences for players."""

BETTER: Final = {
    r"without a (word|name):": "default: …",
    r"\bif not said\b": "(default: …)",
    r"\band leave\b": "then exit",
    r"(?<!there )\bis no (file|folder|database)\b": "isn't a …",
    r"\bwhoever\b": "anyone who, or name them: the bot's owner",
    r"\bwhom\b": "who",
    r"\banew\b": "again",
    r"\b(he|him|his|himself)\b": "they, them, their, themselves",
    r"\b(the|of) own\b": "their, your",
    r"(?<!`)\bdesks?\b(?!`)": "your hand",
    r"\bin one glance\b": "at a glance",
    r"\blooks for\b": "is looking for",
    r"\btable is laid\b": "Setting up the table …",
    r"\bmoves? no rating\b": "unrated",
    r"\bby the clock\b": "I moved for them",
    r"\bof at most\b": "max",
    r"\bpoints win\b": "first to … wins",
    r"\bwithout a fit\b": "that didn't fit",
    r"\bby lot\b": "at random",
    r"\bis dealt by\b": "… deals",
    r"\bseals this\b": "Submit",
    r"\bagrees? to no\b": "don't accept",
    r"\bstands? no more\b": "has expired",
    r"\bsomebody else's\b": "someone else's",
    r"\bany more[,;.:]": "anymore",
    r"\bgave up\b.*\bown choices\b|\bown choices\b.*\bgave up\b": "which moves cost you",
    r"\bP\(win\)": "in words",
    r"\bmet most first\b": "most frequent opponents",
    r"\bnothing leads\b|\bleads back\b": "can't be traced to",
    r"\bmay not\b": "can't",
    r"\bis on turn\b": "it's …'s turn",
    r"\blie(s)? open\b": "everyone can see",
    r"\bowes? no (card|tile)\b": "it's not your turn",
    r"\bhave no seat in\b": "You're not playing in this match",
    r"(?-i:\bFurther\b)": "Next, More",
    r"\bcommits? me\b": "so I can't change it later",
    r"\blast an? (win|draw|loss)\b": "now 1 win",
    r", for (this|it|they|he|nobody|nothing)\b": "because, or a new sentence",
    r"(\d|\}) %": "50.4%",
    r"(?-i:\bWho) (leaves|has left|resigns)\b": "If you leave, …",
}

CODE: Final = (*FOLDERS, "sandbox", "tests", "benchmarks")
"""Folders in which people must be *they*; not migrations, which are never changed."""

HE: Final = re.compile(r"\b(he(?! hi\b)|him|his|himself)\b", re.IGNORECASE)
"""`he hi` isn't matched: these are languages in Discord's list of locales."""


class Text(NamedTuple):
    """A text that people read, with its file and line."""

    where: str
    line: int
    text: str


def found(text: str) -> list[str]:
    """The refused words in a text, each with a better one."""
    return [
        f"{match.group()!r}: better {better!r}"
        for pattern, better in BETTER.items()
        if (match := re.search(pattern, text, re.IGNORECASE)) is not None
    ]


def sentences(source: str, where: str) -> Iterator[Text]:
    """The sentences in a module's code, without values such as `dm` and `desk here`."""
    nodes = list(ast.walk(ast.parse(source)))
    documentation, parts = set[int](), set[int]()
    for node in nodes:
        if isinstance(node, ast.Expr):
            documentation.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            parts.update(id(part) for part in ast.walk(node) if part is not node)
    described = {id(text) for text in _descriptions(nodes)}
    for node in nodes:
        if not isinstance(node, ast.expr) or id(node) in parts:
            continue
        if id(node) in documentation and id(node) not in described:
            continue
        text = _text(node)
        if text is not None and (len(text.split()) > 2 or re.search(r"[A-Z]\w* \w", text)):
            yield Text(where, node.lineno, text)


def _descriptions(nodes: list[ast.AST]) -> Iterator[ast.Constant]:
    """The docstrings that are descriptions of commands."""
    for node in nodes:
        if isinstance(node, ast.AsyncFunctionDef) and any(
            ast.unparse(mark).startswith("app_commands.command") for mark in node.decorator_list
        ):
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                yield first.value


def _text(node: ast.AST) -> str | None:
    """The text of a string literal, with `{}` for each replacement field; None for other nodes."""
    if isinstance(node, ast.JoinedStr):
        return "".join(
            str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values
        )
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


@cache
def everything() -> tuple[Text, ...]:
    return tuple(_read())


def _read() -> Iterator[Text]:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if not path.is_relative_to(SQL):
                yield from sentences(path.read_text(), str(path.relative_to(ROOT)))
    for page in PAGES:
        yield from _lines((ROOT / page).read_text(), page)
    changelog = (ROOT / "CHANGELOG.md").read_text()
    yield from _lines(changelog.split("\n## ")[1], "CHANGELOG.md, Unreleased")


def _lines(text: str, where: str) -> Iterator[Text]:
    return (Text(where, number, line) for number, line in enumerate(text.splitlines(), 1))


def test_what_people_read_is_plain_english():
    bad = [
        f"{read.where}:{read.line}: {said} in {read.text!r}"
        for read in everything()
        for said in found(read.text)
    ]

    assert not bad, "\n".join(bad)


def test_people_are_they_in_all_code():
    bad = [
        f"{read.where}:{read.line}: {read.text.strip()}"
        for folder in CODE
        for path in sorted((ROOT / folder).rglob("*.py"))
        if path != Path(__file__)
        for read in _lines(path.read_text(), str(path.relative_to(ROOT)))
        if HE.search(read.text)
    ]

    assert not bad, "\n".join(bad)


@pytest.mark.parametrize(
    "sentence",
    [
        "Whether it counts for ratings; without a word: yes",
        "Whom you challenge",
        "Please tell whoever runs this bot.",
        "Open it anew with the command.",
        "You may change your order until the last player has written his.",
        "Puts it into the own prize row",
        "Your desk shows it.",
        "Save the file, for this message goes.",
        "gave up 16.0 % each",
    ],
)
def test_sentences_that_were_once_mended_are_found(sentence):
    assert found(sentence)


def test_sentences_and_descriptions_of_commands_are_read_but_not_values_and_docstrings():
    module = '''
"""Whoever reads this is a developer."""
PLACES = ("desk here", "desk")
SAID = f"Your desk shows {number} cards."

@app_commands.command()
async def play(self):
    """Challenge whoever you like."""
'''

    texts = [read.text for read in sentences(module, "here")]

    assert texts == ["Your desk shows {} cards.", "Challenge whoever you like."]


def test_descriptions_of_real_commands_are_read():
    texts = {read.text for read in everything()}

    assert "See all your matches and challenges, your turn first." in texts
