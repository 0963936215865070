"""How a match ended, as a sentence: who won and why, and who left."""

from collections.abc import Sequence

from bot.matches import MatchSnapshot
from bot.rendering.phrases import ending_sentence, seat_names
from bot.rendering.presentation import Presentation
from bot.text import capitalized, listed
from games import Seat
from games.core import winners


def won_by(snapshot: MatchSnapshot) -> tuple[Seat, ...]:
    """The seats that won, several if they share the win; none after an agreed draw.

    By its ranks alone, an agreed draw after a player left would look like a shared win.
    """
    return () if snapshot.ending == "draw" else winners(snapshot.outcome)


def result_line(snapshot: MatchSnapshot, presentation: Presentation) -> str:
    """Who won and why; only for a match that has ended.

    The rules only know that a seat left; how it left comes from the match.
    """
    if snapshot.ending:
        return ending_sentence(snapshot)
    who = seat_names(snapshot)
    departed = _departed(snapshot, who)
    playing = [i for i, info in enumerate(snapshot.seats) if not info.left]
    if departed and len(playing) == 1:
        return f"**{capitalized(who[playing[0]])} wins**: {departed}."
    result = presentation.result(snapshot.view, who)
    return f"{result} {capitalized(departed)}." if departed else result


def _departed(snapshot: MatchSnapshot, who: Sequence[str]) -> str:
    """Who left and how, as clauses; "" if nobody left."""

    def players_who(why: str) -> list[str]:
        seats = enumerate(snapshot.seats)
        return [who[i] for i, p in seats if p.left and (p.left_why or "resigned") == why]

    clauses = []
    if resigned := players_who("resigned"):
        clauses.append(f"{listed(resigned)} resigned")
    if late := players_who("time"):
        clauses.append(f"{listed(late)} missed two deadlines in a row")
    if unseated := players_who("unseated"):
        clauses.append(f"a moderator removed {listed(unseated)}")
    return listed(clauses) if clauses else ""
