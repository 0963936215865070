"""A turn of many plays: its hand shows each at once, the other messages a moment later."""

from dataclasses import replace

from sandbox.faults import Fault
from tests.support.services import AT_ONCE
from tests.support.spite_states import position, side
from tests.support.spite_tables import begun, offered, step_of, tap
from tests.support.tables import labels, seated

LONG_TURN = position(
    side(stock="4 10", hand="A 2 3 4 5", d1="8 7 6", d2="9"),
    side(stock="Q Q", hand="5 5 6 6 8"),
    stock=2,
)
"""Ten cards can be played in a row (hand, d1, d2, the stock); then sevens are drawn."""

PLAYS = ("A", "2", "3", "4", "5", "6 (d1)", "7 (d1)", "8 (d1)", "9 (d2)", "10 (stock)")


async def test_a_turn_of_many_plays_edits_one_hand(discord, tmp_path):
    """A play takes its answer and an edit through the click, neither of which Discord counts."""
    async with seated(discord, tmp_path, pacing=replace(AT_ONCE, detail=600)) as table:
        public = await begun(table, stock=2)
        await table.lay(public, LONG_TURN)
        desk, steps = table.desk("Ann"), []
        since, edits, table_edits = len(table.discord.requests), desk.edits, public.edits

        for label in PLAYS:
            await tap(table, "Ann", desk, label)
            steps.append(step_of(desk))

        made = table.discord.requests[since:]
        assert steps == [steps[0] + i for i in range(len(PLAYS))]
        assert desk.edits == edits + len(PLAYS)
        assert len(made) == 2 * len(PLAYS)
        assert [r for r in made if r.counted] == []
        assert public.edits == table_edits
        assert table.desk("Ann") is desk


async def test_the_table_is_edited_once_when_a_turn_of_many_plays_ends(discord, tmp_path):
    async with seated(discord, tmp_path, pacing=replace(AT_ONCE, detail=600)) as table:
        public = await begun(table, stock=2)
        await table.lay(public, LONG_TURN)
        desk, edits = table.desk("Ann"), public.edits
        for label in PLAYS:
            await tap(table, "Ann", desk, label)

        await tap(table, "Ann", desk, "Discard 7")
        await tap(table, "Ann", desk, "d1, empty")
        await table.discord.until(lambda: "discarded **five 7s** onto d1" in public.text)
        await table.quiet_now()

        assert public.edits == edits + 1
        assert "played **A-10** onto f1, 1 of them from the stock, drew 5 cards" in public.text
        assert offered(table.desk("Bo"))
        assert not offered(desk)


async def test_the_table_shows_a_turn_that_goes_on_after_a_moment(discord, tmp_path):
    async with seated(discord, tmp_path, pacing=replace(AT_ONCE, detail=0.05)) as table:
        public = await begun(table, stock=2)
        await table.lay(public, LONG_TURN)

        await tap(table, "Ann", table.desk("Ann"), "A")

        await table.discord.until(lambda: "played **A** onto f1" in public.text)
        await table.discord.until(lambda: "played **A** onto" in table.desk("Bo").text)
        assert offered(table.desk("Bo")) == {}


async def test_a_private_hand_shows_each_play_too_and_the_other_hand_follows(discord, tmp_path):
    async with seated(discord, tmp_path, pacing=replace(AT_ONCE, detail=600)) as table:
        public = await begun(table, stock=2)
        await table.lay(public, LONG_TURN)
        here, letter, steps = await table.hand("Ann", public), table.desk("Ann"), []
        await table.quiet_now()
        since, edits = len(table.discord.requests), letter.edits

        for label in PLAYS[:4]:
            await tap(table, "Ann", here, label)
            steps.append(step_of(here))

        assert steps == [steps[0] + i for i in range(4)]
        assert [r for r in table.discord.requests[since:] if r.counted] == []
        assert letter.edits == edits
        await table.quiet_now()
        assert letter.edits == edits + 1
        assert labels(letter) == labels(here)


async def test_a_play_forged_on_the_table_counts_and_the_table_stays_a_table(discord, tmp_path):
    async with seated(discord, tmp_path, pacing=replace(AT_ONCE, detail=600)) as table:
        public = await begun(table, stock=2)
        await table.lay(public, LONG_TURN)
        desk = table.desk("Ann")
        before = step_of(desk)

        await table.person("Ann").forge(public, custom_id=offered(desk)["A → new"])

        await table.discord.until(lambda: step_of(desk) == before + 1)
        await table.discord.until(lambda: "played **A**" in public.text)
        assert offered(public) == {}


async def test_a_play_that_could_not_be_shown_at_once_is_shown_together_with_the_table(
    discord, tmp_path
):
    async with seated(discord, tmp_path, pacing=replace(AT_ONCE, detail=600)) as table:
        public = await begun(table, stock=2)
        await table.lay(public, LONG_TURN)
        desk = table.desk("Ann")
        before = step_of(desk)
        table.discord.faults.add(Fault(method="PATCH", path=r"^/webhooks/", drop=True))

        await tap(table, "Ann", desk, "A")

        await table.discord.until(lambda: step_of(desk) == before + 1)
        await table.discord.until(lambda: "played **A**" in public.text)
