"""The files for hosting fit together: Dockerfile, `.env`, `compose.yaml` and systemd's units.

The tests have no Docker and no systemd, so they read the files as those do.
"""

import os
import re
import shlex
import subprocess
from pathlib import Path, PurePosixPath

import pytest
import yaml

from bot.cli import main
from bot.config import Settings
from bot.operations.shutdown import GRACE_SECONDS
from bot.storage.old_backups import MIN_KEPT

ROOT = Path(__file__).resolve().parents[1]
UNITS = "docs/hosting"
ENDING = re.compile(r"(\d+)s")
EARLIER_DEFAULTS = {"DATABASE": "data/facedown.sqlite3", "LOG_FORMAT": "text"}
"""What a `.env` sets that was copied from an example older than the image's own settings."""


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def instructions():
    """The instructions of the Dockerfile's last stage, as [keyword, arguments]."""
    text = re.sub(r"^#.*\n", "", read("Dockerfile"), flags=re.MULTILINE).replace("\\\n", " ")
    lines = [line.split(maxsplit=1) for line in text.splitlines() if line]
    last = max(i for i, (word, _) in enumerate(lines) if word == "FROM")
    return lines[last:]


def said(word):
    return [rest for found, rest in instructions() if found == word]


def image_environment():
    """The environment variables that the image sets."""
    return dict(pair.split("=", 1) for rest in said("ENV") for pair in shlex.split(rest))


def as_docker_reads_it(text):
    """The variables that `--env-file` reads: no quotes, and no comments after a value."""
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    return dict(line.split("=", 1) for line in lines)


def example():
    """The `.env` that the README asks for: a copy of the example with a token."""
    return read(".env.example").replace("DISCORD_TOKEN=", "DISCORD_TOKEN=abc.def.ghi")


def in_the_image(path):
    """A path in the container, relative to its working folder, with its symlinks followed."""
    there = PurePosixPath(said("WORKDIR")[-1]) / path
    links = re.findall(r"\bln -s (\S+) (\S+)", " ".join(said("RUN")))
    for target, link in links:
        if there.is_relative_to(link):
            there = PurePosixPath(target) / there.relative_to(link)
    return there


def started(monkeypatch, environment):
    """The settings of a bot that is started with this environment and without `.env`."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return Settings(_env_file=None)


@pytest.mark.parametrize("earlier", [{}, EARLIER_DEFAULTS], ids=["new", "earlier"])
def test_with_the_readmes_env_the_image_keeps_the_database_on_its_volume(monkeypatch, earlier):
    given = {**as_docker_reads_it(example()), **earlier}

    settings = started(monkeypatch, {**image_environment(), **given})

    assert in_the_image(settings.database).parent == PurePosixPath(said("VOLUME")[-1])


def test_the_readmes_env_overrides_nothing_that_the_image_sets(monkeypatch):
    given = as_docker_reads_it(example())

    settings = started(monkeypatch, {**image_environment(), **given})

    assert not set(given) & set(image_environment())
    assert settings.log_format == "json"


def test_docker_and_the_bot_read_the_same_settings_from_the_example(monkeypatch, tmp_path):
    """Docker takes quotes, and comments after a value, as part of the value."""
    given = as_docker_reads_it(example())
    (tmp_path / ".env").write_text(example(), encoding="utf-8")

    by_docker = started(monkeypatch, given)
    for name in given:
        monkeypatch.delenv(name)

    assert Settings(_env_file=tmp_path / ".env") == by_docker


def test_the_image_has_every_package_that_the_bot_imports():
    taken = {rest.split()[0] for rest in said("COPY") if "--from" not in rest}
    let_in = {line[1:] for line in read(".dockerignore").splitlines() if line.startswith("!")}

    assert taken == {"bot", "cogs", "games", "migrations"}
    assert taken | {"requirements.txt"} == let_in


def test_the_image_runs_as_an_ordinary_user_and_contains_no_secret():
    assert said("USER")[-1] == "10001"
    assert not {"DISCORD_TOKEN", "PUBLIC_KEY"} & set(image_environment())


COMPOSE = yaml.safe_load(read("compose.yaml"))
SERVICES = COMPOSE["services"]

each_service = pytest.mark.parametrize("name", SERVICES)


def seconds(text):
    return int(ENDING.fullmatch(text)[1])


@each_service
def test_no_service_can_change_its_image_gain_privileges_or_fill_the_disk_with_logs(name):
    service = SERVICES[name]

    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert set(service["logging"]["options"]) == {"max-size", "max-file"}
    assert service["restart"] == "unless-stopped"


def test_temporary_files_of_an_update_are_written_next_to_the_database():
    """SQLite would write it to `/tmp`, which may have less room than the database needs."""
    set_by_the_image = image_environment()

    database = PurePosixPath(set_by_the_image["DATABASE"])
    assert PurePosixPath(set_by_the_image["SQLITE_TMPDIR"]) == database.parent


@each_service
def test_only_the_proxy_publishes_ports_and_has_one_capability(name):
    service = SERVICES[name]

    assert bool(service.get("ports")) is (name == "proxy")
    assert service.get("cap_add", []) == (["NET_BIND_SERVICE"] if name == "proxy" else [])
    assert ("outside" in service["networks"]) is (name != "postgres")


def test_by_default_compose_starts_only_the_bot():
    assert [name for name, service in SERVICES.items() if "profiles" not in service] == ["bot"]
    assert COMPOSE["networks"]["inside"]["internal"] is True


def test_the_number_of_bots_survives_every_step_of_the_guide():
    """`--scale` only holds until the next `up`, which would start one bot."""
    assert SERVICES["bot"]["deploy"] == {"replicas": "${BOTS:-1}"}
    assert "BOTS" not in {name.upper() for name in Settings.model_fields}
    assert "--scale" not in read("docs/hosting.md")


def test_every_third_party_image_is_pinned_to_a_major_version():
    images = {name: service["image"] for name, service in SERVICES.items() if name != "bot"}

    assert all(re.search(r":\d", image) for image in images.values())


def test_in_compose_the_bot_keeps_its_database_on_the_images_volume():
    targets = {volume.split(":")[1] for volume in SERVICES["bot"]["volumes"]}

    assert targets == set(said("VOLUME"))
    assert "DATABASE" not in SERVICES["bot"]["environment"]
    assert SERVICES["bot"]["env_file"] == ".env"


def test_every_version_of_postgresql_keeps_its_files_on_the_volume():
    service = SERVICES["postgres"]

    assert service["volumes"] == [f"postgres:{service['environment']['PGDATA']}"]


def test_the_guide_gives_a_new_volume_to_postgresqls_user_before_the_start():
    """Images from 18 on don't create the folder, so a new volume belongs to root."""
    service = SERVICES["postgres"]
    owner, folder = service["user"], service["environment"]["PGDATA"]
    (row,) = (lines for lines in steps() if any("docker volume rm" in line for line in lines))

    given = next(i for i, line in enumerate(row) if "--entrypoint chown postgres" in line)
    assert row[given].endswith(f" {owner}:{owner} {folder}")
    assert "docker volume rm" in row[given - 1]
    assert "up --detach --wait postgres" in row[given + 1]


