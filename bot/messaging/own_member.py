"""The bot's own member of a server, if Discord has told of it."""

import discord


def own_member(guild: discord.Guild) -> discord.Member | None:
    """The bot's member of a server; None while its roles, and so its permissions, aren't known.

    If it's missing when somebody clicks there, discord.py makes one up, without roles and without
    saying when it joined. Later news of it bring the roles, but not that.
    """
    me: discord.Member | None = guild.me  # it may be missing, whatever the types say
    if me is None or (me.joined_at is None and len(me.roles) <= 1):
        return None
    return me
