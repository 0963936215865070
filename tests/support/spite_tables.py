"""Matches of Spite and Malice in the sandbox, and the clicks that their tests make."""

BOTH = ("Ann", "Bo")
ACTS = (":pick:", ":draft:")


async def begun(table, **options):
    return await table.for_two("spite", "deals", **options)


def offered(desk):
    """The custom_ids of the buttons that play a card or begin to, by label."""
    return {
        b.label: b.custom_id
        for b in desk.buttons
        if b.custom_id and any(act in b.custom_id for act in ACTS)
    }


def step_of(desk):
    return next((int(i.split(":")[2]) for i in offered(desk).values()), None)


async def tap(table, name, desk, label):
    """Click the button whose label begins like this, and wait until the click is handled."""
    (found,) = [i for text, i in offered(desk).items() if text.startswith(label)]
    answer = await table.person(name).click(desk, found)
    await table.handled()
    return answer


class Flow:
    """A match played for both people: always the first button offered, so plays before discards."""

    def __init__(self, table, public, desks):
        self.table, self.public, self.desks = table, public, desks

    @property
    def is_over(self):
        return "seed was" in self.public.text

    async def move(self):
        """Make one move for the seat whose turn it is; then both hands show it."""
        (name,) = [name for name, desk in self.desks.items() if offered(desk)]
        desk = self.desks[name]
        labels_, step = list(offered(desk)), step_of(desk)
        await tap(self.table, name, desk, labels_[0])
        if step_of(desk) == step and not self.is_over:  # the click only began a draft
            target = next(text for text, i in offered(desk).items() if ":pick:" in i)
            await tap(self.table, name, desk, target)
        await self.table.quiet_now()

    async def finish(self):
        while not self.is_over:
            await self.move()
