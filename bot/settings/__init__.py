"""The settings of servers and users: channels, pace, preferences, notices, blocks."""
