"""What is kept about a person besides matches: where direct messages go, and whether they do."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonRecord:
    dm_channel: int | None
    dm_closed_at: int | None
    """When Discord last refused a direct message, in seconds since 1970; None if it did not."""
