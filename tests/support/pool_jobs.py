"""Work for the worker processes of the tests; they import it from here."""

import os
import threading
import time
from pathlib import Path


def double(n):
    return 2 * n


def process():
    return os.getpid()


def niceness():
    return os.nice(0)


def fail(n):
    raise ValueError(f"{n} cannot be drawn")


def die_once(trace):
    """Ends its process the first time, and returns the second time."""
    file = Path(trace)
    if not file.exists():
        file.touch()
        os._exit(1)
    return "done"


def die(trace):
    with Path(trace).open("a", encoding="ascii") as file:
        file.write("x")
    os._exit(1)


def note(subject):
    """Draws a subject, and leaves a line about it: (file, text, size)."""
    file, text, size = subject
    with Path(file).open("a", encoding="ascii") as trace:
        trace.write(f"{text}\n")
    return text.encode() * size


def note_and_fail(subject):
    note(subject)
    raise ValueError("this cannot be drawn")


def wait_for_ever():
    threading.Event().wait()


def hang(trace):
    """Never returns, and leaves a mark each time it has begun."""
    with Path(trace).open("a", encoding="ascii") as file:
        file.write("x")
    wait_for_ever()


def wait_for(file):
    """Return once there is such a file."""
    while not Path(file).exists():
        time.sleep(0.01)
    return "done"
