"""The bot of `tests/e2e`, for tests of what a single cog sends."""

from tests.e2e.conftest import table

__all__ = ["table"]
