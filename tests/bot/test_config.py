import re
from pathlib import Path

import pytest
from pydantic import SecretStr, ValidationError

from bot.config import DISCORD, Settings, explain, location_of

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "MTA0.not-a-real.token"  # noqa: S105 - made up

pytestmark = pytest.mark.usefixtures("elsewhere")


def read(monkeypatch, **values):
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    return Settings()


def refusal(monkeypatch, **values):
    """Return the error message for these settings."""
    with pytest.raises(ValidationError) as refused:
        read(monkeypatch, **values)
    return explain(refused.value)


def test_only_the_token_must_be_set(monkeypatch):
    settings = read(monkeypatch, DISCORD_TOKEN=TOKEN)

    assert settings.discord_token == SecretStr(TOKEN)
    assert settings.model_dump(exclude={"discord_token"}) == {
        "discord_api": DISCORD,
        "database": Path("data/facedown.sqlite3"),
        "drawing_workers": 1,
        "most_clicks": 30,
        "report_channel": None,
        "banned": None,
        "support_url": None,
        "privacy_url": None,
        "terms_url": None,
        "log_level": "info",
        "hands_by_direct_message": "everybody",
        "most_openings": 15,
        "log_format": "text",
        "metrics_port": 9464,
        "endpoint_port": 0,
        "endpoint_host": "127.0.0.1",
        "public_key": None,
        "clock_file": None,
    }


def test_the_file_dot_env_is_read(monkeypatch):
    Path(".env").write_text(f"DISCORD_TOKEN={TOKEN}\nDRAWING_WORKERS=3\nEXTRA=ignored\n")

    settings = read(monkeypatch)

    assert (settings.discord_token.get_secret_value(), settings.drawing_workers) == (TOKEN, 3)


def test_a_file_with_a_byte_order_mark_is_read(monkeypatch):
    Path(".env").write_text(f"DISCORD_TOKEN={TOKEN}\n", encoding="utf-8-sig")
    assert read(monkeypatch).discord_token.get_secret_value() == TOKEN


def test_the_environment_comes_before_the_file(monkeypatch):
    Path(".env").write_text(f"DISCORD_TOKEN={TOKEN}\nLOG_FORMAT=text\n")

    assert read(monkeypatch, LOG_FORMAT="json").log_format == "json"


def test_settings_are_immutable(monkeypatch):
    settings = read(monkeypatch, DISCORD_TOKEN=TOKEN)

    with pytest.raises(ValidationError):
        settings.discord_api = "https://example.com"


def test_the_token_is_not_shown(monkeypatch):
    settings = read(monkeypatch, DISCORD_TOKEN=TOKEN)

    assert TOKEN not in f"{settings} {settings!r} {settings.model_dump()}"


@pytest.mark.parametrize("values", [{}, {"DISCORD_TOKEN": ""}], ids=["missing", "empty"])
def test_a_missing_token_is_reported_by_name(monkeypatch, values):
    assert refusal(monkeypatch, **values) == (
        "DISCORD_TOKEN is not set. Put it into .env or the environment."
    )


@pytest.mark.parametrize("token", ["  ", f"{TOKEN[:9]}\t{TOKEN[9:]}"])
def test_a_token_that_is_blank_or_contains_whitespace_is_refused(monkeypatch, token):
    assert refusal(monkeypatch, DISCORD_TOKEN=token) == (
        "DISCORD_TOKEN is not valid: must hold the bot's token from Discord's Developer Portal."
    )


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("https://discord.com", "https://discord.com"),
        ("https://discord.com/", "https://discord.com"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080"),
        ("http://127.0.0.1", "http://127.0.0.1"),
    ],
)
def test_only_discord_and_this_machine_are_accepted_as_the_api(monkeypatch, given, kept):
    assert read(monkeypatch, DISCORD_TOKEN=TOKEN, DISCORD_API=given).discord_api == kept


@pytest.mark.parametrize(
    "address",
    [
        "https://example.com",
        "http://discord.com",
        "https://discord.com.evil.example",
        "https://evil.example/discord.com",
        "https://discord.com@evil.example",
        "https://user@discord.com",
        "https://discord.com:444",
        "https://discord.com/api",
        "https://discord.com?to=evil.example",
        "https://discord.com#evil.example",
        "https://canary.discord.com",
        "https://discordapp.com",
        "https://127.0.0.1",
        "http://127.0.0.1.evil.com",
        "http://127.0.0.1:80@evil.example",
        "http://user@127.0.0.1:8080",
        "http://user:word@127.0.0.1:8080",
        "http://evil.example\\@127.0.0.1",
        "http://127.0.0.1\\@evil.example",
        "http://127.0.0.1:8080/api",
        "http://127.0.0.1:8080/?x=1",
        "http://127.0.0.1:8080#x",
        "http://127.0.0.1#@evil.example",
        "http://127.0.0.1:port",
        "http://127.0.0.1:80:81",
        "http://127.0.0.1:99999",
        "http://127.0.0.1:",
        "http://127.0.\t0.1:8080",
        "http://127.0.0.2:8080",
        "http://127.1:8080",
        "http://2130706433:8080",
        "http://[::1]:8080",
        "http://[::ffff:127.0.0.1]:8080",
        "http://[",
        "http://localhost:8080",
        "http://0.0.0.0:8080",
        "ws://127.0.0.1:8080",
        "127.0.0.1:8080",
        "discord.com",
        "file:///etc/passwd",
        "nonsense",
    ],
)
def test_no_setting_sends_the_token_elsewhere(monkeypatch, address):
    said = refusal(monkeypatch, DISCORD_TOKEN=TOKEN, DISCORD_API=address)

    assert said == (
        "DISCORD_API is not valid: must be https://discord.com or http://127.0.0.1:<port>, "
        "nothing else."
    )


