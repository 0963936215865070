"""Matches in which everybody chooses at the table, with one tap each."""

BOTH = ("Ann", "Bo")


async def begun(table, *names, **options):
    """The table of a match with taps that everybody has accepted; its pace is live by default."""
    names = names or BOTH
    wanted = {"pace": "live", "hand": "tap", **options}
    public = await table.challenge(*names, **wanted)
    for name in names[1:]:
        await table.person(name).click(public, "Accept")
    await table.discord.until(lambda: "Round 1" in public.text)
    await table.quiet_now()
    return public


def taps(message, seat):
    """The buttons of a seat's block."""
    return [b for b in message.buttons if b.custom_id and f":tap:{seat} " in b.custom_id]


def chosen(message, which):
    """The move that Ann's button with this index chooses."""
    return taps(message, 0)[which].custom_id.rpartition(" ")[2]


def receipts(table):
    """The messages in #games that only Ann sees."""
    ann = table.person("Ann")
    return [m for m in ann.see("games") if m.ephemeral_to == ann.id]


def step(message):
    return int(taps(message, 0)[0].custom_id.split(":")[2])


async def tap(table, name, public, *, seat=None, which=0):
    owner = BOTH.index(name) if seat is None else seat
    return await table.person(name).click(public, taps(public, owner)[which].custom_id)


async def trick(table, public):
    """Let both tap their first card, and wait until the table shows the next step."""
    before = step(public)
    for name in BOTH:
        await tap(table, name, public)
    await table.discord.until(lambda: not taps(public, 0) or step(public) != before)