def test_compose_contains_no_secret():
    """`${NAME:-}` is the value in `.env`, and empty without one."""
    values = [
        value
        for service in SERVICES.values()
        for name, value in service.get("environment", {}).items()
        if re.search("PASSWORD|TOKEN|KEY", name)
    ]

    assert values == ["${POSTGRES_PASSWORD:-}"]


def unit(name):
    """The settings of a unit, by section and key; each has a list of values."""
    found = {}
    section = None
    for line in read(f"{UNITS}/{name}").splitlines():
        if line.startswith("["):
            section = found.setdefault(line.strip("[]"), {})
        elif line and not line.startswith("#"):
            key, value = line.split("=", 1)
            section.setdefault(key, []).append(value)
    return found


BOT, BACKUP = unit("facedown.service")["Service"], unit("facedown-backup.service")["Service"]
HARDENED = [
    "CapabilityBoundingSet",
    "LockPersonality",
    "MemoryDenyWriteExecute",
    "NoNewPrivileges",
    "PrivateDevices",
    "PrivateMounts",
    "PrivateTmp",
    "PrivateUsers",
    "ProcSubset",
    "ProtectClock",
    "ProtectControlGroups",
    "ProtectHome",
    "ProtectHostname",
    "ProtectKernelLogs",
    "ProtectKernelModules",
    "ProtectKernelTunables",
    "ProtectProc",
    "ProtectSystem",
    "RestrictAddressFamilies",
    "RestrictNamespaces",
    "RestrictRealtime",
    "RestrictSUIDSGID",
    "SystemCallArchitectures",
    "SystemCallFilter",
    "UMask",
]


@pytest.mark.parametrize("name", HARDENED)
def test_the_units_of_bot_and_backup_are_hardened_alike(name):
    assert BOT[name] == BACKUP[name]
    assert BOT[name] != ["no"]


def test_systemd_and_compose_wait_longer_than_the_bot_takes_to_stop():
    assert int(BOT["TimeoutStopSec"][0]) > 2 * GRACE_SECONDS
    assert seconds(SERVICES["bot"]["stop_grace_period"]) > 2 * GRACE_SECONDS


def test_the_unit_lets_the_bot_write_to_the_default_folder_of_the_database():
    folder = PurePosixPath(BOT["WorkingDirectory"][0])
    writable = {PurePosixPath(path) for path in BOT["ReadWritePaths"][0].split()}

    assert folder / Settings.model_fields["database"].default.parent in writable
    assert folder not in writable
    assert BOT["ExecStart"] == [f"{folder}/.venv/bin/python -m bot"]