def test_a_tilde_in_the_path_of_a_database_means_the_home_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))

    settings = read(monkeypatch, DISCORD_TOKEN=TOKEN, DATABASE="~/facedown.sqlite3")

    assert settings.database == tmp_path / "facedown.sqlite3"


def test_a_database_in_a_home_folder_that_does_not_exist_is_refused(monkeypatch):
    assert refusal(monkeypatch, DISCORD_TOKEN=TOKEN, DATABASE="~nobody-of-that-name/x") == (
        "DATABASE is not valid: must not begin like this: there is no such home folder."
    )


@pytest.mark.parametrize("path", ["sqlite:data/x", '"data/x"', "'data/x'", 'data/x"'])
def test_a_database_path_with_a_scheme_or_quotes_around_it_is_refused(monkeypatch, path):
    """`move` does accept sqlite:, and Docker doesn't strip quotes."""
    assert refusal(monkeypatch, DISCORD_TOKEN=TOKEN, DATABASE=path) == (
        "DATABASE is not valid: must be the path of a file, without sqlite: or quotes around it."
    )


@pytest.mark.parametrize("path", [":memory:", "./:memory:"])
def test_an_in_memory_database_is_refused(monkeypatch, path):
    assert refusal(monkeypatch, DISCORD_TOKEN=TOKEN, DATABASE=path) == (
        "DATABASE is not valid: must be a file, and SQLite writes :memory: into none."
    )


@pytest.mark.parametrize("values", [{}, {"DATABASE": "data/facedown.sqlite3"}])
def test_a_link_to_a_database_resolves_to_the_file_it_points_to(monkeypatch, tmp_path, values):
    """So its lock and its copies are next to the file, whichever path was given."""
    for folder in ("data", "big"):
        Path(folder).mkdir()
    link, file = Path("data/facedown.sqlite3"), tmp_path / "big" / "facedown.sqlite3"
    link.symlink_to("../big/facedown.sqlite3")
    nowhere = read(monkeypatch, DISCORD_TOKEN=TOKEN, **values).database
    file.touch()

    assert read(monkeypatch, DISCORD_TOKEN=TOKEN, **values).database == file
    assert nowhere == link


def test_the_address_of_a_server_is_a_secret(monkeypatch):
    address = "postgresql://me:s3cret@host/name?sslmode=require"

    settings = read(monkeypatch, DISCORD_TOKEN=TOKEN, DATABASE=address)

    assert settings.database == SecretStr(address)
    assert "s3cret" not in repr(settings)
    assert location_of(settings.database) == "postgresql://host/name"


@pytest.mark.parametrize("password", ["s3@cret", "s3/cret", "s3@/cret@", "/s3@cret/", "s3:cret"])
def test_no_password_is_shown_whatever_characters_it_contains(password):
    address = SecretStr(f"postgres://me:{password}@host:5432/name?user=me@here")

    assert location_of(address) == "postgresql://host:5432/name"


def test_a_database_of_another_kind_is_refused_without_showing_its_password(monkeypatch):
    assert refusal(monkeypatch, DISCORD_TOKEN=TOKEN, DATABASE="mysql://me:s3cret@host/name") == (
        "DATABASE is not valid: must be a file, or a server as postgresql://user:password@host/name."
    )


def test_the_report_channel_and_support_page_are_read(monkeypatch):
    settings = read(
        monkeypatch,
        DISCORD_TOKEN=TOKEN,
        REPORT_CHANNEL="1043234567890123456",
        SUPPORT_URL="https://example.com/help?from=bot#top",
    )

    assert settings.report_channel == 1043234567890123456
    assert settings.support_url == "https://example.com/help?from=bot#top"


@pytest.mark.parametrize(
    ("channel", "why"),
    [
        ("0", "at least 1"),
        ("-1", "at least 1"),
        (str(2**63), f"less than {2**63}"),
        ("#reports", "a whole number"),
        ("<#1>", "a whole number"),
        ("9" * 5000, "a smaller number"),
    ],
)
def test_a_report_channel_that_is_not_an_id_is_refused_by_name(monkeypatch, channel, why):
    said = refusal(monkeypatch, DISCORD_TOKEN=TOKEN, REPORT_CHANNEL=channel)

    assert said == f"REPORT_CHANNEL is not valid: must be {why}."


