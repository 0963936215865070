"""Leaderboards, profiles, histories and weekly digests, and who may see them."""
