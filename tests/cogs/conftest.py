"""The same bot as in `tests/e2e`, for what one cog sends."""

from tests.e2e.conftest import table

__all__ = ["table"]
