"""The slash commands that Discord has from us."""

from sqlalchemy import select
from sqlalchemy.dialects.sqlite import insert as upsert

from bot.storage.repository import Repository
from bot.storage.schema import synced_commands


class CommandRepository(Repository):
    async def fingerprint(self, application: int) -> str | None:
        """The fingerprint of the commands that were last sent for this application, if any."""
        query = select(synced_commands.c.fingerprint).where(
            synced_commands.c.application == application
        )
        return (await self._connection.execute(query)).scalar_one_or_none()

    async def put_fingerprint(self, application: int, fingerprint: str) -> None:
        await self._connection.execute(
            upsert(synced_commands)
            .values(application=application, fingerprint=fingerprint)
            .on_conflict_do_update(
                index_elements=["application"], set_={"fingerprint": fingerprint}
            )
        )
