"""What `/learn` teaches: exercises on the real rules, and how far somebody has come with them."""
