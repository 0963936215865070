"""Solo matches at the wire: somebody plays computers in direct messages, or where the bot is a
guest."""

ACTS = (":pick:", ":draft:")
MOST_DRAFTS = 6

SHORT = {
    "pico": {},
    "duel": {},
    "prize": {"hands": 1},
    "spite": {"turn_limit": 2},
    "conquest": {"turn_limit": 1},
}
"""Options with which a match of each game is over soon."""


def guest_of(table, *names):
    """A channel of a server without the bot, where these people have it among their apps."""
    world = table.discord.world
    server = world.add_guild("Book Club", channels=("novels",))
    world.remove_bot(server)
    for name in names:
        world.install_for(table.person(name).user)
    return world.channel("novels", server)


def group_of(table, *names):
    """A group of these people, the first of whom has the bot among their apps."""
    people = [table.person(name).user for name in names]
    table.discord.world.install_for(people[0])
    return table.discord.world.add_channel_without_bot(*people, name="Weekend")


async def begin(table, place, name="Ann", game="pico", **options):
    """The message of a solo match that somebody begins in this place."""
    options = {"computer": "easy", **SHORT[game], **options}
    answer = await table.person(name).slash(f"{game} play", channel=place, options=options)
    message = (await answer.settled()).message
    await table.settled()
    return message


def offered(message):
    """What the message of a match offers to choose, to put together or to pick from a menu."""
    buttons = [b.custom_id for b in message.buttons if b.custom_id and not b.disabled]
    menus = [s.custom_id for s in message.selects]
    return [i for i in (*buttons, *menus) if any(act in i for act in ACTS)]


async def choose(table, message, name="Ann"):
    """Somebody makes one choice: the first move offered, put together by passing where needed."""
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
    """The person resigns, and their message shows the end."""
    custom_id = next(i for i in offered(message)).split(":")
    await table.person(name).forge(message, custom_id=f"f1:{custom_id[1]}:0:leave:")
    await table.discord.until(lambda: is_over(message))


async def play_out(table, message, name="Ann"):
    """The person makes choices until the match is over, and their message shows it."""
    while True:
        await table.discord.until(lambda: is_over(message) or offered(message))  # computers first
        if is_over(message):
            return
        step = step_of(message)
        await choose(table, message, name)
        await table.discord.until(
            lambda s=step: is_over(message) or step_of(message) not in {s, None}
        )
