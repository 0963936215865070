"""Whole matches of Pico through discord.py and the sandbox."""

import re
from dataclasses import replace
from hashlib import sha256

import pytest

from tests.support.drawing import Held, Threads
from tests.support.services import AT_ONCE
from tests.support.tables import labels, listen, seated

TWO, THREE = ("Ann", "Bo"), ("Ann", "Bo", "Cleo")
VARIANTS = {
    "standard": (TWO, "13 cards", 2),
    "pico1": (TWO, "Pico I, 11 cards", 2),
    "pico2": (TWO, "Pico II, 11 cards", 2),
    "pico1-three": (THREE, "Pico I for three", 3),
    "pico2-three": (THREE, "Pico II for three", 3),
}
QUICK = ("standard", "pico1-three")


@pytest.fixture
async def painted(discord, tmp_path):
    """A table whose pictures are really drawn."""
    async with seated(discord, tmp_path, Threads()) as table:
        yield table


@pytest.mark.parametrize(
    "variant",
    [v if v in QUICK else pytest.param(v, marks=pytest.mark.long) for v in VARIANTS],
)
async def test_a_match_is_played_to_its_end_by_direct_messages(table, variant):
    names, title, rounds = VARIANTS[variant]
    public = await table.match(*names, variant=variant)
    said = listen(table, public)

    await table.finish(public, *names)

    story = "\n".join(said)
    swap = "The sets are swapped" if len(names) == 2 else "passes the whole set to the right"
    for number in range(1, rounds + 1):
        assert f"Round {number} is over" in story
        assert f"Round {number} of {rounds}." in story
    assert swap in story
    assert title in public.text
    assert re.search(r"wins\*\*|share the win\*\*|\*\*A draw\*\*", public.text)
    assert labels(public) == ["Rematch", "Replay", "Share", "Coach", "Export", "Rules", "Learn it"]


@pytest.mark.parametrize(
    "variant", ["standard", pytest.param("pico1-three", marks=pytest.mark.long)]
)
async def test_at_the_end_every_hand_shows_the_result_and_links_to_the_table(table, variant):
    names, _, _ = VARIANTS[variant]
    public = await table.match(*names, variant=variant)

    await table.finish(public, *names)

    result = next(line for line in public.text.splitlines() if "dots over" in line)
    link = f"https://discord.com/channels/{public.guild_id}/{public.channel_id}/{public.id}"
    for name in names:
        (desk,) = table.letters(name)
        assert result in desk.text
        *ways, back, learn = desk.buttons
        assert [way.label for way in ways] == ["Rematch", "Replay", "Share", "Coach", "Export"]
        assert (back.label, back.url) == ("Go to the table", link)
        assert learn.label == "Learn it"


@pytest.mark.parametrize("variant", ["pico1", pytest.param("pico2-three", marks=pytest.mark.long)])
async def test_a_finished_match_counts_on_the_servers_leaderboard(table, variant):
    names, _, _ = VARIANTS[variant]
    public = await table.match(*names, variant=variant)
    await table.finish(public, *names)

    answer = await table.person("Dan").slash("leaderboard", channel="lobby", game="pico")
    board = (await answer.settled()).message

    won = {user for (user,) in table.sql("SELECT user FROM results WHERE rank = 1")}
    lines = [line for line in board.text.splitlines() if "> · " in line]
    assert len(lines) == len(names)
    for name in names:
        (line,) = [line for line in lines if table.person(name).mention in line]
        counts = (len(won) == 1, len(won) > 1, False)
        expected = counts if table.person(name).id in won else (False, False, True)
        assert re.findall(r"\d+ (?=win|draw|loss)", line) == [f"{int(n)} " for n in expected]


async def test_pictures_have_their_words_as_alt_text(painted):
    public = await painted.match()
    await painted.trick("Ann", "Bo")
    await painted.discord.until(lambda: "Last trick" in public.images[0].description)

    messages = [public, painted.desk("Ann"), painted.desk("Bo")]
    await painted.discord.until(lambda: all(message.images for message in messages))
    for message in messages:
        (image,) = message.images
        assert message.read(image.url).startswith(b"\x89PNG")
        assert image.description.startswith("Pico, round 1 of 2.")
        assert message.attachments == []
    assert len({m.read(m.images[0].url) for m in messages}) == 3


