"""Archived threads: what is refused in them, and who can reopen them."""

import pytest

from sandbox.permissions import Permission

THREADS = Permission.CREATE_PUBLIC_THREADS | Permission.SEND_MESSAGES_IN_THREADS


@pytest.fixture
def games(refusing):
    channel = refusing.world.channel("games")
    refusing.world.set_permissions(channel, allow=THREADS)
    return channel


async def begin(rest):
    return await rest("POST", f"{rest.games}/threads", {"name": "match", "type": 11})


async def test_edits_in_an_archived_thread_are_refused_until_somebody_writes(rest, games):
    thread = f"/channels/{(await begin(rest)).body['id']}"
    sent = await rest("POST", f"{thread}/messages", {"content": "x"})
    path = f"{thread}/messages/{sent.body['id']}"
    assert (await rest("PATCH", thread, {"archived": True})).status == 200

    edited = await rest("PATCH", path, {"content": "y"})
    renamed = await rest("PATCH", thread, {"name": "other"})
    written = await rest("POST", f"{thread}/messages", {"content": "z"})

    assert [reply.code for reply in (edited, renamed)] == [50083, 50083]
    assert written.status == 200
    assert (await rest("PATCH", path, {"content": "y"})).status == 200


@pytest.mark.parametrize(
    ("locked", "manages", "code"),
    [(False, False, None), (True, False, 50083), (True, True, None)],
    ids=["archived", "locked too", "by who manages threads"],
)
async def test_messages_in_an_archived_thread_can_be_deleted_unless_it_is_locked(
    refusing, rest, games, locked, manages, code
):
    thread = refusing.world.channel(int((await begin(rest)).body["id"]))
    sent = await rest("POST", f"/channels/{thread.id}/messages", {"content": "x"})
    refusing.world.set_permissions(games, allow=Permission.MANAGE_THREADS if manages else THREADS)
    refusing.world.archive_thread(thread, locked=locked)
    path = f"/channels/{thread.id}/messages/{sent.body['id']}"

    refusing.faults.refuse_archived_deletes = True
    kept = await rest("DELETE", path)
    refusing.faults.refuse_archived_deletes = False
    deleted = await rest("DELETE", path)

    assert (kept.status, kept.code) == (400, 50083)
    assert (deleted.status, deleted.code) == ((204, None) if code is None else (400, code))
    assert thread.thread.archived


async def test_a_member_who_can_write_in_a_thread_can_reopen_it_but_not_archive_it(
    refusing, rest, games
):
    """Discord's documents contradict each other: writing is enough, or having been added too."""
    begun = await begin(rest)
    thread, where = refusing.world.channel(int(begun.body["id"])), f"/channels/{begun.body['id']}"
    thread.thread.owner = refusing.person("Ann").id
    refusing.world.archive_thread(thread)

    more = await rest("PATCH", where, {"archived": False, "name": "other"})
    opened = await rest("PATCH", where, {"archived": False})
    closed = await rest("PATCH", where, {"archived": True})
    refusing.world.archive_thread(thread, locked=True)
    locked = await rest("PATCH", where, {"archived": False})
    thread.thread.locked = False
    refusing.world.set_permissions(games, deny=Permission.SEND_MESSAGES_IN_THREADS)
    mute = await rest("PATCH", where, {"archived": False})
    refusing.world.set_permissions(games, allow=THREADS)
    refusing.world.remove_from_thread(thread, refusing.world.bot)
    never_added = await rest("PATCH", where, {"archived": False})
    refusing.world.set_permissions(games, allow=Permission.MANAGE_THREADS)
    managed = await rest("PATCH", where, {"archived": False})

    refused = (more, closed, locked, mute, never_added)
    assert managed.status == 200
    assert (opened.status, opened.body["thread_metadata"]["archived"]) == (200, False)
    assert [(r.status, r.code) for r in refused] == [(403, 50013)] * 5


async def test_an_answer_to_a_click_cannot_edit_messages_in_an_archived_thread(
    refusing, rest, games
):
    """Edits by token are refused too, and answers if the thread is also locked."""
    refusing.commands.overwrite(None, [{"name": "ping", "description": "Ping"}])
    begun = await begin(rest)
    thread = refusing.world.channel(int(begun.body["id"]))
    ann, hello = refusing.person("Ann"), {"type": 4, "data": {"content": "hello"}}
    data = {"id": "1", "name": "ping", "type": 1, "options": []}

    def callback(interaction):
        return f"/interactions/{interaction.id}/{interaction.token}/callback"

    first = refusing.interactions.start(2, ann.user, thread, data)
    assert (await rest("POST", callback(first), hello)).status == 204
    webhook = f"/webhooks/{refusing.world.bot.id}/{first.token}/messages/@original"
    refusing.world.archive_thread(thread, locked=True)
    second = refusing.interactions.start(2, ann.user, thread, data)

    locked = await rest("POST", callback(second), hello)
    edited = await rest("PATCH", webhook, {"content": "x"})
    thread.thread.locked = False
    reopened = await rest("POST", callback(second), hello)

    assert [(r.status, r.code) for r in (locked, edited)] == [(400, 50083)] * 2
    assert reopened.status == 204
    assert not thread.thread.archived
    assert (await rest("PATCH", webhook, {"content": "x"})).status == 200


async def test_nobody_can_leave_an_archived_thread_except_by_leaving_the_server(
    refusing, rest, games
):
    bo = refusing.person("Bo")
    thread = refusing.world.channel(int((await begin(rest)).body["id"]))
    refusing.world.add_to_thread(thread, bo.user)
    refusing.world.archive_thread(thread)

    left = await rest("DELETE", f"/channels/{thread.id}/thread-members/@me")
    refusing.world.remove_member(bo.user)

    assert (left.status, left.code) == (400, 50083)
    assert set(thread.thread.members) == {refusing.world.bot.id}
