"""Snapshots of positions of any game, built without a match: the longest ids that can occur."""

from dataclasses import replace
from hashlib import sha256

from hypothesis import strategies as st

from bot.matches import PublicSnapshot, SeatInfo, SeatSnapshot
from bot.storage import MatchId
from games import GAMES, Seat

HUGE = 2**63 - 1  # the longest id that Discord can give
MATCH = MatchId(10**18 - 1)  # the longest that a button can carry
URL = f"https://discord.com/channels/{HUGE}/{HUGE}/{HUGE}"


def one_of(draw, many):
    """One of very many; `st.sampled_from` would hash each of them first, which takes longer."""
    return many[draw(st.integers(0, len(many) - 1))]


def snapshot(game, state, *, seat=None, chosen=(), step=0, seats=2):
    """What a seat (or everybody for None) may know of a match in this position."""
    rules = GAMES[game]
    outcome = rules.outcome(state)
    seed = sha256(b"a seed").hexdigest()
    facts = {
        "match": MATCH,
        "game": game,
        "options": state.options,
        "status": "running" if outcome is None else "over",
        "guild": HUGE,
        "channel": HUGE,
        "wanted": seats,
        "time_control": "slow",
        "tap": False,
        "step": step,
        "turn": step,
        "due_at": None,
        "paused": False,
        "late": (),
        "ending": None,
        "places": tuple(
            SeatInfo(user=HUGE - i, accepted=True, left=i in state.left) for i in range(seats)
        ),
        "awaiting": rules.awaiting(state),
        "chosen": frozenset(chosen),
        "outcome": outcome,
        "commitment": sha256(seed.encode()).hexdigest(),
        "seed": None if outcome is None else seed,
    }
    return known_to(seat, rules, state, chosen, facts)


def ended_by(shown, ending, status="over"):
    """The same match once it has ended so, of which its rules know nothing."""
    view = replace(shown.view, awaiting=())
    return replace(shown, view=view, status=status, ending=ending, awaiting=frozenset())


def known_to(seat, rules, state, chosen, facts):
    """The snapshot of a seat, or everybody's for None; who has chosen chose the last move."""
    if seat is None:
        return PublicSnapshot(view=rules.observe(state, None), **facts)
    legal = tuple(rules.legal_moves(state, Seat(seat)))
    return SeatSnapshot(
        seat=Seat(seat),
        view=rules.observe(state, Seat(seat)),
        choice=legal[-1] if seat in chosen and legal else None,
        legal=legal,
        **facts,
    )


def is_hand(snapshot):
    """Whether it is what a seat may know, not what everybody may."""
    return isinstance(snapshot, SeatSnapshot)


def controls_of(presentation, snapshot, draft=""):
    """What a hand offers to choose; nothing for the table, which offers nothing."""
    return presentation.controls(snapshot, draft) if is_hand(snapshot) else []


def question_of(presentation, snapshot, draft=""):
    """What a hand asks; a short text for the table, which asks nothing."""
    return presentation.question(snapshot, draft) if is_hand(snapshot) else "-"
