"""Answers commands and clicks that fail: the person always gets a sentence."""

import secrets
from contextlib import suppress
from typing import Any, Final

import discord
import structlog
from discord import app_commands

from bot.errors import (
    CorruptRecordError,
    MatchError,
    MaybeSavedError,
    NotUndoneError,
    SavedError,
    StorageUnavailableError,
)
from bot.interactions.command_options import NOBODY
from bot.messaging.content import Layout, MessageContent
from bot.messaging.events import loggable
from bot.messaging.failures import (
    PASSING_FAILURES,
    Failure,
    UndeliveredError,
    UnpostedError,
    UnsharedError,
    translating_discord_errors,
)
from bot.messaging.first_answer import Deferral, FirstAnswer
from games import IllegalMoveError

log = structlog.get_logger()

UNSAVED: Final = (
    "I can't reach my records right now, so that didn't work. Everything saved before is safe. "
    "Try again in a few minutes."
)
SAVED: Final = (
    "I can't reach my records right now, so I can't show you this. What you did is saved, so "
    "there's no need to do it again."
)
MAYBE_SAVED: Final = (
    "I lost touch with my records, so I can't tell whether that worked. Before you try again, look "
    "at what it would have changed; `/games` has all your matches and challenges."
)
STANDING: Final = (
    "I couldn't post this, and I can't reach my records to take it back, so it stands. `/games` "
    "lists it; you can also withdraw a challenge there."
)
DAMAGED: Final = (
    "My records are damaged, so that didn't work. Please tell the bot's owner; they can go back to "
    "a backup."
)
CORRUPT: Final = (
    "This match's record is damaged, so it can't continue. Nothing else is affected. Please tell "
    "the bot's owner."
)
UNSHOWN: Final = (
    "Discord is having trouble, so I can't show you this. Anything you did is saved; try again in "
    "a minute."
)
ALL_SAVED: Final = "Anything you did is saved."
UNPOSTED: Final = (
    "Discord is having trouble, so I can't post this, and nothing has begun. Try again in a minute."
)
UNSHARED: Final = "Discord is having trouble, so I can't share this. Try again in a minute."
ARCHIVED: Final = (
    "This thread is archived, so I can't change this message. Send a message in the thread, then "
    "try again."
)
CHANGED: Final = "This command has changed. Reload Discord and try it again."
RESTARTING: Final = "I'm restarting, so I couldn't finish this. Try again in a minute."


async def answer_error(interaction: discord.Interaction[Any], error: BaseException) -> None:
    """Tell the person what was refused, and log errors that aren't their doing."""
    if isinstance(error, app_commands.CommandInvokeError):
        error = error.original
    match error:
        case MatchError() | IllegalMoveError():
            await _say(interaction, str(error))
        case app_commands.AppCommandError() if (
            sentence := _sentence_for_library(error)
        ) is not None:
            await _say(interaction, sentence)
        case UndeliveredError():
            await _note_undelivered(interaction, error)
        case SavedError():
            await _say(interaction, SAVED)
        case MaybeSavedError():
            await _say(interaction, MAYBE_SAVED)
        case NotUndoneError():
            await _say(interaction, STANDING)
        case StorageUnavailableError(is_damaged=is_damaged):
            await _say(interaction, DAMAGED if is_damaged else UNSAVED)
        case CorruptRecordError():
            log.error("corrupt record", interaction=interaction.id, problem=str(error))
            await _say(interaction, CORRUPT)
        case _:
            await _apologize(interaction, error)


async def answer_unread(interaction: discord.Interaction[Any], error: Exception) -> None:
    """The same for a command of an unknown type, or with unknown options.

    Autocomplete gets no list. The error's text may quote what somebody has chosen, so it isn't
    logged.
    """
    log.error("command not understood", interaction=interaction.id, **loggable(error))
    if interaction.type is not discord.InteractionType.autocomplete:
        await _say(interaction, CHANGED)


