"""Announces seasons, at once if that works, and otherwise by the clock.

The channel for the announcement is stored with the season's start. So neither a crash in between
nor trouble at Discord loses it: the clock posts it with the same nonce, and so only once if the bot
is back within minutes.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any, Final

import discord
import structlog

from bot.errors import NotAllowedHereError, StorageUnavailableError
from bot.messaging.channels import connected_server
from bot.messaging.content import MessageContent
from bot.messaging.delivery import Delivery
from bot.messaging.failures import PASSING_FAILURES, Failure, UndeliveredError
from bot.messaging.permissions import must_be_able_to_play
from bot.rendering.seasons import MAX_FIRSTS, started_content
from bot.scheduling.retries import TROUBLE_PAUSE_SECONDS, NamesUnknownError, Retries
from bot.stats.leaderboards import Leaderboards, Overview, Query
from bot.stats.seasons import Seasons, Started
from bot.storage import Storage
from bot.storage.seasons import LEFT_SECONDS, SeasonRecord, Unannounced

log = structlog.get_logger()

NEWS: Final = timedelta(days=1)
"""How long after its start a season is still announced."""

PATIENCE: Final = timedelta(hours=1)
"""How long after its start an announcement waits until Discord says who it may name."""

NAMES_PAUSE_SECONDS: Final = 30
"""Seconds until Discord is asked again who an announcement may name."""


class SeasonAnnouncements:
    def __init__(
        self,
        client: discord.Client,
        storage: Storage,
        delivery: Delivery,
        seasons: Seasons,
        leaderboards: Leaderboards,
        *,
        now: Callable[[], float],
    ) -> None:
        self._client = client
        self._storage = storage
        self._delivery = delivery
        self._now = now
        self._seasons = seasons
        self._leaderboards = leaderboards
        self._retries = Retries(now)
        self._put_off: dict[int, int] = {}
        """When to try again to announce a season (Unix time), by its id."""

        self._unnoted: set[int] = set()
        """The seasons that were announced though that couldn't be stored."""

    async def announce(self, interaction: discord.Interaction[Any], started: Started) -> None:
        """Announce a season in the channel where it was started; if that's refused, as the answer.

        The clock announces it later if Discord doesn't say in time who may be named, and if it has
        other trouble (UndeliveredError). It isn't tried as an answer then: an answer has no nonce,
        and one whose response is lost may have been posted. Where the clock would be refused, which
        has no answer to fall back on, nothing waits for names.
        """
        channel = interaction.channel_id
        assert channel is not None
        standings = await self._standings(interaction.guild_id or 0, started)
        if _may_name_more(standings) and _may_post(interaction):
            return
        content = started_content(started.season, started.before, standings)
        try:
            await self._post(channel, started.season, content)
        except UndeliveredError as error:
            if error.failure is Failure.TROUBLE:
                raise
            await self._delivery.answer_publicly(interaction, content)
            await self.note_announced(started.season)

    async def _post(self, channel: int, season: SeasonRecord, content: MessageContent) -> None:
        """Send it and store that it was, before an edit adds the names, which aren't essential."""
        arrived = await self._delivery.send(channel, content, f"season.{season.id}")
        await self.note_announced(season)
        await self._delivery.show_mentioned_names(arrived, content)

    async def _standings(self, guild: int, started: Started) -> Overview | None:
        """Those of the season before; None if there was none, or if they can't be read just now."""
        if started.before is None:
            return None
        query = Query(period=f"s{started.before.id}")  # no result changes them anymore
        with suppress(StorageUnavailableError):
            return await self._leaderboards.overview(guild, query, 0, top=MAX_FIRSTS)
        return None

    async def note_announced(self, season: SeasonRecord) -> None:
        """Store that a season was announced; if that fails now, the clock does it later."""
        self._unnoted.add(season.id)
        with suppress(StorageUnavailableError):
            await self._note(season)

    async def _note(self, season: SeasonRecord) -> None:
        await self._seasons.note_announced(season)
        self._unnoted.discard(season.id)

    async def look(self) -> float | None:
        """Announce the pending seasons in servers that this process is connected to.

        Returns when the next one is due (Unix time), as far as that is known.
        """
        waiting = await self._seasons.unannounced()
        self._put_off = {
            season.id: at for season in waiting if (at := self._put_off.get(season.id))
        }
        here = [
            season for season in waiting if connected_server(self._client, season.guild) is not None
        ]
        for season in here:
            if self._due_at(season) <= self._now():
                await self._announce(season)
        moments = map(self._due_at, here)
        return min((moment for moment in moments if moment > self._now()), default=None)

    def _due_at(self, season: Unannounced) -> float:
        # A later moment is from before the clock was set back, and long past.
        now, put_off = self._now(), self._put_off.get(season.id, 0)
        left = season.due_at if season.started_at <= now else 0
        return max(left, put_off if put_off <= now + TROUBLE_PAUSE_SECONDS else 0)

    async def _announce(self, waiting: Unannounced) -> None:
        """Announce a season; drop it if Discord refuses, or if it isn't news anymore.

        If Discord only has trouble, it's tried again.
        """
        await self._storage.must_write()
        started, begun = await self._seasons.started(waiting.guild, waiting.id), self._now()
        if started is None:
            return  # its server was forgotten
        is_old = begun - waiting.started_at >= NEWS.total_seconds()
        if is_old or started.season.ended_at is not None or waiting.id in self._unnoted:
            await self._note(started.season)
            return
        try:
            content = await self._content(waiting, started)
            await self._post(waiting.announce_in, started.season, content)
        except NamesUnknownError:
            log.info("season waits for names", server=waiting.guild)
            self._put_off[waiting.id] = int(self._now()) + NAMES_PAUSE_SECONDS
        except UndeliveredError as error:
            log.warning("season not announced", server=waiting.guild, why=error.failure.name)
            if error.failure in PASSING_FAILURES:
                first = begun - LEFT_SECONDS  # `announce` may have tried it then
                self._put_off[waiting.id] = self._retries.after(waiting.id, first, error.failure)
            else:
                await self._note(started.season)
        except StorageUnavailableError:
            raise
        except Exception:  # it would fail again, and other servers are to get theirs
            log.exception("season not announced", server=waiting.guild)
            await self._note(started.season)

    async def _content(self, waiting: Unannounced, started: Started) -> MessageContent:
        """The announcement; NamesUnknownError if it's to wait until more people can be named."""
        standings = await self._standings(waiting.guild, started)
        is_recent = 0 <= self._now() - waiting.started_at < PATIENCE.total_seconds()
        if is_recent and _may_name_more(standings):
            raise NamesUnknownError
        return started_content(started.season, started.before, standings)


def _may_post(interaction: discord.Interaction[Any]) -> bool:
    """Whether the bot has in this channel what it needs there for matches, as far as it's known."""
    try:
        must_be_able_to_play(interaction)
    except NotAllowedHereError:
        return False
    return True


def _may_name_more(standings: Overview | None) -> bool:
    """Whether an announcement would leave out who came first: it's unknown who has left."""
    return standings is not None and bool(standings.lines) and not standings.complete
