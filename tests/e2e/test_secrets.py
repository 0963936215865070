"""Nobody learns what another player has chosen before the reveal, from messages or from the log."""

import io
import json
import logging
import random
import re
import sys
from hashlib import sha256

import pytest
import structlog
from structlog.testing import capture_logs

from bot.telemetry.logging import configure
from sandbox import Fault
from tests.support.audiences import audience

SEED = "5eed" * 16
CHOICE = re.compile(r"✓ \d|You chose|\"style\": 3[^}]*pick")


def payloads(table, since, *, hidden_from_others):
    """What was sent to anybody but one person."""
    return [
        json.dumps(r.json, ensure_ascii=False) + str(r.files)
        for r in table.discord.requests[since:]
        if r.path.startswith(("/channels", "/interactions", "/webhooks"))
        and audience(table.discord, r) != hidden_from_others
    ]


@pytest.mark.parametrize(
    ("variant", "names", "closed"),
    [
        ("standard", ("Ann", "Bo"), ()),
        ("pico1", ("Ann", "Bo"), ("Bo",)),
        ("pico2-three", ("Ann", "Bo", "Cleo"), ("Bo",)),
    ],
    ids=["two by messages", "one of two here", "one of three here"],
)
async def test_in_random_matches_nobody_is_sent_the_choice_of_another_player(
    table, variant, names, closed
):
    chance = random.Random(variant)
    for name in closed:
        table.person(name).closed = True
    public = await table.match(*names, variant=variant)
    ((seed,),) = table.sql("SELECT seed FROM matches")
    desks = {
        name: await table.hand(name, public) if name in closed else table.desk(name)
        for name in names
    }

    while table.step(desks["Ann"]) is not None:
        step, begun = table.step(desks["Ann"]), len(table.discord.requests)
        for name in chance.sample(names, len(names))[:-1]:
            since = len(table.discord.requests)
            await table.pick(name, desks[name], chance.randrange(len(table.cards(desks[name]))))
            await table.quiet_now()
            sent = payloads(table, since, hidden_from_others=table.person(name).id)
            assert [text for text in sent if CHOICE.search(text)] == []
        running = [json.dumps(r.json) for r in table.discord.requests[begun:]]
        assert [text for text in running if seed in text] == []
        await _last(table, desks, chance)
        await table.discord.until(lambda s=step: all(table.step(d) != s for d in desks.values()))
    await table.discord.until(lambda: "seed was" in public.text)

    assert f"`{sha256(seed.encode()).hexdigest()[:8]}`" in public.text


async def _last(table, desks, chance):
    """Let the last player who hasn't chosen choose."""
    (name,) = [n for n, d in desks.items() if not any("✓" in b.label for b in table.cards(d))]
    await table.pick(name, desks[name], chance.randrange(len(table.cards(desks[name]))))


async def overheard(table, which):
    """What is sent to others, and logged, while Ann chooses a card and others click.

    The match is the same each time, so the result must be the same whichever card she chooses.
    """
    table.bot.services.matches._seed = lambda: SEED
    public = await table.match("Ann", "Bo", "Cleo")
    number = table.match_of(public)
    since = len(table.discord.requests)
    with capture_logs() as lines:
        await table.pick("Ann", table.desk("Ann", public), which)
        await table.quiet_now()
        await table.pick("Bo", table.desk("Bo", public), 1)
        await table.hand("Cleo", public)
        await table.person("Dan").click(public, "My hand")
        await table.person("Cleo").forge(public, custom_id=f"f1:{number}:0:pick:99")
        await table.asked_to_resign("Cleo", table.desk("Cleo", public))
        await table.quiet_now()
    sent = payloads(table, since, hidden_from_others=table.person("Ann").id)
    said = [line for line in lines if line["event"] != "ready"]  # Discord decides when it comes
    return sorted(_plain(text) for text in sent), [_plain(str(line)) for line in said]


def _plain(text):
    """Text without what differs from match to match: its number, Discord's ids and signatures."""
    text = re.sub(r"&hm=[0-9a-f]+", "", text)
    text = re.sub(r"\b(Match|match|challenge) \d+", r"\1 N", text)
    return re.sub(r"f1:\d+:", "f1:N:", re.sub(r"\d{15,}", "ID", text))


async def test_messages_to_others_and_the_log_are_the_same_whatever_a_player_chooses(table):
    await table.match("Ann", "Bo", "Cleo")  # opens their direct messages in advance

    first = await overheard(table, 0)

    assert await overheard(table, 1) == first
    assert await overheard(table, 2) == first


@pytest.fixture
def logged(monkeypatch):
    """Everything that the bot logs at the level `debug`."""
    root, out = logging.getLogger(), io.StringIO()
    names = ("discord", "alembic", "aiosqlite")
    handlers, levels = root.handlers[:], {n: logging.getLogger(n).level for n in names}
    level, configured = root.level, structlog.get_config()
    monkeypatch.setattr(sys, "stderr", out)
    configure("debug", "json")
    structlog.configure(cache_logger_on_first_use=False)  # loggers outlive this test
    yield out
    structlog.configure(**configured)
    root.handlers[:] = handlers
    root.setLevel(level)
    for name, before in levels.items():
        logging.getLogger(name).setLevel(before)


async def test_the_log_holds_neither_a_choice_nor_the_seed_even_at_debug_level(logged, table):
    public = await table.match()
    ((seed,),) = table.sql("SELECT seed FROM matches")
    card = table.cards(table.desk("Ann"))[0]

    await table.play("Ann")
    await table.person("Ann").forge(public, custom_id="f1:1:0:pick:99")
    await table.change("UPDATE matches SET state = substr(state, 1, 40)")
    await table.play("Bo")
    await table.quiet_now()
    text = logged.getvalue()

    events = [json.loads(line)["event"] for line in text.splitlines() if line.startswith("{")]
    assert "corrupt record" in events
    assert seed not in text
    assert card.custom_id not in text
    assert not re.search(r"pick:|You chose|INSERT INTO|hands", text)
    assert table.discord.token not in text


async def test_the_token_of_an_interaction_is_not_logged_if_its_answer_fails(logged, table):

    await table.match()
    table.discord.faults.add(
        Fault(method="POST", path="^/interactions/", status=429, retry_after=0)
    )

    answer = await table.play("Ann")

    assert answer.interaction.token not in logged.getvalue()
