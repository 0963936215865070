"""The opponent model: which habits it learns, and how far it is trusted."""

from games.duel.computer.matchings import Position
from games.duel.computer.opponent_model import OpponentModel


def test_an_opponent_model_learns_a_habit_that_follows_none_of_its_rules():
    """Always the third of four tiles by size, whatever it beats."""
    model = OpponentModel()
    for hands in (((2, 5, 7, 9), (3, 4, 6, 8)), ((3, 4, 8, 12), (2, 5, 6, 9))) * 4:
        model.learn(Position(*hands, 0, None), hands[0][2])

    foreseen = model.predict(Position((4, 6, 9, 10), (3, 5, 8, 12), 0, None))

    assert foreseen.argmax() == 2
    assert foreseen[2] > 0.6


def test_good_predictions_long_ago_do_not_delay_doubts():
    hands = (2, 5, 7, 9), (3, 4, 6, 8)
    model = OpponentModel()
    for _ in range(40):
        model.learn(Position(*hands, 0, None), hands[0][2])
    before = model.trust()
    for tile in (hands[0][0], hands[0][1]):
        model.learn(Position(*hands, 0, None), tile)

    assert before == 1
    assert model.trust() == 0
