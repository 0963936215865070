"""What every game shares: settings, storage, the life of a match, the table and the hands."""
