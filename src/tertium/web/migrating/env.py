"""Alembic's entry: it migrates over the connection that `database.migrate` provides."""

from __future__ import annotations

from alembic import context


def migrate() -> None:
    """Run what is still to be run."""
    given = context.config.attributes
    context.configure(connection=given["connection"], version_table=given["versions"], render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()


if __name__ == "env_py":  # the name under which Alembic runs this file; importing it does nothing
    migrate()
