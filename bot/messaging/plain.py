"""Edits of messages that were sent in Discord's older form, whose words a notification shows."""

from collections.abc import Awaitable, Callable
from typing import Any

import discord

from bot.messaging.failures import Files


async def edit_plain(
    edit: Callable[..., Awaitable[discord.Message]],
    files: Files,
    *,
    plain: bool,
    **changes: Any,  # noqa: ANN401 - as discord.py has them
) -> discord.Message:
    """Edit a message to components, with `content: null` where it stands in the older form.

    That is known (`plain`), or Discord says so: the process may have died before the first edit.
    """
    if plain:
        return await edit(attachments=files, content=None, **changes)
    try:
        return await edit(attachments=files, **changes)
    except discord.HTTPException as error:
        if "IS_COMPONENTS_V2" not in error.text:
            raise
    for file in files:
        if isinstance(file, discord.File):
            file.reset()  # it was read for the edit that was refused
    return await edit(attachments=files, content=None, **changes)
