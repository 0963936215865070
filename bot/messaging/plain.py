"""Edits of messages that were sent in Discord's older form, whose words a notification shows."""

import re
from collections.abc import Awaitable, Callable
from typing import Any, Final

import discord

from bot.messaging.failures import Files

MALFORMED: Final = 50035
_ABOUT_CONTENT: Final = re.compile(r"^In content: ", re.MULTILINE)
"""As the library tells which field an error is about, whatever Discord says of it."""


async def edit_plain(
    edit: Callable[..., Awaitable[discord.Message]],
    files: Files,
    *,
    plain: bool,
    **changes: Any,  # noqa: ANN401 - as discord.py has them
) -> discord.Message:
    """Edit a message to components, with `content: null` where it stands in the older form.

    That is known (`plain`), or nobody has noted it: then Discord refuses the edit for the field
    `content`, which it does not have, and it is made once more.
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
            file.reset()  # it was read for the edit that was refused
    return await edit(attachments=files, content=None, **changes)
