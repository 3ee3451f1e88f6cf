"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "s0001"
down_revision = None


def upgrade() -> None:
    """Make all tables."""
    op.create_table(
        "service_keys",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(64), nullable=False, unique=True),
        sa.Column("hash", sa.String(64), nullable=False, unique=True),
        sa.Column("scopes", sa.String(40), nullable=False),
        sa.Column("system", sa.String(64)),
        sa.Column("per_minute", sa.Integer, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("revoked", sa.Float),
    )
    op.create_table(
        "service_systems",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(64), nullable=False, unique=True),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_table(
        "service_evaluations",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("key", sa.Integer, sa.ForeignKey("service_keys.id"), nullable=False),
        sa.Column("repeat", sa.String(200)),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("system", sa.Integer, sa.ForeignKey("service_systems.id"), nullable=False),
        sa.Column("domain", sa.String(64), nullable=False),
        sa.Column("document", sa.String(200), nullable=False),
        sa.Column("time", sa.Float, nullable=False),
        sa.Column("received", sa.Float, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("words", sa.Integer, nullable=False),
        sa.Column("metadata", sa.Text, nullable=False),
        sa.UniqueConstraint("key", "repeat"),
        sa.UniqueConstraint("system", "domain", "document", "time"),
    )
    op.create_index("ix_service_evaluations_time", "service_evaluations", ["system", "domain", "time"])
    op.create_table(
        "service_texts",
        sa.Column("evaluation", sa.Integer, sa.ForeignKey("service_evaluations.id"), primary_key=True),
        sa.Column("segments", sa.Text, nullable=False),
    )
    op.create_table(
        "service_scores",
        sa.Column("evaluation", sa.Integer, sa.ForeignKey("service_evaluations.id"), primary_key=True),
        sa.Column("metric", sa.String(200), primary_key=True),
        sa.Column("signature", sa.Text, nullable=False),
        sa.Column("value", sa.Float),
        sa.Column("values", sa.LargeBinary, nullable=False),
        sa.Column("rows", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    """Remove them again."""
    for name in ("scores", "texts", "evaluations", "systems", "keys"):
        op.drop_table(f"service_{name}")
