"""Messages of every kind that has buttons or menus."""

from bot.puzzles.calendar import day_of
from tests.support import conquest_tables
from tests.support.waiting import answered, until

BOTH = ("Ann", "Bo")


def find(message, act):
    """The first enabled button or menu with this act in its custom_id; None if there is none."""
    return next(
        (
            component
            for component in (*message.buttons, *message.selects)
            if component.custom_id
            and component.custom_id.split(":")[3] == act
            and not component.disabled
        ),
        None,
    )


def use(person, message, act):
    """Click the button for this act, or choose the first options of its menu."""
    component = find(message, act)
    if component in message.buttons:
        return person.click(message, component.custom_id)
    values = [option["value"] for option in component.options[: max(component.low, 1)]]
    return person.select(message, component.custom_id, values)


async def ended(table):
    """The table of a rated match that is over, because Ann resigned."""
    public = await table.match(*BOTH)
    await table.trick(*BOTH)
    await table.trick(*BOTH)
    asked = await table.asked_to_resign("Ann", public)
    await table.person("Ann").click(asked.message, "Resign")
    await table.over(public, *BOTH)
    return public


async def offered(table):
    """The table of a match in which Bo offers a draw."""
    public = await table.match(*BOTH)
    menu = await table.person("Bo").click(public, "Menu")
    await table.person("Bo").click(menu.message, "Offer a draw")
    await table.discord.until(lambda: find(public, "agree"))
    return public


async def resting(table):
    """The table of a match that is paused by agreement."""
    public = await table.match("Ann", "Cleo")
    menu = await table.person("Ann").click(public, "Menu")
    await table.person("Ann").click(menu.message, "Offer a pause")
    await table.discord.until(lambda: find(public, "agree"))
    await table.person("Cleo").click(public, find(public, "agree").custom_id)
    await table.discord.until(lambda: find(public, "unpause"))
    return public


async def forfeited(table):
    """The table of a match that ended by missed deadlines, and so can be resumed."""
    public = await table.match("Ann", "Cleo")
    match = table.match_of(public)
    for _ in range(2):
        await table.change(f"UPDATE matches SET due_at = 1, deadline = 1 WHERE id = {match}")  # noqa: S608
        table.bot.services.deadlines.clock_moved()
        await until(lambda: table.sql("SELECT due_at FROM matches WHERE id = ?", match) != [(1,)])
    await table.discord.until(lambda: find(public, "reopen"))
    return public


async def tapped(table):
    public = await table.challenge(*BOTH, hand="tap")
    await table.person("Bo").click(public, "Accept")
    await table.discord.until(lambda: find(public, "tap"))
    return public


async def seats(table):
    """A challenge with open seats; Dan has taken one."""
    public = await answered(table.person("Ann").slash("conquest play", channel="games", players=4))
    await table.person("Dan").click(public, "Join")
    await table.discord.until(lambda: find(public, "vacate"))
    return public


async def given_up(table):
    """Play another match to its end: its challenger resigns in the first step."""
    public = await table.match("Ann", "Cleo")
    await table.person("Ann").forge(public, custom_id=f"f1:{table.match_of(public)}:0:leave:")
    await table.over(public, "Ann", "Cleo")


async def pointing(table):
    """Bo's hand in a match with signals, showing the choice of signals; and Ann's hand."""
    public = await conquest_tables.begun(table, signal=True)
    hand = table.desk("Bo", public)
    await table.person("Bo").click(hand, "Signal …")
    await table.discord.until(lambda: find(hand, "signal"))
    return hand, table.desk("Ann", public)


async def paused(table):
    """The number of a match that is paused because its channel was deleted."""
    public = await table.match("Cleo", "Dan", channel="lobby")
    table.discord.world.delete_channel("lobby")
    await until(lambda: table.sql("SELECT 1 FROM matches WHERE paused_at NOT NULL"))
    return table.match_of(public)


async def solved(table):
    """The message that tells Dan how good their answer in a lesson was."""
    asked = await answered(table.person("Dan").slash("learn", channel="games", game="pico"))
    return await answered(use(table.person("Dan"), asked, "answer"))


