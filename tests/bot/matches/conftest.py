"""What the tests of choices that are written together share."""

import pytest

from tests.support.counted_storage import Counted


@pytest.fixture
def counted(storage):
    return Counted(storage)
