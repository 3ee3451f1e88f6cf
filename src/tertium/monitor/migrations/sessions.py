"""Sessions of people who read the dashboard."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "s_sessions"
down_revision = "s0002"


def upgrade() -> None:
    """Secrets and sessions."""
    op.create_table(
        "service_secrets",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
    op.create_table(
        "service_sessions",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("key", sa.Integer, sa.ForeignKey("service_keys.id"), nullable=False),
        sa.Column("expires", sa.Float, nullable=False),
    )


def downgrade() -> None:
    """Remove them again."""
    op.drop_table("service_sessions")
    op.drop_table("service_secrets")
