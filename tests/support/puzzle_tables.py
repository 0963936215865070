"""What tests of the daily puzzle do in the sandbox: open, answer and post it."""

from bot.puzzles.calendar import begins_at, puzzle_of
from bot.time_units import DAY_SECONDS
from tests.support.waiting import answered

DAY = 21_000
NOON = begins_at(DAY) + DAY_SECONDS // 2


def best(day=DAY):
    return puzzle_of(day).puzzle.best[0]


def wrong(day=DAY, which=0):
    puzzle = puzzle_of(day).puzzle
    return [c.move for c in puzzle.choices if c.move not in puzzle.best][which]


async def opened(table, name, channel="games"):
    """The private message with today's puzzle that somebody asks for."""
    return await answered(table.person(name).slash("puzzle", channel=channel))


def offered(message):
    """The custom_ids of the choices, by move."""
    found = {b.custom_id.rsplit(":", 1)[1]: b.custom_id for b in message.buttons if b.custom_id}
    return {move: custom_id for move, custom_id in found.items() if ":solve:" in custom_id}


async def solve(table, name, move, message=None):
    """Let somebody choose a move by its button or from the menu; the answer."""
    message = message or await opened(table, name)
    person = table.person(name)
    if message.selects:
        return await person.select(message, message.selects[0].custom_id, move)
    return await person.click(message, offered(message)[move])


async def posting(table, channel="games"):
    """Let Ann turn on daily puzzles in a channel; the message with the settings."""
    panel = await answered(table.person("Ann").slash("settings", channel="lobby"))
    await table.person("Ann").select(
        panel, "No daily puzzle", [table.discord.world.channel(channel)]
    )
    return panel


def posts(table, channel="games"):
    seen = [m for m in table.person("Ann").see(channel) if m.ephemeral_to is None]
    return [m for m in seen if "Daily puzzle ·" in m.text]


async def posted(table, number=1):
    await table.discord.until(lambda: len(posts(table)) == number)
    await quiet(table)
    return posts(table)[-1]


async def quiet(table):
    """Return when everything due has been posted."""
    puzzles = table.bot.services.puzzle_posts
    await puzzles.look()
    await puzzles._posting


async def next_day(table, number):
    table.pass_time(DAY_SECONDS)
    return await posted(table, number)
