"""Edits of messages that were sent in Discord's older form, whose words a notification shows."""

from collections.abc import Awaitable, Callable
from typing import Any

import discord

from bot.messaging.failures import Files, failure_of


async def edit_plain(
    edit: Callable[..., Awaitable[discord.Message]],
    files: Files,
    *,
    plain: bool,
    **changes: Any,  # noqa: ANN401 - as discord.py has them
) -> discord.Message:
    """Edit a message to components, with `content: null` where it stands in the older form.

    That is known (`plain`), or nobody has noted it: then Discord refuses the edit as malformed,
    in words and with a field that may change. So whatever it refuses like that is tried once more.
    """
    if plain:
        return await edit(attachments=files, content=None, **changes)
    try:
        return await edit(attachments=files, **changes)
    except discord.HTTPException as error:
        if failure_of(error) is not None:
            raise
    for file in files:
        if isinstance(file, discord.File):
            file.reset()  # it was read for the edit that was refused
    return await edit(attachments=files, content=None, **changes)
