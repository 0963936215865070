"""Playouts: hands of Prize Dominoes played to their end by quick and sensible players.

They play the heaviest tile that fits, sometimes the second heaviest; play a prize that they can
spare before they draw; and never play a prize that they need.
"""

from typing import Final

from games.noise import FACTOR, MASK, STEP
from games.prize.computer.fast_state import FITS, NEXT, PIPS, FastState, Tiles, lacking

_HALF_TILES: Final = 14
_LOW_MASK: Final = (1 << _HALF_TILES) - 1


def _sums(pips: tuple[int, ...]) -> tuple[int, ...]:
    sums = [0]
    for pip in pips:
        sums += [total + pip for total in sums]
    return tuple(sums)


_LIGHT: Final = _sums(PIPS[:_HALF_TILES])
_HEAVY: Final = _sums(PIPS[_HALF_TILES:])


def finished(state: FastState, noise: int) -> tuple[int, Tiles, int]:
    """Play a hand to its end: the winner, the tiles that the loser still holds, and the next noise.

    `state` must not be used afterward. For the noise see `games/noise.py`.
    """
    if state.asked >= 0:
        noise = (noise * FACTOR + STEP) & MASK
        ways = NEXT[state.joint][state.asked]
        state.joint = ways[noise >> 30]
        state.asked, state.passes, state.turn = -1, 0, state.turn ^ 1
    hands, stock, drawn, size = state.hands, state.stock, state.drawn, len(state.stock)
    joint, turn, passes, prizes = state.joint, state.turn, state.passes, state.prizes
    winner = state.winner
    while winner < 0:
        fit = hands[turn] & FITS[joint]
        if fit:
            noise = (noise * FACTOR + STEP) & MASK
            tile = fit.bit_length() - 1
            rest = fit ^ (1 << tile)
            if rest and noise >> 29 == 0:
                tile = rest.bit_length() - 1
            ways = NEXT[joint][tile]
            joint = ways[noise >> 28 & 1] if len(ways) == 2 else ways[0]
            hands[turn] ^= 1 << tile
            passes = 0
            if not hands[turn]:
                winner = turn
                break
        elif (spare := prizes[turn] & FITS[joint]) and (tile := _spared(prizes[turn], spare)) >= 0:
            prizes[turn] ^= 1 << tile
            joint = NEXT[joint][tile][0]
            passes = 0
        elif drawn < size:
            tile = stock[drawn]
            drawn += 1
            ways = NEXT[joint][tile]
            if ways:
                joint = ways[-1]
                passes = 0
            else:
                hands[turn] |= 1 << tile
                passes += state.idle
        else:
            passes += 1
        turn ^= 1
        if passes == 2:
            mine, theirs = hands[turn], hands[turn ^ 1]
            lighter = (
                _LIGHT[mine & _LOW_MASK] + _HEAVY[mine >> _HALF_TILES]
                <= _LIGHT[theirs & _LOW_MASK] + _HEAVY[theirs >> _HALF_TILES]
            )
            winner = turn if lighter else turn ^ 1
    return winner, hands[winner ^ 1], noise


def _spared(prizes: Tiles, fitting: Tiles) -> int:
    """The lightest fitting prize, by index, that can be played without losing a number; else -1."""
    lack = lacking(prizes)
    while fitting:
        lowest = fitting & -fitting
        if lacking(prizes ^ lowest) == lack:
            return lowest.bit_length() - 1
        fitting ^= lowest
    return -1
