"""The settings, read once from the environment and `.env`, and passed down from `bot/cli.py`."""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Final, Literal, Self, TypeVar

from dotenv.parser import Binding, parse_stream
from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    SecretStr,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

DISCORD: Final = "https://discord.com"
LOGIN_REFUSED: Final = "Discord refuses DISCORD_TOKEN. Make a new one in the Developer Portal."

_LOCAL: Final = re.compile(r"http://127\.0\.0\.1(?::(?P<port>[1-9]\d{0,4}))?", re.ASCII)

_KEY: Final = re.compile(r"[0-9a-fA-F]{64}")
_PAGE: Final = re.compile(r"https://[^\s<>\"`|\\]{1,200}")


def _discord_or_this_machine(address: str) -> str:
    """The address, if it's Discord's own or on this machine; else ValueError.

    The token is sent there, so no setting may send it anywhere else. The address is matched as a
    whole and never parsed, because URL parsers disagree.
    """
    plain = address.removesuffix("/")
    local = _LOCAL.fullmatch(plain)
    if plain != DISCORD and not (local and int(local["port"] or 80) < 2**16):
        raise ValueError(f"must be {DISCORD} or http://127.0.0.1:<port>, nothing else")
    return plain


def _usable_token(token: SecretStr) -> SecretStr:
    plain = token.get_secret_value().strip()
    if not plain or not plain.isprintable():  # an HTTP header can't hold anything else
        raise ValueError("must hold the bot's token from Discord's Developer Portal")
    return token


def _page(address: str) -> str:
    if not _PAGE.fullmatch(address):
        raise ValueError("must be the address of a page, beginning with https://")
    return address


def _host(name: str) -> str:
    with suppress(UnicodeError):
        name.encode("idna")
        if "/" not in name:  # in a URL
            return name
    raise ValueError("must be an address of this machine, for example 127.0.0.1")


def _key(digits: str) -> str:
    if not _KEY.fullmatch(digits):
        raise ValueError("must be the public key from the Developer Portal, 64 digits 0-9 and a-f")
    return digits.lower()


_WITH_METRICS: Final = frozenset({"127.0.0.1", "localhost", "0.0.0.0"})  # noqa: S104
"""Values of ENDPOINT_HOST with which it listens where the metrics are, too."""

FILE: Final = ".env"
_ENCODING: Final = "utf-8-sig"
"""Some editors write a byte order mark at the beginning."""

OF_COMPOSE: Final = frozenset({"BOTS", "ENDPOINT_DOMAIN", "POSTGRES_PASSWORD"})
"""Names that `compose.yaml` reads from the same file."""

_CLOSE: Final = 0.8
"""How similar a name must be to a setting's, from 0 to 1, to be taken for a misspelled one."""

_MODEL: Final = SettingsConfigDict(
    env_file=FILE,
    env_file_encoding=_ENCODING,
    extra="ignore",
    frozen=True,
    env_ignore_empty=True,
)
HandsByDirectMessage = Literal["everybody", "asked"]
"""Whether people who haven't chosen get their hand by direct message: "everybody" means that they
do, "asked" that they don't."""

_DATABASE: Final = Path("data/facedown.sqlite3")
_IN_MEMORY: Final = Path(":memory:")
_QUOTES: Final = ("'", '"')

SQLITE: Final = "sqlite:"
"""Marks the path of a file for `move`, which takes a server's address as well."""


def database_file(path: str) -> Path:
    """The database file at this path; ValueError for a path that can only be a mistake."""
    if "://" in path:
        raise ValueError("must be a file, or a server as postgresql://user:password@host/name")
    if path.startswith((SQLITE, *_QUOTES)) or path.endswith(_QUOTES):
        raise ValueError(f"must be the path of a file, without {SQLITE} or quotes around it")
    try:
        file = Path(path).expanduser()  # as a shell would: nobody wants a folder named ~
    except RuntimeError:
        raise ValueError("must not begin like this: there is no such home folder") from None
    if file == _IN_MEMORY:
        raise ValueError(f"must be a file, and SQLite writes {_IN_MEMORY} into none")
    return _link_target(file)


def _link_target(file: Path) -> Path:
    """The target of a symbolic link, if it exists: its lock and its copies belong beside it."""
    with suppress(OSError):  # opening it reports what is wrong
        if file.is_symlink() and file.exists():
            return file.resolve()
    return file


