"""What the tests of missed deadlines begin with and look at: the cards dealt, and strikes."""

from tests.support.matches import dealt

DEAL = dealt()


def card(state, seat, which=0):
    return str(state.hands[seat][which])


def strikes(snapshot):
    return [place.strikes for place in snapshot.places]
