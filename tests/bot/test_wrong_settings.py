"""What the bot's owner is told about settings that are wrong."""

import re
from pathlib import Path

import pytest

from bot.config import OF_COMPOSE, Settings, misspelled
from tests.bot.test_config import ROOT, TOKEN, refusal

pytestmark = pytest.mark.usefixtures("elsewhere")


@pytest.mark.parametrize(
    ("name", "number", "why"),
    [
        ("MOST_CLICKS", "9", "at least 10"),
        ("MOST_CLICKS", "-1", "at least 10"),
        ("MOST_CLICKS", "30.5", "a whole number"),
        ("DRAWING_WORKERS", "0", "at least 1"),
        ("DRAWING_WORKERS", "9", "at most 8"),
        ("DRAWING_WORKERS", "many", "a whole number"),
        ("DRAWING_WORKERS", "1e3", "a whole number"),
        ("METRICS_PORT", "65536", "less than 65536"),
    ],
)
def test_a_number_out_of_range_is_refused_with_the_range(monkeypatch, name, number, why):
    said = refusal(monkeypatch, DISCORD_TOKEN=TOKEN, **{name: number})

    assert said == f"{name} is not valid: must be {why}."


@pytest.mark.parametrize(
    ("name", "choices"),
    [
        ("LOG_LEVEL", "debug, info, warning or error"),
        ("LOG_FORMAT", "text or json"),
        ("HANDS_BY_DIRECT_MESSAGE", "everybody or asked"),
    ],
)
def test_an_unknown_choice_is_refused_with_a_list_of_the_choices(monkeypatch, name, choices):
    said = refusal(monkeypatch, DISCORD_TOKEN=TOKEN, **{name: "loud"})

    assert said == f"{name} is not valid: must be {choices}."


def test_every_setting_is_refused_in_our_own_words(monkeypatch):
    """Not in a library's, which speak of input. A token and a file can have nearly any value."""
    free = {"discord_token", "database", "clock_file"}
    names = [name.upper() for name in Settings.model_fields if name not in free]
    said = refusal(monkeypatch, DISCORD_TOKEN=TOKEN, **dict.fromkeys(names, "/"))

    assert [line.partition(" must ")[0] for line in said.splitlines()] == [
        f"{name} is not valid:" for name in names
    ]


def test_every_wrong_setting_is_named_and_no_value_is_quoted(monkeypatch):
    """Somebody may have put their token on the wrong line."""
    said = refusal(
        monkeypatch, DISCORD_API=TOKEN, DRAWING_WORKERS=TOKEN, LOG_LEVEL=TOKEN, LOG_FORMAT=TOKEN
    )

    assert [line.split()[0] for line in said.splitlines()] == [
        "DISCORD_TOKEN",
        "DISCORD_API",
        "DRAWING_WORKERS",
        "LOG_LEVEL",
        "LOG_FORMAT",
    ]
    assert TOKEN not in said


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("METRICS_PROT", "METRICS_PORT"),
        ("metrics_prot", "METRICS_PORT"),
        ("export LOGLEVEL", "LOG_LEVEL"),
        ("DISCORD_BOT_TOKEN", "DISCORD_TOKEN"),
        ("DATABASE_URL", "DATABASE"),
        ("BANED", "BANNED"),
    ],
)
def test_a_misspelled_name_in_the_file_is_noticed(name, meant):
    Path(".env").write_text(f"DISCORD_TOKEN={TOKEN}\n{name}=0\n{name}=1\n")

    assert misspelled() == {name.removeprefix("export "): meant}


def test_no_other_name_in_the_file_is_taken_for_a_misspelled_one():
    """Not a setting in small letters, nor what other programs read there, nor a lost token."""
    names = [
        *map(str.lower, Settings.model_fields),
        *OF_COMPOSE,
        "COMPOSE_PROFILES",
        "TZ",
        "LOG_FILE",
        TOKEN,
    ]
    Path(".env").write_text("".join(f"{name}=1\n" for name in names) + "# LOG_LEVLE=debug\n")

    assert misspelled() == {}


def test_without_a_settings_file_nothing_is_misspelled():
    assert misspelled() == {}


def test_the_names_of_compose_are_those_that_its_file_reads():
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    names = set(re.findall(r"\$\{([A-Z_]+)", text))

    assert names - {name.upper() for name in Settings.model_fields} == OF_COMPOSE