def test_several_processes_on_a_machine_have_different_ports(monkeypatch, tmp_path):
    """systemd replaces `%i` by the text after the @; all processes share `.env`."""
    (tmp_path / ".env").write_text(example(), encoding="utf-8")
    file = read(f"{UNITS}/facedown-several.conf")
    pairs = re.findall(r"^#?Environment=(\w+)=(.+)$", file, re.MULTILINE)

    taken = []
    for number in ("1", "2", "9"):
        for name, value in pairs:
            monkeypatch.setenv(name, value.replace("%i", number))
        settings = Settings(_env_file=tmp_path / ".env")
        taken += [settings.metrics_port, settings.endpoint_port]

    assert [name for name, _ in pairs] == ["METRICS_PORT", "ENDPOINT_PORT"]
    assert len(set(taken)) == 6
    assert "Environment" not in BOT


def test_every_command_in_the_units_exists(capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["facedown", "--help"])
    with pytest.raises(SystemExit):
        main()
    known = re.search(r"\{(.+?)\}", capsys.readouterr().out)[1].split(",")
    commands = re.findall(r"-m bot (\w+)", " ".join(BACKUP["ExecStart"]))

    assert commands == ["backup"]
    assert set(commands) <= set(known)


def steps():
    """The commands of the guide by step: each block of code, and each row of a table."""
    text = read("docs/hosting.md")
    blocks = re.findall(r"(?:^ {7}.*\n)+", text, re.MULTILINE)
    rows = ["\n".join(re.findall(r"`(.+?)`", row)) for row in text.splitlines() if row[:1] == "|"]
    return [[line.strip() for line in part.splitlines()] for part in (*blocks, *rows)]


def test_on_a_downgrade_nothing_starts_before_the_older_version_is_installed():
    """The newer version would migrate the database that was just restored."""
    backwards = [lines for lines in steps() if any("you noted" in line for line in lines)]
    starts = re.compile(r"systemctl (re)?start|docker compose up")

    began = [[line for line in lines if starts.match(line)] for lines in backwards]
    assert len(backwards) == 3  # systemd, Compose, Compose with PostgreSQL
    assert all(found == [lines[-1]] for found, lines in zip(began, backwards, strict=True))


def test_an_external_backup_is_written_where_the_guide_restores_it_from():
    """It is written by the image's own user: a copied file would belong to another one."""
    guide = read("docs/hosting.md")
    written = re.findall(r"cat > (/data/backups/\S+)' <", guide)
    restored = re.findall(r"bot restore (?:--force )?(/data/backups/[^\s`]+)", guide)

    assert sorted(written) == sorted(restored)
    assert len(written) == 2


@pytest.mark.parametrize(
    "where", ["README.md", "docs/hosting.md", f"{UNITS}/facedown-backup.service"]
)
def test_every_nightly_backup_deletes_backups_older_than_30_days(where):
    """`--keep` deletes them even if the new backup fails."""
    nightly = r'^ *(?:ExecStart=|0 4 ).*-m bot backup (.*?)"?(?:/data/)?backups/\$.*$'

    assert re.findall(nightly, read(where), re.MULTILINE) == ["--keep 30 "]


def deletion_of_dumps(where):
    """The shell command that deletes old dumps, whether or not the new one succeeded."""
    text = read(where)
    if where.endswith(".conf"):
        (command,) = re.findall(r"^ExecStopPost=/bin/sh -c '(.*)'$", text, re.MULTILINE)
        return command
    (command,) = re.findall(r"^ +0 4 .*pg_dump.*?\); (.*)$", text, re.MULTILINE)
    return f"cd backups; {command}"


@pytest.mark.parametrize("where", [f"{UNITS}/facedown-backup-postgresql.conf", "docs/hosting.md"])
def test_old_and_failed_dumps_are_deleted_and_the_newest_few_are_kept(where, tmp_path):
    folder = tmp_path / "backups"
    folder.mkdir()
    names = [f"facedown-{n:02}.dump" for n in range(1, MIN_KEPT + 3)]
    for age, name in enumerate(reversed([*names, "facedown-99.dump.part"])):
        (folder / name).touch()
        os.utime(folder / name, (10**9 - age, 10**9 - age))

    subprocess.run(["sh", "-c", deletion_of_dumps(where)], cwd=tmp_path, check=True)  # noqa: S603, S607 - ours

    assert sorted(path.name for path in folder.iterdir()) == names[2:]


BACKUP_NAMES = ["backups/x", "2026-11-26.sqlite3", "facedown-2026-11-26.dump.part", ".env"]


@pytest.mark.parametrize("name", BACKUP_NAMES)
def test_git_ignores_backups_in_the_checkout(name, tmp_path):
    (tmp_path / ".gitignore").write_text(read(".gitignore"), encoding="utf-8")
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)  # noqa: S607 - ours

    ignored = subprocess.run(  # noqa: S603 - ours
        ["git", "check-ignore", "--quiet", name],  # noqa: S607
        cwd=tmp_path,
        check=False,
    )

    assert ignored.returncode == 0
