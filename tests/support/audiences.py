"""Who can see what a recorded request of the bot sends."""


def interaction_of(discord, exchange):
    """The interaction whose token a request uses; None for a request of the bot itself."""
    parts = exchange.path.split("/")
    answers = parts[1] in {"interactions", "webhooks"}
    return discord.interactions._by_token[parts[3]] if answers else None


def audience(discord, exchange):
    """The id of the only user who sees what a request sends; None if everybody in a channel can."""
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
    """The message that a request to an interaction's webhook sent or edited; None for others."""
    told = exchange.response if exchange.path.startswith("/webhooks/") else None
    return discord.world.messages.get(int(told["id"])) if told and "id" in told else None
