"""The rights of people to their data: a copy of it, and its deletion."""
