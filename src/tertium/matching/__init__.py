"""Which stored translations help with a new document."""
