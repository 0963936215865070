"""The slash commands that Discord has accepted."""

import json
from collections.abc import Mapping, Sequence
from typing import Final

from sqlalchemy import bindparam, select
from sqlalchemy.dialects.postgresql import insert as upsert

from bot.storage.repository import Repository
from bot.storage.schema import synced_commands

_OF_APPLICATION: Final = synced_commands.c.application == bindparam("application")
_FINGERPRINT: Final = select(synced_commands.c.fingerprint).where(_OF_APPLICATION)
_IDS: Final = select(synced_commands.c.ids).where(_OF_APPLICATION)

_APPLICATIONS: Final = select(synced_commands.c.application).order_by(synced_commands.c.application)

_SYNCED: Final = upsert(synced_commands)
_PUT_SYNCED: Final = _SYNCED.on_conflict_do_update(
    index_elements=["application"],
    set_={name: _SYNCED.excluded[name] for name in ("fingerprint", "ids")},
)


class CommandRepository(Repository):
    async def fingerprint(self, application: int) -> str | None:
        """The fingerprint of the commands last synced for this application, or None."""
        result = await self._connection.execute(_FINGERPRINT, {"application": application})
        return result.scalar_one_or_none()

    async def applications(self) -> Sequence[int]:
        """The applications whose commands were synced: the bots that have used this database."""
        return [row.application for row in await self._connection.execute(_APPLICATIONS)]

    async def ids(self, application: int) -> Mapping[str, int]:
        """Discord's ids of the slash commands by name; empty if not known."""
        result = await self._connection.execute(_IDS, {"application": application})
        text = result.scalar_one_or_none()
        return {} if text is None else json.loads(text)

    async def put_synced(
        self, application: int, fingerprint: str, ids: Mapping[str, int] | None = None
    ) -> None:
        """Store which commands Discord has accepted, and the ids it gave them; None if unknown."""
        values = {
            "application": application,
            "fingerprint": fingerprint,
            "ids": None if ids is None else json.dumps(dict(ids)),
        }
        await self._connection.execute(_PUT_SYNCED, values)
