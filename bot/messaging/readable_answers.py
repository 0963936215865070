"""Checks Discord's answers before discord.py reads them; others are errors of the network.

discord.py relies on what the documentation promises: for an answer of another shape (a proxy's
page, a missing field, a list instead of an object), a request ends in a KeyError or TypeError, as
for a bug of ours. A global rate limit without its duration would even block all later requests:
they wait for the one that met it.
"""

from typing import Any, Final

import aiohttp
import discord
import discord.http
import discord.webhook.async_

LIMITED: Final = 429
REFUSED: Final = 400

NOTHING: Final = 204
"""The status of an answer without a body."""

MESSAGE: Final = frozenset(
    {
        "attachments",
        "author",
        "content",
        "edited_timestamp",
        "embeds",
        "id",
        "mention_everyone",
        "pinned",
        "tts",
        "type",
    }
)
"""Fields that discord.py requires of each message."""

_read = discord.http.json_or_text


class UnreadableAnswerError(aiohttp.ClientError):
    """An answer doesn't tell what has become of the request."""


async def readable(response: aiohttp.ClientResponse) -> Any:  # noqa: ANN401 - as Discord sends it
    """The body of an answer, parsed if it's JSON; UnreadableAnswerError if parts are missing."""
    answer: Any = await _read(response)
    if response.status == LIMITED:
        return _rate_limit(response, answer)
    if response.status >= REFUSED:
        return _refusal(response, answer)
    if response.status != NOTHING and not _is_whole(response, answer):
        raise UnreadableAnswerError("an answer of a strange shape")
    return answer


# discord.py has no setting for it; these are the names by which it reads all answers.
discord.http.json_or_text = readable
discord.webhook.async_.json_or_text = readable  # type: ignore[attr-defined]  # imported there


def _rate_limit(response: aiohttp.ClientResponse, answer: Any) -> Any:  # noqa: ANN401 - as above
    """A 429's body with its `retry_after`; HTTPException without one, as for Cloudflare's."""
    if not response.headers.get("Via"):
        return _refusal(response, answer)
    if isinstance(answer, dict) and _is_duration(answer.get("retry_after")):
        return answer
    try:
        wait = float(response.headers.get("Retry-After", ""))
    except ValueError:
        raise discord.HTTPException(response, _refusal(response, answer)) from None
    return {"retry_after": max(0.0, wait)}


def _is_duration(seconds: object) -> bool:
    return isinstance(seconds, int | float) and seconds >= 0


def _refusal(response: aiohttp.ClientResponse, answer: Any) -> Any:  # noqa: ANN401 - as above
    """The body of a refusal, reduced to what discord.py can make an error of."""
    code = answer.get("code", 0) if isinstance(answer, dict) else 0
    try:
        discord.HTTPException(response, answer)
    except (AttributeError, LookupError, TypeError, ValueError):
        answer = {"code": code, "message": ""}
    return answer if isinstance(code, int) else {"code": 0, "message": str(code)}


def _is_whole(response: aiohttp.ClientResponse, answer: Any) -> bool:  # noqa: ANN401 - as above
    """Whether an answer has all that discord.py requires of it."""
    parts = response.url.path.strip("/").split("/")
    if parts[-1] == "callback":
        return _is_callback(answer)
    if response.method == "GET" and parts[-1] == "messages":
        return isinstance(answer, list)
    if response.method == "POST" and parts[-1] in {"channels", "threads"}:
        return isinstance(answer, dict) and "id" in answer
    if "messages" in parts or "webhooks" in parts:
        return _is_message(answer)
    return isinstance(answer, dict | list)


def _is_callback(answer: Any) -> bool:  # noqa: ANN401 - as above
    if not isinstance(answer, dict) or not isinstance(answer.get("interaction"), dict):
        return False
    resource = answer.get("resource")
    if resource is None:
        return "id" in answer["interaction"]
    if not isinstance(resource, dict) or "type" not in resource:
        return False
    return "message" not in resource or _is_message(resource["message"])


def _is_message(answer: Any) -> bool:  # noqa: ANN401 - as above
    return isinstance(answer, dict) and answer.keys() >= MESSAGE
