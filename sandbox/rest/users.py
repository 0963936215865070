"""Users, and opening direct messages with them."""

from datetime import timedelta
from typing import Final

from sandbox.errors import Problems, refusal
from sandbox.forms import Form
from sandbox.rest.routing import Reply, Request, Routes

routes = Routes()

OPENING_WINDOW: Final = timedelta(minutes=10)


@routes.add("GET", "/users/@me")
def me(request: Request) -> Reply:
    private = {
        "mfa_enabled": True,
        "locale": "en-US",
        "premium_type": 0,
        "email": None,
        "verified": True,
    }
    return Reply(request.world.bot.wire() | private)


@routes.add("GET", "/users/{user}")
def user(request: Request) -> Reply:
    found = request.world.users.get(request.identity("user"))
    if found is None:
        raise refusal(10013)
    return Reply(found.wire())


@routes.add("POST", "/users/@me/channels")
def open_direct_messages(request: Request) -> Reply:
    world = request.world
    problems = Problems()
    recipient = Form(request.body, (), problems).snowflake("recipient_id", required=True)
    problems.check()
    found = world.users.get(recipient or 0)
    if found is None or found is world.bot:
        raise refusal(50033)
    if found.id not in world.direct:
        _check_opening_limits(request)
        world.direct_opened_at.append(world.clock.now())
    return Reply(world.open_direct(found).wire())


def _check_opening_limits(request: Request) -> None:
    if request.services.faults.quarantined:
        raise refusal(20026)
    limit = request.services.faults.new_direct_messages
    now = request.world.clock.now()
    recent = [moment for moment in request.world.direct_opened_at if now - moment < OPENING_WINDOW]
    if limit is not None and len(recent) >= limit:
        raise refusal(40003)
