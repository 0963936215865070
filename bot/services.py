"""Everything that cogs and the client use, built once from the settings in one function."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial

import discord

from bot.cluster.share import Share
from bot.computers.coach import Coach
from bot.computers.pool import InPlace, Pool
from bot.config import Settings, Support
from bot.guilds.bans import Bans
from bot.guilds.lifecycle import GuildLifecycle
from bot.guilds.reports import Reports
from bot.interactions.absentees import Absentees
from bot.interactions.challenges import ChallengeCommands
from bot.interactions.flood_control import FloodControl
from bot.interactions.match_access import MatchAccess
from bot.interactions.router import Router
from bot.interactions.typed_moves import TypedMoves
from bot.lessons.progress import Progress
from bot.live.edit_turns import EditTurns
from bot.live.edited import WORDS_FIRST_SECONDS
from bot.live.live import DETAIL_SECONDS, Live
from bot.live.replies import Replies
from bot.live.solo import SoloReplies
from bot.live.table_replies import TableReplies
from bot.live.threads import Threads
from bot.live.tools import Tools
from bot.matches import Matches
from bot.matches.agreements import Agreements
from bot.matches.archive import MatchArchive
from bot.matches.nudges import Nudges
from bot.matches.pauses import Pauses
from bot.matches.rematches import Rematches
from bot.matches.reopenings import Reopenings
from bot.matches.replays import Runner
from bot.matches.returns import Returns
from bot.matches.signals import Signals
from bot.matches.time_off import Vacations
from bot.matches.timeouts import Timeouts
from bot.matches.watching import Watching
from bot.messaging.command_ids import CommandIds
from bot.messaging.delivery import Delivery
from bot.messaging.direct_messages import DirectMessages
from bot.messaging.files import FileDelivery
from bot.messaging.first_answer import DEFER_AFTER_SECONDS
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
from bot.scheduling.computer_moves import DELAY, ComputerMoves
from bot.scheduling.deadlines import Deadlines
from bot.scheduling.notices import Notices
from bot.scheduling.posts import DigestKind, PuzzleKind, ServerPosts
from bot.scheduling.upkeep import Upkeep
from bot.settings.blocks import Blocks
from bot.settings.guilds import GuildSettings
from bot.settings.notices import NoticeSettings
from bot.settings.preferences import Preferences
from bot.sharing.results import Results
from bot.sharing.shares import Shares
from bot.stats.computer_ladder import ComputerLadders
from bot.stats.digests import Digests
from bot.stats.leaderboards import Leaderboards
from bot.stats.match_history import MatchHistories
from bot.stats.profiles import Profiles
from bot.stats.seasons import Seasons
from bot.stats.visibility import Visibility
from bot.storage import Storage


@dataclass(frozen=True, slots=True, kw_only=True)
class Processes:
    """What computes beside the event loop; without processes it computes in place."""

    pictures: PictureCache
    replays: Runner = field(default_factory=InPlace)
    verifier: Runner = field(default_factory=InPlace)
    computers: Pool = field(default_factory=InPlace)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pacing:
    """By how much the bot holds itself back; tests take others, or let time pass more quickly."""

    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    """How it is waited for that the next channel of direct messages may be opened."""

    between_openings: float = OPENING_PAUSE
    """Seconds between two channels of direct messages that are opened."""

    detail: float = DETAIL_SECONDS
    """Seconds until a detail is shown that the next change may show too."""

    computer: float = DELAY
    """Seconds until a computer moves where people look on."""

    words_first: float = WORDS_FIRST_SECONDS
    """Seconds that a message waits for its picture, until its words go first."""

    defer: float = DEFER_AFTER_SECONDS
    """Seconds until somebody who waits for an answer is told that it takes a moment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """One of each; what a service needs of others it was given when it was made."""

    storage: Storage
    presentations: Presentations
    matches: Matches
    agreements: Agreements
    rematches: Rematches
    pauses: Pauses
    vacations: Vacations
    reopenings: Reopenings
    archive: MatchArchive
    signals: Signals
    watching: Watching
    guild_settings: GuildSettings
    preferences: Preferences
    blocks: Blocks
    command_ids: CommandIds
    delivery: Delivery
    direct_messages: DirectMessages
    server_names: ServerNames
    leaderboards: Leaderboards
    computer_ladders: ComputerLadders
    profiles: Profiles
    match_histories: MatchHistories
    seasons: Seasons
    progress: Progress
    visibility: Visibility
    puzzles: Puzzles
    puzzle_posts: ServerPosts
    digests: Digests
    digest_posts: ServerPosts
    coach: Coach
    results: Results
    shares: Shares
    live: Live
    table_replies: TableReplies
    replies: Replies
    guild_lifecycle: GuildLifecycle
    reports: Reports
    bans: Bans
    data_export: DataExport
    erasure: Erasure
    computer_moves: ComputerMoves
    nudges: Nudges
    notice_settings: NoticeSettings
    deadlines: Deadlines
    flood_control: FloodControl
    router: Router
    access: MatchAccess
    absentees: Absentees
    challenges: ChallengeCommands
    typed_moves: TypedMoves

    async def close(self) -> None:
        """End what runs by itself; what was answered by then is in the database."""
        await self.deadlines.close()
        await self.computer_moves.close()
        await self.puzzle_posts.close()
        await self.digest_posts.close()
        await self.router.close()
        await self.direct_messages.stop()
        await self.guild_lifecycle.close()
        await self.live.close()
        await self.delivery.pictures.close()


