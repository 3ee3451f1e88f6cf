"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make all tables."""
    op.create_table(
        "secrets",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
    op.create_table(
        "campaigns",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(64), nullable=False, unique=True),
        sa.Column("design", sa.String(40), nullable=False),
        sa.Column("given", sa.Text, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_table(
        "items",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("campaign", sa.Integer, sa.ForeignKey("campaigns.id"), nullable=False),
        sa.Column("code", sa.String(16), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("place", sa.Integer),
        sa.Column("content", sa.Text, nullable=False),
        sa.UniqueConstraint("campaign", "code"),
    )
    op.create_table(
        "annotators",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("campaign", sa.Integer, sa.ForeignKey("campaigns.id"), nullable=False),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("link_version", sa.Integer, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.UniqueConstraint("campaign", "name"),
    )
    op.create_table(
        "tasks",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("annotator", sa.Integer, sa.ForeignKey("annotators.id"), nullable=False),
        sa.Column("item", sa.Integer, sa.ForeignKey("items.id"), nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("batch", sa.Integer, nullable=False),
        sa.Column("shown", sa.String(200), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("current", sa.Integer),
        sa.UniqueConstraint("annotator", "position"),
    )
    op.create_index("ix_tasks_state", "tasks", ["annotator", "state", "position"])
    op.create_index("ix_tasks_item", "tasks", ["item"])
    op.create_table(
        "judgements",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("task", sa.Integer, sa.ForeignKey("tasks.id"), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("time", sa.Float, nullable=False),
        sa.UniqueConstraint("task", "key"),
    )
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("annotator", sa.Integer, sa.ForeignKey("annotators.id")),
        sa.Column("link_version", sa.Integer, nullable=False),
        sa.Column("expires", sa.Float, nullable=False),
    )


def downgrade() -> None:
    """Take them away again."""
    for name in ("sessions", "judgements", "tasks", "annotators", "items", "campaigns", "secrets"):
        op.drop_table(name)
