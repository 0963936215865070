"""Sends interactions to the application's endpoint: signed POSTs, instead of by the gateway."""

import asyncio
import json
from typing import Final

import aiohttp
from nacl.signing import SigningKey

from sandbox.clock import Clock
from sandbox.errors import Json
from sandbox.faults import Faults
from sandbox.interactions import Interactions

PING: Final = 1
UNVERIFIED: Final = "The specified interactions endpoint url could not be verified."
TIMEOUT: Final = aiohttp.ClientTimeout(total=30.0)
"""In real time; the time that the bot has to answer runs on the sandbox's clock."""


class UnverifiedError(Exception):
    """The portal refuses a URL because it gave a wrong answer; the message has both statuses."""


class Endpoint:
    """POSTs interactions to the registered URLs.

    Several URLs are processes behind one proxy. It tries the next one if nobody listens, the
    connection breaks or the answer is 503, like the proxy of `docs/hosting/Caddyfile`. A request
    whose connection broke may have been carried out; then the application gets it twice.
    """

    def __init__(self, clock: Clock, faults: Faults, interactions: Interactions) -> None:
        self._clock = clock
        self._faults = faults
        self._interactions = interactions
        self._signing = SigningKey.generate()
        self._session: aiohttp.ClientSession | None = None
        self._posting: set[asyncio.Task[None]] = set()
        self._turn = 0
        self.urls: tuple[str, ...] = ()
        self.answers: list[tuple[str, int]] = []
        """Each URL that got an interaction, with the status of its answer; 0 if there was none."""

    @property
    def public_key(self) -> str:
        """The application's `verify_key`, 64 hexadecimal digits."""
        return self._signing.verify_key.encode().hex()

    def sign(self, body: bytes) -> dict[str, str]:
        """The headers that Discord sends with this body, its signature among them."""
        stamp = str(int(self._clock.now().timestamp()))
        signature = self._signing.sign(stamp.encode() + body).signature.hex()
        return {
            "Content-Type": "application/json",
            "X-Signature-Ed25519": signature,
            "X-Signature-Timestamp": stamp,
        }

    async def register(self, *urls: str) -> None:
        """Send interactions to these URLs in turn; without any, over the gateway again.

        Like Discord, sends each a PING and one with a wrong signature. Raises UnverifiedError
        unless it answers the first with a PONG and refuses the second with 401.
        """
        for url in urls:
            await self._verify(url)
        self.urls = urls

    async def _verify(self, url: str) -> None:
        body = json.dumps({"type": PING, "id": "1", "token": "", "version": 1}).encode()
        forged = SigningKey.generate().sign(body).signature.hex()
        checks: tuple[tuple[dict[str, str], int, Json | None], ...] = (
            (self.sign(body), 200, {"type": PING}),
            ({**self.sign(body), "X-Signature-Ed25519": forged}, 401, None),
        )
        for headers, expected, content in checks:
            status, said = await self.post(url, body, headers)
            if status != expected or (content is not None and said != content):
                raise UnverifiedError(f"{UNVERIFIED} {status} instead of {expected}")

    async def post(self, url: str, body: bytes, headers: dict[str, str]) -> tuple[int, object]:
        """POST to a URL; returns the status and the JSON of the answer, or its text if it has none.

        Raises TimeoutError or aiohttp.ClientError if there is no answer.
        """
        if self._session is None:
            connector = aiohttp.TCPConnector(force_close=True, limit=0)
            self._session = aiohttp.ClientSession(connector=connector, timeout=TIMEOUT)
        sending = self._session.post(url, data=body, headers=headers, allow_redirects=False)
        async with sending as answer:
            text = await answer.text()
            try:
                return answer.status, json.loads(text)
            except ValueError:
                return answer.status, text

    def deliver(self, payload: Json) -> None:
        """POST an interaction in the background; if no URL accepts it, it has failed."""
        task = asyncio.create_task(self._deliver(payload, self.urls))
        self._posting.add(task)
        task.add_done_callback(self._posting.discard)

    async def _deliver(self, payload: Json, urls: tuple[str, ...]) -> None:
        body = json.dumps(payload, separators=(",", ":")).encode()
        headers = self.sign(body)
        copies = 2 if self._faults.deliver_twice else 1
        taken = await asyncio.gather(*(self._try_urls(body, headers, urls) for _ in range(copies)))
        if not any(taken):
            self._interactions.fail(payload["token"])

    async def _try_urls(self, body: bytes, headers: dict[str, str], urls: tuple[str, ...]) -> bool:
        """Try the URLs, each time from another one on, until one answers; whether it accepted."""
        self._turn += 1
        first = self._turn % len(urls)
        for url in (*urls[first:], *urls[:first]):
            status, again = 0, False
            try:
                status, _ = await self.post(url, body, headers)
            except TimeoutError:
                pass  # the interaction has long expired
            except aiohttp.ClientError:
                again = True
            self.answers.append((url, status))
            if status != 503 and not again:
                break
        return status in (200, 202, 204)

    async def close(self) -> None:
        """Cancel all POSTs and close the session."""
        for task in tuple(self._posting):
            task.cancel()
        await asyncio.gather(*self._posting, return_exceptions=True)
        if self._session is not None:
            await self._session.close()
