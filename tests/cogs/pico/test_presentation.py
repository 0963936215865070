"""Messages of Pico in every phase fit Discord's limits, for everybody."""

from hypothesis import given, settings

from bot.rendering import render
from bot.rendering.presentation import Presentations
from cogs.pico.presentation import PicoPresentation
from tests.support.pico_snapshots import snapshots
from tests.support.presentations import must_fit
from tests.support.snapshots import URL, is_hand

PRESENTATIONS = Presentations()
PRESENTATIONS["pico"] = PicoPresentation()


@settings(max_examples=300, deadline=None, derandomize=True)
@given(snapshots())
def test_every_snapshot_fits_a_message(onlook):
    must_fit(render(onlook, PRESENTATIONS, URL))


@settings(max_examples=300, deadline=None, derandomize=True)
@given(snapshots())
def test_every_alt_text_has_at_most_1024_characters(onlook):
    picture = PicoPresentation().picture(onlook, "")

    assert 1 <= len(picture.alt) <= 1024
    assert len(picture.file) <= 100


@settings(max_examples=200, deadline=None, derandomize=True)
@given(snapshots().filter(lambda snapshot: not is_hand(snapshot)))
def test_a_table_only_shows_that_a_choice_was_made(onlook):
    public = render(onlook, PRESENTATIONS, URL)

    assert "You chose" not in public.foot
    told = public.foot.count("has chosen ✓")
    assert told == (len(onlook.chosen) if onlook.status == "running" else 0)
