"""Running the bot: what it loads is set aside, so that nobody waits while it is looked through."""

import gc

import pytest

from bot.cli import serve


class Loads:
    """A client that loads something which stays."""

    def __init__(self):
        self.stays = []
        self.steps = []

    async def login(self, token):
        self.stays = [[n] for n in range(100)]
        self.steps.append(token)

    async def connect(self):
        looked_through = {id(found) for found in gc.get_objects()}
        self.steps.append(sum(id(found) in looked_through for found in self.stays))


@pytest.fixture
def collector():
    before = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)


@pytest.mark.usefixtures("collector")
async def test_what_a_start_has_loaded_is_never_looked_through_for_garbage():
    client = Loads()
    await serve(client, "token")
    assert client.steps == ["token", 0]
    assert gc.get_threshold()[0] > 700, "fifty clicks under way are no reason to look"
