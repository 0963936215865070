"""Pictures that Discord keeps or refuses, or that can't be drawn: no match stops for a picture."""

from concurrent.futures.process import BrokenProcessPool

import pytest

from sandbox import Fault
from sandbox.permissions import Permission
from tests.support.drawing import Threads
from tests.support.tables import labels, seated

ANSWER = {"method": "POST", "path": r"^/interactions/"}
BY_TOKEN = {"method": "PATCH", "path": r"^/webhooks/"}
BY_CHANNEL = {"method": "PATCH", "path": r"^/channels/"}

MALFORMED = {"status": 400, "code": 50035}
REFUSALS = {
    "malformed": MALFORMED,
    "unknown": {"status": 400, "code": 0},
    "no uploads in this server": {"status": 403, "code": 400001},
    "no permission": {"status": 403, "code": 50013},
    "explicit": {"status": 400, "code": 20009},
    "turned off": {"status": 400, "code": 40006},
    "too large": {"status": 413, "code": 40005},
}


@pytest.fixture
def refusing(table):
    """A function that denies the bot to attach files in the channel of the table."""

    def refuse():
        table.discord.world.set_permissions("games", deny=Permission.ATTACH_FILES)

    return refuse


def refuse(table, request, **how):
    table.discord.faults.add(Fault(**request, **(how or MALFORMED)))


def edits(table, message, since=0):
    """The counted edits of a message."""
    return table.requests("PATCH", f"/messages/{message.id}", since)


def gallery(request):
    """The URL of the picture in a request; None if it has none."""
    (box,) = request.json["components"]
    found = [part for part in box["components"] if part["type"] == 12]
    return found[0]["items"][0]["media"]["url"] if found else None


async def played(table, *names):
    await table.trick(*(names or ("Ann", "Bo")))
    await table.quiet_now()


async def test_a_picture_that_is_kept_is_referred_to_by_its_file(table, expired_tokens):
    await table.match()
    desk = table.desk("Ann")
    since = len(table.discord.requests)

    await table.play("Ann")
    await table.quiet_now()

    answers = [r for r in table.requests("POST", "/callback", since) if "data" in r.json]
    (kept,) = desk.images
    (data,) = [r.json["data"] for r in answers if r.json["type"] == 7]
    assert data["attachments"] == [{"id": attachment_id(desk), "filename": kept.filename}]
    (box,) = data["components"]
    (shown,) = [part for part in box["components"] if part["type"] == 12]
    assert shown["items"][0]["media"]["url"] == f"attachment://{kept.filename}"
    assert desk.images == [kept]


def attachment_id(message):
    (file,) = message.files
    return file.id


@pytest.mark.parametrize("how", REFUSALS)
async def test_a_table_whose_picture_is_refused_is_shown_in_words(table, expired_tokens, how):
    public = await table.match()
    refuse(table, BY_CHANNEL | {"path": f"/messages/{public.id}$"}, **REFUSALS[how])

    await played(table)

    assert public.images == []
    assert "Last trick" in public.text
    assert labels(public) == ["My hand", "Menu", "Rules"]


async def test_the_next_change_shows_a_picture_again(table, expired_tokens):
    public = await table.match()
    refuse(table, BY_CHANNEL | {"path": f"/messages/{public.id}$"})
    await played(table)
    assert public.images == []

    await played(table)

    assert len(public.images) == 1
    assert "Last trick" not in public.text


async def test_a_table_whose_pictures_are_always_refused_does_not_take_two_requests_forever(
    table, expired_tokens, refusing
):
    public = await table.match()
    refusing()
    costs = []
    for _ in range(4):
        since = len(table.discord.requests)
        await played(table)
        costs.append([request.status for request in edits(table, public, since)])

    assert costs == [[403, 200], [403, 200], [200], [200]]
    assert "Last trick" in public.text


async def test_pictures_are_tried_again_after_a_while(table, expired_tokens, refusing, monkeypatch):
    monkeypatch.setattr("bot.live.edited.WORDS_SECONDS", (0.0, 0.0))
    public = await table.match()
    refusing()
    for _ in range(3):
        await played(table)
    table.discord.world.set_permissions("games", allow=Permission.ATTACH_FILES)

    await played(table)

    assert len(public.images) == 1


async def test_a_table_is_edited_in_words_through_an_interaction_too(table):
    public = await table.match()
    refuse(table, BY_TOKEN)

    await played(table)

    assert public.images == []
    assert "Last trick" in public.text


async def test_a_hand_whose_picture_is_refused_is_shown_in_words(table):
    refuse(table, BY_CHANNEL)
    await table.match()

    assert sorted(len(table.desk(name).images) for name in ("Ann", "Bo")) == [0, 1]
    await played(table)
    assert [len(table.desk(name).images) for name in ("Ann", "Bo")] == [1, 1]
    assert [len(table.letters(name)) for name in ("Ann", "Bo")] == [1, 1]


async def test_a_click_is_answered_even_if_the_picture_that_is_kept_is_refused(table):
    await table.match()
    desk = table.desk("Ann")
    refuse(table, ANSWER)

    answer = await table.play("Ann")
    await table.settled()

    assert answer.kind == 6
    assert "✓" in "".join(labels(desk))
    assert len(desk.images) == 1


async def test_my_hand_is_answered_in_words_if_its_picture_is_refused(table):
    public = await table.match()
    (picture,) = table.desk("Ann").images
    refuse(table, BY_TOKEN)

    hand = await table.hand("Ann", public)

    assert hand.images == []
    assert picture.description in hand.text.replace("\n", " ")
    assert table.cards(hand)


async def test_a_public_answer_is_in_words_if_its_picture_is_refused(table):
    refuse(table, BY_TOKEN)

    answer = await table.person("Ann").slash("leaderboard", channel="games")
    await answer.settled()

    assert answer.failed is None


async def test_an_edit_refused_in_words_as_well_is_our_bug_and_stops_nothing_else(
    table, expired_tokens
):
    public = await table.match()
    path = f"/messages/{public.id}$"
    table.discord.faults.add(Fault(method="PATCH", path=path, times=None, **MALFORMED))

    await played(table)
    table.discord.faults.clear()
    assert "Last trick" not in public.text + public.images[0].description
    await played(table)

    assert "Last trick" in public.images[0].description


class FailingPool(Threads):
    """A drawing pool whose process dies, or whose work has a bug."""

    error = None

    async def run(self, work, *args):
        if self.error is not None:
            raise self.error
        return await super().run(work, *args)


@pytest.mark.parametrize("error", [BrokenProcessPool("killed"), ValueError("a bug")])
async def test_a_match_begins_in_words_if_its_pictures_cannot_be_drawn(discord, tmp_path, error):
    drawing = FailingPool()
    async with seated(discord, tmp_path, drawing) as table:
        drawing.error = error
        public = await table.match()
        hand = await table.hand("Ann", public)
        in_words = [m.images for m in (public, table.desk("Ann"), hand)]
        drawing.error = None
        await played(table)

        assert in_words == [[], [], []]
        assert table.cards(hand)
        assert "Last trick" in public.images[0].description
