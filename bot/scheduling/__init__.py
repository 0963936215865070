"""What happens by the clock: deadlines, notices, moves of computers, what is posted."""
