"""How well computers play, and how long clicks take while they think."""
