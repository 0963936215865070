"""Manuals as games write them: pages of words, each with a picture that is drawn by its number."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.messaging.content import Picture
from bot.rendering.presentation import ManualPage


@dataclass(frozen=True, slots=True)
class Page:
    title: str
    text: str
    """Discord markdown."""

    alt: str
    """What the page's picture shows, in words."""


def illustrated(
    name: str, pages: Sequence[Page], draw: Callable[[int], bytes]
) -> Sequence[ManualPage]:
    """These pages with their pictures; `draw` takes the number of a page, counted from 0."""
    return tuple(
        ManualPage(
            page.title, page.text, Picture(name=name, draw=draw, subject=number, alt=page.alt)
        )
        for number, page in enumerate(pages)
    )
