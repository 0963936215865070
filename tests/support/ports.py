"""Free ports for servers of the tests."""

import itertools
import secrets
import socket

# Below the ephemeral ports (on Linux: 32,768 and above): one of those could become the local port
# of another connection before the test listens on it.
_FIRST, _COUNT = 10_000, 22_000
_start = secrets.randbelow(_COUNT)  # so that parallel test processes begin at different ports
_candidates = (_FIRST + number % _COUNT for number in itertools.count(_start))


def free_port() -> int:
    """A port that was free a moment ago, and that this process is given only once."""
    return next(number for number in _candidates if _is_free(number))


def _is_free(number: int) -> bool:
    with socket.socket() as tried:
        try:
            tried.bind(("127.0.0.1", number))
        except OSError:
            return False
        return True
