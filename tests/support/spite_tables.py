"""A match of Spite and Malice at the wire, and the few moves its tests make."""

BOTH = ("Ann", "Bo")
ACTS = (":pick:", ":draft:")


async def begun(table, **options):
    return await table.for_two("spite", "deals", **options)


def offered(desk):
    """What a desk offers to play or take up, by its label."""
    return {
        b.label: b.custom_id
        for b in desk.buttons
        if b.custom_id and any(act in b.custom_id for act in ACTS)
    }


def step_of(desk):
    return next((int(i.split(":")[2]) for i in offered(desk).values()), None)


async def tap(table, name, desk, label):
    """Somebody taps what begins with this label, and the bot has done what follows at once."""
    (found,) = [i for text, i in offered(desk).items() if text.startswith(label)]
    answer = await table.person(name).click(desk, found)
    await table.handled()
    return answer


class Flow:
    """Both desks of a match, and a player who plays what they can and then discards."""

    def __init__(self, table, public, desks):
        self.table, self.public, self.desks = table, public, desks

    @property
    def is_over(self):
        return "seed was" in self.public.text

    async def move(self):
        """One choice of the seat on turn, and both desks show what came of it."""
        (name,) = [name for name, desk in self.desks.items() if offered(desk)]
        desk = self.desks[name]
        labels_, step = list(offered(desk)), step_of(desk)
        await tap(self.table, name, desk, labels_[0])
        if step_of(desk) == step and not self.is_over:  # a card was taken up
            target = next(text for text, i in offered(desk).items() if ":pick:" in i)
            await tap(self.table, name, desk, target)
        await self.table.quiet_now()

    async def finish(self):
        while not self.is_over:
            await self.move()
