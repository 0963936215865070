"""Edits of messages in Discord's older form, whose words a notification shows."""

import re
from collections.abc import Awaitable, Callable
from typing import Any, Final

import discord

from bot.messaging.failures import Files

MALFORMED: Final = 50035
_ABOUT_CONTENT: Final = re.compile(r"^In content: ", re.MULTILINE)
"""How discord.py says which field an error is about, whatever Discord says of it."""


async def edit_plain(
    edit: Callable[..., Awaitable[discord.Message]],
    files: Files,
    *,
    plain: bool,
    **changes: Any,  # noqa: ANN401 - as discord.py has them
) -> discord.Message:
    """Edit a message to Components V2, with `content: null` if it's in the older form.

    `plain` says that it is. If nobody noted that, Discord refuses the edit for the field `content`,
    which the edit doesn't have, and the edit is repeated with it.
    """
    if plain:
        return await edit(attachments=files, content=None, **changes)
    try:
        return await edit(attachments=files, **changes)
    except discord.HTTPException as error:
        if error.code != MALFORMED or not _ABOUT_CONTENT.search(error.text):
            raise
    for file in files:
        if isinstance(file, discord.File):
            file.reset()  # it was read for the refused edit
    return await edit(attachments=files, content=None, **changes)
