"""The jobs that worker processes run for computer players."""

import subprocess
import sys


def test_a_worker_process_imports_neither_the_database_nor_discord():
    """With them, each would need three times the memory and four times as long to start."""
    code = "import sys, bot.computers.jobs; print(*sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)  # noqa: S603 - our own interpreter

    loaded = set(done.stdout.split())
    assert "games.conquest.computer.player" in loaded
    assert loaded.isdisjoint({"sqlalchemy", "discord", "pydantic_settings", "PIL"})
