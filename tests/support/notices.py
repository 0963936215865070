"""What tests of notices do in the sandbox: let time pass, offer a draw, read the notices."""

from tests.support.clock import MINUTE
from tests.support.typed_commands import typed


async def away(table, seconds=3 * MINUTE):
    """Let time pass without clicks, and send the notices that become due."""
    table.watch.advance(seconds)
    await table.told()
    await table.quiet_now()


async def offer_a_draw(table, name, public):
    """Let somebody offer a draw, and send the notices about it."""
    menu = await table.person(name).click(public, "Menu")
    await table.person(name).click(menu.message, "Offer a draw")
    await table.told()
    await table.quiet_now()


def notices(table, name):
    """The direct messages (not deleted) that notified somebody, including hands."""
    return [m for m in table.letters(name) if "`/notify` sets" in typed(m.text) and not m.deleted]
