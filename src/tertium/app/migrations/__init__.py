"""Migrations of the database, run by Alembic whenever a store is opened."""
