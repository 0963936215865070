"""Answering interactions: the callback, and the webhook their token opens."""

from sandbox import callbacks
from sandbox.callbacks import DEFERRED_MESSAGE, MESSAGE, UPDATE
from sandbox.errors import Json
from sandbox.interactions import Interaction
from sandbox.rest.routing import NO_CONTENT, Reply, Request, Routes

routes = Routes()

WEBHOOK_PATH = "/webhooks/{application}/{token}"


@routes.add("POST", "/interactions/{interaction}/{token}/callback")
def callback(request: Request) -> Reply:
    interactions = request.services.interactions
    identity, token = request.identity("interaction"), request.parameters["token"]
    interaction = interactions.for_callback(identity, token)
    callbacks.respond(request.world, interaction, request.body, request.uploads)
    if request.query.get("with_response", "false").lower() not in ("true", "1"):
        return NO_CONTENT
    return Reply(_response(interaction))


def _response(interaction: Interaction) -> Json:
    """The body of an answer to `with_response=true`."""
    told: Json = {"id": str(interaction.id), "type": int(interaction.kind)}
    told["channel_id"] = str(interaction.channel.id)
    if interaction.guild is not None:
        told["guild_id"] = str(interaction.guild.id)
    response: Json = {"interaction": told}
    message = interaction.message
    if message is None:
        return response
    told["response_message_id"] = str(message.id)
    told["response_message_loading"] = interaction.callback == DEFERRED_MESSAGE
    told["response_message_ephemeral"] = message.ephemeral_to is not None
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