def build(  # noqa: PLR0913 - what one bot is made of
    client: discord.Client,
    settings: Settings,
    storage: Storage,
    processes: Processes,
    *,
    pacing: Pacing,
    now: Callable[[], float],
    share: Share,
) -> Services:
    """All services of one bot, the simpler first; of one process, if it has only a share."""
    presentations = Presentations()
    returns = Returns(settings.discord_token.get_secret_value().encode())
    matches = Matches(storage, now=now, returns=returns)
    pauses = Pauses(storage, now=now)
    timeouts = Timeouts(storage, now=now)
    guild_settings = GuildSettings(storage)
    preferences = Preferences(storage, share)
    membership = Membership(client, now=now)
    leaderboards = Leaderboards(storage, membership, now=now)
    pace = RequestPace(processes=lambda: share.processes)
    command_ids = CommandIds(client, storage)
    delivery = Delivery(client, processes.pictures, preferences, command_ids, pace)
    direct_messages = DirectMessages(
        storage,
        delivery,
        hands=settings.hands_by_direct_message,
        pace=OpeningPace(
            most_per_hour=settings.most_openings,
            pause=pacing.between_openings,
            processes=lambda: share.processes,
            sleep=pacing.sleep,
        ),
        now=now,
    )
    progress = Progress(storage)
    coach = Coach(storage, processes.computers, presentations.moment, now=now)
    archive = MatchArchive(storage, processes.replays, processes.verifier, now=now)
    sent = SentMessages(client, pace)
    tools = Tools(
        storage=storage,
        delivery=delivery,
        sent=sent,
        direct_messages=direct_messages,
        presentations=presentations,
        progress=progress,
        now=now,
        threads=Threads(client, storage, delivery, guild_settings, presentations, now),
        turns=EditTurns(RequestPace(processes=lambda: share.processes)),
        words_first=pacing.words_first,
    )
    live = Live(matches, pauses, tools, detail=pacing.detail, share=share)
    notice_settings = NoticeSettings(storage, now=now)
    solo = SoloReplies(live, delivery)
    table_replies = TableReplies(live, delivery, presentations)
    replies = Replies(live, table_replies, solo, delivery, direct_messages)
    guild_lifecycle = GuildLifecycle(
        storage,
        pauses,
        live,
        channels=delivery.channels,
        now=now,
    )
    support = Support(
        channel=settings.report_channel,
        url=settings.support_url,
        privacy=settings.privacy_url,
        terms=settings.terms_url,
    )
    reports = Reports(delivery, support, now)
    bans = Bans(settings.banned or (), settings.support_url)
    data_export = DataExport(
        storage=storage,
        delivery=delivery,
        direct_messages=direct_messages,
        files=FileDelivery(client, pace),
        policy_url=settings.privacy_url,
        returns=returns,
        now=now,
    )
    flood_control = FloodControl(settings.most_clicks, now)
    activity = Activity(now=now)
    vacations = Vacations(storage, now=now)
    access = MatchAccess(storage, delivery.archived)
    absentees = Absentees(storage, matches, membership, live, bans, now=now, share=share)
    notices = Notices(tools, matches=matches, live=live, membership=membership, activity=activity)
    puzzles = Puzzles(storage, membership, now=now)
    puzzle_posts = ServerPosts(client, tools, PuzzleKind(presentations, puzzles))
    digests = Digests(storage, membership, now=now)
    digest_posts = ServerPosts(client, tools, DigestKind(digests, now=now))
    agreements = Agreements(storage, processes.replays, now=now, returns=returns)
    reopenings = Reopenings(storage, processes.replays, now=now, returns=returns)
    memories = (
        agreements,
        reopenings,
        preferences,
        flood_control,
        activity,
        access,
        reports,
        membership,
        data_export,
        coach,
        archive,
        direct_messages,
    )
    erasure = Erasure(
        storage=storage,
        matches=matches,
        live=live,
        delivery=delivery,
        memories=memories,
        now=now,
        share=share,
    )
    return Services(
        storage=storage,
        presentations=presentations,
        matches=matches,
        agreements=agreements,
        rematches=Rematches(storage, now=now, returns=returns),
        pauses=pauses,
        vacations=vacations,
        reopenings=reopenings,
        archive=archive,
        signals=Signals(storage),
        watching=Watching(storage),
        guild_settings=guild_settings,
        preferences=preferences,
        blocks=Blocks(storage, unblock_former=returns.unblock),
        command_ids=command_ids,
        delivery=delivery,
        direct_messages=direct_messages,
        server_names=ServerNames(client, pace, guild_settings.left),
        leaderboards=leaderboards,
        computer_ladders=ComputerLadders(storage, leaderboards, membership),
        profiles=Profiles(storage),
        match_histories=MatchHistories(storage),
        seasons=Seasons(storage, now=now),
        progress=progress,
        visibility=Visibility(storage),
        puzzles=puzzles,
        puzzle_posts=puzzle_posts,
        digests=digests,
        digest_posts=digest_posts,
        coach=coach,
        results=Results(storage, archive, coach),
        shares=Shares(client, storage, delivery, membership, sent, now=now),
        live=live,
        table_replies=table_replies,
        replies=replies,
        guild_lifecycle=guild_lifecycle,
        reports=reports,
        bans=bans,
        data_export=data_export,
        erasure=erasure,
        computer_moves=ComputerMoves(
            storage, matches, live, processes.computers, delay=pacing.computer
        ),
        nudges=Nudges(storage, now=now, returns=returns),
        notice_settings=notice_settings,
        deadlines=Deadlines(
            storage=storage,
            timeouts=timeouts,
            notices=notices,
            live=live,
            upkeep=(
                partial(guild_lifecycle.forget_guilds, partial(_is_in, client, share)),
                live.keep_threads_open,
                partial(notices.standing.forget_old, share.owns),
                puzzles.note_presence,
                puzzle_posts.look,
                digest_posts.look,
                erasure.wipe,
                absentees.look,
            ),
            forget_old=Upkeep(storage, live.slots, now=now).forget_old,
            now=now,
            share=share,
        ),
        flood_control=flood_control,
        access=access,
        absentees=absentees,
        router=Router(
            flood_control,
            bans,
            must_reach=access.must_reach,
            acted=activity.note,
            too_late=replies.outdated,
            defer_after=pacing.defer,
        ),
        challenges=ChallengeCommands(
            matches=matches,
            bans=bans,
            tables=table_replies,
            replies=replies,
            servers=guild_settings,
            activity=activity,
            pace=pace,
            vacations=vacations,
            delivery=delivery,
        ),
        typed_moves=TypedMoves(storage, matches, live, replies),
    )


def _is_in(client: discord.Client, share: Share, guild: int) -> bool | None:
    """Whether the bot is in a server; None where another process, or nobody yet, is told that."""
    if not share.owns(guild) or not client.is_ready():
        return None
    return client.get_guild(guild) is not None
