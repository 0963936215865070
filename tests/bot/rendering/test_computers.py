"""What tables, menus and exports say about computers."""

import time
from dataclasses import replace

import pytest

from bot.computers.pool import SynchronousPool
from bot.matches.agreements import Agreements
from bot.matches.archive import MatchArchive
from bot.matches.moderation import Moderation
from bot.matches.pauses import Pauses
from bot.rendering import render
from bot.rendering.challenge import AWAY, beginning_content
from bot.rendering.menu import menu_content
from bot.rendering.phrases import seat_names
from bot.rendering.presentation import Presentations
from cogs.pico.presentation import PicoPresentation
from games.pico import PICO
from tests.support.matches import ANN, BEA, GUILD, NOW, RETURNS, begun, opened, refusal
from tests.support.opponents import playing
from tests.support.thinking import Lowest

THREE = PICO.presets["pico1-three"]

pytestmark = pytest.mark.usefixtures("lowest")


@pytest.fixture
def presentations():
    presentations = Presentations()
    presentations["pico"] = PicoPresentation()
    return presentations


def select(shown):
    return next(row for row in shown.rows if hasattr(row, "options"))


def labels(shown):
    return [b.label for row in shown.rows if isinstance(row, tuple) for b in row]


async def test_a_computer_is_called_by_its_level_and_several_are_numbered(matches):
    one = await matches.public(await playing(matches, "strong", interaction=1))
    two = await matches.public(await playing(matches, "easy", "strong", interaction=2))

    assert seat_names(one) == (f"<@{ANN}>", "Computer (strong)")
    assert seat_names(two) == (f"<@{ANN}>", "Computer 1 (easy)", "Computer 2 (strong)")


async def test_an_open_challenge_for_two_has_a_button_for_each_level(matches, presentations):
    snapshot = await matches.public(await opened(matches, opponents=(), wanted=2))

    shown = render(snapshot, presentations)

    *_, said, levels = shown.rows
    assert said == "Or play the computer right now:"
    assert [(b.label, b.press.act, b.press.arg) for b in levels][:1] == [
        ("Easy", "computer", "easy")
    ]


async def test_a_challenge_with_more_open_seats_has_a_menu_that_describes_each_level(
    matches, presentations
):
    match = await opened(matches, opponents=(), wanted=3, options=THREE)

    menu = select(render(await matches.public(match), presentations))

    assert menu.placeholder == "Add a computer"
    assert [(o.label, o.value, o.note) for o in menu.options][:1] == [
        ("Computer (easy)", "easy", "It plays its lowest card.")
    ]


async def test_a_challenge_with_a_computer_names_it_and_can_remove_it(matches, presentations):
    match = await playing(matches, "easy", opponents=(BEA,), wanted=3, options=THREE)

    shown = render(await matches.public(match), presentations)

    assert f"<@{ANN}> challenges <@{BEA}> and Computer (easy)." in shown.head
    assert [(b.label, b.press.arg) for b in shown.rows[-1]] == [("Remove a computer", AWAY)]


async def test_one_menu_can_both_add_and_remove_a_computer(matches, presentations):
    match = await opened(matches, opponents=(), wanted=3, options=THREE)
    await matches.seat_computer(match, ANN, "easy")

    menu = select(render(await matches.public(match), presentations))

    assert menu.placeholder == "Add or remove a computer"
    assert [o.label for o in menu.options][-1] == "Remove a computer"


async def test_a_challenge_to_a_person_offers_no_computer(matches, presentations):
    shown = render(await matches.public(await opened(matches)), presentations)

    assert all(isinstance(row, tuple) for row in shown.rows)


async def test_the_message_before_the_table_is_drawn_says_who_plays(matches):
    snapshot = await matches.public(await playing(matches))

    shown = beginning_content(snapshot, PicoPresentation())

    assert f"<@{ANN}> plays against Computer (easy)." in shown.head


async def test_the_menu_offers_only_what_computers_can_answer(matches):
    alone = await playing(matches, interaction=1)
    among = await playing(matches, "easy", opponents=(BEA,), wanted=3, options=THREE, interaction=2)
    await matches.accept(among, BEA)
    people = await begun(matches, BEA, interaction=3)

    shown = [
        labels(menu_content(await matches.snapshot(match, ANN), PicoPresentation()))[3:-2]
        for match in (alone, among, people)
    ]

    assert shown == [
        ["Call it off", "Offer a pause"],
        ["Call it off", "Offer a pause", "Nudge"],
        ["Offer a draw", "Call it off", "Offer a pause", "Nudge"],
    ]


