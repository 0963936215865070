"""Worker processes that think for computer players and for the coach."""
