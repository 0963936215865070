"""Sandboxes for tests: with all of Discord's limits, but shorter windows."""

from typing import Any, Final

from sandbox import Sandbox

SHORT_WINDOWS: Final = 0.005
"""The factor for the windows of rate limits: buckets refill two hundred times as fast."""


def quick_sandbox(**options: Any) -> Sandbox:
    sandbox = Sandbox(**options)
    sandbox.limits.windows = SHORT_WINDOWS
    return sandbox


def give_real_windows(sandbox: Sandbox) -> None:
    """From now on, let buckets refill as slowly as Discord's."""
    sandbox.limits.windows = 1.0
    sandbox.limits.buckets.clear()
