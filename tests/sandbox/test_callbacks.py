"""Which callbacks can answer which interactions, and what a modal and its fields can be."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from sandbox import Answer
from sandbox.interactions import InteractionType

HELLO = {"type": 4, "data": {"content": "hello"}}
INPUT = {"type": 4, "custom_id": "a", "style": 1}
OPTIONS = [{"label": "A", "value": "a"}, {"label": "B", "value": "b"}]


def label(component: Any, **fields: Any) -> dict[str, Any]:
    return {"type": 18, "label": "L", "component": component, **fields}


def modal(*components: Any, **fields: Any) -> dict[str, Any]:
    return {"custom_id": "m", "title": "T", "components": list(components), **fields}


@pytest.mark.parametrize(
    ("kind", "callback"),
    [
        (InteractionType.COMMAND, 1),
        (InteractionType.COMMAND, 6),
        (InteractionType.COMMAND, 7),
        (InteractionType.COMMAND, 8),
        (InteractionType.COMPONENT, 8),
        (InteractionType.AUTOCOMPLETE, 4),
        (InteractionType.MODAL, 9),
        (InteractionType.MODAL, 7),
        (InteractionType.COMMAND, 99),
        (InteractionType.COMMAND, None),
    ],
)
async def test_a_callback_must_fit_its_interaction(bench, kind, callback):
    interaction = bench.begin(kind)

    reply = await bench.answer(interaction, {"type": callback, "data": {"content": "x"}})

    assert (reply.status, reply.code) == (400, 50035)
    assert (await bench.webhook("GET", interaction, "/messages/@original")).code == 10015


async def test_the_answer_to_a_modal_from_a_button_can_update_the_buttons_message(bench):
    sent = await bench.rest("POST", f"{bench.rest.games}/messages", {"content": "x"})
    source = bench.sandbox.world.messages[int(sent.body["id"])]
    interaction = bench.begin(InteractionType.MODAL, source)

    assert (await bench.answer(interaction, {"type": 7, "data": {"content": "y"}})).status == 204
    assert source.content == "y"


async def test_with_response_returns_the_whole_response(bench):
    interaction = bench.begin()

    reply = await bench.answer(interaction, HELLO, "?with_response=true")

    told = reply.body["interaction"]
    assert reply.status == 200
    assert told["response_message_id"] == reply.body["resource"]["message"]["id"]
    assert (told["response_message_loading"], told["response_message_ephemeral"]) == (False, False)


@pytest.mark.parametrize("number", [0, 25, 26])
async def test_at_most_25_choices_are_offered(bench, number):
    focused = {"type": 3, "name": "o", "value": "", "focused": True}
    interaction = bench.begin(InteractionType.AUTOCOMPLETE, options=[focused])
    choices = [{"name": f"{n}", "value": f"{n}"} for n in range(number)]

    reply = await bench.answer(interaction, {"type": 8, "data": {"choices": choices}})

    assert reply.status == (204 if number <= 25 else 400)


@pytest.mark.parametrize(("length", "status"), [(100, 204), (101, 400)])
async def test_a_choice_has_a_text_of_at_most_100_characters(bench, length, status):
    focused = {"type": 3, "name": "o", "value": "", "focused": True}
    interaction = bench.begin(InteractionType.AUTOCOMPLETE, options=[focused])
    choices = [{"name": "a", "value": "x" * length}]

    reply = await bench.answer(interaction, {"type": 8, "data": {"choices": choices}})

    assert reply.status == status


async def test_choices_must_have_the_type_of_their_option(bench):
    focused = {"type": 4, "name": "o", "value": "1", "focused": True}
    interaction = bench.begin(InteractionType.AUTOCOMPLETE, options=[focused])

    wrong = {"type": 8, "data": {"choices": [{"name": "a", "value": "x"}]}}
    reply = await bench.answer(interaction, wrong)

    assert reply.problems == {"data.choices.0.value NUMBER_TYPE_COERCE"}


MODALS: dict[str, tuple[dict[str, Any], str]] = {
    "no title": (modal(label(INPUT), title=""), "data.title BASE_TYPE_REQUIRED"),
    "long title": (modal(label(INPUT), title="x" * 46), "data.title BASE_TYPE_BAD_LENGTH"),
    "no custom id": (modal(label(INPUT), custom_id=None), "data.custom_id BASE_TYPE_REQUIRED"),
    "empty": (modal(), "data.components BASE_TYPE_BAD_LENGTH"),
    "6 rows": (
        modal(*[label({**INPUT, "custom_id": f"{n}"}) for n in range(6)]),
        "data.components BASE_TYPE_BAD_LENGTH",
    ),
    "button": (
        modal({"type": 1, "components": [{"type": 2, "style": 1, "label": "x", "custom_id": "a"}]}),
        "data.components.0.components.0.type UNION_TYPE_CHOICES",
    ),
    "input without label": (
        modal({"type": 1, "components": [INPUT]}),
        "data.components.0.components.0.label BASE_TYPE_REQUIRED",
    ),
    "label twice": (
        modal(label({**INPUT, "label": "x"})),
        "data.components.0.component.label COMPONENT_LABEL_NOT_ALLOWED",
    ),
    "same custom id": (
        modal(label(INPUT), label(INPUT)),
        "data.components.1.component.custom_id COMPONENT_CUSTOM_ID_DUPLICATED",
    ),
    "long label": (
        modal(label(INPUT, label="x" * 46)),
        "data.components.0.label BASE_TYPE_BAD_LENGTH",
    ),
    "long description": (
        modal(label(INPUT, description="x" * 101)),
        "data.components.0.description BASE_TYPE_BAD_LENGTH",
    ),
    "long placeholder": (
        modal(label({**INPUT, "placeholder": "x" * 101})),
        "data.components.0.component.placeholder BASE_TYPE_MAX_LENGTH",
    ),
    "value too long": (
        modal(label({**INPUT, "max_length": 3, "value": "abcd"})),
        "data.components.0.component.value BASE_TYPE_MAX_LENGTH",
    ),
    "least above most": (
        modal(label({**INPUT, "min_length": 5, "max_length": 3})),
        "data.components.0.component.min_length TEXT_INPUT_COMPONENT_MIN_LENGTH_INVALID",
    ),
    "disabled select": (
        modal(label({"type": 3, "custom_id": "s", "options": OPTIONS, "disabled": True})),
        "data.components.0.component.disabled COMPONENT_DISABLED_IN_MODAL",
    ),
    "select required and empty": (
        modal(label({"type": 3, "custom_id": "s", "options": OPTIONS, "min_values": 0})),
        "data.components.0.component.min_values COMPONENT_REQUIRED_MIN_VALUES_INVALID",
    ),
    "upload required and empty": (
        modal(label({"type": 19, "custom_id": "f", "min_values": 0, "required": True})),
        "data.components.0.component.min_values COMPONENT_REQUIRED_MIN_VALUES_INVALID",
    ),
    "one radio button": (
        modal(label({"type": 21, "custom_id": "r", "options": OPTIONS[:1]})),
        "data.components.0.component.options BASE_TYPE_BAD_LENGTH",
    ),
    "container": (
        modal({"type": 17, "components": []}),
        "data.components.0.type UNION_TYPE_CHOICES",
    ),
}


@pytest.mark.parametrize("name", MODALS)
async def test_an_invalid_modal_is_refused(bench, name):
    wrong, problem = MODALS[name]
    interaction = bench.begin()

    reply = await bench.answer(interaction, {"type": 9, "data": wrong})

    assert (reply.status, reply.code, reply.problems) == (400, 50035, {problem})
    assert interaction.modal is None


async def test_an_optional_select_can_have_a_minimum_of_0_values(bench):
    select = {"type": 3, "custom_id": "s", "options": OPTIONS, "min_values": 0, "required": False}
    interaction = bench.begin()

    opened = await bench.answer(interaction, {"type": 9, "data": modal(label(select))})

    assert opened.status == 204


async def test_a_modal_can_have_fields_of_every_kind(bench):
    """A person who submits them sends their values."""
    interaction = bench.begin()
    fields = [
        label({"type": 21, "custom_id": "radio", "options": OPTIONS}, label="Radio"),
        label({"type": 22, "custom_id": "boxes", "options": OPTIONS}, label="Boxes"),
        label({"type": 23, "custom_id": "box"}, label="Box"),
        label({"type": 5, "custom_id": "user"}, label="User"),
        {"type": 10, "content": "Read this"},
    ]
    assert (await bench.answer(interaction, {"type": 9, "data": modal(*fields)})).status == 204
    bench.sandbox.clock.freeze()
    values = {"Radio": "B", "Boxes": ["A", "B"], "Box": True, "User": [bench.sandbox.person("Bo")]}

    with bench.sandbox.world.events.queue() as events:
        sending = asyncio.create_task(bench.ann.submit(Answer(interaction), values))
        submitted = (await events.get()).subject
        bench.sandbox.clock.advance(timedelta(seconds=3))
        assert (await sending).failed

    components = submitted.data["components"]
    sent = [part.get("component", {}) for part in components]
    assert [part.get("value", part.get("values")) for part in sent] == [
        "b",
        ["a", "b"],
        True,
        [str(bench.sandbox.person("Bo").id)],
        None,
    ]
    assert list(submitted.data["resolved"]) == ["users", "members"]


async def test_a_deferred_answer_only_shows_that_the_bot_is_thinking(bench):
    interaction = bench.begin()
    await bench.answer(interaction, {"type": 5, "data": {"flags": 64 | 1 << 15, "content": "x"}})

    assert interaction.message.is_loading
    assert (interaction.message.text, interaction.message.ephemeral_to) == ("", bench.ann.id)
    assert not interaction.message.is_v2

    body = {"flags": 1 << 15, "components": [{"type": 10, "content": "y"}]}
    edited = await bench.webhook("PATCH", interaction, "/messages/@original", body)

    assert (edited.status, edited.body["flags"]) == (200, 64 | 1 << 15)
    assert edited.body["edited_timestamp"] is None


async def test_an_answer_can_be_read_and_deleted_by_token(bench):
    interaction = bench.begin()
    await bench.answer(interaction, HELLO)
    original = await bench.webhook("GET", interaction, "/messages/@original")
    followup = await bench.webhook("POST", interaction, "", {"content": "more", "flags": 64})
    one = f"/messages/{followup.body['id']}"

    assert original.body["content"] == "hello"
    assert (await bench.webhook("GET", interaction, one)).body["content"] == "more"
    assert (await bench.webhook("DELETE", interaction, one)).status == 204
    assert (await bench.webhook("PATCH", interaction, one, {"content": "x"})).code == 10008
    assert (await bench.webhook("DELETE", interaction, "/messages/@original")).status == 204
    assert (await bench.webhook("GET", interaction, "/messages/@original")).code == 10008
    assert bench.ann.see("games") == []


async def test_a_token_reaches_only_its_own_messages(bench):
    interaction, other = bench.begin(), bench.begin()
    await bench.answer(interaction, HELLO)
    await bench.answer(other, HELLO)

    reply = await bench.webhook(
        "PATCH", interaction, f"/messages/{other.message.id}", {"content": "x"}
    )

    assert (reply.status, reply.code) == (404, 10008)


async def test_an_edit_cannot_change_whether_a_message_is_ephemeral(bench):
    hidden, public = bench.begin(), bench.begin()
    await bench.answer(hidden, {"type": 4, "data": {"content": "x", "flags": 64}})
    await bench.answer(public, HELLO)

    await bench.webhook("PATCH", hidden, "/messages/@original", {"content": "y", "flags": 4})
    await bench.webhook("PATCH", public, "/messages/@original", {"content": "y", "flags": 64})

    assert hidden.message.ephemeral_to == bench.ann.id
    assert hidden.message.flags & 64
    assert public.message.ephemeral_to is None
    assert not public.message.flags & 64


async def test_answers_need_no_permission_in_the_channel(bench):
    bench.sandbox.world.set_permissions("games", deny=(1 << 41) - 1)

    assert (await bench.answer(bench.begin(), HELLO)).status == 204
    assert (
        await bench.rest("POST", f"{bench.rest.games}/messages", {"content": "x"})
    ).code == 50001


async def test_an_answer_in_a_deleted_channel_is_refused(bench):
    interaction = bench.begin()
    bench.sandbox.world.delete_channel("games")

    assert (await bench.answer(interaction, HELLO)).code == 10003


async def test_an_update_of_a_deleted_message_is_refused(bench):
    sent = await bench.rest("POST", f"{bench.rest.games}/messages", {"content": "x"})
    source = bench.sandbox.world.messages[int(sent.body["id"])]
    interaction = bench.begin(InteractionType.COMPONENT, source)
    bench.sandbox.world.delete_message(source)

    reply = await bench.answer(interaction, {"type": 7, "data": {"content": "y"}})

    assert (reply.status, reply.code) == (404, 10008)


async def test_a_token_answers_only_its_own_interaction(bench):
    interaction, other = bench.begin(), bench.begin()

    reply = await bench.rest(
        "POST", f"/interactions/{other.id}/{interaction.token}/callback", HELLO
    )

    assert (reply.status, reply.code) == (404, 10062)


async def test_an_interaction_that_has_failed_can_no_longer_be_answered(bench):
    interaction = bench.begin()
    bench.sandbox.interactions.fail(interaction.token)

    assert (await bench.answer(interaction, HELLO)).code == 10062


async def test_autocomplete_has_no_follow_ups(bench):
    focused = {"type": 3, "name": "o", "value": "", "focused": True}
    interaction = bench.begin(InteractionType.AUTOCOMPLETE, options=[focused])
    await bench.answer(interaction, {"type": 8, "data": {"choices": []}})

    reply = await bench.webhook("POST", interaction, body={"content": "more"})

    assert (reply.status, reply.code) == (404, 10015)


async def test_the_follow_up_to_a_deleted_deferred_answer_is_a_new_message(bench):
    interaction = bench.begin()
    await bench.answer(interaction, {"type": 5})
    await bench.webhook("DELETE", interaction, "/messages/@original")

    reply = await bench.webhook("POST", interaction, body={"content": "more"})

    assert reply.status == 200
    assert [message.text for message in bench.ann.see("games")] == ["more"]
