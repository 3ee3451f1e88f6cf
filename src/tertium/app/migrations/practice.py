"""Answers to practice items."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "practice"
down_revision = "0001"


def upgrade() -> None:
    """One more table."""
    op.create_table(
        "practice",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("annotator", sa.Integer, sa.ForeignKey("annotators.id"), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
        sa.Column("correct", sa.Integer, nullable=False),
        sa.Column("time", sa.Float, nullable=False),
        sa.UniqueConstraint("annotator", "key"),
    )


def downgrade() -> None:
    """Take it away again."""
    op.drop_table("practice")