async def _note_undelivered(interaction: discord.Interaction[Any], error: UndeliveredError) -> None:
    """Log that an answer did not arrive; tell the person if they wait for it, or for its files."""
    failure = error.failure
    match failure:
        case Failure.EXPIRED:
            # Delivered twice, or too slow: the act is stored, and the table shows it in a moment.
            log.info("answer too late", interaction=interaction.id)
        case Failure.PICTURE:
            log.warning("files refused", interaction=interaction.id)
            await _say(
                interaction,
                (
                    "Discord won't take files here right now. Try again in our direct messages, "
                    "or later."
                ),
            )
        case Failure.ARCHIVED:
            log.info("answer in archived thread", interaction=interaction.id)
            await _say(interaction, ARCHIVED)
        case _:
            log.warning("answer not delivered", interaction=interaction.id, why=failure.name)
            # The trouble may be over by now, and a refusal may be about what the answer says or
            # shows.
            if _is_waiting(interaction, failure) or _heard_nothing(interaction, failure):
                await _say(interaction, _sentence_for_undelivered(error))


def _sentence_for_undelivered(error: UndeliveredError) -> str:
    """The sentence about what did not arrive, and whether it has to be done again."""
    passes, why = error.failure in PASSING_FAILURES, error.failure.value
    match error:
        case UnpostedError():
            return UNPOSTED if passes else f"I can't post this: {why}. Nothing has begun."
        case UnsharedError():
            return UNSHARED if passes else f"I can't share this: {why}."
        case _:
            return UNSHOWN if passes else f"I can't show you this: {why}. {ALL_SAVED}"


def _is_waiting(interaction: discord.Interaction[Any], failure: Failure | None = None) -> bool:
    """Whether the person was told to wait and hasn't dismissed the message that says so."""
    answer = FirstAnswer.of(interaction)
    return answer.is_thinking_shown or (answer.shows_progress and failure is not Failure.GONE)


def _heard_nothing(interaction: discord.Interaction[Any], failure: Failure) -> bool:
    """Whether an interaction looks as if it had done nothing; not if its message is gone.

    One that was only acknowledged does, although what it asked for may be done.
    """
    if not interaction.response.is_done():
        return True
    return not FirstAnswer.of(interaction).is_seen and failure is not Failure.GONE


def _sentence_for_library(error: app_commands.AppCommandError) -> str | None:
    """The sentence for an error that discord.py raised before our code ran; None if unexpected."""
    match error:
        case app_commands.NoPrivateMessage():
            return "This command only works in a server that has me."
        case app_commands.CheckFailure():
            return "You can't use this command here."
        case app_commands.TransformerError():
            return NOBODY
        case app_commands.CommandNotFound() | app_commands.CommandSignatureMismatch():
            return CHANGED
        case _:
            return None


async def _apologize(interaction: discord.Interaction[Any], error: BaseException) -> None:
    """Log a bug of ours with a number that the person can report."""
    number = secrets.token_hex(4)
    log.error("bug", number=number, interaction=interaction.id, exc_info=error)
    where = interaction.client.services.reports.where_to_report()
    await _say(
        interaction,
        "Something went wrong on my end. Nothing you did is lost, so try again. If it happens "
        f"again, {where} the number `{number}`.",
    )


async def give_up(interaction: discord.Interaction[Any]) -> None:
    """Tell somebody who was told to wait that no answer will come: the bot is ending."""
    if _is_waiting(interaction):
        await _say(interaction, RESTARTING)


async def _say(interaction: discord.Interaction[Any], sentence: str) -> None:
    """Send this person a private sentence, replacing a progress message."""
    answer = FirstAnswer.of(interaction)
    sentence = interaction.client.services.command_ids.tappable(sentence)
    try:
        if answer.shows_progress and await _say_in_progress_message(answer, sentence):
            return
        with translating_discord_errors():
            await answer.send(private=True, content=sentence)
    except UndeliveredError as error:
        log.info("refusal not delivered", interaction=interaction.id, why=error.failure.name)
        if interaction.type is discord.InteractionType.component:
            with suppress(UndeliveredError), translating_discord_errors():
                # Nothing can be said there. Silence is truer than "This interaction failed".
                await answer.defer(Deferral.IN_PLACE)


async def _say_in_progress_message(answer: FirstAnswer, sentence: str) -> bool:
    """Replace a progress message with the sentence; False if it has to be sent instead.

    UndeliveredError if the person has dismissed the progress message.
    """
    view = Layout(MessageContent(head=sentence), None)
    try:
        with translating_discord_errors():
            await answer.replace(view=view, attachments=[])
    except UndeliveredError as error:
        if error.failure is Failure.GONE:  # dismissed by the person
            raise
        return False
    return True
