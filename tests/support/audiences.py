"""Who sees what the bot asks Discord for."""


def interaction_of(discord, exchange):
    """The interaction that a request answers, or None."""
    parts = exchange.path.split("/")
    answers = parts[1] in {"interactions", "webhooks"}
    return discord.interactions._by_token[parts[3]] if answers else None


def audience(discord, exchange):
    """The one person who sees what a request says, or None where everybody may."""
    world, interaction = discord.world, interaction_of(discord, exchange)
    if interaction is not None:
        message = _follow_up(discord, exchange) or interaction.message or interaction.source
        if message is None or message.ephemeral_to is not None:
            return interaction.user.id
        channel = world.find_channel(message.channel_id)
    else:
        channel = world.find_channel(int(exchange.path.split("/")[2]))
    return None if channel is None or channel.recipient is None else channel.recipient.id


def _follow_up(discord, exchange):
    """The message that a request about an answered interaction has sent or changed."""
    told = exchange.response if exchange.path.startswith("/webhooks/") else None
    return discord.world.messages.get(int(told["id"])) if told and "id" in told else None
