"""People's rights over their data: a copy of it, and its deletion."""
