"""`/block` and `/unblock` at the wire: nobody but who blocks gets to know of it."""


async def block(table, name, other=None, *, command="block"):
    given = {} if other is None else {"user": table.person(other)}
    return await table.person(name).slash(command, channel="games", **given)


async def test_who_was_blocked_cannot_challenge(table):
    told = await block(table, "Bo", "Ann")

    refused = await table.ask("Ann", "Bo")

    bo = table.person("Bo").mention
    assert told.ephemeral
    assert "I don't tell them; if they try, I say that they can't, but not why." in told.text
    assert refused.ephemeral
    assert "block" not in refused.text
    assert refused.text == (
        f"You can't challenge {bo} at the moment. Ask someone else, or leave the seat open."
    )


async def test_a_block_is_taken_back(table):
    await block(table, "Bo", "Ann")
    told = await block(table, "Bo", "Ann", command="unblock")

    assert told.text == f"{table.person('Ann').mention} can challenge you again."
    assert (await table.ask("Ann", "Bo")).ephemeral is False


async def test_without_a_name_the_list_is_shown(table):
    empty = await block(table, "Bo")
    await block(table, "Bo", "Ann")
    listed = await block(table, "Bo")

    assert empty.text.startswith("You haven't blocked anyone.")
    assert table.person("Ann").mention in listed.text
    assert empty.ephemeral
    assert listed.ephemeral


async def test_the_open_table_of_who_blocked_somebody_has_no_seat_for_him(table):
    await block(table, "Ann", "Bo")
    public = (await table.person("Ann").slash("pico play", channel="games")).message

    answer = await table.person("Bo").click(public, "Join")

    assert answer.text == "You can't join this table. Start your own with a `play` command."
    assert table.sql("SELECT count(*) FROM seats") == [(1,)]