async def test_a_nudge_is_offered_only_while_another_person_owes_a_move(matches):
    match = await begun(matches)
    owing = menu_content(await matches.snapshot(match, ANN), PicoPresentation())
    bea = await matches.snapshot(match, BEA)
    await matches.submit(match, 0, BEA, str(bea.legal[0]))

    waiting = menu_content(await matches.snapshot(match, ANN), PicoPresentation())

    assert "Nudge" in labels(owing)
    assert "**Nudge** reminds players who haven't chosen yet" in owing.head
    assert "Nudge" not in labels(waiting)
    assert "**Nudge** appears here while the match is waiting for another player." in waiting.head


@pytest.mark.parametrize("steps", [0, 1])
async def test_the_coach_is_offered_only_if_a_move_was_played(
    matches, presentations, storage, steps
):
    match = await begun(matches)
    for user in (ANN, BEA) * steps:
        hand = await matches.snapshot(match, user)
        await matches.submit(match, 0, user, str(hand.legal[0]))

    ended = await Moderation(storage, now=lambda: NOW).end(match, GUILD)

    shown = [render(s, presentations) for s in (ended.public(), ended.snapshot_of(ANN))]
    assert ["Coach" in labels(content) for content in shown] == [steps > 0] * 2


async def test_table_and_hand_say_what_is_at_stake_and_that_the_computer_thinks(
    matches, presentations
):
    shown = render(await matches.public(await playing(matches)), presentations)

    assert "Unrated · counts toward the computer ladder" in shown.foot
    assert "Computer (easy) is thinking\N{NO-BREAK SPACE}…" in shown.foot


async def test_a_match_left_to_computers_only_says_why_it_ended(matches, presentations):
    effect = await matches.concede(await playing(matches, "easy", "easy"), ANN)

    assert "only computers are left" in render(effect.public(), presentations).head


async def test_an_export_says_which_seats_were_computers(matches, storage):
    match = await playing(matches)
    await Agreements(storage, SynchronousPool(), now=lambda: NOW, returns=RETURNS).offer(
        match, ANN, "call_off"
    )

    files = await MatchArchive(storage, SynchronousPool(), SynchronousPool(), now=time.time).export(
        match, user=ANN, guild=GUILD, title=lambda snapshot: "Pico"
    )

    assert "Seat 2 was a computer (easy)." in files.transcript


async def test_if_no_computer_plays_a_variant_the_refusal_asks_for_a_person(matches, monkeypatch):
    monkeypatch.setattr(Lowest, "levels_for", lambda self, options, seats: ())

    refused = await refusal(playing(matches, "easy"))

    assert refused[1] == "No computer plays this variant of Pico. Name a person instead."


async def test_a_level_for_fewer_players_is_refused_with_the_levels_for_this_number(
    matches, monkeypatch
):
    monkeypatch.setattr(Lowest, "levels_for", lambda self, options, seats: Lowest.levels[:1])

    refused = await refusal(playing(matches, "strong"))

    assert refused[1] == (
        "No strong computer plays this variant of Pico with 2 players. Choose easy."
    )


async def test_a_match_or_challenge_that_could_not_be_shown_is_undone(matches):
    begun_at_once = await playing(matches, interaction=1)
    waiting = await opened(matches, interaction=2)

    for match in (begun_at_once, waiting):
        await matches.undo(match)
        await matches.undo(match)

    assert (await matches.public(begun_at_once)).status == "closed"
    assert (await matches.public(waiting)).status == "withdrawn"


async def test_agreements_with_computers_only_do_not_mention_everyone(
    matches, presentations, storage
):
    agreements = Agreements(storage, SynchronousPool(), now=lambda: NOW, returns=RETURNS)
    match = await playing(matches)

    paused = await agreements.offer(match, ANN, "pause")
    at_rest = render(paused.public(), presentations).head
    await Pauses(storage, now=lambda: NOW).resume_here(match, ANN)
    called_off = render((await agreements.offer(match, ANN, "call_off")).public(), presentations)

    assert "The clock is stopped. **Resume** starts it again" in at_rest
    assert "**Called off**: it ends without a result." in called_off.head
    assert not [text for text in (at_rest, called_off.head) if "veryone" in text]


@pytest.mark.parametrize(
    ("happened", "said"),
    [
        ("reopened", "▶️ The match was resumed, so it goes on."),
        ("taken_back", "↩️ The last step was taken back."),
        ("pause_over", "▶️ The pause is over, and the clock is running again."),
    ],
)
async def test_remarks_beside_computers_only_do_not_mention_agreement(
    matches, presentations, happened, said
):
    snapshot = replace(await matches.public(await playing(matches)), remark=happened)

    shown = render(snapshot, presentations)

    assert said in shown.head
    assert "veryone" not in shown.head
