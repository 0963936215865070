"""Content becomes a message within Discord's limits."""

from dataclasses import replace

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.messaging.components import Button, Link, Press, Section
from bot.messaging.content import (
    MAX_TEXT_LENGTH,
    Layout,
    MessageContent,
    Picture,
    balanced,
    buttons_per_row,
    mentions,
)
from bot.storage import MatchId
from cogs.pico.pictures import draw
from games.pico import PICO
from tests.support import pool_jobs
from tests.support.matches import A, dealt

PICTURE = Picture(name="pico", draw=draw, subject=PICO.observe(dealt(), None), alt="Two hands.")


def button(i):
    return Button(label=f"Card {i}", press=Press(MatchId(1), 0, "pick", str(i)))


def buttons(n):
    return tuple(button(i) for i in range(n))


def types(payload):
    """The type of every component, parents first."""
    for component in payload:
        yield component["type"]
        yield from types(component.get("components", ()))


@pytest.mark.parametrize(
    ("count", "lengths"),
    [
        (0, []),
        (1, [1]),
        (5, [5]),
        (6, [3, 3]),
        (7, [4, 3]),
        (10, [5, 5]),
        (11, [4, 4, 3]),
        (14, [5, 5, 4]),
        (25, [5, 5, 5, 5, 5]),
    ],
)
def test_buttons_are_arranged_in_few_even_rows(count, lengths):
    assert [len(row) for row in balanced(buttons(count))] == lengths


@pytest.mark.parametrize(
    ("labels", "count"),
    [
        ((), 5),
        (("3", "12"), 5),
        (("4 ••", "13 •••"), 3),
        (("Accept the draw", "Decline"), 1),
        (("x" * 80,), 1),
    ],
)
def test_on_a_phone_a_row_has_only_as_many_buttons_as_fit(labels, count):
    assert buttons_per_row(labels) == count


