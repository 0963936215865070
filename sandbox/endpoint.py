"""The application's interactions endpoint: signed POSTs in place of the gateway's event."""

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
"""Real time; how long the bot may take to answer is measured by the sandbox's clock."""


class UnverifiedError(Exception):
    """An address that the portal does not take, with what it answered."""


class Endpoint:
    """Where interactions go once an address is registered.

    Several addresses are processes behind one proxy, which tries the next where nobody listens, the
    connection breaks or the answer is 503, as `docs/hosting/Caddyfile` sets one up. What broke in
    the middle may have been carried out: then the application gets it a second time.
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
        """Each address that has been asked, with the status of its answer; 0 where none came."""

    @property
    def public_key(self) -> str:
        """The application's `verify_key`, 64 hexadecimal digits."""
        return self._signing.verify_key.encode().hex()

    def sign(self, body: bytes) -> dict[str, str]:
        """The headers that Discord sends with this body."""
        stamp = str(int(self._clock.now().timestamp()))
        signature = self._signing.sign(stamp.encode() + body).signature.hex()
        return {
            "Content-Type": "application/json",
            "X-Signature-Ed25519": signature,
            "X-Signature-Timestamp": stamp,
        }

    async def register(self, *urls: str) -> None:
        """Send interactions to these addresses, in turn; to none, by the gateway again.

        UnverifiedError unless each answers a PING and refuses one that is signed wrongly, as
        Discord tries on purpose.
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
        """Ask an address; the status and JSON of its answer, 0 where there is none."""
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
        """POST an interaction; where nobody takes it, it has failed."""
        task = asyncio.create_task(self._deliver(payload, self.urls))
        self._posting.add(task)
        task.add_done_callback(self._posting.discard)

    async def _deliver(self, payload: Json, urls: tuple[str, ...]) -> None:
        body = json.dumps(payload, separators=(",", ":")).encode()
        headers = self.sign(body)
        copies = 2 if self._faults.deliver_twice else 1
        taken = await asyncio.gather(*(self._hand_over(body, headers, urls) for _ in range(copies)))
        if not any(taken):
            self._interactions.fail(payload["token"])

    async def _hand_over(self, body: bytes, headers: dict[str, str], urls: tuple[str, ...]) -> bool:
        """Ask one address after the other, each time another first; whether one has taken it."""
        self._turn += 1
        first = self._turn % len(urls)
        for url in (*urls[first:], *urls[:first]):
            status, again = 0, False
            try:
                status, _ = await self.post(url, body, headers)
            except TimeoutError:
                pass  # it was too late long ago
            except aiohttp.ClientError:
                again = True
            self.answers.append((url, status))
            if status != 503 and not again:
                break
        return status in (200, 202, 204)

    async def close(self) -> None:
        """End what is under way."""
        for task in tuple(self._posting):
            task.cancel()
        await asyncio.gather(*self._posting, return_exceptions=True)
        if self._session is not None:
            await self._session.close()
