"""How well computers play, and what a click costs meanwhile."""
