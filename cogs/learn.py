"""`/learn`: a short lesson for each game, in a private message."""

from discord import app_commands

from bot.client import Facedown, Interaction
from bot.interactions.choices import TITLES, choices_of
from bot.interactions.cog import ActCog, act
from bot.interactions.contexts import anywhere
from bot.messaging.components import Press
from bot.messaging.content import MessageContent
from bot.messaging.first_answer import Deferral
from bot.rendering.lessons import (
    Page,
    answer_content,
    exercise_content,
    lessons,
    lessons_content,
    must_have_lesson,
    solves,
)


class Learn(ActCog):
    """Everything is an answer to an interaction, so the bot needs no permissions in the channel."""

    @app_commands.command()
    @anywhere
    @app_commands.describe(game="Which game; default: choose from all lessons")
    @app_commands.choices(game=choices_of(TITLES))
    async def learn(self, interaction: Interaction, game: str | None = None) -> None:
        """Learn a game by playing: a few positions, one choice in each."""
        content = await (self._all(interaction) if game is None else self._next(interaction, game))
        await self.services.delivery.answer_privately(interaction, content)

    @act("learn", Deferral.PRIVATE)
    async def open(self, interaction: Interaction, press: Press) -> None:
        """Open the lesson of a game, or the list of all lessons, in a new message."""
        content = await (
            self._next(interaction, press.arg) if press.arg else self._all(interaction)
        )
        await self.services.delivery.answer_privately(interaction, content)

    @act("lessons")
    async def list(self, interaction: Interaction, press: Press) -> None:
        del press
        content = await self._all(interaction)
        await self.services.delivery.answer_in_place(interaction, content)

    @act("exercise")
    async def ask(self, interaction: Interaction, press: Press) -> None:
        """Show an exercise; if the button names none, the one where the user continues."""
        game, _, key = press.arg.partition(" ")
        if key:
            page = Page.of(self.services.presentations, game, key)
            content = exercise_content(page)
        else:
            content = await self._next(interaction, game)
        await self.services.delivery.answer_in_place(interaction, content)

    @act("answer")
    async def answer(self, interaction: Interaction, press: Press) -> None:
        """Play an answer; a right one is stored before the user is told."""
        game, key, move = [*press.arg.split(" ", 2), "", ""][:3]
        page = Page.of(self.services.presentations, game, key)
        answer = page.exercise.answer(move)
        begin = self.services.challenges.first_match
        first_match = await begin(interaction, game) if page.is_last else None
        if solves(page, answer):
            await self.services.progress.solved(interaction.user.id, game, page.lesson, page.number)
        content = answer_content(page, answer, first_match)
        await self.services.delivery.answer_in_place(interaction, content)

    async def _all(self, interaction: Interaction) -> MessageContent:
        presentations = self.services.presentations
        bookmarks = await self.services.progress.bookmarks(
            interaction.user.id, lessons(presentations)
        )
        return lessons_content(presentations, bookmarks)

    async def _next(self, interaction: Interaction, game: str) -> MessageContent:
        """The exercise where the user continues."""
        presentations = self.services.presentations
        lesson = must_have_lesson(presentations, game).lesson
        bookmark = await self.services.progress.bookmark(interaction.user.id, game, lesson)
        page = Page.of(presentations, game, bookmark.number)
        return exercise_content(page, is_moved=bookmark.is_moved)


async def setup(bot: Facedown) -> None:
    await bot.add_cog(Learn(bot))
