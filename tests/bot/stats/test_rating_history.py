"""Rating histories: the current and the best rating, and thinning for a plot."""

from bot.stats.rating_history import STEPS, Point, RatingHistory, rating_histories
from bot.storage.profiles import PlayedRecord


def history(*ratings, start=1):
    points = tuple(Point(1000 + 10 * i, r, start + i) for i, r in enumerate(ratings))
    return RatingHistory(guild=77, game="pico", points=points, change=0)


def played(game="pico", guild=77, before=None, after=None, nth=None):
    return PlayedRecord(
        match=1, guild=guild, game=game, end="won", ended_at=5, before=before, after=after, nth=nth
    )


def test_a_history_covers_one_game_in_one_server_without_casual_matches():
    matches = [
        played(before=1500, after=1540, nth=1),
        played(),
        played("duel", before=1500, after=1460, nth=1),
        played(guild=78, before=1500, after=1440, nth=1),
        played(before=1540, after=1530, nth=2),
    ]

    found = rating_histories(matches)

    assert [(c.guild, c.game, [p.rating for p in c.points], c.change) for c in found] == [
        (77, "pico", [1540, 1530], -10),
        (77, "duel", [1460], -40),
        (78, "pico", [1440], -60),
    ]


def test_provisional_ratings_do_not_count_as_best_or_worst():
    assert history(1700, 1500, 1500, 1500, 1510, 1520, 1520, 1490).best == Point(1050, 1520, 6)
    assert history(1700, 1500, 1500, 1500, 1510, 1520, 1520, 1490).worst == Point(1070, 1490, 8)


def test_if_all_ratings_are_provisional_the_best_of_them_counts():
    assert history(1480, 1560, 1520).best.rating == 1560


def test_thinning_a_long_history_keeps_its_ends_its_best_and_its_worst():
    ratings = [1500 + (i * 37) % 211 for i in range(5000)]
    ratings[2345], ratings[4321] = 1900, 1100
    long = history(*ratings, start=6)

    short = long.thinned()

    assert len(short.points) <= 4 * STEPS + 4
    assert (short.points[0], short.now) == (long.points[0], long.now)
    assert (short.best, short.worst) == (long.best, long.worst)
    assert list(short.points) == sorted(short.points)


def test_a_long_history_within_one_second_can_be_thinned_too():
    many = tuple(Point(1000, 1500 + i, i + 1) for i in range(1000))

    short = RatingHistory(guild=77, game="pico", points=many, change=1).thinned()

    assert [p.rating for p in short.points] == [1500, 1504, 2499]


def test_a_short_history_is_not_thinned():
    short = history(1510, 1520)

    assert short.thinned() is short
