"""What is looked for again and again is found by an index, however many matches there ever were.

The plans are those of the statements as they are sent, with bound values.
"""

import pytest

from tests.support.plans import plans

pytestmark = pytest.mark.sqlite


async def test_challenges_that_nobody_answered_are_looked_for_among_those_alone(storage, database):
    with plans(storage, database) as found:
        async with storage.reading() as reading:
            await reading.challenges.unanswered_before(1000, 50)

    (steps,) = found
    assert steps == ["SEARCH matches USING INDEX ix_matches_unanswered (ended_at<?)"]
