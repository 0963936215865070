"""Manuals: pages of text written by the games, each with a picture drawn by its page number."""

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
    """The alt text of the page's picture."""


def illustrated(
    name: str, pages: Sequence[Page], draw: Callable[[int], bytes]
) -> Sequence[ManualPage]:
    """The pages with their pictures; `draw` makes a PNG from a page number, counted from 0."""
    return tuple(
        ManualPage(
            page.title, page.text, Picture(name=name, draw=draw, subject=number, alt=page.alt)
        )
        for number, page in enumerate(pages)
    )
