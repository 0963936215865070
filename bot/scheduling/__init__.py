"""What happens without a click: deadlines, notices, moves of computers, and scheduled posts."""
