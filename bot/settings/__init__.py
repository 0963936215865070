"""What servers and people have chosen."""
