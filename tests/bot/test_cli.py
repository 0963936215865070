"""The commands of `python -m bot`: errors for wrong settings, and freezing garbage at startup.

What is loaded at startup is frozen, so that later collections don't scan it and delay answers.
"""

import gc
import logging
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import structlog

from bot import cli
from bot.config import Settings

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "MTA0.not-a-real.token"  # noqa: S105 - made up

pytestmark = pytest.mark.usefixtures("elsewhere")


class LoadingClient:
    """A client whose login allocates objects that stay alive."""

    def __init__(self):
        self.stays = []
        self.steps = []

    async def login(self, token):
        self.stays = [[n] for n in range(100)]
        self.steps.append(token)

    async def connect(self):
        looked_through = {id(found) for found in gc.get_objects()}
        self.steps.append(sum(id(found) in looked_through for found in self.stays))


@pytest.fixture
def collector():
    before = gc.get_threshold()
    yield  # frozen objects stay frozen; for one test run that does no harm
    gc.set_threshold(*before)


@pytest.mark.usefixtures("collector")
async def test_objects_loaded_at_startup_are_excluded_from_garbage_collection():
    client = LoadingClient()
    await cli.serve(client, "token")
    assert client.steps == ["token", 0]
    assert gc.get_threshold()[0] > 700, "fifty clicks under way are no reason to look"


def python(*args, **environment):
    """Run Python in an empty folder with only these variables in its environment."""
    return subprocess.run(  # noqa: S603 - our own interpreter with arguments from this file
        [sys.executable, *args],
        env={"PYTHONPATH": str(ROOT), **environment},
        cwd=Path.cwd(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.slow
def test_starting_without_a_token_fails_and_names_the_setting():
    done = python("-m", "bot")

    assert done.returncode == 2
    assert done.stderr == "DISCORD_TOKEN is not set. Put it into .env or the environment.\n"
    assert done.stdout == ""
    assert not list(Path.cwd().iterdir())


@pytest.mark.parametrize("words", [[], ["backup"]])
def test_the_help_shows_commands_as_an_owner_types_them(monkeypatch, capsys, words):
    """Installing the bot as documented creates no command named `facedown`."""
    monkeypatch.setattr("sys.argv", ["__main__.py", *words, "--help"])
    with pytest.raises(SystemExit):
        cli.main()

    usage = capsys.readouterr().out.split("[-h]")[0]
    assert usage == f"usage: {' '.join(['python -m bot', *words])} "


@pytest.mark.parametrize("command", ["backup", "restore", "move", "puzzles"])
def test_the_help_shows_in_capitals_what_an_owner_fills_in(monkeypatch, capsys, command):
    monkeypatch.setattr("sys.argv", ["__main__.py", command, "--help"])
    with pytest.raises(SystemExit):
        cli.main()

    usage = capsys.readouterr().out.partition("\n\n")[0]
    assert usage.split()[-1] in {"FILE", "TARGET"}


def test_a_command_after_check_is_refused_because_it_would_not_run(monkeypatch, capsys):
    """`--check backup FILE` would make no backup and end with 0."""
    monkeypatch.setattr("sys.argv", ["__main__.py", "--check", "backup", "copy.sqlite3"])
    with pytest.raises(SystemExit, match="2"):
        cli.main()

    assert capsys.readouterr().err.endswith("python -m bot: error: --check takes no command\n")


@pytest.fixture
def start(monkeypatch):
    """Runs the program in this process; the logging setup is restored afterwards."""

    def begin(**values):
        for name, value in values.items():
            monkeypatch.setenv(name, value)
        return cli.main()

    monkeypatch.setattr(sys, "argv", ["facedown"])
    root = logging.getLogger()
    handlers, level, structured = root.handlers[:], root.level, structlog.get_config()
    yield begin
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.configure(**structured)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("DISCORD_API", "https://evil.example", "DISCORD_API is not valid: must be https://"),
        ("DATABASE", ".", "DATABASE is not valid: . is a folder. Name a file in it."),
        ("DATABASE", "postgresql://x", "DATABASE is not valid: it must look like postgresql:"),
    ],
)
def test_starting_with_a_bad_setting_fails_and_names_it(start, capsys, name, value, said):
    assert start(DISCORD_TOKEN=TOKEN, **{name: value}) == 2

    printed = capsys.readouterr()
    assert printed.err.startswith(said)
    assert printed.out == ""
    assert TOKEN not in printed.err


