"""A table drawn from a seat's snapshot doesn't type-check: a leak on purpose, to see it fail."""

import subprocess
import sys
from pathlib import Path

import pytest

# `make check` runs them, where mypy already knows everything else: without its cache, it takes half
# a minute, even if several run at once.
pytestmark = [pytest.mark.long, pytest.mark.xdist_group("leaks")]

ROOT = Path(__file__).resolve().parents[3]
TABLE = """
from bot.matches import {snapshot}
from bot.messaging.content import MessageContent
from bot.rendering.presentation import Presentation
from bot.rendering.table import table_content


def shown(snapshot: {snapshot}, presentation: Presentation) -> MessageContent:
    return table_content(snapshot, presentation)
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """What mypy says about a table drawn from each kind of snapshot, with our settings."""
    folder = tmp_path_factory.mktemp("tables")
    for snapshot in ("PublicSnapshot", "SeatSnapshot", "MatchSnapshot"):
        (folder / f"of_{snapshot}.py").write_text(TABLE.format(snapshot=snapshot))
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml")]
    checked = subprocess.run(  # noqa: S603 - our own command
        [*command, *map(str, sorted(folder.iterdir()))],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert not checked.stderr
    return checked.stdout.splitlines()


@pytest.mark.parametrize("snapshot", ["SeatSnapshot", "MatchSnapshot"])
def test_a_table_cannot_be_drawn_from_a_seats_snapshot(found, snapshot):
    (line,) = [line for line in found if f"of_{snapshot}.py" in line]

    assert f'has incompatible type "{snapshot}"; expected "PublicSnapshot"' in line
    assert line.endswith("[arg-type]")


def test_a_table_can_be_drawn_from_a_public_snapshot(found):
    assert [line for line in found if "of_PublicSnapshot.py" in line] == []
    assert found[-1].startswith("Found 2 errors in 2 files (checked 3 source files)")
