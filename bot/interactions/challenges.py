"""Starts matches: a command becomes a challenge at a table, if it can be played here."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any, Final

import aiohttp
import discord

from bot.errors import (
    ChallengeError,
    MaybeSavedError,
    NotAllowedHereError,
    NotUndoneError,
    SavedError,
    StorageUnavailableError,
)
from bot.guilds.bans import Bans
from bot.interactions.command_options import NOBODY
from bot.interactions.playability import Playability
from bot.live.replies import Replies
from bot.live.table_replies import TableReplies
from bot.matches import Challenge, Matches, PublicSnapshot
from bot.matches.challenge import must_be_able_to_answer
from bot.matches.levels import usual_level
from bot.matches.limits import NOT_CHALLENGED
from bot.matches.proposal import Proposal
from bot.matches.time_off import Vacations, time_control_of
from bot.messaging.content import MessageContent
from bot.messaging.delivery import Delivery
from bot.messaging.failures import UndeliveredError, UnpostedError
from bot.messaging.first_answer import FirstAnswer
from bot.messaging.installs import server_of
from bot.messaging.permissions import can_see_it
from bot.messaging.request_pace import RequestPace
from bot.rendering.challenge_form import ChallengeForm, computer_form
from bot.rendering.phrases import mention
from bot.rendering.vacations import opponents_away
from bot.scheduling.activity import Activity
from bot.settings.people import Person
from bot.storage import MatchId, TimeControl
from bot.storage.guilds import GuildRecord
from bot.text import listed
from games import GAMES

UNCLEAR: Final = "Discord isn't telling me who that is right now. Try again in a minute."
ALONE: Final = (
    "Here you can only play the computer: leave out the other players. To play people, use this "
    "in a server that has me."
)
NO_CLOCK: Final = "There's no clock outside a server: leave out `pace`."
NO_COMPUTER: Final = "No computer plays this variant, and here there's nobody else. Choose another."


class ChallengeCommands:
    def __init__(  # noqa: PLR0913 - what `bot/services.py` has
        self,
        *,
        matches: Matches,
        bans: Bans,
        tables: TableReplies,
        replies: Replies,
        playability: Playability,
        activity: Activity,
        pace: RequestPace,
        vacations: Vacations,
        delivery: Delivery,
    ) -> None:
        self._vacations = vacations
        self._delivery = delivery
        self._pace = pace
        self._matches = matches
        self._bans = bans
        self._activity = activity
        self._tables = tables
        self._replies = replies
        self._playability = playability

    async def challenge(self, interaction: discord.Interaction[Any], proposal: Proposal) -> None:
        """Post a challenge as the answer to this command; MatchError if it can't be made.

        Outside servers that have the bot, a solo match against computers starts instead.
        """
        proposal, server = _with_computer_for_us(proposal, interaction), server_of(interaction)
        if server is None:
            await self._play_solo(interaction, proposal)
            return
        if any(isinstance(person, discord.User) for person in proposal.opponents):
            raise ChallengeError(NOBODY)
        for person in self._bans.among([person.id for person in proposal.opponents]):
            raise ChallengeError(NOT_CHALLENGED.format(person))  # a block isn't revealed either
        settings = await self._playability.settings_to_play(interaction, server, proposal.game)
        pace = time_control_of(settings, proposal.time_control, may_differ=proposal.pressed)
        proposal = replace(proposal, tap=_tap(settings, proposal))
        challenge = _challenge(interaction, proposal, pace, server)
        _must_be_seen_by(proposal.opponents, interaction)
        snapshot = (await self._matches.open(challenge)).public()
        self._activity.note(snapshot.match, interaction.user.id)
        async with self._shown_or_undone(snapshot.match, interaction):
            await (self._tables.post if snapshot.status == "open" else self._tables.begin)(
                snapshot, interaction
            )
        with suppress(StorageUnavailableError):  # the challenge is posted, and others see it
            await self._tell_of_vacations(interaction, snapshot)

    async def _tell_of_vacations(
        self, interaction: discord.Interaction[Any], snapshot: PublicSnapshot
    ) -> None:
        """Tell only the challenger which of the invited people are on vacation."""
        invited = [info.user for info in snapshot.seats if not info.accepted]
        if not invited:
            return
        absent = await self._vacations.public_vacations(invited, snapshot.guild or 0)
        if absent:
            note = MessageContent(head=opponents_away(snapshot, absent))
            await self._delivery.add_note(interaction, note)

    @asynccontextmanager
    async def _shown_or_undone(
        self, match: MatchId, interaction: discord.Interaction[Any]
    ) -> AsyncIterator[None]:
        """Undo what was just opened if it can't be shown, and raise UnpostedError.

        It would keep people from trying again. If it can be seen after all, because only Discord's
        answer was lost, a click on it says that it was withdrawn.
        """
        try:
            yield
        except UndeliveredError as error:
            await self._undo(match)
            raise UnpostedError(error.failure) from error
        except discord.HTTPException:
            await self._undo(match)
            raise
        except StorageUnavailableError as error:  # what to show could not be read
            if FirstAnswer.of(interaction).has_message:
                raise SavedError(str(error)) from error
            await self._undo(match)
            raise

    async def _undo(self, match: MatchId) -> None:
        """Undo what was just opened; NotUndoneError if that can't be stored."""
        try:
            await self._matches.undo(match)
        except MaybeSavedError:  # nobody knows whether it was undone
            raise
        except StorageUnavailableError as error:
            raise NotUndoneError(str(error)) from error

    async def first_match(
        self, interaction: discord.Interaction[Any], game: str
    ) -> ChallengeForm | None:
        """A form for a match against the easiest computer; None if no match can start here."""
        server = server_of(interaction)
        if server is not None:
            try:
                await self._playability.settings_to_play(interaction, server, game)
            except NotAllowedHereError:
                return None
        return computer_form(game, is_new=True)

    async def from_form(self, interaction: discord.Interaction[Any], form: ChallengeForm) -> None:
        """Post the challenge of a form, whose button has only the opponent's id.

        HurriedError for the second of two taps on a button that starts a match at once. A second
        challenge to the same person is refused anyway.
        """
        guild = interaction.guild
        opponents = () if form.level else (await self._member(guild, form.opponent),)
        await self.challenge(interaction, form.proposal(*opponents))

    async def _play_solo(self, interaction: discord.Interaction[Any], proposal: Proposal) -> None:
        user, solo = interaction.user.id, _challenge(interaction, _as_solo(proposal), "none")
        snapshot = (await self._matches.open(solo)).snapshot_of(user)
        async with self._shown_or_undone(snapshot.match, interaction):
            await self._replies.show_here(snapshot, interaction)

    async def _member(self, guild: discord.Guild | None, person: int) -> discord.Member:
        """This person as a member of the server; ChallengeError if they aren't, or it's unclear."""
        if guild is None:
            raise ChallengeError(NOBODY)
        await self._pace.turn()
        try:
            return await guild.fetch_member(person)
        except discord.NotFound:
            raise ChallengeError(NOBODY) from None
        except (discord.DiscordException, aiohttp.ClientError, OSError):
            raise ChallengeError(UNCLEAR) from None