def test_a_start_warns_of_a_misspelled_setting_without_its_value(start, capsys):
    """It would be ignored without a word, and its default used."""
    Path(".env").write_text("METRICS_PROT=7357\n")

    assert start(DISCORD_TOKEN=TOKEN, DATABASE=".") == 2  # no bot starts in this test

    warning = next(line for line in capsys.readouterr().err.splitlines() if "ignored" in line)
    assert "name=METRICS_PROT" in warning
    assert "did you mean METRICS_PORT?" in warning
    assert "7357" not in warning


@pytest.mark.parametrize("words", [[], ["backup", "x"], ["smoke", "--channel", "5"]])
def test_an_unreadable_settings_file_is_reported_in_a_sentence(monkeypatch, capsys, words):
    """For example a file from another machine that belongs to another user.

    The tests may run as root, who can read that one, so they use a file that nobody can read.
    """
    Path(".env").symlink_to("/proc/self/mem")
    monkeypatch.setattr(sys, "argv", ["facedown", *words])

    assert cli.main() == 2
    assert capsys.readouterr().err == (
        "The file .env can't be read: Input/output error. It must belong to the user who runs the "
        "bot.\n"
    )


def test_a_settings_file_in_another_encoding_is_reported_in_a_sentence(monkeypatch, capsys):
    Path(".env").write_text(f"DISCORD_TOKEN={TOKEN}\n", encoding="utf-16")
    monkeypatch.setattr(sys, "argv", ["facedown"])

    assert cli.main() == 2
    assert capsys.readouterr().err == (
        "The file .env can't be read: it isn't UTF-8 text. Save it again as UTF-8.\n"
    )


READS_SETTINGS = [
    [],
    ["backup", "x"],
    ["restore", "x"],
    ["ratings", "--check"],
    ["move", "sqlite:x"],
    ["smoke", "--channel", "5"],
]


@pytest.mark.parametrize("words", READS_SETTINGS, ids=" ".join)
def test_no_command_runs_if_a_line_of_the_settings_cannot_be_read(monkeypatch, capsys, words):
    """If the line were skipped, the bot might use another database, or ban nobody."""
    Path(".env").write_text(f'DISCORD_TOKEN={TOKEN}\n\nDATABASE="/big/secret\nBANNED=1\n')
    monkeypatch.setattr(sys, "argv", ["facedown", *words])

    assert cli.main() == 2
    assert capsys.readouterr().err == (
        "Line 3 of .env can't be read: it must be NAME=value, and a quote that opens must close.\n"
    )
    assert [path.name for path in Path.cwd().iterdir()] == [".env"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("BANNED='12\n\n# It can't be. \nMOST_OPENINGS: 5\n", [1, 4]),
        ("# one\r\n\r\n \r\nMOST_OPENINGS: 5\r\nBANNED=12\r\n", [4]),
        ("\ufeffDATABASE:/big/facedown.sqlite3", [1]),
        ("\nBANNED\n", [2]),
        ("LOG_FORMAT='json'x\n=text\n", [1, 2]),
    ],
)
def test_each_unreadable_line_is_reported_by_number_and_not_quoted(
    monkeypatch, capsys, text, lines
):
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    Path(".env").write_bytes(text.encode())
    monkeypatch.setattr(sys, "argv", ["facedown"])

    assert cli.main() == 2
    said = capsys.readouterr().err
    assert [int(line.split()[1]) for line in said.splitlines()] == lines
    assert re.sub(r"\d+", "n", said) == (
        "Line n of .env can't be read: it must be NAME=value, and a quote that opens must close.\n"
        * len(lines)
    )


