"""Results and solved puzzles that people show to others: what is told of a match, and the posts."""