def test_banned_ids_are_read_as_a_list(monkeypatch):
    settings = read(monkeypatch, DISCORD_TOKEN=TOKEN, BANNED="1043234567890123456, 12,13 14")

    assert settings.banned == {1043234567890123456, 12, 13, 14}


@pytest.mark.parametrize("ids", ["0", "-1", "<@1>", "12;13", str(10**19), "Ann"])
def test_a_malformed_list_of_banned_ids_is_refused_without_quoting_it(monkeypatch, ids):
    assert refusal(monkeypatch, DISCORD_TOKEN=TOKEN, BANNED=f"12, {ids}") == (
        "BANNED is not valid: must be ids of people or servers, separated by commas."
    )


@pytest.mark.parametrize(
    "address",
    ["example.com", "http://example.com", "https://", "https://a b", "https://a>b", "javascript:1"],
)
def test_a_support_page_must_be_an_https_address(monkeypatch, address):
    assert refusal(monkeypatch, DISCORD_TOKEN=TOKEN, SUPPORT_URL=address) == (
        "SUPPORT_URL is not valid: must be the address of a page, beginning with https://."
    )


def test_a_public_key_is_read_in_upper_or_lower_case(monkeypatch):
    settings = read(monkeypatch, DISCORD_TOKEN=TOKEN, PUBLIC_KEY="0123456789ABCDEF" * 4)

    assert settings.public_key == "0123456789abcdef" * 4


@pytest.mark.parametrize("host", ["127.0..1", "x" * 64, "https://example.com", "127.0.0.1/8"])
def test_a_malformed_endpoint_host_is_refused_by_name(monkeypatch, host):
    assert refusal(monkeypatch, DISCORD_TOKEN=TOKEN, ENDPOINT_HOST=host) == (
        "ENDPOINT_HOST is not valid: must be an address of this machine, for example 127.0.0.1."
    )


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "localhost"])  # noqa: S104 - in a container
def test_every_address_of_this_machine_is_accepted(monkeypatch, host):
    assert read(monkeypatch, DISCORD_TOKEN=TOKEN, ENDPOINT_HOST=host).endpoint_host == host


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0", "Localhost"])  # noqa: S104
def test_two_servers_on_one_port_are_refused_by_name(monkeypatch, host):
    assert refusal(monkeypatch, DISCORD_TOKEN=TOKEN, ENDPOINT_PORT="9464", ENDPOINT_HOST=host) == (
        "ENDPOINT_PORT is not valid: must be another port than METRICS_PORT."
    )


@pytest.mark.parametrize(("port", "host"), [("0", "127.0.0.1"), ("80", "10.0.0.1"), ("80", "::")])
def test_servers_that_are_off_or_elsewhere_share_a_number(monkeypatch, port, host):
    ports = {"METRICS_PORT": port, "ENDPOINT_PORT": port}
    assert read(monkeypatch, DISCORD_TOKEN=TOKEN, ENDPOINT_HOST=host, **ports).endpoint_host == host


@pytest.mark.parametrize("key", ["0" * 63, "0" * 65, "g" * 64, "0x" + "0" * 62])
def test_a_malformed_public_key_is_refused_by_name(monkeypatch, key):
    assert refusal(monkeypatch, DISCORD_TOKEN=TOKEN, PUBLIC_KEY=key) == (
        "PUBLIC_KEY is not valid: must be the public key from the Developer Portal, "
        "64 digits 0-9 and a-f."
    )


def test_the_example_lists_every_setting_in_order_with_its_default():
    lines = (ROOT / ".env.example").read_text(encoding="utf-8").splitlines()
    listed = [
        line.removeprefix("#").split("=", 1) for line in lines if re.match("#?[A-Z_]+=", line)
    ]

    assert listed == [
        [name.upper(), "" if field.is_required() or field.default is None else str(field.default)]
        for name, field in Settings.model_fields.items()
    ]


def test_the_readme_lists_every_setting_in_order_with_its_default():
    """Except the one for developers. If there's no default, the table says what that means."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    section = text.partition("\n## Settings\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `([A-Z_]+)` \| .* \| (.+) \|$", section, re.MULTILINE)
    listed = [(name, said.strip("`") if "`" in said else None) for name, said in rows]

    assert listed == [
        (name.upper(), None if field.is_required() or field.default is None else str(field.default))
        for name, field in Settings.model_fields.items()
        if name != "clock_file"
    ]


def test_the_example_has_a_sentence_about_every_setting():
    text = (ROOT / ".env.example").read_text(encoding="utf-8")
    first, *blocks = text.strip().split("\n\n")

    assert first.startswith("# ")
    assert len(blocks) == len(Settings.model_fields)
    assert all(re.match(r"# .+\.\n#?[A-Z_]+=", block) for block in blocks)


def test_the_example_with_a_token_filled_in_is_valid(monkeypatch):
    text = (ROOT / ".env.example").read_text(encoding="utf-8")
    Path(".env").write_text(text.replace("DISCORD_TOKEN=", f"DISCORD_TOKEN={TOKEN}"))

    assert read(monkeypatch).model_dump() == Settings(discord_token=TOKEN).model_dump()