async def watched(table):
    """Ann's `/watch`: a match to join, one to follow, and one that they already follow."""
    await table.match("Cleo", "Dan")
    await table.match("Bo", "Dan")
    await answered(table.person("Dan").slash("duel play", channel="games"))
    shown = await answered(table.person("Ann").slash("watch", channel="games"))
    await use(table.person("Ann"), shown, "follow")
    return shown


async def announced(table):
    """The announcement of a season that isn't the server's first."""
    ann = table.person("Ann")
    for name in ("First", "Second"):
        asked = await answered(ann.slash("season start", channel="games", name=name))
        await use(ann, asked, "newseason")

    def found():
        return [message for message in ann.see("games") if find(message, "openboard")]

    await table.discord.until(found)
    return found()[0]


async def posted(table):
    """The post of today's puzzle; Ann and Bo have solved yesterday's."""
    services, games = table.bot.services, table.discord.world.channel("games")
    guild, day = games.guild_id, day_of(table.watch()) - 1
    for name in BOTH:
        row = (day, table.person(name).id, guild, "x", 1, 0)
        await table.change(f"INSERT INTO puzzle_answers VALUES {row}")  # noqa: S608 - our own values
    await services.guild_settings.post_puzzles(guild, games.id)
    while True:  # a `look` that began earlier doesn't know of this channel
        services.puzzle_posts.hurry()
        await services.puzzle_posts.look()
        await services.puzzle_posts._posting
        for message in reversed(table.person("Ann").see("games")):
            if find(message, "puzzle"):
                return message


async def messages(table):
    """Messages that together have every button and menu, by a word for each message."""
    ann = table.person("Ann")
    await given_up(table)
    held = await forfeited(table)
    rest = await resting(table)
    over, running = await ended(table), await offered(table)
    signals, war = await pointing(table)
    found = {
        "over": over,
        "running": running,
        "resting": rest,
        "held": held,
        "hand": table.desk("Ann", running),
        "signals": signals,
        "war": war,
        "tapped": await tapped(table),
        "asked": await table.challenge("Ann", "Cleo"),
        "invited": await answered(table.person("Cleo").slash("watch", channel="games")),
        "seats": await seats(table),
        "form": await answered(
            ann.context_menu("Challenge", channel="games", user=table.person("Dan"))
        ),
        "erase": await answered(ann.slash("privacy delete", channel="games")),
        "announced": await announced(table),  # begins the season that the questions below name
        "season": await answered(ann.slash("season start", channel="games", name="Spring")),
        "other season": await answered(ann.slash("season start", channel="games", name="Summer")),
    }
    found["exercise"] = await answered(
        table.person("Dan").slash("learn", channel="games", game="duel")
    )
    found["solved"] = await solved(table)
    found["watch"] = await watched(table)
    found["post"] = await posted(table)
    found["solvers"] = await answered(ann.slash("leaderboard", channel="games", game="puzzle"))
    others = table.match_of(await table.match("Bo", "Cleo"))
    found["moderated"] = await answered(ann.slash("moderate end", channel="games", match=others))
    asked = table.match_of(found["asked"])
    found["withdrawing"] = await answered(ann.slash("moderate end", channel="games", match=asked))
    found["removing"] = await answered(
        ann.slash(
            "moderate unseat",
            channel="games",
            match=others,
            user=table.person("Bo"),
        )
    )
    found["menu"] = await answered(ann.click(running, "Menu"))
    found["question"] = await answered(ann.click(found["menu"], "Resign"))
    found["moves"] = await answered(
        ann.forge(over, custom_id=f"f1:{table.match_of(over)}:0:moves:")
    )
    for label in ("Replay", "Coach", "Rules"):
        found[label.lower()] = await answered(ann.click(over, label))
    for name in (
        "games",
        "help",
        "leaderboard",
        "stats",
        "history",
        "notify",
        "preferences",
        "puzzle",
        "settings",
    ):
        found[name] = await answered(ann.slash(name, channel="games"))
    found["listed"] = await answered(use(ann, found["games"], "hand"))
    found["solution"] = await answered(use(ann, found["puzzle"], "solution"))
    await table.settled()
    return found
