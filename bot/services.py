"""Everything that cogs and the client use, built once from the settings in one function."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from bot.cluster.share import Share
from bot.computers.coach import Coach
from bot.computers.pool import Pool, SynchronousPool
from bot.config import Settings, Support
from bot.guilds.bans import Bans
from bot.guilds.lifecycle import SETTLING_SECONDS, GuildLifecycle
from bot.guilds.reports import Reports
from bot.interactions.absentees import Absentees
from bot.interactions.challenges import ChallengeCommands
from bot.interactions.flood_control import FloodControl
from bot.interactions.listed_challenges import ListedChallenges
from bot.interactions.match_access import MatchAccess
from bot.interactions.playability import Playability
from bot.interactions.result_sharing import ResultSharing
from bot.interactions.router import Router
from bot.interactions.typed_moves import TypedMoves
from bot.lessons.progress import Progress
from bot.live.edit_turns import WINDOW_SECONDS, EditTurns
from bot.live.edited import WORDS_FIRST_SECONDS
from bot.live.live import DETAIL_SECONDS, Live
from bot.live.repairs import Repairs
from bot.live.replies import Replies
from bot.live.slot_services import SlotServices
from bot.live.table_replies import TableReplies
from bot.live.threads import Threads
from bot.matches import Matches
from bot.matches.agreements import Agreements
from bot.matches.archive import MatchArchive
from bot.matches.forced_moves import ForcedMoves
from bot.matches.moderation import Moderation
from bot.matches.nudges import Nudges
from bot.matches.pauses import Pauses
from bot.matches.rematches import Rematches
from bot.matches.reopenings import Reopenings
from bot.matches.replays import Runner
from bot.matches.returns import Returns
from bot.matches.signals import Signals
from bot.matches.time_off import Vacations
from bot.matches.watching import Watching
from bot.messaging.command_ids import CommandIds
from bot.messaging.delivery import Delivery
from bot.messaging.direct_messages import DirectMessages
from bot.messaging.first_answer import DEFER_AFTER_SECONDS
from bot.messaging.leased_bot import LeasedBot
from bot.messaging.membership import Membership
from bot.messaging.openings import OPENING_PAUSE, OpeningPace
from bot.messaging.picture_cache import PictureCache
from bot.messaging.request_pace import RequestPace
from bot.messaging.sent import SentMessages
from bot.messaging.server_names import ServerNames
from bot.privacy.erasure import Erasure
from bot.privacy.export import DataExport
from bot.puzzles.answers import Puzzles
from bot.rendering.presentation import Presentations
from bot.scheduling.activity import Activity
from bot.scheduling.computer_moves import MOVE_DELAY_SECONDS, ComputerMoves
from bot.scheduling.deadlines import Deadlines
from bot.scheduling.due_matches import DueMatches
from bot.scheduling.every_minute import every_minute
from bot.scheduling.expiry import Expiry
from bot.scheduling.file_rewriting import FileRewriting
from bot.scheduling.notice_sender import NoticeSender
from bot.scheduling.notices import Notices
from bot.scheduling.posts import DigestKind, PuzzleKind, ServerPosts
from bot.scheduling.season_announcements import SeasonAnnouncements
from bot.scheduling.sent_notices import SentNotices
from bot.settings.blocks import Blocks
from bot.settings.guilds import GuildSettings
from bot.settings.notices import NoticeSettings
from bot.settings.preferences import Preferences
from bot.sharing.puzzles import PuzzleShares
from bot.sharing.results import Results
from bot.sharing.shares import Shares
from bot.stats.digests import Digests
from bot.stats.leaderboards import Leaderboards
from bot.stats.match_history import MatchHistories
from bot.stats.profiles import Profiles
from bot.stats.seasons import Seasons
from bot.stats.visibility import Visibility
from bot.storage import Storage


@dataclass(frozen=True, slots=True, kw_only=True)
class Processes:
    """Processes for work outside the event loop; by default the work runs inside it."""

    pictures: PictureCache
    replays: Runner = field(default_factory=SynchronousPool)
    verifier: Runner = field(default_factory=SynchronousPool)
    computers: Pool = field(default_factory=SynchronousPool)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pacing:
    """How long the bot waits before some of its work; tests use shorter times or another clock."""

    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    """Waits until the next direct message channel can be opened."""

    between_openings: float = OPENING_PAUSE
    """Seconds between opening two direct message channels."""

    detail: float = DETAIL_SECONDS
    """Seconds until a detail is shown, as the next change may show it too."""

    computer: float = MOVE_DELAY_SECONDS
    """Seconds until a computer moves, if no person owes a move, so that people can follow."""

    words_first: float = WORDS_FIRST_SECONDS
    """Seconds that a message waits for its picture before it's shown in words."""

    edits: float = WINDOW_SECONDS
    """Seconds of the window in which Discord takes only a few edits of a channel."""

    settling: float = SETTLING_SECONDS
    """Seconds that a channel has to stay hidden before its matches are paused."""

    defer: float = DEFER_AFTER_SECONDS
    """Seconds after which an interaction that isn't answered yet is deferred."""


