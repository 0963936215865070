"""How numbers, lists, names and results are written in texts."""

import pytest

from bot.text import (
    YOU,
    capitalized,
    counted,
    duration,
    escaped,
    listed,
    minutes,
    possessive,
    result_sentence,
    tappable,
    their_or_your,
    with_verb,
)
from games.core import Outcome


@pytest.mark.parametrize(
    ("parts", "said"),
    [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c"), ([1, 2], "1 and 2")],
)
def test_a_list_has_an_and_before_its_last_part(parts, said):
    assert listed(parts) == said


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        (["a former player", "a"], "a former player and a"),
        (["a former player"] * 2, "two former players"),
        (["a", "a former player", "b", "a former player"], "a, two former players and b"),
        (["a former player"] * 3 + ["a"], "three former players and a"),
        (["a former player"] * 20, "20 former players"),
    ],
)
def test_a_list_counts_former_players_as_nothing_tells_them_apart(parts, said):
    assert listed(parts) == said


@pytest.mark.parametrize(
    ("count", "said"), [(0, "0 cards"), (1, "1 card"), (2, "2 cards"), (2000, "2000 cards")]
)
def test_a_number_comes_with_the_right_form_of_its_noun(count, said):
    assert counted(count, "card") == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Use `/stats` again.", "Use </stats:7> again."),
        ("`/season list` and `/season start`", "</season list:8> and </season start:8>"),
        ("`/vote`, `season` and `/`", "`/vote`, `season` and `/`"),
        ("`/stats user:Bo`", "`/stats user:Bo`"),
        ("It's </stats:7>, /stats or nothing", "It's </stats:7>, /stats or nothing"),
    ],
)
def test_commands_in_a_text_become_links_if_their_ids_are_known(text, said):
    ids = {"stats": 7, "season": 8}

    assert tappable(text, ids) == said
    assert tappable(said, ids) == said
    assert tappable(text, {}) == text


LIVE = (
    *("<@77>", "<@!77>", "<@&77>", "<#77>", "</help:77>", "<t:1:R>", "<id:guide>", "<:card:77>"),
    *("<a:card:77>", "@everyone", "@here", "https://evil.example", "steam://evil"),
)


@pytest.mark.parametrize("words", [*LIVE, "*a*", "_a_", "~~a~~", "||a||", "`/help`", "[a](b)"])
def test_markup_in_a_name_chosen_by_others_has_no_effect(words):
    """A backslash escapes one character in Discord; a zero-width space breaks up any markup."""
    told = escaped(f"a {words} b")

    assert words not in told
    assert told.replace("\u200b", "").replace("\\", "") == f"a {words} b"


def test_a_backslash_in_a_name_does_not_undo_the_escaping():
    assert escaped(r"a\*b") == r"a\\\*b"


def test_an_address_in_a_name_becomes_neither_a_link_nor_markup():
    assert escaped("https://a.example/**") == "https:\u200b//a.example/\\*\\*"


def test_direction_marks_and_line_breaks_are_removed_from_a_name():
    assert escaped("\u202eSpring\u2066 \u2069\n  2027") == "Spring 2027"


@pytest.mark.parametrize(
    "name", ["Spring 2027", "#1 - (really)!", "שלום", "C++ > C", "5:1", "@home"]
)
def test_a_name_without_markup_is_left_unchanged(name):
    assert escaped(name) == name


@pytest.mark.parametrize("signs", ["*", "\\", "<", "@here", "<@", "](", "://"])
def test_escaping_at_most_doubles_the_length_of_a_name(signs):
    assert len(escaped(signs * 50)) <= 2 * len(signs * 50)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (-5, "less than a minute"),
        (59, "less than a minute"),
        (60, "1 minute"),
        (7_260, "2 hours and 1 minute"),
        (187_260, "2 days and 4 hours"),
        (86_460, "1 day and 1 minute"),
    ],
)
def test_a_duration_is_written_in_its_two_largest_units(seconds, said):
    assert duration(seconds) == said


@pytest.mark.parametrize(
    ("words", "said"),
    [("a former player", "A former player"), ("<@1> and Bo", "<@1> and Bo"), ("", "")],
)
def test_a_sentence_starts_with_a_capital_letter(words, said):
    assert capitalized(words) == said


@pytest.mark.parametrize(
    ("who", "said"),
    [
        ("Bo", "Bo takes one of Bo's tiles, their last"),
        (YOU, "you take one of your tiles, your last"),
    ],
)
def test_the_reader_is_addressed_as_you(who, said):
    takes = with_verb(who, "takes", "take")
    told = f"{takes} one of {possessive(who)} tiles, {their_or_your(who)} last"

    assert told == said


def test_the_result_addresses_its_reader():
    outcome = Outcome(ranks=(1, 2), scores=(1, 0), reason="so it is")
    shared = Outcome(ranks=(1, 1, 3), scores=(1, 1, 0), reason="so it is")

    assert result_sentence(outcome, [YOU, "Bo"]) == "**You win**: so it is."
    assert result_sentence(outcome, ["Bo", YOU]) == "**Bo wins**: so it is."
    assert result_sentence(shared, [YOU, "Bo", "Cleo"]) == "**You and Bo share the win**: so it is."


@pytest.mark.parametrize(
    ("ranks", "said"),
    [
        ((2, 1, 3), "**Bo wins**: so it is."),
        ((1, 1, 3), "**Ann and Bo share the win**: so it is."),
        ((1, 1, 1), "**A draw**: so it is."),
    ],
)
def test_a_result_says_who_won_and_why(ranks, said):
    outcome = Outcome(ranks=ranks, scores=(0, 0, 0), reason="so it is")

    assert result_sentence(outcome, ["Ann", "Bo", "Cleo"]) == said


def test_a_result_can_have_another_reason_and_another_word_for_a_draw():
    outcome = Outcome(ranks=(1, 1), scores=(5, 5), reason="so it is")

    said = result_sentence(outcome, ["Ann", "Bo"], why="nobody won", nobody="A tie")

    assert said == "**A tie**: nobody won."


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("first to 1 games, 1 to 0", "first to 1 game, 1 to 0"),
        ("first to 11 games, 11 to 1", "first to 11 games, 11 to 1"),
        ("exactly 1 less", "exactly 1 less"),
    ],
)
def test_the_reason_of_a_result_uses_the_singular_for_one(reason, said):
    outcome = Outcome(ranks=(1, 2), scores=(1, 0), reason=reason)

    assert result_sentence(outcome, ["Ann", "Bo"]) == f"**Ann wins**: {said}."


def test_a_result_starts_with_a_capital_letter():
    outcome = Outcome(ranks=(1, 2), scores=(1, 0), reason="so it is")

    said = result_sentence(outcome, ["a former player", "Bo"])

    assert said == "**A former player wins**: so it is."


def test_former_players_who_share_a_win_are_counted():
    outcome = Outcome(ranks=(1, 2, 1), scores=(1, 0, 1), reason="so it is")

    said = result_sentence(outcome, ["a former player", "Bo", "a former player"])

    assert said == "**Two former players share the win**: so it is."


def test_a_running_match_has_no_result():
    with pytest.raises(ValueError, match="no result yet"):
        result_sentence(None, ["Ann", "Bo"])


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(1, "1 minute"), (60, "1 minute"), (61, "2 minutes"), (3600, "60 minutes")],
)
def test_a_wait_is_rounded_up_to_whole_minutes(seconds, said):
    assert minutes(seconds) == said
