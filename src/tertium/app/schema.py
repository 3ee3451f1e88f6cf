"""The tables of the database. Changes come as migrations (`migrations/versions`), never by editing alone.

A judgement is never changed or deleted: a new answer is a new row, and `tasks.current` points to the one that counts.
"""

from __future__ import annotations

from sqlalchemy import (
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

secrets = Table(
    "secrets",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)

campaigns = Table(
    "campaigns",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(64), nullable=False, unique=True),
    Column("design", String(40), nullable=False),
    Column("given", Text, nullable=False),  # all settings, JSON
    Column("size", Integer, nullable=False),  # segments of the test set
    Column("created", Float, nullable=False),
)

items = Table(
    "items",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("campaign", ForeignKey("campaigns.id"), nullable=False),
    Column("code", String(16), nullable=False),
    Column("kind", String(10), nullable=False),
    Column("place", Integer),  # in the pool of genuine items; null: a control item
    Column("content", Text, nullable=False),  # JSON, with the key
    UniqueConstraint("campaign", "code"),
)

annotators = Table(
    "annotators",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("campaign", ForeignKey("campaigns.id"), nullable=False),
    Column("name", String(80), nullable=False),
    Column("state", String(10), nullable=False),  # active, paused, removed (set aside)
    Column("link_version", Integer, nullable=False),
    Column("created", Float, nullable=False),
    Column("reason", Text),  # why they were set aside
    UniqueConstraint("campaign", "name"),
)

tasks = Table(
    "tasks",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("annotator", ForeignKey("annotators.id"), nullable=False),
    Column("item", ForeignKey("items.id"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("batch", Integer, nullable=False),
    Column("shown", String(200), nullable=False),  # the order of the outputs, JSON
    Column("state", String(10), nullable=False),  # open, draft, done
    Column("current", Integer),  # the judgement that counts
    UniqueConstraint("annotator", "position"),
    Index("ix_tasks_state", "annotator", "state", "position"),
    Index("ix_tasks_item", "item"),
)

judgements = Table(
    "judgements",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("task", ForeignKey("tasks.id"), nullable=False),
    Column("key", String(64), nullable=False),  # the browser's: an answer sent twice is one answer
    Column("state", String(10), nullable=False),  # draft, done, undone
    Column("answer", Text, nullable=False),  # JSON
    Column("seconds", Float, nullable=False),
    Column("time", Float, nullable=False),
    UniqueConstraint("task", "key"),
)

practice = Table(
    "practice",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("annotator", ForeignKey("annotators.id"), nullable=False),
    Column("key", String(64), nullable=False),
    Column("place", Integer, nullable=False),  # of the practice item, from 1
    Column("answer", Text, nullable=False),  # JSON
    Column("correct", Integer, nullable=False),  # 1: it was right
    Column("time", Float, nullable=False),
    UniqueConstraint("annotator", "key"),
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", String(64), primary_key=True),  # a hash: the cookie itself is nowhere
    Column("annotator", ForeignKey("annotators.id")),  # null: an administrator
    Column("link_version", Integer, nullable=False),
    Column("expires", Float, nullable=False),
)
