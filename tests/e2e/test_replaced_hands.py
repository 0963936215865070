"""Private hands that were replaced by another one, during trouble at Discord."""

from sandbox import Fault


async def test_a_hand_is_kept_up_to_date_even_if_an_older_private_one_cannot_be_deleted(table):
    public = await table.match()
    desk = table.desk("Ann")
    older = await table.hand("Ann", public)
    fault = Fault(method="DELETE", path="^/webhooks/", drop=True, times=1000)
    table.discord.faults.add(fault)
    newer = await table.hand("Ann", public)

    await table.play("Bo")
    await table.pick("Ann", newer)

    await table.discord.until(lambda: table.step(desk) == table.step(newer) == 1)
    assert not older.deleted
