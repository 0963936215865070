"""The bot's own member of a server, if Discord has told of it."""

import discord


def own_member(guild: discord.Guild) -> discord.Member | None:
    """The bot's member of a server; None while its roles, and so its permissions, aren't known.

    If it's missing when somebody clicks there, discord.py makes one up, without roles. Discord says
    of every real one when it joined.
    """
    me: discord.Member | None = guild.me  # it may be missing, whatever the types say
    return None if me is None or me.joined_at is None else me