@given(st.integers(0, 60), st.integers(1, 5))
def test_no_button_is_lost_or_moved_and_rows_differ_by_one_at_most(count, widest):
    rows = balanced(buttons(count), widest)

    assert tuple(b for row in rows for b in row) == buttons(count)
    assert len(rows) == -(-count // widest)
    lengths = [len(row) for row in rows]
    assert all(0 < n <= widest for n in lengths)
    assert lengths == sorted(lengths, reverse=True)
    assert not lengths or lengths[0] - lengths[-1] <= 1


def test_content_is_a_box_with_words_a_picture_and_rows():
    content = MessageContent(
        head="Head", picture=PICTURE, foot="Foot", rows=(buttons(2),), color=0x123456
    )

    assert Layout(content, f"attachment://{PICTURE.file}").to_components() == [
        {
            "type": 17,
            "accent_color": 0x123456,
            "components": [
                {"type": 10, "content": "Head"},
                {
                    "type": 12,
                    "items": [
                        {
                            "media": {"url": f"attachment://{PICTURE.file}"},
                            "description": "Two hands.",
                        }
                    ],
                },
                {"type": 10, "content": "Foot"},
                {
                    "type": 1,
                    "components": [
                        {
                            "type": 2,
                            "style": 2,
                            "label": f"Card {i}",
                            "disabled": False,
                            "custom_id": f"f1:1:0:pick:{i}",
                        }
                        for i in range(2)
                    ],
                },
            ],
        }
    ]


def test_absent_parts_are_left_out():
    assert list(types(Layout(MessageContent(head="Head"), None).to_components())) == [17, 10]


def test_a_row_without_buttons_is_left_out():
    """Discord refuses empty rows; a manual of a single page has no neighbors to link to."""
    content = MessageContent(head="Head", rows=((), buttons(1), ()))

    assert list(types(Layout(content, None).to_components())) == [17, 10, 1, 2]


def test_without_its_picture_content_keeps_its_words():
    content = MessageContent(head="Head", picture=PICTURE)

    assert list(types(Layout(content, None).to_components())) == [17, 10]


@pytest.mark.parametrize("style", ["primary", "secondary", "success", "danger"])
def test_a_button_has_its_style(style):
    content = MessageContent(head="Head", rows=((replace(button(1), style=style),),))
    (box,) = Layout(content, None).to_components()

    assert box["components"][1]["components"][0]["style"] == discord.ButtonStyle[style].value


def test_a_link_has_a_url_and_no_custom_id():
    content = MessageContent(
        head="Head", rows=((Link(label="There", url="https://example.com/"),),)
    )
    (box,) = Layout(content, None).to_components()

    (link,) = box["components"][1]["components"]
    assert (link["url"], link["label"], link["style"]) == ("https://example.com/", "There", 5)
    assert "custom_id" not in link


def test_the_largest_hand_has_forty_components():
    """Discord's limit: here 1 box, 2 texts, 1 gallery, 6 rows and 30 buttons."""
    content = MessageContent(head="Head", picture=PICTURE, foot="Foot", rows=balanced(buttons(30)))

    layout = Layout(content, "attachment://x.png")

    assert len(list(types(layout.to_components()))) == layout.total_children_count == 40


def test_content_with_too_many_components_is_refused_here_and_not_by_discord():
    content = MessageContent(head="Head", picture=PICTURE, foot="Foot", rows=balanced(buttons(31)))

    with pytest.raises(ValueError, match="40 components at most"):
        Layout(content, "attachment://x.png")


def test_a_row_with_more_than_five_buttons_is_refused_here_and_not_by_discord():
    with pytest.raises(ValueError, match="5 buttons at most"):
        Layout(MessageContent(head="Head", rows=(buttons(6),)), None)


def test_alt_text_is_cut_to_the_length_that_discord_allows():
    content = MessageContent(head="Head", picture=replace(PICTURE, alt="x" * 2000))
    (box,) = Layout(content, "attachment://x.png").to_components()

    assert box["components"][1]["items"][0]["description"] == "x" * 1024


def test_in_words_each_subject_of_a_picture_has_its_own_line():
    content = MessageContent(head="Head", picture=replace(PICTURE, alt="A hand.\nA foundation."))
    (box,) = Layout(content, "attachment://x.png").to_components()
    (said,) = Layout(content.in_words(), None).to_components()

    assert box["components"][1]["items"][0]["description"] == "A hand. A foundation."
    assert said["components"][1]["content"].startswith("A hand.\nA foundation.\n")


def test_the_library_does_not_keep_layouts():
    """It keeps views that aren't finished, so each message sent would stay in memory forever.

    In discord.py 2.7.1, `InteractionResponse.send_message` doesn't check whether a view is
    dispatchable.
    """
    layout = Layout(MessageContent(head="Head", rows=(buttons(2),)), None)

    assert layout.is_finished()
    assert layout.timeout is None


def test_the_file_name_of_a_picture_has_its_game_and_differs_if_the_picture_does():
    """Otherwise a client could show an old picture for a new one with the same name."""
    other_view = PICO.observe(dealt(), A)
    files = {
        PICTURE.file,
        replace(PICTURE, subject=other_view).file,
        replace(PICTURE, draw=pool_jobs.note).file,
        replace(PICTURE, name="duel").file,
    }

    assert len(files) == 4
    assert PICTURE.file == replace(PICTURE, alt="Other words.").file
    assert all(len(file) < 60 and file.endswith(".png") for file in files)
    assert PICTURE.file.startswith("pico-")


def test_the_file_name_of_a_picture_is_the_same_in_every_process():
    """It identifies pictures that Discord has had since before a restart."""
    picture = Picture(name="test", draw=pool_jobs.note, subject=(1, "b"), alt="")

    assert picture.file == "test-96e670455525da39165d.png"


def test_people_mentioned_anywhere_in_content_are_listed_once_and_in_order():
    content = MessageContent(head="<@3> against <@1>", foot="<@!2> waits", rows=("<@1> won",))

    assert content.named == [3, 1, 2]


@pytest.mark.parametrize("number", ["0", "07", "9" * 19, 2**63, 2**64, "9" * 30, "٣"])
def test_a_number_that_is_not_an_id_mentions_nobody(number):
    """Discord refuses a message that allows such a mention, and the library can't send it."""
    content = MessageContent(head=f"<@{number}> and <@{2**63 - 1}> in a server called <@{number}>")

    assert content.named == [2**63 - 1]


def test_no_more_people_are_mentioned_than_discord_allows_and_nobody_twice():
    allowed = mentions([7, 7, *range(200)]).to_dict()

    assert allowed["users"] == [7, *(n for n in range(100) if n != 7)]
    assert allowed["parse"] == []


def test_words_with_a_button_beside_them_are_one_section_and_can_mention_people():
    beside = Section(text="Ask <@7>", accessory=button(1))
    content = MessageContent(head="Hello <@3>", rows=(beside,))

    (box,) = Layout(content, None).to_components()

    _, section = box["components"]
    assert content.named == [3, 7]
    assert section["type"] == 9
    assert [part["content"] for part in section["components"]] == ["Ask <@7>"]
    assert section["accessory"]["custom_id"] == "f1:1:0:pick:1"


def test_the_text_of_a_section_leaves_less_room_for_alt_text():
    long = replace(PICTURE, alt="x" * 4000)
    beside = Section(text="y" * 1000, accessory=button(1))

    said = MessageContent(head="", picture=long, rows=(beside,)).in_words()

    assert len(said.foot) + 1000 <= 4000


@pytest.mark.parametrize("others", [3600, 3699, 3700, 3850, 3990])
def test_alt_text_takes_only_the_room_that_other_texts_leave(others):
    content = MessageContent(head="y" * others, picture=replace(PICTURE, alt="x" * 1000))

    length = Layout(content.in_words(), None).content_length()

    assert length <= max(MAX_TEXT_LENGTH, others + 2)
