"""Snapshots of positions of any game, built without a match: the longest ids that can occur."""

from hashlib import sha256

from bot.matches import Place, Snapshot
from bot.storage import MatchId
from games import GAMES, Seat

HUGE = 2**63 - 1  # the longest id that Discord can give
MATCH = MatchId(10**18 - 1)  # the longest that a button can carry
URL = f"https://discord.com/channels/{HUGE}/{HUGE}/{HUGE}"


def snapshot(game, state, *, seat=None, chosen=(), step=0, seats=2):
    """What a seat (or everybody for None) may know of a match in this position."""
    rules = GAMES[game]
    legal = () if seat is None else tuple(rules.legal_moves(state, Seat(seat)))
    outcome = rules.outcome(state)
    seed = sha256(b"a seed").hexdigest()
    return Snapshot(
        match=MATCH,
        game=game,
        options=state.options,
        status="running" if outcome is None else "over",
        guild=HUGE,
        channel=HUGE,
        wanted=seats,
        time_control="slow",
        tap=False,
        step=step,
        turn=step,
        due_at=None,
        paused=False,
        late=(),
        ending=None,
        seat=None if seat is None else Seat(seat),
        places=tuple(
            Place(user=HUGE - i, accepted=True, left=i in state.left) for i in range(seats)
        ),
        view=rules.observe(state, None if seat is None else Seat(seat)),
        awaiting=rules.awaiting(state),
        chosen=frozenset(chosen),
        choice=legal[-1] if seat in chosen and legal else None,
        legal=legal,
        outcome=outcome,
        commitment=sha256(seed.encode()).hexdigest(),
        seed=None if outcome is None else seed,
    )
