"""What people are told of a match: the sentence for what happened."""

import pytest

from bot.rendering.notices import Told, notice_content
from cogs.pico.presentation import PicoPresentation
from tests.support.matches import ANN, BEA, CYD, opened


@pytest.mark.parametrize(
    ("accepted", "act", "said"),
    [
        (
            (),
            "decline",
            " declined the challenge to **Pico · Pico I for three**. There is no match.",
        ),
        (
            (CYD,),
            "vacate",
            " gave up their seat in **Pico · Pico I for three**, so the challenge is off.",
        ),
    ],
)
async def test_who_gave_up_their_seat_is_not_said_to_have_declined(matches, accepted, act, said):
    match = await opened(matches, BEA, CYD)
    for user in accepted:
        await matches.accept(match, user)

    turn = await getattr(matches, act)(match, CYD)

    told = Told(
        event="declined",
        snapshot=turn.snapshot_of(ANN),
        presentation=PicoPresentation(),
        actor=CYD,
    )
    assert notice_content(told, None).head.splitlines()[0] == f"❌ <@{CYD}>{said}"
