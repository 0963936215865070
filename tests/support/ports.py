"""Where something can listen."""

import itertools
import secrets
import socket

# Below the ports that a system gives to whoever asks for any (Linux: 32,768 and above): one of
# those may become the near end of another connection before the test listens at it.
_FIRST, _NUMBER = 10_000, 22_000
_start = secrets.randbelow(_NUMBER)  # processes that test side by side start at places of their own
_candidates = (_FIRST + number % _NUMBER for number in itertools.count(_start))


def free_port() -> int:
    """A port that was free a moment ago, and which this process asks for only once."""
    return next(number for number in _candidates if _is_free(number))


def _is_free(number: int) -> bool:
    with socket.socket() as tried:
        try:
            tried.bind(("127.0.0.1", number))
        except OSError:
            return False
        return True
