"""The token of the bot."""

import base64
import secrets
from typing import Self


class BotToken:
    """What REST and the gateway know the bot by, until it is replaced by another."""

    def __init__(self, value: str) -> None:
        self.value = value

    @classmethod
    def of(cls, application: int) -> Self:
        """One that looks like Discord's: the application, and then what nobody can guess."""
        named = base64.b64encode(str(application).encode()).decode().rstrip("=")
        return cls(f"{named}.Gsandb.{'x' * 38}")

    def replace(self) -> None:
        """Make a new one, as its owner or Discord does; the old one is good for nothing then."""
        kept, _, old = self.value.rpartition(".")
        self.value = f"{kept}.{secrets.token_hex(len(old) // 2)}"
