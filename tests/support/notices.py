"""Notices at the wire: time passes while nobody clicks, and somebody is told."""

from tests.support.clock import MINUTE
from tests.support.typed_commands import typed


async def away(table, seconds=3 * MINUTE):
    """Nobody clicks for a while, and what is due meanwhile is told."""
    table.watch.advance(seconds)
    await table.told()
    await table.quiet_now()


async def offer_a_draw(table, name, public):
    """Somebody offers a draw, and the others have been told."""
    menu = await table.person(name).click(public, "Menu")
    await table.person(name).click(menu.message, "Offer a draw")
    await table.told()
    await table.quiet_now()


def notices(table, name):
    """What somebody was told by direct messages that are still there, hands among them."""
    return [m for m in table.letters(name) if "`/notify` sets" in typed(m.text) and not m.deleted]
