"""What happens by the clock: deadlines, reminders and nudges, moves of computers."""
