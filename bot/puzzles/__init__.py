"""The daily puzzle: which one a day has, and who answered what."""
