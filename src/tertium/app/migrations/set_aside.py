"""Why an annotator was set aside."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "set_aside"
down_revision = "0001"


def upgrade() -> None:
    """One more column; who was removed before has no reason."""
    op.add_column("annotators", sa.Column("reason", sa.Text))


def downgrade() -> None:
    """Forget the reasons."""
    op.drop_column("annotators", "reason")