def _database(value: object) -> object:
    """A server's address as a secret, since it may hold a password; anything else as a path."""
    if isinstance(value, Path):
        return _link_target(value)
    if not isinstance(value, str):
        return value
    if value.startswith(("postgresql://", "postgres://")):
        return SecretStr(value)
    return database_file(value)


def _ids(value: object) -> object:
    """The ids in a text, separated by commas or spaces; ValueError if anything else is in it."""
    if not isinstance(value, str):
        return value
    ids = value.replace(",", " ").split()
    if not all(re.fullmatch(r"[1-9]\d{0,18}", one, re.ASCII) for one in ids):
        raise ValueError("must be ids of people or servers, separated by commas")
    return [int(one) for one in ids]


Database = Annotated[Path | SecretStr, BeforeValidator(_database)]
"""A SQLite file, or the address of a PostgreSQL database."""


def location_of(database: Path | SecretStr) -> str:
    """The database as people may see it: an address without user, password and options."""
    if isinstance(database, Path):
        return str(database)
    plain = re.sub(r"^postgres(ql)?://([^?]*@)?", "postgresql://", database.get_secret_value())
    return plain.partition("?")[0]


class DatabaseSettings(BaseSettings):
    """The settings of commands that use only the database, without Discord."""

    model_config = _MODEL

    database: Database = _DATABASE


class Settings(BaseSettings):
    """Every setting; `.env.example` lists the same fields in the same order."""

    model_config = _MODEL

    discord_token: Annotated[SecretStr, AfterValidator(_usable_token)]
    """The bot's token from Discord's Developer Portal."""

    discord_api: Annotated[str, AfterValidator(_discord_or_this_machine)] = DISCORD
    """Where Discord is: its own address, or a sandbox on 127.0.0.1."""

    database: Database = _DATABASE
    """The SQLite file that holds every match, whose folder is created if it's missing; or a
    PostgreSQL database, as postgresql://user:password@host/name."""

    drawing_workers: Annotated[int, Field(ge=1, le=8)] = 1
    """The number of processes that draw pictures."""

    most_clicks: Annotated[int, Field(ge=10)] = 30
    """Clicks and commands that one person can make in 10 seconds."""

    hands_by_direct_message: HandsByDirectMessage = "everybody"
    """Who gets hands by direct message: everybody who hasn't chosen otherwise with `/preferences`,
    or only people who asked for it there."""

    most_openings: Annotated[int, Field(ge=1)] = 15
    """Direct message channels that the whole bot opens in an hour. There are reports of bots that
    Discord quarantined after 20 to 50 in a short time."""

    report_channel: Annotated[int, Field(ge=1, lt=2**63)] | None = None
    """The id of the channel where `/report` posts; without it, that command doesn't exist."""

    banned: Annotated[frozenset[int] | None, NoDecode, BeforeValidator(_ids)] = None
    """The ids of people who can't use the bot, and of servers that it leaves."""

    support_url: Annotated[str, AfterValidator(_page)] | None = None
    """A page where players find help; `/help` and `/report` link to it."""

    privacy_url: Annotated[str, AfterValidator(_page)] | None = None
    """A page with the whole privacy policy; `/privacy policy` and `/help` link to it."""

    terms_url: Annotated[str, AfterValidator(_page)] | None = None
    """A page with the terms of use; `/help` links to it."""

    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """The lowest level that is logged."""

    log_format: Literal["text", "json"] = "text"
    """Lines for people, or one JSON object per line for a log collector."""

    metrics_port: Annotated[int, Field(ge=0, lt=2**16)] = 9464
    """The port of /metrics and /health on 127.0.0.1; 0 turns them off."""

    endpoint_port: Annotated[int, Field(ge=0, lt=2**16)] = 0
    """The port of the interactions endpoint, which is at /interactions; 0 turns it off."""

    endpoint_host: Annotated[str, AfterValidator(_host)] = "127.0.0.1"
    """The address on which the endpoint listens; 0.0.0.0 for all of this machine's addresses."""

    public_key: Annotated[str, AfterValidator(_key)] | None = None
    """The application's key, which verifies requests to the endpoint; None to ask Discord for it.
    """

    clock_file: Path | None = None
    """For developers: a file with the seconds by which the bot's clock is ahead."""

    @model_validator(mode="after")
    def _has_a_port_for_each_server(self) -> Self:
        is_shared = self.endpoint_host.lower() in _WITH_METRICS
        if is_shared and self.endpoint_port == self.metrics_port != 0:
            raise ValueError("ENDPOINT_PORT is not valid: must be another port than METRICS_PORT")
        return self


