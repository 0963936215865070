"""Everything that caches data about people forgets a person who deletes their data."""

import inspect
from collections import deque

import pytest

from bot.storage import Storage
from tests.support.services import bot_of
from tests.support.tables import database

PERSON = 7
MATCHES_AND_SERVERS = {"match", "guild"}
"""Parameters of `forget` methods that aren't about people."""


def parts(services):
    """Return every object of a class in `bot` that is reachable from the services."""
    found, waiting = {}, deque([services])
    while waiting:
        one = waiting.popleft()
        if id(one) in found:
            continue
        if isinstance(one, dict | list | tuple | set | frozenset | deque):
            waiting.extend(one.values() if isinstance(one, dict) else one)
        elif type(one).__module__.startswith("bot."):
            names = [*getattr(one, "__dict__", ()), *getattr(type(one), "__slots__", ())]
            waiting.extend(getattr(one, name) for name in names if hasattr(one, name))
        else:
            continue
        found[id(one)] = one
    return [one for one in found.values() if type(one).__module__.startswith("bot.")]


def remembers_people(part):
    forget = getattr(type(part), "forget", None)
    if forget is None or inspect.iscoroutinefunction(forget):  # repositories are tested separately
        return False
    return set(inspect.signature(forget).parameters) - {"self"} - MATCHES_AND_SERVERS != set()


@pytest.fixture
async def services(tmp_path):
    async with Storage.open(await database(tmp_path)) as storage, bot_of(storage, None) as bot:
        yield bot.services


async def test_everything_that_caches_people_is_told_to_forget_a_deleted_one(services, monkeypatch):
    remembering = [part for part in parts(services) if remembers_people(part)]
    told = []

    def note(forget):
        def noted(part, person):
            told.append((part, person))
            return forget(part, person)

        return noted

    for kind in {type(part) for part in remembering}:
        monkeypatch.setattr(kind, "forget", note(kind.forget))

    await services.erasure.delete(PERSON)

    assert len(remembering) >= 8
    assert {id(part) for part in remembering} == {id(part) for part, who in told if who == PERSON}
