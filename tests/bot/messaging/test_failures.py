"""Every error of Discord has a meaning: by its code, or otherwise by its status."""

import json
from types import SimpleNamespace

import aiohttp
import discord
import pytest

from bot.messaging.failures import (
    Failure,
    UndeliveredError,
    failure_of,
    retrying_lost,
    translating_discord_errors,
)
from bot.telemetry.refused_requests import RequestsStoppedError
from tests.support.failing import fail


def refusal(status, code=0):
    response = SimpleNamespace(status=status, reason="No")
    kind = {403: discord.Forbidden, 404: discord.NotFound}.get(status, discord.HTTPException)
    return kind(response, {"code": code, "message": "No"})


@pytest.mark.parametrize(
    ("status", "code", "failure"),
    [
        (400, 20009, Failure.PICTURE),
        (400, 40004, Failure.DISABLED),
        (400, 40006, Failure.DISABLED),
        (400, 50083, Failure.ARCHIVED),
        (400, 160007, Failure.FORBIDDEN),
        (400, 200000, Failure.BLOCKED),
        (400, 240000, Failure.BLOCKED),
        (401, 50027, Failure.EXPIRED),
        (403, 40333, Failure.TROUBLE),
        (403, 50001, Failure.NOWHERE),
        (403, 50007, Failure.CLOSED),
        (403, 50009, Failure.FORBIDDEN),
        (403, 50013, Failure.FORBIDDEN),
        (403, 50278, Failure.CLOSED),
        (403, 400001, Failure.PICTURE),
        (404, 10003, Failure.NOWHERE),
        (404, 10008, Failure.GONE),
        (429, 30046, Failure.OLD),
    ],
)
def test_a_documented_error_code_has_its_meaning(status, code, failure):
    assert failure_of(refusal(status, code)) is failure


@pytest.mark.parametrize(
    ("status", "failure"),
    [
        (401, Failure.FORBIDDEN),
        (403, Failure.FORBIDDEN),
        (404, Failure.GONE),
        (413, Failure.PICTURE),
        (429, Failure.TROUBLE),
        (500, Failure.TROUBLE),
        (503, Failure.TROUBLE),
    ],
)
@pytest.mark.parametrize("code", [0, 999999])
def test_an_unknown_error_code_is_judged_by_its_status(status, code, failure):
    assert failure_of(refusal(status, code)) is failure


def test_a_request_refused_as_malformed_is_our_bug():
    with pytest.raises(discord.HTTPException), translating_discord_errors():
        raise refusal(400, 50035)


@pytest.mark.parametrize(
    ("direct", "failure"), [(True, Failure.REFUSED), (False, Failure.FORBIDDEN)]
)
def test_a_forbidden_direct_message_may_be_about_the_person_or_the_bot(direct, failure):
    with pytest.raises(UndeliveredError) as caught, translating_discord_errors(direct=direct):
        fail(refusal(403, 999999))

    assert caught.value.failure is failure


@pytest.mark.parametrize("error", [aiohttp.ClientError(), ConnectionResetError(), TimeoutError()])
def test_a_network_failure_is_trouble(error):
    with pytest.raises(UndeliveredError) as caught, translating_discord_errors():
        fail(error)

    assert caught.value.failure is Failure.TROUBLE


def test_a_json_response_that_cannot_be_parsed_is_trouble():
    with pytest.raises(UndeliveredError) as failed, translating_discord_errors():
        json.loads("<html>")

    assert failed.value.failure is Failure.TROUBLE


async def tried(error):
    """How often a request that always fails with this error is made."""
    tries = []

    async def request():
        tries.append(error)
        with translating_discord_errors():
            raise error

    with pytest.raises(UndeliveredError):
        await retrying_lost(request)
    return len(tries)


@pytest.mark.parametrize("error", [refusal(503), aiohttp.ClientError(), ConnectionResetError()])
async def test_a_request_that_may_have_arrived_is_repeated_once(error):
    assert await tried(error) == 2


@pytest.mark.parametrize(
    "error",
    [
        refusal(500),  # the library has repeated it
        refusal(429),
        refusal(403, 50013),
        TimeoutError(),  # minutes later
        RequestsStoppedError(),
    ],
    ids=["repeated", "limited", "refused", "late", "stopped"],
)
async def test_a_request_that_was_refused_limited_or_late_is_not_repeated(error):
    assert await tried(error) == 1
