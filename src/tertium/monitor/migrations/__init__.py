"""Migrations of the service, one file a step, run by Alembic whenever a database is opened."""
