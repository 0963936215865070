"""The slash commands that Discord has from us."""

import json
from collections.abc import Mapping

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert as upsert

from bot.storage.repository import Repository
from bot.storage.schema import synced_commands


class CommandRepository(Repository):
    async def fingerprint(self, application: int) -> str | None:
        """The fingerprint of the commands that were last sent for this application, if any."""
        query = select(synced_commands.c.fingerprint).where(
            synced_commands.c.application == application
        )
        return (await self._connection.execute(query)).scalar_one_or_none()

    async def ids(self, application: int) -> Mapping[str, int]:
        """The ids of the slash commands by their names; none where they are not known."""
        query = select(synced_commands.c.ids).where(synced_commands.c.application == application)
        found = (await self._connection.execute(query)).scalar_one_or_none()
        return {} if found is None else json.loads(found)

    async def put_synced(
        self, application: int, fingerprint: str, ids: Mapping[str, int] | None = None
    ) -> None:
        """Note which commands Discord has taken, and the ids it gave them."""
        row = {"fingerprint": fingerprint, "ids": None if ids is None else json.dumps(dict(ids))}
        await self._connection.execute(
            upsert(synced_commands)
            .values(application=application, **row)
            .on_conflict_do_update(index_elements=["application"], set_=row)
        )
