"""Snapshots of positions of any game, built without a match, with the longest possible ids."""

from dataclasses import replace
from hashlib import sha256

from hypothesis import strategies as st

from bot.matches import PublicSnapshot, SeatInfo, SeatSnapshot
from bot.storage import MatchId
from games import GAMES, Seat

HUGE = 2**63 - 1  # the longest id that Discord can assign
MATCH = MatchId(10**18 - 1)  # the longest id that a custom_id has room for
URL = f"https://discord.com/channels/{HUGE}/{HUGE}/{HUGE}"


def one_of(draw, many):
    """Draw one of very many values; `st.sampled_from` would hash all of them first."""
    return many[draw(st.integers(0, len(many) - 1))]


def snapshot(game, state, *, seat=None, chosen=(), step=0, seats=2):
    """The snapshot of a position for a seat, or for everybody if `seat` is None."""
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
        "late": (),
        "ending": None,
        "seats": tuple(
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
    """The same snapshot after this `Ending`, which the rules know nothing about."""
    view = replace(shown.view, awaiting=())
    return replace(shown, view=view, status=status, ending=ending, awaiting=frozenset())


def known_to(seat, rules, state, chosen, facts):
    """The snapshot for a seat, or for everybody if `seat` is None.

    If the seat has chosen, its choice is its last legal move. `facts` are all other fields.
    """
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
    """Whether this is the snapshot of a seat, and so has secrets."""
    return isinstance(snapshot, SeatSnapshot)


def controls_of(presentation, snapshot, draft=""):
    """The controls of a hand; empty for the table."""
    return presentation.controls(snapshot, draft) if is_hand(snapshot) else []


def question_of(presentation, snapshot, draft=""):
    """The question of a hand; "-" for the table."""
    return presentation.question(snapshot, draft) if is_hand(snapshot) else "-"
