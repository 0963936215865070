"""Answers to interactions: the callback, and the webhook of their token."""

from typing import Any

from sandbox import callbacks
from sandbox.callbacks import DEFERRED_MESSAGE, MESSAGE, UPDATE
from sandbox.errors import Json, refusal
from sandbox.interactions import Interaction
from sandbox.messages import Flag
from sandbox.rest.routing import NO_CONTENT, Reply, Request, Routes

routes = Routes()

WEBHOOK_PATH = "/webhooks/{application}/{token}"


@routes.add("POST", "/interactions/{interaction}/{token}/callback")
def callback(request: Request) -> Reply:
    interactions = request.services.interactions
    identity, token = request.identity("interaction"), request.parameters["token"]
    interaction = interactions.for_callback(identity, token)
    _check_lock(request, interaction, private=_is_private(interaction, request.body))
    callbacks.respond(request.world, interaction, request.body, request.uploads)
    if request.query.get("with_response", "false").lower() not in ("true", "1"):
        return NO_CONTENT
    return Reply(_response(interaction))


def _check_lock(request: Request, interaction: Interaction, *, private: bool) -> None:
    """Refuse a public answer in a locked thread if `Faults.locked_answers` says so."""
    code = request.services.faults.locked_answers
    locked = request.world.locks_out(request.world.bot.id, interaction.channel)
    if code is not None and locked and not private:
        raise refusal(code)


def _is_private(interaction: Interaction, body: Any) -> bool:  # noqa: ANN401 - JSON
    """Whether a first response changes nothing that others see."""
    kind = body.get("type") if isinstance(body, dict) else None
    if kind == UPDATE:
        return interaction.source is not None and interaction.source.ephemeral_to is not None
    return kind not in (MESSAGE, DEFERRED_MESSAGE) or _is_ephemeral(body.get("data"))


def _is_ephemeral(body: Any) -> bool:  # noqa: ANN401 - JSON
    flags = body.get("flags") if isinstance(body, dict) else 0
    return isinstance(flags, int) and bool(flags & Flag.EPHEMERAL)


def _response(interaction: Interaction) -> Json:
    """The body that answers a callback with `with_response=true`."""
    fields: Json = {"id": str(interaction.id), "type": int(interaction.kind)}
    fields["channel_id"] = str(interaction.channel.id)
    if interaction.guild is not None:
        fields["guild_id"] = str(interaction.guild.id)
    response: Json = {"interaction": fields}
    message = interaction.message
    if message is None:
        return response
    fields["response_message_id"] = str(message.id)
    fields["response_message_loading"] = interaction.callback == DEFERRED_MESSAGE
    fields["response_message_ephemeral"] = message.ephemeral_to is not None
    if interaction.callback in (MESSAGE, UPDATE, DEFERRED_MESSAGE):
        kind = MESSAGE if interaction.callback != UPDATE else UPDATE
        response["resource"] = {"type": kind, "message": message.wire()}
    return response


def _interaction(request: Request) -> Interaction:
    application, token = request.identity("application"), request.parameters["token"]
    return request.services.interactions.for_webhook(application, token)


@routes.add("POST", WEBHOOK_PATH)
def follow_up(request: Request) -> Reply:
    interaction = _interaction(request)
    _check_lock(request, interaction, private=_is_ephemeral(request.body))
    message = callbacks.follow_up(request.world, interaction, request.body, request.uploads)
    return Reply(message.wire())


@routes.add("GET", f"{WEBHOOK_PATH}/messages/@original")
@routes.add("GET", f"{WEBHOOK_PATH}/messages/{{message}}")
def get_message(request: Request) -> Reply:
    which = request.parameters.get("message", "@original")
    return Reply(callbacks.find_message(request.world, _interaction(request), which).wire())


@routes.add("PATCH", f"{WEBHOOK_PATH}/messages/@original")
@routes.add("PATCH", f"{WEBHOOK_PATH}/messages/{{message}}")
def edit_message(request: Request) -> Reply:
    interaction = _interaction(request)
    which = request.parameters.get("message", "@original")
    message = callbacks.find_message(request.world, interaction, which)
    _check_lock(request, interaction, private=message.ephemeral_to is not None)
    callbacks.edit_message(request.world, interaction, message, request.body, request.uploads)
    return Reply(message.wire())


@routes.add("DELETE", f"{WEBHOOK_PATH}/messages/@original")
@routes.add("DELETE", f"{WEBHOOK_PATH}/messages/{{message}}")
def delete_message(request: Request) -> Reply:
    interaction = _interaction(request)
    which = request.parameters.get("message", "@original")
    message = callbacks.find_message(request.world, interaction, which)
    callbacks.delete_message(request.world, interaction, message)
    return NO_CONTENT
