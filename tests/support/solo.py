"""Solo matches in the sandbox: in direct messages, or where the bot is a guest."""

ACTS = (":pick:", ":draft:")
MOST_DRAFTS = 6

SHORT = {
    "pico": {},
    "duel": {},
    "prize": {"hands": 1},
    "spite": {"turn_limit": 2},
    "conquest": {"turn_limit": 1},
}
"""Options for a short match of each game."""


def guest_of(table, *names):
    """A channel in a server without the bot; these people have installed it for themselves."""
    world = table.discord.world
    server = world.add_guild("Book Club", channels=("novels",))
    world.remove_bot(server)
    for name in names:
        world.install_for(table.person(name).user)
    return world.channel("novels", server)


def group_of(table, *names):
    """A group DM of these people; the first has installed the bot for themselves."""
    people = [table.person(name).user for name in names]
    table.discord.world.install_for(people[0])
    return table.discord.world.add_channel_without_bot(*people, name="Weekend")


async def begin(table, place, name="Ann", game="pico", **options):
    """Begin a solo match in this channel; its message."""
    options = {"computer": "easy", **SHORT[game], **options}
    answer = await table.person(name).slash(f"{game} play", channel=place, options=options)
    message = (await answer.settled()).message
    await table.settled()
    return message


def offered(message):
    """The custom_ids of the buttons and menus of a message that choose or build a move."""
    buttons = [b.custom_id for b in message.buttons if b.custom_id and not b.disabled]
    menus = [s.custom_id for s in message.selects]
    return [i for i in (*buttons, *menus) if any(act in i for act in ACTS)]


async def choose(table, message, name="Ann"):
    """Make one choice; the answer. A move that takes several clicks is built by passing."""
    person = table.person(name)
    for _ in range(MOST_DRAFTS):
        wanted = min(offered(message), key=lambda i: (":draft:" in i, "pass" not in i))
        select = message.find_select(wanted)
        if select is None:
            answer = await person.click(message, wanted)
        else:
            answer = await person.select(message, wanted, select.options[0]["value"])
        if ":pick:" in wanted:
            return answer
        await table.settled()
    raise AssertionError("no move is put together")


def step_of(message):
    return next((int(i.split(":")[2]) for i in offered(message)), None)


def is_over(message):
    return "its seed was secret until now" in message.text


async def resign(table, message, name="Ann"):
    """Resign, and return when the message shows the end."""
    custom_id = next(i for i in offered(message)).split(":")
    await table.person(name).forge(message, custom_id=f"f1:{custom_id[1]}:0:leave:")
    await table.discord.until(lambda: is_over(message))


async def play_out(table, message, name="Ann"):
    """Make choices until the message shows that the match is over."""
    while True:
        await table.discord.until(lambda: is_over(message) or offered(message))  # computers first
        if is_over(message):
            return
        step = step_of(message)
        await choose(table, message, name)
        await table.discord.until(
            lambda s=step: is_over(message) or step_of(message) not in {s, None}
        )
