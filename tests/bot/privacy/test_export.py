"""The export of personal data: its contents besides rows, and how often it's made."""

import json
from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from bot.errors import HurriedError, StorageUnavailableError
from bot.matches.returns import UNRATED, Returns
from bot.privacy.export import EXPORTS_AN_HOUR, DataExport
from bot.puzzles.calendar import day_of
from bot.storage.personal_data import PersonalDataRepository
from bot.storage.puzzles import AnswerRecord
from bot.time_units import DAY_SECONDS
from tests.support.matches import ANN, BEA, GUILD, NOW

BACK_UNTIL = datetime.fromtimestamp(int(NOW) + UNRATED.total_seconds(), UTC)


class Reachable:
    """Stands in for Discord, where all direct messages are open; records the sent files."""

    def __init__(self):
        self.sent = []

    async def answer_later(self, interaction):
        del interaction

    async def answer_privately(self, interaction, content):
        del interaction, content

    async def reach(self, user):
        return user

    def arrived(self, user):
        del user

    async def send_file(self, channel, text, personal_file, nonce):
        del channel, text, nonce
        self.sent.append(json.loads(personal_file.data))


@pytest.fixture
def discord():
    return Reachable()


@pytest.fixture
def returns():
    return Returns(b"a key")


@pytest.fixture
def export(storage, discord, returns, watch):
    return DataExport(
        storage=storage,
        delivery=discord,
        direct_messages=discord,
        returns=returns,
        now=watch,
    )


def asked(user):
    return SimpleNamespace(id=99, user=SimpleNamespace(id=user))


async def test_a_recently_deleted_person_is_told_until_when_they_play_unrated(
    storage, export, discord, returns, watch
):
    async with storage.transaction() as writing:
        await returns.note_gone(writing, ANN, int(watch()), ())

    for user in (ANN, BEA):
        await export.export(asked(user))
    watch.advance(UNRATED.total_seconds())
    await export.export(asked(ANN))

    assert [told["unrated_until"] for told in discord.sent] == [BACK_UNTIL.isoformat(), None, None]


async def test_the_number_of_exports_per_person_and_hour_is_limited(export, discord):
    for _ in range(EXPORTS_AN_HOUR):
        await export.export(asked(ANN))

    with pytest.raises(HurriedError):
        await export.export(asked(ANN))
    await export.export(asked(BEA))

    assert [told["user"] for told in discord.sent] == [str(ANN)] * EXPORTS_AN_HOUR + [str(BEA)]


async def test_a_failed_export_does_not_count(export, discord, monkeypatch):
    """Otherwise people who try again, as they're asked to, would have to wait an hour."""

    async def fail(*_):
        raise StorageUnavailableError("the disk does not work")

    with monkeypatch.context() as disk:
        disk.setattr(PersonalDataRepository, "everything", fail)
        for _ in range(EXPORTS_AN_HOUR):
            with pytest.raises(StorageUnavailableError):
                await export.export(asked(ANN))

    await export.export(asked(ANN))

    assert [told["user"] for told in discord.sent] == [str(ANN)]


@pytest.mark.parametrize("is_right", [True, False])
async def test_whether_a_puzzle_answer_is_right_is_exported_after_its_day(
    storage, export, discord, watch, is_right
):
    """Otherwise a second account could find out the right answer for the first one."""
    today = day_of(watch())
    async with storage.transaction() as writing:
        for day in (today - 1, today):
            answer = AnswerRecord(
                day=day, user=ANN, guild=GUILD, choice="9", solved=is_right, answered_at=1
            )
            await writing.puzzles.add(answer)

    await export.export(asked(ANN))
    watch.advance(DAY_SECONDS)
    await export.export(asked(ANN))

    before, after = (told["puzzle_answers"] for told in discord.sent)
    assert [answer["solved"] for answer in before] == [is_right, None]
    assert [answer["choice"] for answer in before] == ["9", "9"]
    assert [answer["solved"] for answer in after] == [is_right, is_right]
    assert any("face down until midnight UTC" in note for note in discord.sent[0]["about"])
