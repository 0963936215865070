"""Matches of Divide & Conquer (board) in the sandbox, and the clicks that their tests make."""

FOUR = ("Ann", "Bo", "Cleo", "Dan")
ARROWS = "↖↑↗←→↙↓↘"
SELECTS = ("second_opponent", "third_opponent")


async def begun(table, names=("Ann", "Bo", "Cleo"), *, closed=(), **options):
    """The table of a match that everybody has accepted.

    The people in `closed` take no direct messages; all others have their hand.
    """
    for name in closed:
        table.person(name).closed = True
    others = [table.person(name) for name in names[1:]]
    more = dict(zip(SELECTS, others[1:], strict=False))
    asked = await table.person(names[0]).slash(
        "conquest play", channel="games", opponent=others[0], **more, **options
    )
    public = asked.message
    for name in names[1:]:
        await table.person(name).click(public, "Accept")
    await table.discord.until(
        lambda: (
            "has the initiative" in public.text
            and all(table.desk(name, public) for name in names if name not in closed)
        )
    )
    await table.quiet_now()
    return public


async def choose(table, name, desk, placeholder, value):
    """Choose a value from the menu whose placeholder ends with this text."""
    (menu,) = [s for s in desk.selects if s.placeholder.endswith(placeholder)]
    answer = await table.person(name).select(desk, menu.custom_id, value)
    await table.settled()
    return answer


async def tap(table, name, desk, label):
    (button,) = [b for b in desk.buttons if b.label == label]
    answer = await table.person(name).click(desk, button.custom_id)
    await table.settled()
    return answer


def moves(desk):
    return [b.label for b in desk.buttons if b.custom_id and ":pick:" in b.custom_id]


def leading(desk):
    """The labels of buttons that continue an order.

    Those with directions and numbers of troops come first; without any, the other battalion's
    order.
    """
    drafts = [b.label for b in desk.buttons if b.custom_id and ":draft:" in b.custom_id]
    ways = [label for label in drafts if label[0] in ARROWS or label.endswith(("troop", "troops"))]
    return ways or [label for label in drafts if label.endswith("'s order …")]


async def decide(table, name, desk):
    """Put an order together from the first buttons offered, or take the first move offered."""
    while not given(desk) and (leading(desk) or desk.selects):
        if leading(desk):
            await tap(table, name, desk, leading(desk)[0])
        else:
            menu = desk.selects[-1]
            await table.person(name).select(desk, menu.custom_id, menu.options[0]["value"])
            await table.settled()
    await tap(table, name, desk, (given(desk) or moves(desk))[0])


def given(desk):
    return [label for label in moves(desk) if label not in {"Pass", "None"}]


async def finish(table, public, desk_of, names):
    """Let everybody decide when they owe a move, until the match is over."""
    while "seed was" not in public.text:
        asked = [name for name in names if moves(desk_of(name)) or leading(desk_of(name))]
        assert asked
        for name in asked:
            await decide(table, name, desk_of(name))


async def ordered(table, name, order, **options):
    answer = await table.person(name).slash(
        "conquest order", channel=options.pop("channel", "games"), order=order, **options
    )
    return await answer.settled()
