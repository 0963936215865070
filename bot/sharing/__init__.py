"""Sharing results and solved puzzles: what is shown of a match, and the posts."""
