"""Every kind of interaction and every kind of answer, through a real discord.py bot."""

import pytest

from sandbox import ImpossibleError
from sandbox.guilds import ChannelType


async def test_a_slash_command_is_answered(discord, bot):
    answer = await discord.person("Ann").slash("say", channel="games", text="hello")

    assert (answer.kind, answer.text, answer.failed) == (4, "hello", None)
    assert discord.person("Bo").see("games") == [answer.message]


async def test_options_of_every_kind_arrive_with_their_types(discord, bot):
    ann, bo = discord.person("Ann"), discord.person("Bo")
    role = next(r for r in discord.world.guild.roles.values() if r.name == "Regulars")
    channel = discord.world.channel("lobby")

    answer = await ann.slash(
        "every",
        channel="games",
        options={"channel": channel},
        number=3,
        user=bo,
        share=0.5,
        role=role,
        file=("note.txt", b"12345"),
    )

    assert answer.text == repr((3, bo.id, 0.5, "lobby", "Regulars", 5))


async def test_subcommands_are_named_with_their_groups(discord, bot):
    ann, bo = discord.person("Ann"), discord.person("Bo")

    plain = await ann.slash("pico play", channel="games", opponent=bo)
    deep = await ann.slash("pico set pace", channel="games", days=2)

    assert plain.text == f"{bo.mention}, 2023"
    assert deep.text == "2 days"


async def test_choices_of_autocomplete_can_depend_on_other_options(discord, bot):
    choices = await discord.person("Ann").autocomplete(
        "paint", "move", "E", channel="games", color="red"
    )

    assert choices == [{"name": f"red E{n}", "value": str(n)} for n in range(3)]


@pytest.mark.parametrize("given", ["red", "Deep red"])
async def test_a_choice_can_be_given_by_its_value_or_its_name(discord, bot, given):
    answer = await discord.person("Ann").slash("paint", channel="games", color=given, move="x")

    assert answer.text == "red x"


async def test_a_button_can_update_its_message(discord, bot):
    ann = discord.person("Ann")
    shown = (await ann.slash("show", channel="games", acts="update later")).message

    answer = await discord.person("Bo").click(shown, "Update")

    assert answer.kind == 7
    assert answer.message is shown
    assert (shown.content, shown.buttons) == ("updated", [])
    assert shown.edited_at is not None


async def test_a_button_can_defer_its_update(discord, bot):
    ann = discord.person("Ann")
    shown = (await ann.slash("show", channel="games", acts="later")).message

    answer = await ann.click(shown, "b:later")
    assert answer.deferred
    await answer.settled()

    assert shown.content == "updated later"
    assert [button.label for button in shown.buttons] == ["Later"]


async def test_the_first_follow_up_fills_a_deferred_answer(discord, bot):
    ann, bo = discord.person("Ann"), discord.person("Bo")
    shown = (await ann.slash("show", channel="games", acts="think")).message

    answer = await bo.click(shown, "Think")
    assert (answer.kind, answer.ephemeral) == (5, True)
    await answer.settled()
    await discord.until(lambda: answer.followups)

    assert answer.message.content == "thought"
    assert [message.content for message in answer.followups] == ["and more"]
    assert answer.message.ephemeral_to == bo.id
    assert [m.content for m in ann.see("games")] == ["Here"]
    assert [m.content for m in bo.see("games")] == ["Here", "thought", "and more"]


async def test_a_modal_is_filled_in_and_answered(discord, bot):
    ann = discord.person("Ann")
    opened = await ann.slash("do", channel="games", act="ask")
    assert (opened.kind, opened.modal["title"]) == (9, "A form")

    answer = await ann.submit(opened, {"Name": "Ann", "color": "Blue"})

    assert answer.text == "Ann likes Blue"


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"Name": "x" * 11, "color": "Blue"}, "1 to 10 characters"),
        ({"Name": "An\nn", "color": "Blue"}, "takes one line"),
        ({"Name": "Ann", "color": "Green"}, "offers"),
        ({"Name": "Ann", "color": "Blue", "Age": "3"}, "no field Age"),
        ({"color": "Blue"}, "1 to 10 characters"),
    ],
    ids=["too long", "two lines", "no such option", "no such field", "missing"],
)
async def test_a_modal_refuses_invalid_values(discord, bot, values, sentence):
    ann = discord.person("Ann")
    opened = await ann.slash("do", channel="games", act="ask")

    with pytest.raises(ImpossibleError, match=sentence):
        await ann.submit(opened, values)


async def test_only_its_person_can_submit_a_modal(discord, bot):
    opened = await discord.person("Ann").slash("do", channel="games", act="ask")

    with pytest.raises(ImpossibleError, match="no such modal"):
        await discord.person("Bo").submit(opened, {})


