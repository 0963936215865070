"""A match that only time has ended, so that its result is held."""

from tests.support.clock import DAY
from tests.support.tables import labels
from tests.support.waiting import until


async def held(table):
    """The table of a match that has ended because Bo's time ran out twice."""
    public = await table.match(pace="slow")
    for _ in range(2):
        await table.play("Ann")
        table.pass_time(DAY)
        await table.quiet_now()
        await until(lambda: table.sql("SELECT due_at FROM matches") > [(table.watch(),)])
    await table.discord.until(lambda: "Resume match" in labels(public))
    await table.quiet_now()
    return public
