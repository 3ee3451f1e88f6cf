"""Lengths of segments: how hard a text is stays known when the text is gone."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "s0002"
down_revision = "s0001"


def upgrade() -> None:
    """A column for them; what is there already has none."""
    op.add_column(
        "service_evaluations",
        sa.Column("lengths", sa.LargeBinary, nullable=False, server_default=sa.text("''")),
    )


def downgrade() -> None:
    """Without them."""
    op.drop_column("service_evaluations", "lengths")
