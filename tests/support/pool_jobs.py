"""Functions that tests run in worker processes, which import them from here."""

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
    """End the process the first time, and return the second time; `trace` is a file to note it."""
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
    """Append a line to a file, and return `size` times the text; subject: (file, text, size)."""
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
    """Append an `x` to the file `trace`, and never return."""
    with Path(trace).open("a", encoding="ascii") as file:
        file.write("x")
    wait_for_ever()


def wait_for(file):
    """Return when this file exists."""
    while not Path(file).exists():
        time.sleep(0.01)
    return "done"
