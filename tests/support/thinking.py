"""Computers for tests that choose at once, for games in which hands are public."""

from dataclasses import replace

from games.computer import Assessment, Computer, Level

EASY = Level(key="easy", budget=0, says="It plays its lowest card.")
STRONG = Level(key="strong", budget=64, says="It draws a card.")
READER = Level(key="steady", budget=0, says="It reads people.", reads_people=True)


class Lowest(Computer):
    """Plays the lowest card at the easy level, and a random one at others; records its calls."""

    levels = (EASY, READER, STRONG)

    def __init__(self, game):
        self._game = game
        self.asked = []

    def choose(self, view, seat, level, chance, lessons=()):
        self.asked.append((view, seat, level, tuple(lessons)))
        moves = self._moves(view, seat)
        return moves[0] if level.key == "easy" else chance.pick(moves)

    def assess(self, view, seat, move, chance):
        del chance
        best = self._moves(view, seat)[0]
        return Assessment(None, 0.0) if move == best else Assessment(best, 0.25)

    def luck(self, view, seat):
        del view, seat
        return 0.1

    def _moves(self, view, seat):
        return [self._game.parse(str(face)) for face in sorted(view.hands[seat])]


class Failing(Lowest):
    """Fails at every level but easy."""

    def choose(self, view, seat, level, chance, lessons=()):
        if level.key != "easy":
            raise KeyError("a card that nobody may know of")
        return super().choose(view, seat, level, chance, lessons)


class Broken(Lowest):
    def choose(self, view, seat, level, chance, lessons=()):
        raise KeyError("a card that nobody may know of")


class Illegal(Lowest):
    def choose(self, view, seat, level, chance, lessons=()):
        move = super().choose(view, seat, level, chance, lessons)
        return replace(move, face=99)
