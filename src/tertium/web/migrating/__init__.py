"""How Alembic is run, for whichever database is opened."""