class Services:
    """One instance of each service, the simpler ones first; nothing is assigned afterwards."""

    def __init__(  # noqa: PLR0913, PLR0915 - what one bot is made of
        self,
        client: LeasedBot,
        settings: Settings,
        storage: Storage,
        processes: Processes,
        *,
        pacing: Pacing,
        now: Callable[[], float],
        share: Share,
    ) -> None:
        returns = Returns(settings.discord_token.get_secret_value().encode())
        pace = RequestPace(processes=lambda: share.processes)
        membership = Membership(client, now=now)
        self.storage: Final = storage
        self.share: Final = share
        self.activity: Final = Activity(now=now)
        self.presentations: Final[Presentations] = {}
        self.guild_settings: Final = GuildSettings(storage)
        self.preferences: Final = Preferences(storage, share, now=now)
        self.notice_settings: Final = NoticeSettings(storage, now=now)
        self.blocks: Final = Blocks(storage, unblock_former=returns.unblock)
        self.progress: Final = Progress(storage)
        self.bans: Final = Bans(settings.banned or (), settings.support_url)
        self.flood_control: Final = FloodControl(settings.most_clicks, now)

        self.matches: Final = Matches(storage, now=now, returns=returns)
        self.agreements: Final = Agreements(storage, processes.replays, now=now, returns=returns)
        self.reopenings: Final = Reopenings(storage, processes.replays, now=now, returns=returns)
        self.rematches: Final = Rematches(storage, now=now, returns=returns)
        self.nudges: Final = Nudges(storage, now=now, returns=returns)
        self.pauses: Final = Pauses(storage, now=now)
        self.moderation: Final = Moderation(storage, now=now)
        self.vacations: Final = Vacations(storage, now=now)
        self.signals: Final = Signals(storage)
        self.watching: Final = Watching(storage)
        self.archive: Final = MatchArchive(storage, processes.replays, processes.verifier, now=now)
        self.coach: Final = Coach(
            storage,
            processes.computers,
            lambda game, view: self.presentations[game].moment(view),
            now=now,
        )

        self.seasons: Final = Seasons(storage, now=now)
        self.leaderboards: Final = Leaderboards(storage, self.seasons, membership, now=now)
        self.profiles: Final = Profiles(storage)
        self.match_histories: Final = MatchHistories(storage)
        self.visibility: Final = Visibility(storage)
        self.puzzles: Final = Puzzles(storage, membership, now=now)
        self.digests: Final = Digests(storage, membership, now=now)

        self.command_ids: Final = CommandIds(client, storage)
        self.server_names: Final = ServerNames(client, pace, self.guild_settings.left)
        self.delivery: Final = Delivery(
            client, processes.pictures, self.preferences, self.command_ids, pace
        )
        self.direct_messages: Final = DirectMessages(
            storage,
            self.delivery,
            hands=settings.hands_by_direct_message,
            pace=OpeningPace(
                most_per_hour=settings.most_openings,
                pause=pacing.between_openings,
                processes=lambda: share.processes,
                sleep=pacing.sleep,
            ),
            now=now,
        )
        sent = SentMessages(client, pace)
        self.result_sharing: Final = ResultSharing(
            Results(storage, self.archive, self.coach),
            Shares(client, storage, self.delivery, membership, sent, now=now),
            self.delivery,
            self.presentations,
        )
        self.puzzle_shares: Final = PuzzleShares(client, storage, self.delivery, sent, now=now)
        support = Support(
            channel=settings.report_channel,
            url=settings.support_url,
            privacy=settings.privacy_url,
            terms=settings.terms_url,
        )
        self.reports: Final = Reports(self.delivery, support, now)

        slot_services = SlotServices(
            storage=storage,
            delivery=self.delivery,
            sent=sent,
            direct_messages=self.direct_messages,
            presentations=self.presentations,
            progress=self.progress,
            now=now,
            threads=Threads(
                client, storage, self.delivery, self.guild_settings, self.presentations, now
            ),
            turns=EditTurns(RequestPace(processes=lambda: share.processes), window=pacing.edits),
            share=share,
            words_first=pacing.words_first,
        )
        self.live: Final = Live(self.matches, self.pauses, slot_services, detail=pacing.detail)
        self.repairs: Final = Repairs(storage, self.live)
        self.forced_moves: Final = ForcedMoves(storage, self.live.note_changed, now=now)
        self.table_replies: Final = TableReplies(self.live, self.delivery, self.presentations)
        self.replies: Final = Replies(
            self.live, self.table_replies, self.delivery, self.direct_messages
        )
        self.access: Final = MatchAccess(storage, self.delivery.channels, now=now)
        self.playability: Final = Playability(storage, self.guild_settings, self.delivery.channels)
        self.router: Final = Router(
            self.flood_control,
            self.bans,
            access=self.access,
            activity=self.activity,
            replies=self.replies,
            defer_after=pacing.defer,
        )
        self.challenges: Final = ChallengeCommands(
            matches=self.matches,
            bans=self.bans,
            tables=self.table_replies,
            replies=self.replies,
            playability=self.playability,
            activity=self.activity,
            pace=pace,
            vacations=self.vacations,
            delivery=self.delivery,
        )
        self.typed_moves: Final = TypedMoves(storage, self.matches, self.live, self.replies)
        self.computer_moves: Final = ComputerMoves(
            storage, self.matches, self.live, processes.computers, delay=pacing.computer
        )

        self.guild_lifecycle: Final = GuildLifecycle(
            storage,
            self.pauses,
            self.live,
            channels=self.delivery.channels,
            now=now,
            settling=pacing.settling,
        )
        self.data_export: Final = DataExport(
            storage=storage,
            delivery=self.delivery,
            direct_messages=self.direct_messages,
            returns=returns,
            now=now,
        )
        self.erasure: Final = Erasure(
            storage=storage,
            live=self.live,
            delivery=self.delivery,
            memories=(
                self.preferences,
                self.activity,
                self.access,
                membership,
                self.coach,
                self.direct_messages,
                self.puzzles,
            ),
            returns=returns,
            now=now,
            share=share,
        )
        self.absentees: Final = Absentees(
            storage, self.matches, membership, self.live, self.bans, now=now, share=share
        )
        self.listed_challenges: Final = ListedChallenges(
            self.matches, self.live, self.absentees, self.playability
        )
        self.puzzle_posts: Final = ServerPosts(
            client,
            storage,
            self.delivery,
            PuzzleKind(self.presentations, self.puzzles, now=now),
            now=now,
        )
        self.digest_posts: Final = ServerPosts(
            client, storage, self.delivery, DigestKind(self.digests, now=now), now=now
        )
        self.season_announcements: Final = SeasonAnnouncements(
            client, storage, self.delivery, self.seasons, self.leaderboards, now=now
        )
        sender = NoticeSender(
            storage=storage,
            delivery=self.delivery,
            direct_messages=self.direct_messages,
            presentations=self.presentations,
            live=self.live,
            membership=membership,
            now=now,
        )
        self.notices: Final = Notices(
            storage=storage,
            matches=self.matches,
            sender=sender,
            sent=SentNotices(storage, self.delivery, self.matches, now=now),
            activity=self.activity,
            returns=returns,
            now=now,
        )
        is_in = partial(_is_in, client, share)
        self.deadlines: Final = Deadlines(
            storage=storage,
            due=DueMatches(storage, self.live, now=now),
            notices=self.notices,
            live=self.live,
            upkeep=(
                every_minute(partial(self.guild_lifecycle.forget_guilds, is_in), now),
                every_minute(self.live.keep_threads_open, now),
                partial(self.notices.sent.forget_old, share.owns),
                self.puzzles.note_presence,
                self.puzzle_posts.look,
                self.digest_posts.look,
                self.season_announcements.look,
                self.erasure.wipe,
                every_minute(FileRewriting(storage, self.activity, now=now).look, now),
                self.absentees.look,
            ),
            forget_old=every_minute(Expiry(storage, self.live.slots, now=now).forget_old, now),
            now=now,
            share=share,
        )

    async def close(self) -> None:
        """Stop everything that runs in the background; all that was answered is in the database."""
        await self.deadlines.close()
        await self.computer_moves.close()
        await self.puzzle_posts.close()
        await self.digest_posts.close()
        await self.router.close()
        await self.direct_messages.close()
        await self.guild_lifecycle.close()
        await self.repairs.close()
        await self.live.close()
        await self.delivery.pictures.close()


def _is_in(client: LeasedBot, share: Share, guild: int) -> bool | None:
    """Whether the bot is in a server; None if this process can't know that, or not yet."""
    if not share.owns(guild) or not client.is_ready() or not client.would_know(guild):
        return None
    return client.get_guild(guild) is not None
