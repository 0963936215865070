"""What `/learn` teaches: exercises played by the real rules, and people's progress in them."""
