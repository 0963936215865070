"""Sandboxes for tests, which obey every limit of Discord but have no time to wait for it."""

from typing import Any, Final

from sandbox import Sandbox

SHORT_WINDOWS: Final = 0.005
"""Buckets hold as much as Discord's and fill up again two hundred times as fast."""


def quick_sandbox(**options: Any) -> Sandbox:
    sandbox = Sandbox(**options)
    sandbox.limits.windows = SHORT_WINDOWS
    return sandbox


def give_real_windows(sandbox: Sandbox) -> None:
    """Let buckets take as long as Discord's to fill up again, from now on."""
    sandbox.limits.windows = 1.0
    sandbox.limits.buckets.clear()
