"""Migrations of the campaigns, one file a step, run by Alembic whenever a database is opened."""
