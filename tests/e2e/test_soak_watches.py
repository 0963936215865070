"""How long a message was behind while the processes that have to show it die again and again."""

import sqlite3
from contextlib import closing

import pytest

from tests.soak.measurements import Lags

TABLE = -1
GUILD = 5 << 22  # belongs to shard 1 of 4


@pytest.fixture
def file(tmp_path):
    found = tmp_path / "facedown.sqlite3"
    with closing(sqlite3.connect(found)) as connection:
        connection.execute("CREATE TABLE matches (id, guild, step, status, state)")
        connection.execute("CREATE TABLE places (match, place, shown)")
        connection.execute("INSERT INTO matches VALUES (1, ?, 7, 'running', '{}')", [GUILD])
        connection.execute("INSERT INTO places VALUES (1, ?, 'running.7.')", [TABLE])
        connection.commit()
    return found


@pytest.fixture
def lags(file):
    """The lags of a table that shows step 7, which was seen to be over at second 100."""
    lags = Lags(file, shards=4)
    lags.look(99.0)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE matches SET step = 8")
        connection.commit()
    lags.look(100.0)
    return lags


def test_a_table_is_behind_since_its_step_ended_or_its_process_died(lags):
    lags.died({0, 1}, 105.0)
    lags.look(112.0)
    lags.died({1, 2}, 118.0)

    lags.look(140.0)

    assert lags.worst == {(1, TABLE): 40.0}
    assert lags.worst_since_death == {(1, TABLE): 22.0}


def test_the_death_of_another_shards_holder_is_no_excuse(lags):
    lags.died({0, 2, 3}, 139.0)

    lags.look(140.0)

    assert lags.worst_since_death == {(1, TABLE): 40.0}
