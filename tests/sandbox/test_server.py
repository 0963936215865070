"""The sandbox as a whole: it leaves nothing in memory when it has ended."""

import gc
import weakref

import aiohttp

from tests.support.sandboxes import quick_sandbox


async def test_a_sandbox_that_has_ended_is_garbage_collected():
    """A cache of aiohttp once kept the last hundred sandboxes, with all their messages."""
    async with quick_sandbox() as sandbox, aiohttp.ClientSession() as session:
        as_bot = {"Authorization": f"Bot {sandbox.token}"}
        async with session.get(f"{sandbox.url}/api/v10/users/@me", headers=as_bot) as answer:
            assert answer.status == 200
        kept = weakref.ref(sandbox.world)
    del sandbox, session, answer

    gc.collect()

    assert kept() is None
