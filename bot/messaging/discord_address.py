"""Sets the address at which discord.py finds Discord."""

import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import INTERNAL_API_VERSION, Route


def use_address(address: str) -> None:
    """Send every request to this address: Discord's own, or a sandbox on this machine.

    discord.py has no setting for it, only these class attributes. It asks for the gateway's
    address at each start; the one set here is its fallback after giving up a session, which must
    not lead a sandboxed bot (and its token) to the real Discord.
    """
    Route.BASE = f"{address}/api/v{INTERNAL_API_VERSION}"
    if address.startswith("http://"):
        discord.Asset.BASE = address
        local = yarl.URL(address).with_scheme("ws") / "gateway"
        DiscordWebSocket.DEFAULT_GATEWAY = local