_REFUSALS: Final = {
    "int_parsing": "must be a whole number",
    "int_parsing_size": "must be a smaller number",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be at most {le}",
    "greater_than_equal": "must be at least {ge}",
    "literal_error": "must be {expected}",
}
"""Our words for what pydantic finds wrong, by its type."""

SettingsT = TypeVar("SettingsT", bound=BaseSettings)


class SettingsError(Exception):
    """Settings that are missing, wrong or can't be read; the message is for the bot's owner."""


def read(settings: type[SettingsT]) -> SettingsT:
    """Read the settings from the environment and `.env`; SettingsError if they can't be used."""
    try:
        _refuse_unreadable_lines(Path(FILE))
        return settings()
    except ValidationError as error:
        raise SettingsError(explain(error)) from None
    except UnicodeDecodeError:  # the error holds the whole file, and so the token
        raise SettingsError(
            f"The file {FILE} can't be read: it isn't UTF-8 text. Save it again as UTF-8."
        ) from None
    except OSError as error:
        raise SettingsError(
            f"The file {FILE} can't be read: {error.strerror}. It must belong to the user who "
            "runs the bot."
        ) from None


def _refuse_unreadable_lines(file: Path) -> None:
    """Raise SettingsError if the file has lines that python-dotenv would silently leave out.

    The lines aren't repeated: the token may be in one.
    """
    if not file.is_file():
        return
    lines = [
        line.original.line + _blank_lines_before(line)
        for line in _bindings(file)
        if line.error or (line.key is not None and line.value is None)
    ]
    if lines:
        raise SettingsError(
            "\n".join(
                f"Line {line} of {FILE} can't be read: it must be NAME=value, and a quote that "
                "opens must close."
                for line in lines
            )
        )


def _bindings(file: Path) -> list[Binding]:
    with file.open(encoding=_ENCODING) as stream:
        return list(parse_stream(stream))


def _blank_lines_before(line: Binding) -> int:
    text = line.original.string
    return text[: len(text) - len(text.lstrip())].count("\n")


def misspelled() -> Mapping[str, str]:
    """The names in `.env` that are nearly those of settings, each with that setting's name.

    Only names that are close to one: another line may be meant for any other program, or begin
    with a secret.
    """
    file = Path(FILE)
    if not file.is_file():
        return {}
    settings = [name.upper() for name in Settings.model_fields]
    known = {*settings, *OF_COMPOSE}
    close = {
        line.key: get_close_matches(line.key.upper(), settings, n=1, cutoff=_CLOSE)
        for line in _bindings(file)
        if line.key is not None and line.key.upper() not in known
    }
    return {name: meant[0] for name, meant in close.items() if meant}


@dataclass(frozen=True, slots=True)
class Support:
    """How to reach the bot's owner, and the pages they publish; all of it is optional."""

    channel: int | None = None
    """The id of the channel where reports are posted."""

    url: str | None = None
    """A page where people find help."""

    privacy: str | None = None
    """A page with the whole privacy policy."""

    terms: str | None = None
    """A page with the terms of use."""


def explain(error: ValidationError) -> str:
    """A sentence for each setting that is missing or wrong, with its name in `.env`.

    The value is never repeated: it may be the token.
    """
    lines = []
    for problem in error.errors(include_input=False, include_url=False):
        name = ".".join(str(part) for part in problem["loc"]).upper()
        if problem["type"] == "missing":
            lines.append(f"{name} is not set. Put it into .env or the environment.")
        elif not name:  # it's about several settings, and names them
            lines.append(f"{_why(problem)}.")
        else:
            lines.append(f"{name} is not valid: {_why(problem)}.")
    return "\n".join(lines)


def _why(problem: ErrorDetails) -> str:
    ours = _REFUSALS.get(problem["type"])
    if ours is None:
        return problem["msg"].removeprefix("Value error, ")
    return ours.format_map(problem.get("ctx", {})).replace("'", "")  # choices come in quotes
