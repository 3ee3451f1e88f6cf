"""What became of systems day by day: evaluations kept, watched and compared. Its parts are imported when needed."""
