"""Notes on scores: which tokeniser a text called for."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "s0005"
down_revision = "s0004"


def upgrade() -> None:
    """A column for them; empty for scores without a note."""
    op.add_column("service_scores", sa.Column("note", sa.Text))


def downgrade() -> None:
    """Without them."""
    op.drop_column("service_scores", "note")
