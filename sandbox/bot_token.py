"""The token of the bot."""

import base64
import secrets
from typing import Self


class BotToken:
    """The token that REST and the gateway accept at present."""

    def __init__(self, value: str) -> None:
        self.value = value

    @classmethod
    def of(cls, application: int) -> Self:
        """The first token of an application, in Discord's form: the encoded id, then two parts."""
        named = base64.b64encode(str(application).encode()).decode().rstrip("=")
        return cls(f"{named}.Gsandb.{'x' * 38}")

    def replace(self) -> None:
        """Replace the token, as its owner or Discord can; the old one is invalid from then on."""
        kept, _, old = self.value.rpartition(".")
        self.value = f"{kept}.{secrets.token_hex(len(old) // 2)}"
