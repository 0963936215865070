"""Leaderboards, profiles, match histories and weekly digests, and who may see them."""
