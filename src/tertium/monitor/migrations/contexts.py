"""Scores of segments with their neighbours."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "s0004"
down_revision = "s0003"


def upgrade() -> None:
    """A column for them; empty where nobody asked."""
    op.add_column("service_scores", sa.Column("context", sa.LargeBinary))


def downgrade() -> None:
    """Without them."""
    op.drop_column("service_scores", "context")
