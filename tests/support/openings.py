"""The channels of direct messages that the bot opens, and matches whose hands wait for one."""


async def begun(table, *names, **options):
    """The table of a match that everybody has accepted; not everybody may have a hand yet."""
    public = await table.challenge(*names, **options)
    for name in names[1:]:
        await table.person(name).click(public, "Accept")
    await table.discord.until(lambda: "Round 1" in public.text)
    return public


def openings(table, since=0):
    return [r for r in table.discord.requests[since:] if r.route == "POST /users/@me/channels"]


def having(table, names):
    return [name for name in names if table.desk(name) is not None]


async def prefer(table, name, value):
    person = table.person(name)
    panel = (await person.slash("preferences", channel="games")).message
    await person.select(panel, "Where you see your hand", value)
    return panel


def recipients(table):
    """The names of the people whose channel of direct messages was opened, in order."""
    users = table.discord.world.users
    return [users[int(r.json["recipient_id"])].name for r in openings(table)]


async def opened(table, number):
    """Return when so many channels have been requested, and everything shows what is true."""
    await table.discord.until(lambda: len(openings(table)) == number)
    await table.quiet_now()
