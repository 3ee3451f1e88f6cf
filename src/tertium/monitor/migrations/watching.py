"""Jobs, marks of people, releases, alarms and where they go, phrases, settings."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "s0003"
down_revision = "s0002"


def _number() -> sa.Column[int]:
    return sa.Column("id", sa.Integer, primary_key=True)


def _of(name: str, table: str, **how: Any) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, sa.ForeignKey(f"service_{table}.id"), **({"nullable": False} | how))


def _is(name: str, kind: Any) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=False)


def upgrade() -> None:
    """Make the tables; evaluations that are there are of no probe and no known version."""
    for name in ("probe", "version", "basis"):
        op.add_column(
            "service_evaluations",
            sa.Column(name, sa.String(64), nullable=False, server_default=sa.text("''")),
        )
    op.add_column(
        "service_evaluations",
        sa.Column("watched", sa.Integer, nullable=False, server_default=sa.text("0")),
    )
    op.create_index("ix_service_evaluations_watched", "service_evaluations", ["watched", "id"])
    op.create_table(
        "service_jobs",
        sa.Column("id", sa.String(32), primary_key=True),
        _of("key", "keys"),
        sa.Column("repeat", sa.String(200)),
        _is("digest", sa.String(64)),
        _is("created", sa.Float()),
        _is("state", sa.String(10)),
        _is("beat", sa.Float()),
        _is("total", sa.Integer()),
        _is("done", sa.Integer()),
        sa.Column("body", sa.LargeBinary),
        sa.Column("evaluation", sa.Integer),
        sa.Column("problem", sa.Text),
        sa.UniqueConstraint("key", "repeat"),
    )
    op.create_index("ix_service_jobs_state", "service_jobs", ["state", "created"])
    op.create_table(
        "service_marks",
        _number(),
        _of("key", "keys"),
        _of("evaluation", "evaluations"),
        _is("segment", sa.Integer()),
        _is("kind", sa.String(10)),
        _is("annotator", sa.String(64)),
        sa.Column("value", sa.Float),
        _is("spans", sa.Text()),
        _is("received", sa.Float()),
        sa.UniqueConstraint("evaluation", "segment", "kind", "annotator"),
    )
    op.create_table(
        "service_releases",
        _number(),
        _of("system", "systems"),
        _is("version", sa.String(64)),
        _is("time", sa.Float()),
        _is("note", sa.String(500)),
        sa.UniqueConstraint("system", "version"),
    )
    op.create_table(
        "service_watches",
        _number(),
        _of("system", "systems"),
        _is("domain", sa.String(64)),
        _is("probe", sa.String(64)),
        _is("metric", sa.String(200)),
        _is("signature", sa.Text()),
        sa.Column("digest", sa.String(64), nullable=False, unique=True),
        _is("last", sa.Integer()),
        _is("state", sa.Text()),
    )
    op.create_table(
        "service_alarms",
        _number(),
        _of("watch", "watches"),
        _is("change", sa.String(10)),
        _is("evaluation", sa.Integer()),
        _is("since", sa.Integer()),
        _is("batches", sa.Integer()),
        sa.Column("before", sa.Float),
        sa.Column("after", sa.Float),
        _is("time", sa.Float()),
        _is("begins", sa.Float()),
        _is("raised", sa.Float()),
        sa.UniqueConstraint("watch", "evaluation"),
    )
    op.create_table(
        "service_webhooks",
        _number(),
        sa.Column("url", sa.String(500), nullable=False, unique=True),
        _is("secret", sa.String(64)),
        _is("created", sa.Float()),
    )
    op.create_table(
        "service_deliveries",
        _of("alarm", "alarms", primary_key=True),
        _of("webhook", "webhooks", primary_key=True),
        _is("tries", sa.Integer()),
        sa.Column("due", sa.Float),
        sa.Column("delivered", sa.Float),
        _is("said", sa.String(200)),
    )
    op.create_table(
        "service_phrases",
        _of("evaluation", "evaluations", primary_key=True),
        _is("signature", sa.Text()),
        _is("spans", sa.Text()),
    )
    op.create_table(
        "service_settings", sa.Column("name", sa.String(40), primary_key=True), _is("value", sa.Text())
    )
    op.create_table(
        "service_vectors",
        sa.Column("version", sa.Integer, primary_key=True),
        _is("path", sa.Text()),
        _is("content", sa.String(64)),
        _is("made", sa.Float()),
        _is("origin", sa.String(200)),
    )


def downgrade() -> None:
    """Remove them again."""
    for name in ("vectors", "settings", "phrases", "deliveries", "webhooks", "alarms", "watches"):
        op.drop_table(f"service_{name}")
    for name in ("releases", "marks", "jobs"):
        op.drop_table(f"service_{name}")
    op.drop_index("ix_service_evaluations_watched", "service_evaluations")
    for name in ("probe", "version", "basis", "watched"):
        op.drop_column("service_evaluations", name)