async def test_selects_of_every_kind_carry_their_values(discord, bot):
    ann, bo = discord.person("Ann"), discord.person("Bo")
    role = next(r for r in discord.world.guild.roles.values() if r.name == "Regulars")
    shown = (await ann.slash("show", channel="games", acts="selects")).message

    assert (await ann.select(shown, "Word", ["One", "2"])).text == "word ['1', '2']"
    assert (await ann.select(shown, "Whom", bo)).text == f"whom ['Member {bo.id}']"
    assert (await ann.select(shown, "role", role)).text == "role ['Regulars']"
    assert (await ann.select(shown, "Either", [bo, role])).text == f"either {[bo.id, role.id]}"
    where = await ann.select(shown, "Where", discord.world.channel("lobby"))
    assert where.text == "where ['lobby']"


@pytest.mark.parametrize(
    ("name", "values", "sentence"),
    [
        ("Word", ["One", "1"], "takes each value once"),
        ("Word", ["Three"], "offers 'One', 'Two'"),
        ("Either", ["Bo", "Bo"], "takes each value once"),
        ("Where", ["voice"], "does not offer"),
        ("Where", ["Bo"], "does not offer"),
    ],
)
async def test_a_select_accepts_only_its_options_each_once(discord, bot, name, values, sentence):
    ann, bo = discord.person("Ann"), discord.person("Bo")
    voice = discord.world.add_channel("voice", kind=ChannelType.VOICE)
    shown = (await ann.slash("show", channel="games", acts="selects")).message
    chosen = [{"Bo": bo, "voice": voice}.get(value, value) for value in values]

    with pytest.raises(ImpossibleError, match=sentence):
        await ann.select(shown, name, chosen)


async def test_a_right_click_command_gets_its_target(discord, bot):
    ann, bo = discord.person("Ann"), discord.person("Bo")
    said = await bo.say("games", "well said")

    on_user = await ann.context_menu("Greet", user=bo, channel="games")
    on_message = await ann.context_menu("Quote", message=said, channel="games")

    assert on_user.text == "Hello Bo"
    assert on_message.text == "> well said"


async def test_commands_work_in_direct_messages(discord, bot):
    ann = discord.person("Ann")

    answer = await ann.slash("say", channel=ann.dm, text="just us")

    assert ann.direct_messages == [answer.message]
    assert discord.person("Bo").direct_messages == []


async def test_an_interaction_has_the_bots_permissions_and_the_users_locale(discord, bot):
    cleo = discord.world.add_person("Chloé", locale="fr")
    discord.world.set_permissions("games", deny=1 << 15)

    answer = await discord.person(cleo.id).slash("here", channel="games")

    assert answer.text == "fr False"


async def test_ephemeral_and_silent_answers_are_marked(discord, bot):
    ann = discord.person("Ann")

    hidden = await ann.slash("say", channel="games", text="psst", ephemeral=True)
    silent = await ann.slash("say", channel="games", text="shh", silent=True)

    assert (hidden.ephemeral, hidden.message.ephemeral_to) == (True, ann.id)
    assert silent.message.is_silent
    assert discord.person("Bo").see("games") == [silent.message]


async def test_a_forged_custom_id_reaches_the_bot(discord, bot):
    ann = discord.person("Ann")
    shown = (await ann.slash("show", channel="games", acts="silent")).message

    answer = await ann.forge(shown, custom_id="forged:1")

    assert answer.text == "forged:1"


@pytest.mark.parametrize(
    ("command", "values", "sentence"),
    [
        ("nothing", {}, "no command 'nothing'"),
        ("say", {}, "needs text"),
        ("say", {"text": "x", "volume": 3}, "no option volume"),
        ("say", {"text": "x" * 21}, "1 to 20 characters"),
        ("say", {"text": 3}, "is a text"),
        ("every", {"number": 6, "user": "Bo"}, "is 1 to 5"),
        ("every", {"number": 2, "user": "Bo"}, "takes a user"),
        ("every", {"number": True, "user": "Bo"}, "is a number"),
        ("paint", {"color": "blue"}, "offers 'red'"),
        ("pico", {}, "needs a subcommand"),
        ("pico dance", {}, "no subcommand 'dance'"),
    ],
)
async def test_options_that_a_client_would_not_send_raise(discord, bot, command, values, sentence):
    with pytest.raises(ImpossibleError, match=sentence):
        await discord.person("Ann").slash(command, channel="games", **values)


async def test_a_server_command_is_not_offered_in_direct_messages(discord, bot):
    ann = discord.person("Ann")

    with pytest.raises(ImpossibleError, match="not offered in direct messages"):
        await ann.slash("here", channel=ann.dm)


async def test_a_button_that_does_not_exist_cannot_be_clicked(discord, bot):
    ann, bo = discord.person("Ann"), discord.person("Bo")
    shown = (await ann.slash("show", channel="games", acts="update")).message
    hidden = (await ann.slash("say", channel="games", text="psst", ephemeral=True)).message

    with pytest.raises(ImpossibleError, match="no button 'Later'"):
        await ann.click(shown, "Later")
    with pytest.raises(ImpossibleError, match="does not see"):
        await bo.forge(hidden, custom_id="x")
