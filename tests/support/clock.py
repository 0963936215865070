"""A clock that the tests move."""

from tests.support.matches import NOW

MINUTE, HOUR, DAY = 60, 60 * 60, 24 * 60 * 60


class Watch:
    """The time of the bot: seconds since 1970, standing still unless moved."""

    def __init__(self, now=NOW):
        self.now = now

    def __call__(self):
        return self.now

    def advance(self, seconds):
        self.now += seconds
