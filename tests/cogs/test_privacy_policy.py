"""`/privacy policy` and `/privacy visibility`: their texts, and who is hidden from leaderboards."""

import pytest

from cogs.privacy import POLICY, policy_content, visibility


async def test_a_person_who_hides_is_on_no_leaderboard_until_they_undo_it(table):
    ann = table.person("Ann")
    public = await table.match()
    resigning = await table.asked_to_resign("Bo")
    await table.person("Bo").click(resigning.message, "Resign")
    await table.discord.until(lambda: "seed was" in public.text)

    async def board():
        answer = await table.person("Bo").slash("leaderboard", channel="games", game="pico")
        return (await answer.settled()).text

    shown = await board()
    told = await ann.slash("privacy visibility", channel=ann.dm, leaderboards=1)
    hidden = await board()
    await ann.slash("privacy visibility", channel=ann.dm, leaderboards=0)

    assert told.text.startswith("You're **hidden**: you're on no leaderboard")
    assert ann.mention in shown
    assert ann.mention not in hidden
    assert await board() == shown


@pytest.mark.parametrize(
    ("hidden", "said"),
    [
        (True, "people who challenge you aren't told"),
        (False, "what I tell people who challenge you there say until when"),
    ],
)
def test_the_text_says_what_others_see_of_a_vacation(hidden, said):
    told = visibility(hidden=hidden)

    assert "While you're on vacation, " in told
    assert "the tables of your slow matches" in told
    assert said in told


POSTS = ("puzzle streaks", "the weekly digest", "a season")


@pytest.mark.parametrize("hidden", [True, False])
def test_the_text_says_where_somebody_is_named_in_channels(hidden):
    told = visibility(hidden=hidden)

    assert all(post in told for post in POSTS)
    assert "what others share" in told.lower()
    assert "rated matches" not in told  # computers and puzzles have leaderboards too
    assert all(post in POLICY for post in POSTS)
    assert "out of those posts" in POLICY


def test_the_policy_links_to_the_owners_page_if_there_is_one():
    content = policy_content("https://example.com/privacy")

    assert [link.url for row in content.rows for link in row] == ["https://example.com/privacy"]


async def test_without_a_page_the_policy_has_no_link_in_direct_messages_too(table):
    answer = await table.person("Ann").slash("privacy policy", channel=table.person("Ann").dm)

    assert answer.ephemeral
    assert answer.message.buttons == []
    assert "/privacy delete" in answer.text
