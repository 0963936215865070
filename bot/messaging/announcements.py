"""What everybody in a channel is to know, though a click of one person has led to it."""

from typing import Any

import discord

from bot.messaging.content import MessageContent
from bot.messaging.delivery import Delivery
from bot.messaging.failures import Failure, UndeliveredError


async def announce(
    delivery: Delivery, interaction: discord.Interaction[Any], content: MessageContent, nonce: str
) -> None:
    """Post it in the channel; where that is refused, as an answer.

    An answer has no nonce, and one of which nothing is heard may stand there all the same.
    """
    channel = interaction.channel_id
    assert channel is not None
    try:
        there = await delivery.send(channel, content, nonce)
    except UndeliveredError as error:
        if error.failure is Failure.TROUBLE:
            raise
        await delivery.answer_for_good(interaction, content)
    else:
        await delivery.name_all(there, content)
