"""Progress messages for somebody whose answer takes long."""

from typing import Any

import discord

from bot.messaging.content import MessageContent
from bot.messaging.delivery import Delivery
from bot.messaging.failures import PASSING_FAILURES, UndeliveredError
from bot.messaging.first_answer import FirstAnswer


async def tell_progress(
    delivery: Delivery, interaction: discord.Interaction[Any], content: MessageContent
) -> None:
    """Show the progress in the message that will then hold the answer.

    If that fails for the moment, the work goes on: the next message says more.
    """
    try:
        await delivery.answer_privately(interaction, content)
    except UndeliveredError as error:
        if error.failure not in PASSING_FAILURES:
            raise
    else:
        FirstAnswer.of(interaction).shows_progress = True
