"""The application itself, its emojis, and the URL of the gateway."""

import base64
import binascii
import re
from typing import Final

from sandbox.cdn import dimensions
from sandbox.emojis import EMOJI_NAME, MAX_EMOJI_BYTES, MAX_EMOJIS, Emoji
from sandbox.errors import Json, Problems, invalid, refusal
from sandbox.forms import Form
from sandbox.permissions import BOT_PERMISSIONS
from sandbox.rest.routing import NO_CONTENT, Reply, Request, Routes

routes = Routes()

IMAGE_DATA: Final = re.compile(r"data:(image/(?:png|jpeg|gif|webp|avif));base64,(.+)", re.DOTALL)


@routes.add("GET", "/gateway")
def gateway(request: Request) -> Reply:
    return Reply({"url": request.services.gateway_url})


@routes.add("GET", "/gateway/bot")
def gateway_bot(request: Request) -> Reply:
    url, shards = request.services.gateway_url, request.services.shards
    limit = request.services.gateway_limits.wire()
    return Reply({"url": url, "shards": shards, "session_start_limit": limit})


@routes.add("GET", "/applications/@me")
@routes.add("GET", "/oauth2/applications/@me")
def application(request: Request) -> Reply:
    world, endpoint = request.world, request.services.endpoint
    return Reply(
        {
            "id": str(world.bot.id),
            "name": world.bot.name,
            "icon": None,
            "description": "",
            "type": None,
            "bot": world.bot.wire(),
            "bot_public": True,
            "bot_require_code_grant": False,
            "integration_types_config": {
                "0": _link("bot", "applications.commands", permissions=BOT_PERMISSIONS),
                "1": _link("applications.commands"),
            },
            "verify_key": endpoint.public_key,
            "flags": 0,
            "flags_new": "0",
            "redirect_uris": [],
            "interactions_endpoint_url": next(iter(endpoint.urls), None),
            "role_connections_verification_url": None,
            "owner": world.guild.owner.wire(),
            "approximate_guild_count": len(world.bot_guilds()),
            "approximate_user_install_count": len(world.user_installs),
            "approximate_user_authorization_count": 0,
            "event_webhooks_url": None,
            "event_webhooks_status": 1,
            "explicit_content_filter": 0,
            "team": None,
            "eligible_oauth2_scopes": [],
        }
    )


def _link(*scopes: str, permissions: int = 0) -> Json:
    """The parameters of Discord's own install link, in `integration_types_config`."""
    params = {"scopes": list(scopes), "permissions": str(int(permissions))}
    return {"oauth2_install_params": params}


def check_application(request: Request) -> None:
    """Check that the application in the path is the bot's; raises 50001 otherwise."""
    if request.identity("application") != request.world.bot.id:
        raise refusal(50001)


def _emoji(request: Request) -> Emoji:
    check_application(request)
    emoji = request.world.emojis.get(request.identity("emoji"))
    if emoji is None:
        raise refusal(10014)
    return emoji


@routes.add("GET", "/applications/{application}/emojis")
def emojis(request: Request) -> Reply:
    check_application(request)
    return Reply({"items": [emoji.wire() for emoji in request.world.emojis.values()]})


@routes.add("POST", "/applications/{application}/emojis")
def create_emoji(request: Request) -> Reply:
    check_application(request)
    world = request.world
    problems = Problems()
    form = Form(request.body, (), problems)
    name = _name(form, world.emojis)
    content_type, image = _image(form)
    problems.check()
    if len(world.emojis) >= MAX_EMOJIS:
        raise refusal(30008)
    emoji = Emoji(
        id=world.ids.next(),
        name=name,
        animated=content_type == "image/gif",
        creator=world.bot,
        image=image,
        content_type=content_type,
    )
    world.emojis[emoji.id] = emoji
    world.emit("emojis_changed", emoji)
    return Reply(emoji.wire(), 201)


@routes.add("GET", "/applications/{application}/emojis/{emoji}")
def get_emoji(request: Request) -> Reply:
    return Reply(_emoji(request).wire())


@routes.add("PATCH", "/applications/{application}/emojis/{emoji}")
def rename_emoji(request: Request) -> Reply:
    old = _emoji(request)
    problems = Problems()
    others = {key: emoji for key, emoji in request.world.emojis.items() if emoji is not old}
    name = _name(Form(request.body, (), problems), others)
    problems.check()
    emoji = Emoji(old.id, name, old.animated, old.creator, old.image, old.content_type)
    request.world.emojis[old.id] = emoji
    request.world.emit("emojis_changed", emoji)
    return Reply(emoji.wire())


@routes.add("DELETE", "/applications/{application}/emojis/{emoji}")
def delete_emoji(request: Request) -> Reply:
    emoji = _emoji(request)
    del request.world.emojis[emoji.id]
    request.world.emit("emojis_changed", emoji)
    return NO_CONTENT


def _name(form: Form, others: dict[int, Emoji]) -> str:
    name = form.text("name", 32, low=2, required=True) or ""
    if name and not EMOJI_NAME.fullmatch(name):
        message = "String value did not match validation regex."
        form.note("name", "STRING_TYPE_REGEX", message)
    elif any(emoji.name == name for emoji in others.values()):
        message = "This emoji name is already taken"
        form.note("name", "APPLICATION_EMOJI_NAME_ALREADY_TAKEN", message)
    return name


def _image(form: Form) -> tuple[str, bytes]:
    text = form.text("image", 10_000_000, low=1, required=True)
    if text is None:
        return "", b""
    match = IMAGE_DATA.fullmatch(text)
    try:
        data = base64.b64decode(match[2], validate=True) if match else b""
    except binascii.Error:
        data = b""
    if match is None or dimensions(data, match[1]) is None:
        form.note("image", "BASE64_TYPE_INVALID", "Invalid image data")
        return "", b""
    if len(data) > MAX_EMOJI_BYTES:
        raise invalid(("image",), "BINARY_TYPE_MAX_SIZE", "File cannot be larger than 256.0 kb.")
    return match[1], data
