"""A block stays in force for 30 days after the blocked person deleted their data."""

import pytest

from bot.errors import ChallengeError, MatchError
from bot.matches.limits import NOT_CHALLENGED
from bot.matches.returns import UNRATED
from bot.scheduling.expiry import Expiry
from bot.settings.blocks import Blocks
from tests.support.match_records import ask
from tests.support.matches import ANN, BEA, CYD, DAN, RETURNS, Somebody, challenge, opened

pytestmark = pytest.mark.slow


@pytest.fixture
def blocks(storage):
    return Blocks(storage, unblock_former=RETURNS.unblock)


@pytest.fixture
def forget(storage, watch):
    """Deletes all data about somebody, as `/privacy delete` does."""

    async def forgotten(user):
        async with storage.transaction() as writing:
            blocking = await writing.erasure.forget(user)
            await RETURNS.note_gone(writing, user, int(watch()), blocking)

    return forgotten


async def test_a_returning_blocked_person_cannot_challenge_who_blocked_them(
    matches, blocks, forget, database
):
    await blocks.add(BEA, Somebody(ANN))
    await forget(ANN)

    with pytest.raises(ChallengeError) as refused:
        await matches.open(challenge())

    assert str(refused.value) == NOT_CHALLENGED.format(BEA)
    assert ask(database, "SELECT * FROM blocks") == []
    ((mark, user),) = ask(database, 'SELECT mark, "user" FROM former_blocks')
    assert (str(ANN) in mark, user) == (False, BEA)


async def test_a_returning_blocked_person_cannot_join_their_table(matches, blocks, forget):
    await blocks.add(BEA, Somebody(DAN))
    await forget(DAN)
    match = await opened(matches, opener=BEA, opponents=(), wanted=2)

    with pytest.raises(MatchError, match="You can't join this table"):
        await matches.join(match, DAN)


async def test_a_returning_blocked_person_cannot_be_challenged_by_who_blocked_them(
    matches, blocks, forget
):
    await blocks.add(BEA, Somebody(ANN))
    await forget(ANN)

    with pytest.raises(ChallengeError) as refused:
        await matches.open(challenge(ANN, opener=BEA))

    assert str(refused.value) == (
        f"You've blocked <@{ANN}>, so you can't challenge them. To undo that, use `/unblock`."
    )


async def test_challenges_with_others_work_as_before(matches, blocks, forget):
    await blocks.add(BEA, Somebody(ANN))
    await forget(ANN)

    await matches.open(challenge(CYD))
    await matches.open(challenge(BEA, opener=CYD, interaction=2))


async def test_a_second_deletion_keeps_the_former_block(matches, blocks, forget):
    await blocks.add(BEA, Somebody(ANN))
    await forget(ANN)
    await blocks.add(CYD, Somebody(ANN))
    await forget(ANN)

    for interaction, other in enumerate((BEA, CYD)):
        with pytest.raises(ChallengeError):
            await matches.open(challenge(other, interaction=interaction))


async def test_a_former_block_is_deleted_with_the_mark_after_thirty_days(
    matches, blocks, forget, storage, watch, database
):
    await blocks.add(BEA, Somebody(ANN))
    await forget(ANN)
    watch.advance(UNRATED.total_seconds())

    await Expiry(storage, slots=None, now=watch).forget_old()

    assert ask(database, "SELECT * FROM former_blocks") == []
    await matches.open(challenge())


async def test_a_former_block_can_be_removed(matches, blocks, forget):
    await blocks.add(BEA, Somebody(ANN))
    await forget(ANN)

    await blocks.remove(BEA, Somebody(ANN))

    await matches.open(challenge())


@pytest.mark.parametrize("order", [(ANN, BEA), (BEA, ANN)], ids=["blocked first", "blocker first"])
async def test_a_former_block_is_deleted_with_the_data_of_who_made_it(
    blocks, forget, database, order
):
    await blocks.add(BEA, Somebody(ANN))

    for user in order:
        await forget(user)

    assert ask(database, "SELECT * FROM former_blocks") == []
