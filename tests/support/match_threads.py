"""Matches that are played in their own threads."""

from tests.support.tables import labels


async def want_threads(table):
    """Turn on the server's setting that each match gets its own thread."""
    await table.bot.services.guild_settings.change(table.discord.world.guild.id, "threads on")


def threads(table):
    return list(table.discord.world.guild.threads())


def tables(table, channel):
    return [m for m in table.person("Ann").see(channel) if "My hand" in labels(m)]


async def begun(table, **options):
    """Begin a match in a thread: the message of the challenge, and the table in the thread."""
    challenge = await table.challenge(**options)
    await table.person("Bo").click(challenge, "Accept")
    await table.discord.until(lambda: all(table.has_hand(name) for name in ("Ann", "Bo")))
    (thread,) = threads(table)
    (public,) = tables(table, thread)
    return challenge, public


def thread_messages(table, thread):
    return [m for m in table.discord.world.history[thread.id] if not m.deleted]


async def delete_ann(table):
    """Let Ann delete their data."""
    ann = table.person("Ann")
    asked = (await ann.slash("privacy delete", channel=ann.dm)).message
    for label in ("Delete…", "Delete it for good"):
        await ann.click(asked, label)
