"""Ends the process on a signal: cleanly if that's quick, and in any case in time."""

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Coroutine
from typing import Any, Final

import structlog

log = structlog.get_logger()

GRACE_SECONDS: Final = 4.5
"""Seconds from SIGTERM until the process ends without cleaning up. Everything that was answered is
committed, so nothing is lost; process managers kill after 10 seconds or so."""


def end_as_it_is() -> None:
    """End at once, whatever hangs: an unreachable gateway, a picture being drawn."""
    log.info("ended in haste")
    os._exit(0)


async def run_until_signal(
    work: Coroutine[Any, Any, None],
    *,
    grace: float = GRACE_SECONDS,
    end: Callable[[], None] = end_as_it_is,
) -> None:
    """Run this until SIGTERM or SIGINT, which cancel it; a second signal ends at once.

    An exception that results from being cancelled, for example during the start, is logged only.
    """
    task = asyncio.ensure_future(work)
    is_stopping = False

    def on_signal() -> None:
        nonlocal is_stopping
        if is_stopping:
            end()
            return
        is_stopping = True
        log.info("stopping")
        task.cancel()
        # A thread, because the event loop may be what hangs, or be closed while something else
        # hangs.
        haste = threading.Timer(grace, end)
        haste.daemon = True
        haste.start()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, on_signal)
    await asyncio.wait({task})
    if not is_stopping:
        await task
    elif not task.cancelled() and task.exception() is not None:
        log.warning("ended untidily", exc_info=task.exception())
