"""Posts of puzzles and digests: one row per server and day, stored before it's sent."""

from bot.storage.guilds import GuildRecord
from tests.support.matches import GUILD


async def test_a_post_is_claimed_once_per_server_and_day(storage):
    async with storage.transaction() as writing:
        await writing.puzzle_posts.claim(1, {GUILD: 5}, 100)
        await writing.puzzle_posts.claim(1, {GUILD: 6, GUILD + 1: 7}, 200)
        due = await writing.puzzle_posts.due(1, 100)

        assert [(post.guild, post.channel) for post in due] == [(GUILD, 5)]
        assert len(await writing.puzzle_posts.due(1, 200)) == 2
        await writing.puzzle_posts.put_off(due[0].id, 300)
        assert len(await writing.puzzle_posts.due(1, 200)) == 1
        await writing.puzzle_posts.note_posted(due[0].id, 9)
        assert await writing.puzzle_posts.last_posted(GUILD, 2) == 1
        assert await writing.puzzle_posts.last_posted(GUILD, 1) is None
        assert len(await writing.puzzle_posts.due(1, 300)) == 1


async def test_a_failed_post_is_reported_until_the_next_one_or_a_new_attempt(storage):
    async with storage.transaction() as writing:
        await writing.puzzle_posts.claim(1, {GUILD: 5}, 100)
        (post,) = await writing.puzzle_posts.due(1, 100)
        await writing.puzzle_posts.note_failed(post.id, "no room")

        assert await writing.puzzle_posts.failure(GUILD) == "no room"
        assert await writing.puzzle_posts.due(1, 100) == []
        await writing.puzzle_posts.claim(2, {GUILD: 5}, 200)
        assert await writing.puzzle_posts.failure(GUILD) is None
        await writing.puzzle_posts.forget_before(2)
        await writing.puzzle_posts.change_channel(GUILD, 5)
        assert [post.day for post in await writing.puzzle_posts.due(2, 200)] == [2]


async def test_only_servers_with_a_channel_and_the_bot_get_a_post(storage):
    async with storage.transaction() as writing:
        for guild in range(4):
            channel = None if guild == 3 else 50 + guild
            await writing.guilds.put_settings(GuildRecord(guild=guild, puzzle_channel=channel))
        await writing.guilds.note_left(1, 7)
        await writing.puzzle_posts.claim(4, {2: 52}, 100)

        assert await writing.puzzle_posts.unposted(4) == {0: 50}
        assert await writing.puzzle_posts.unposted(5) == {0: 50, 2: 52}
        await writing.guilds.forget(2)
        assert await writing.puzzle_posts.due(4, 100) == []


async def test_a_server_with_nothing_to_post_is_skipped_for_that_day(storage):
    async with storage.transaction() as writing:
        await writing.guilds.put_settings(GuildRecord(guild=GUILD, digest_channel=50))
        await writing.guilds.put_settings(GuildRecord(guild=GUILD + 1, digest_channel=51))
        await writing.digest_posts.claim(7, {GUILD: 50}, 100)
        (post,) = await writing.digest_posts.due(7, 100)
        await writing.digest_posts.note_nothing(post.id)
        await writing.digest_posts.skip(GUILD + 1, 7)
        await writing.digest_posts.skip(GUILD, 7)

        assert await writing.digest_posts.due(7, 200) == []
        assert await writing.digest_posts.unposted(7) == {}
        assert await writing.digest_posts.last_posted(GUILD, 8) is None
        assert await writing.digest_posts.failure(GUILD + 1) is None
        assert await writing.digest_posts.unposted(14) == {GUILD: 50, GUILD + 1: 51}


async def test_puzzles_and_digests_are_posted_independently(storage):
    async with storage.transaction() as writing:
        await writing.guilds.put_settings(
            GuildRecord(guild=GUILD, puzzle_channel=50, digest_channel=51)
        )
        await writing.puzzle_posts.claim(7, {GUILD: 50}, 100)

        assert await writing.puzzle_posts.unposted(7) == {}
        assert await writing.digest_posts.unposted(7) == {GUILD: 51}


async def test_posts_waiting_for_a_former_channel_are_no_longer_sent(storage):
    async with storage.transaction() as writing:
        posts = writing.puzzle_posts
        await posts.claim(1, {GUILD: 5, GUILD + 1: 6}, 100)
        await posts.claim(2, {GUILD: 5}, 100)
        (sent, _) = await posts.due(1, 100)
        await posts.note_posted(sent.id, 9)

        await posts.change_channel(GUILD, 5)
        assert [post.guild for post in await posts.due(2, 100)] == [GUILD]
        await posts.change_channel(GUILD, 8)
        await posts.change_channel(GUILD + 1, None)

        assert [await posts.due(day, 100) for day in (1, 2)] == [[], []]
        assert await posts.last_posted(GUILD, 2) == 1


async def test_failed_posts_are_remembered_while_no_channel_is_chosen(storage):
    async with storage.transaction() as writing:
        posts = writing.digest_posts
        await posts.claim(7, {GUILD: 5, GUILD + 1: 6}, 100)
        for post in await posts.due(7, 100):
            await posts.note_failed(post.id, "no room")

        assert await posts.change_channel(GUILD, None) == frozenset()
        assert await posts.failure(GUILD) == "no room"
        assert await posts.change_channel(GUILD, 5) == {7}

        assert await posts.failure(GUILD) is None
        assert await posts.failure(GUILD + 1) == "no room"


async def test_unsent_posts_are_remembered_until_a_channel_is_chosen_again(storage):
    async with storage.transaction() as writing:
        posts = writing.digest_posts
        await posts.claim(7, {GUILD: 5}, 100)
        (waiting,) = await posts.due(7, 100)

        await posts.change_channel(GUILD, None)
        await posts.forget(waiting.id)  # by the task that was about to send it
        assert await posts.due(7, 100) == []
        assert await posts.change_channel(GUILD, 5) == {7}
        assert await posts.change_channel(GUILD, 5) == frozenset()


async def test_a_post_sent_while_its_channel_was_removed_is_not_sent_again(storage):
    async with storage.transaction() as writing:
        posts = writing.digest_posts
        await posts.claim(7, {GUILD: 5}, 100)
        (sending,) = await posts.due(7, 100)
        await posts.change_channel(GUILD, None)
        await posts.note_posted(sending.id, 9)

        assert await posts.failure(GUILD) is None
        assert await posts.change_channel(GUILD, 5) == frozenset()
        assert await posts.last_posted(GUILD, 8) == 7


async def test_a_post_is_wanted_only_in_the_chosen_channel_and_until_sent(storage):
    async with storage.transaction() as writing:
        posts = writing.puzzle_posts
        await writing.guilds.put_settings(GuildRecord(guild=GUILD, puzzle_channel=50))
        await writing.guilds.put_settings(GuildRecord(guild=GUILD + 1, puzzle_channel=51))
        await writing.guilds.put_settings(GuildRecord(guild=GUILD + 2, digest_channel=53))
        await posts.claim(4, {GUILD: 50, GUILD + 1: 52, GUILD + 2: 53}, 100)
        due = [post.id for post in await posts.due(4, 100)]

        assert [await posts.is_wanted(post) for post in due] == [True, False, False]
        for post in due[:2]:
            await posts.forget(post)
        assert not await posts.is_wanted(due[0])
        assert await posts.unposted(4) == {GUILD: 50, GUILD + 1: 51}
        await posts.note_posted(due[2], 9)
        await posts.forget(due[2])
        assert await posts.last_posted(GUILD + 2, 5) == 4
