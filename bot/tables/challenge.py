"""A challenge: who is invited to what, and how it is answered."""

from bot.matches import Look
from bot.presentation import Presentation
from bot.sheets import Sheet
from bot.tables.phrases import GONE, OPEN, button, countdown, listed, names, rules, title


def challenge_sheet(look: Look, presentation: Presentation) -> Sheet:
    """The message of a match that has not begun, or never will."""
    who = names(look)
    head = f"### {title(look, presentation)}\n{who[0]} challenges {listed(who[1:])}."
    match look.status:
        case "declined":
            return Sheet(head=f"{head}\nThe challenge was declined.", color=GONE)
        case "withdrawn":
            return Sheet(head=f"{head}\nThe challenge was withdrawn.", color=GONE)
        case "expired":
            return Sheet(head=f"{head}\nThe challenge has expired.", color=GONE)
        case _:
            pass
    waiting = [who[i] for i, place in enumerate(look.places) if not place.accepted]
    expiry = "" if look.due_at is None else f"\n-# Expires {countdown(look.due_at)}"
    text = (
        f"{head}\nWaiting for {listed(waiting)}. When everybody has accepted, each player gets "
        f"a desk by direct message from me; **My hand** shows the same desk here.{expiry}"
    )
    return Sheet(
        head=text,
        rows=(
            (
                button(look, "Accept", "accept", style="success"),
                button(look, "Decline", "decline"),
                button(look, "Withdraw", "withdraw"),
                rules(look),
            ),
        ),
        color=OPEN,
    )
