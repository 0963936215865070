"""The seed of a match, which decides all its chance, and the commitment published of it."""

import secrets
from hashlib import sha256
from typing import Final

SEED_PATTERN: Final = r"^[0-9a-f]{64}$"
"""Of seeds and of commitments."""


def new_seed() -> str:
    """A seed that nobody can foresee."""
    return secrets.token_hex(32)


def commitment_of(seed: str) -> str:
    """What is published of a seed when the match begins, so that it can't be another later."""
    return sha256(seed.encode()).hexdigest()
