"""What is written for a server fits together: the image, `.env`, `compose.yaml` and the units.

Docker and systemd are not there in the tests. So the files are read as those read them.
"""

import re
import shlex
from pathlib import Path, PurePosixPath

import pytest

from bot.config import Settings

ROOT = Path(__file__).resolve().parents[1]
UNITS = ROOT / "docs" / "hosting"
EARLIER_DEFAULTS = {"DATABASE": "data/facedown.sqlite3", "LOG_FORMAT": "text"}
"""What a `.env` sets that was copied from the example before the image had a say."""


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def instructions():
    """The instructions of the Dockerfile's last stage, each with its words in one line."""
    text = re.sub(r"^#.*\n", "", read("Dockerfile"), flags=re.MULTILINE).replace("\\\n", " ")
    lines = [line.split(maxsplit=1) for line in text.splitlines() if line]
    last = max(i for i, (word, _) in enumerate(lines) if word == "FROM")
    return lines[last:]


def said(word):
    return [rest for found, rest in instructions() if found == word]


def of_the_image():
    """The environment that the image sets."""
    return dict(pair.split("=", 1) for rest in said("ENV") for pair in shlex.split(rest))


def as_docker_reads_it(text):
    """What `--env-file` makes of a file: whole lines, no quotes, no comments behind a value."""
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    return dict(line.split("=", 1) for line in lines)


def example():
    """The `.env` of the README: a copy of the example with a token in it."""
    return read(".env.example").replace("DISCORD_TOKEN=", "DISCORD_TOKEN=abc.def.ghi")


def in_the_image(path):
    """Where a path leads in the container, from its working folder and through its links."""
    there = PurePosixPath(said("WORKDIR")[-1]) / path
    links = re.findall(r"\bln -s (\S+) (\S+)", " ".join(said("RUN")))
    for target, link in links:
        if there.is_relative_to(link):
            there = PurePosixPath(target) / there.relative_to(link)
    return there


def started(monkeypatch, environment):
    """The settings of a bot that is started with no `.env` and this environment."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return Settings(_env_file=None)


@pytest.mark.parametrize("earlier", [{}, EARLIER_DEFAULTS], ids=["new", "earlier"])
def test_the_image_keeps_every_match_on_its_volume_with_the_env_of_the_readme(monkeypatch, earlier):
    given = {**as_docker_reads_it(example()), **earlier}

    settings = started(monkeypatch, {**of_the_image(), **given})

    assert in_the_image(settings.database).parent == PurePosixPath(said("VOLUME")[-1])


def test_the_env_of_the_readme_leaves_what_the_image_sets_as_it_is(monkeypatch):
    given = as_docker_reads_it(example())

    settings = started(monkeypatch, {**of_the_image(), **given})

    assert not set(given) & set(of_the_image())
    assert settings.log_format == "json"


def test_every_line_of_the_example_means_the_same_to_docker_and_to_the_bot(monkeypatch, tmp_path):
    """Docker takes quotes and comments behind a value as parts of it."""
    given = as_docker_reads_it(example())
    (tmp_path / ".env").write_text(example(), encoding="utf-8")

    by_docker = started(monkeypatch, given)
    for name in given:
        monkeypatch.delenv(name)

    assert Settings(_env_file=tmp_path / ".env") == by_docker


def test_the_image_has_everything_that_the_bot_imports():
    taken = {rest.split()[0] for rest in said("COPY") if "--from" not in rest}
    let_in = {line[1:] for line in read(".dockerignore").splitlines() if line.startswith("!")}

    assert taken == {"bot", "cogs", "games", "migrations"}
    assert taken | {"requirements.txt"} == let_in


def test_the_image_is_left_by_nobody_but_a_plain_user_and_has_no_secret():
    assert said("USER")[-1] == "10001"
    assert not {"DISCORD_TOKEN", "PUBLIC_KEY"} & set(of_the_image())
