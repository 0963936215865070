"""Answers the gateway's Request Guild Members."""

from typing import Any

from sandbox.close_codes import CloseCode
from sandbox.dispatches import GUILD_MEMBERS_INTENT
from sandbox.errors import Json
from sandbox.world import World


def members_chunk(world: World, intents: int, data: Json) -> Json | int | None:
    """The data of GUILD_MEMBERS_CHUNK, or the code to close with; None in an outage."""
    guild = world.guilds.get(_integer(data.get("guild_id")))
    users, query = data.get("user_ids"), data.get("query")
    if users is not None and not isinstance(users, list):
        users = [users]
    if (users is None) == (query is None) or len(users or ()) > 100:
        return CloseCode.DECODE_ERROR
    limit = data.get("limit", 0)
    if users is None and not (query and 0 < limit <= 100):
        if not intents & GUILD_MEMBERS_INTENT:
            return CloseCode.DISALLOWED_INTENTS
        limit = 1000
    if guild is not None and guild.unavailable:
        return None
    members = {} if guild is None else guild.members
    found = _found(members, users, query, limit)
    known = {int(member["user"]["id"]) for member in found}
    chunk: Json = {
        "guild_id": str(data.get("guild_id")),
        "members": found,
        "chunk_index": 0,
        "chunk_count": 1,
        "not_found": [str(user) for user in users or () if _integer(user) not in known],
    }
    nonce = data.get("nonce")
    if isinstance(nonce, str) and len(nonce.encode()) <= 32:
        chunk["nonce"] = nonce
    return chunk


def _integer(value: object) -> int:
    return int(value) if isinstance(value, int) or str(value).isdigit() else 0  # type: ignore[call-overload]  # digits


def _found(
    members: dict[int, Any], users: list[Any] | None, query: str | None, limit: int
) -> list[Json]:
    if users is not None:
        return [members[_integer(user)].wire() for user in users if _integer(user) in members]
    names = (m for m in members.values() if m.user.name.lower().startswith((query or "").lower()))
    return [member.wire() for member in names][:limit]
