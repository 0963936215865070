"""`/preferences`: where to see the hand, pictures or words, forced moves, who can challenge."""

from collections.abc import Sequence

from discord import app_commands

from bot.client import Facedown, Interaction
from bot.errors import showing_saved
from bot.interactions.cog import ActCog, act
from bot.interactions.contexts import anywhere
from bot.messaging.components import Option, Press, Select
from bot.messaging.content import MessageContent
from bot.rendering.colors import BLURPLE
from bot.rendering.phrases import NO_MATCH, shortened, with_selected
from bot.storage import DeskPlace
from bot.storage.people import PreferencesRecord
from bot.text import listed
from games import GAMES

_FORCED = {None: "forced game", True: "forced always", False: "forced never"}

_DESKS = (
    Option(label="By direct message", value="desk dm", note="My hand at the table still works"),
    Option(
        label="At the table, with My hand",
        value="desk here",
        note="Only you see it. For your turn I mention you at the table, unless /notify says off",
    ),
)
_PICTURES = (
    Option(label="Pictures", value="pictures on", note="Every picture has a description"),
    Option(
        label="Words only",
        value="pictures off",
        note="Text instead of pictures; tables keep theirs",
    ),
)
_CHALLENGES = (
    Option(label="Everyone", value="challenges everyone", note="To stop one person, use /block"),
    Option(
        label="Nobody",
        value="challenges nobody",
        note="Nobody is told why. You can still challenge, join tables and play rematches",
    ),
)


def _forced_moves() -> Sequence[Option]:
    playing = listed(game.title for game in GAMES.values() if game.plays_forced_moves)
    note = shortened(f"{playing}: I play moves everyone can see are forced")
    tells = "Others can then tell that you had no choice, and what your hand lacks"
    return (
        Option(label="Default for each game", value="forced game", note=note),
        Option(label="Play them for me", value="forced always", note=tells),
        Option(label="Let me tap them", value="forced never"),
    )


def panel(record: PreferencesRecord, usual_desk: DeskPlace) -> MessageContent:
    """A user's preferences, with menus to change them."""
    desk = f"desk {record.desk or usual_desk}"
    pictures = "pictures on" if record.pictures else "pictures off"
    challenges = "challenges nobody" if record.left_alone else "challenges everyone"
    return MessageContent(
        head="### How you want to play\nChanges apply right away in every server, also to matches "
        "in progress.",
        rows=(
            "**Your hand**: where you see it and choose",
            _select("Where you see your hand", desk, _DESKS),
            "**Pictures** in your hand and the rules",
            _select("Pictures or words", pictures, _PICTURES),
            "**Forced moves**: when you have only one legal move",
            _select("Forced moves", _FORCED[record.forced], _forced_moves()),
            "**Challenges**: who can challenge you by name",
            _select("Who can challenge you", challenges, _CHALLENGES),
        ),
        color=BLURPLE,
    )


def _select(placeholder: str, chosen: str, options: Sequence[Option]) -> Select:
    press = Press(NO_MATCH, 0, "prefer", chosen.split(maxsplit=1)[0])
    return Select(placeholder=placeholder, press=press, options=with_selected(options, chosen))


class Preferences(ActCog):
    @app_commands.command()
    @anywhere
    async def preferences(self, interaction: Interaction) -> None:
        """Choose how you play: hand, pictures or words, forced moves, who can challenge you."""
        record = await self.services.preferences.of(interaction.user.id)
        content = panel(record, self.services.direct_messages.usual_desk)
        await self.services.delivery.answer_privately(interaction, content)

    @act("prefer")
    async def prefer(self, interaction: Interaction, press: Press) -> None:
        user = interaction.user.id
        record, redrawn = await self.services.preferences.change(user, press.arg)
        content = panel(record, self.services.direct_messages.usual_desk)
        try:
            await self.services.delivery.answer_in_place(interaction, content)
        finally:
            for match in redrawn:
                self.services.live.retry_and_update(match)
            with showing_saved():
                await self.services.forced_moves.play_owed(user)


async def setup(bot: Facedown) -> None:
    await bot.add_cog(Preferences(bot))