async def test_a_slow_picture_follows_the_words(discord, tmp_path):
    held = Held()
    async with seated(discord, tmp_path, held, pacing=replace(AT_ONCE, words_first=0.0)) as table:
        public = await table.match()
        await table.discord.until(lambda: public.images)
        held.free.clear()

        await table.trick("Ann", "Bo")
        await table.discord.until(lambda: "Round 1" in public.text and not public.images)
        held.free.set()

        await table.discord.until(lambda: public.images)
        assert "Last trick" in public.images[0].description


async def test_a_picture_that_is_never_drawn_holds_up_no_later_change(
    discord, tmp_path, monkeypatch
):
    """The words stay, and the next change tries to draw a picture again."""
    held = Held()
    async with seated(discord, tmp_path, held, pacing=replace(AT_ONCE, words_first=0.0)) as table:
        public = await table.match(pace="slow")
        await table.discord.until(lambda: public.images and table.desk("Ann").images)
        held.free.clear()
        monkeypatch.setattr("bot.messaging.layouts.MAX_DRAWING_SECONDS", 0.05)
        monkeypatch.setattr("bot.live.waiting.FOLLOWS_WITHIN_SECONDS", 0.05)

        await table.trick("Ann", "Bo")
        await table.quiet_now()
        public_words, hand_words = public.text, table.desk("Ann").text
        await table.person("Ann").click(public, "Menu")
        brought = await table.bring(0)
        held.free.set()
        monkeypatch.setattr("bot.messaging.layouts.MAX_DRAWING_SECONDS", 60.0)
        monkeypatch.setattr("bot.live.waiting.FOLLOWS_WITHIN_SECONDS", 60.0)
        await table.trick("Ann", "Bo")
        await table.quiet_now()

        assert "Last trick" in public_words
        assert "Last trick" in hand_words
        assert brought
        assert "Last trick" in public.images[0].description
        assert table.desk("Ann").images


async def test_only_invited_players_are_mentioned_and_only_by_the_challenge(table):
    public = await table.match(*THREE)
    await table.hand("Ann", public)
    await table.finish(public, *THREE)
    await table.person("Dan").slash("leaderboard", channel="games", game="pico")

    others = [m.pinged for m in table.discord.world.history[public.channel_id] if m is not public]
    assert public.pinged == {table.person("Bo").id, table.person("Cleo").id}
    assert others == [frozenset(), frozenset()]


async def test_one_person_can_play_two_matches_at_once(table):
    first = await table.match("Ann", "Bo", variant="pico1")
    second = await table.match("Cleo", "Ann", variant="pico2")

    await table.trick_at({n: table.desk(n, first) for n in ("Ann", "Bo")})

    assert table.step(table.desk("Ann", first)) == 1
    assert table.step(table.desk("Ann", second)) == 0
    assert table.match_of(table.desk("Ann", first)) != table.match_of(table.desk("Ann", second))


async def test_the_menu_has_the_full_commitment_and_the_table_its_first_digits(table):
    public = await table.match(variant="pico1")
    menus = [await table.person(name).click(public, "Menu") for name in ("Ann", "Cleo")]
    digests = {re.search(r"`([0-9a-f]{64})`", menu.text)[1] for menu in menus}
    during = re.search(r"Sealed deal `([0-9a-f]{8})`", public.text)[1]

    await table.finish(public, "Ann", "Bo")

    after = re.search(r"Sealed deal `([0-9a-f]{8})`", public.text)[1]
    ((seed,),) = table.sql("SELECT seed FROM matches")
    digest = sha256(seed.encode()).hexdigest()
    assert (digests, during, after) == ({digest}, digest[:8], digest[:8])
    assert digest[:9] not in public.text


async def test_a_choice_can_be_changed_until_the_last_player_has_chosen(table):
    await table.match(variant="standard")
    await table.quiet_now()  # a hand that is being edited can't be the answer to a click
    first, second = (button.label for button in table.cards(table.desk("Ann"))[:2])

    await table.play("Ann", 0)
    marked_first = labels(table.desk("Ann"))
    answer = await table.play("Ann", 1)

    assert f"✓ {first}" in marked_first
    assert answer.kind == 7
    assert f"✓ {second}" in labels(table.desk("Ann"))
    assert f"✓ {first}" not in labels(table.desk("Ann"))
    face = second.split()[0]
    assert f"You chose {face}." in table.desk("Ann").text
    await table.trick("Bo")
    assert re.search(rf"\b{face} (beats|loses)|(beats|loses to) {face}\b", table.desk("Bo").text)