def _with_computer_for_us(proposal: Proposal, interaction: discord.Interaction[Any]) -> Proposal:
    """The proposal with a computer instead of the bot itself, if that is named as an opponent."""
    us = interaction.client.user
    others = tuple(p for p in proposal.opponents if us is None or p.id != us.id)
    if others == proposal.opponents:
        return proposal
    level = usual_level(proposal.game, proposal.options, proposal.seats)
    if level is None:
        return proposal
    if proposal.computer is not None:
        raise ChallengeError("You named me and chose a computer too. Leave one of them out.")
    return replace(proposal, opponents=others, computer=level)


def _as_solo(proposal: Proposal) -> Proposal:
    """The proposal with computers in all other seats; ChallengeError if it needs a server."""
    if proposal.opponents:
        raise ChallengeError(ALONE)
    if proposal.time_control not in {None, "none"} and not proposal.pressed:
        raise ChallengeError(NO_CLOCK)
    level = proposal.computer or usual_level(proposal.game, proposal.options, proposal.seats)
    if level is None:
        raise ChallengeError(NO_COMPUTER)
    return replace(proposal, computer=level, tap=False, rated=False)


def _must_be_seen_by(people: Iterable[Person], interaction: discord.Interaction[Any]) -> None:
    """NotAllowedHereError if one of these people can't see this: Discord wouldn't notify them."""
    members = (person for person in people if isinstance(person, discord.Member))
    unseeing = [mention(one.id) for one in members if not can_see_it(one, interaction)]
    if unseeing:
        raise NotAllowedHereError(
            f"{listed(unseeing)} can't read this channel, so they'd never know. Challenge them in "
            "a channel they can read."
        )


def _tap(settings: GuildRecord, proposal: Proposal) -> bool:
    """Whether hands are buttons at the table, by default as the server has chosen."""
    usual = settings.tap is None or settings.tap
    tap = usual if proposal.tap is None else proposal.tap
    return tap and GAMES[proposal.game].hands_are_public


def _challenge(
    interaction: discord.Interaction[Any],
    proposal: Proposal,
    time_control: TimeControl,
    server: int | None = None,
) -> Challenge:
    """The proposal as a challenge, with all that settings decide; without a server, a solo match.

    ChallengeError if one of the opponents can't answer it, or if the players don't fit the seats.
    """
    for person in proposal.opponents:
        must_be_able_to_answer(person, interaction.user.id)
    return Challenge(
        interaction=interaction.id,
        game=proposal.game,
        options=proposal.options,
        guild=server,
        channel=None if server is None else interaction.channel_id or 0,
        opener=interaction.user.id,
        opponents=tuple(person.id for person in proposal.opponents),
        wanted=proposal.seats,
        time_control=time_control,
        tap=bool(proposal.tap),
        rated=proposal.rated,
        computers=proposal.computers,
        pressed=proposal.pressed,
    )