@pytest.mark.parametrize(
    "words",
    [
        ["backup", "x"],
        ["restore", "x"],
        ["ratings", "--check"],
        ["move", "sqlite:x"],
        ["--check"],
    ],
)
def test_every_command_refuses_a_bad_database_without_showing_its_password(
    monkeypatch, capsys, words
):
    monkeypatch.setenv("DATABASE", "mysql://me:s3cret@host/name")
    monkeypatch.setattr(sys, "argv", ["facedown", *words])

    assert cli.main() == 2

    assert capsys.readouterr().err == (
        "DATABASE is not valid: must be a file, or a server as postgresql://user:password@host/name.\n"
    )


@pytest.mark.parametrize(
    ("database", "words"),
    [
        ("x" * 300, ["backup", "copy"]),
        ("x" * 300, ["ratings", "--check"]),
        ("here", ["backup", "x" * 300]),
        ("here", ["restore", "x" * 300]),
    ],
    ids=["backup", "ratings", "backup there", "restore from there"],
)
def test_every_command_names_a_file_that_it_cannot_access(monkeypatch, capsys, database, words):
    """For example in another user's folder; as the tests may run as root, the name is too long."""
    Path("here").touch()
    monkeypatch.setenv("DATABASE", database)
    monkeypatch.setattr(sys, "argv", ["facedown", *words])

    assert cli.main() != 0

    said = capsys.readouterr().err
    assert f"{'x' * 300}" in said
    assert "File name too long" in said
    assert said.count("\n") == 1


WATCH = """
import os, sys
import prometheus_client  # brings wsgiref, which copies the whole environment and reads nothing
names = set(sys.argv[1:])
class Watched(type(os.environ)):
    def __getitem__(self, name):
        assert name not in names, name
        return super().__getitem__(name)
os.environ.__class__ = Watched
def hear(event, args):
    assert event != "open" or not str(args[0]).endswith(".env"), args
    assert not event.startswith(("socket.connect", "sqlite3.connect", "subprocess")), event
sys.addaudithook(hear)
import importlib, bot.cli, bot.client
for extension in bot.client.EXTENSIONS:
    importlib.import_module(extension)
"""


@pytest.mark.slow
def test_importing_the_bot_reads_no_setting_and_opens_nothing():
    Path(".env").write_text("DISCORD_API=nonsense\n")

    names = map(str.upper, Settings.model_fields)

    done = python("-c", WATCH, *names, DISCORD_API="nonsense", LOG_LEVEL="loud")

    assert done.stderr == ""
    assert done.returncode == 0
    assert [path.name for path in Path.cwd().iterdir()] == [".env"]


RUN = """
import runpy, signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # as in a terminal, also in the background
runpy.run_module("bot", run_name="__main__", alter_sys=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "words", "far"),
    [(["-X", "importtime"], [], " bot.errors\n"), ([], ["puzzles", "out.jsonl"], " positions\n")],
    ids=["while it loads", "in a command"],
)
def test_a_keyboard_interrupt_ends_with_a_message_and_no_traceback(options, words, far):
    with subprocess.Popen(  # noqa: S603 - our own interpreter with our own lines
        [sys.executable, "-u", *options, "-c", RUN, *words],
        env={"PYTHONPATH": str(ROOT), "DISCORD_TOKEN": TOKEN, "DISCORD_API": "http://127.0.0.1:9"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as running:
        while not running.stdout.readline().endswith(far):
            assert running.poll() is None
        running.send_signal(signal.SIGINT)
        rest = running.stdout.read()

    # Python dies of the signal itself if it interrupts `exec` of source text, as in dataclasses.
    assert running.returncode in {130, -signal.SIGINT}
    assert rest.endswith("Stopped.\n")
    assert "Traceback" not in rest
