"""The tables of the service. Changes come as migrations, never by editing alone.

Texts and statistics are apart: texts may be dropped after a while, and the rows, which add, stay.
"""

from __future__ import annotations

from sqlalchemy import (
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

keys = Table(
    "service_keys",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(64), nullable=False, unique=True),
    Column("hash", String(64), nullable=False, unique=True),  # of the token, which is nowhere
    Column("scopes", String(40), nullable=False),  # write, read, administer; separated by blanks
    Column("system", String(64)),  # the only one it may write of; null: any
    Column("per_minute", Integer, nullable=False),
    Column("created", Float, nullable=False),
    Column("revoked", Float),
)

systems = Table(
    "service_systems",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(64), nullable=False, unique=True),
    Column("created", Float, nullable=False),
)

evaluations = Table(
    "service_evaluations",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key", ForeignKey("service_keys.id"), nullable=False),
    Column("repeat", String(200)),  # the caller's: a call that is made again counts once
    Column("digest", String(64), nullable=False),  # of the body
    Column("system", ForeignKey("service_systems.id"), nullable=False),
    Column("domain", String(64), nullable=False),
    Column("document", String(200), nullable=False),
    Column("time", Float, nullable=False),  # of the translation, as the caller says
    Column("received", Float, nullable=False),
    Column("size", Integer, nullable=False),
    Column("words", Integer, nullable=False),
    Column("lengths", LargeBinary, nullable=False),  # of the segments, in words: 32-bit numbers
    Column("metadata", Text, nullable=False),  # JSON
    UniqueConstraint("key", "repeat"),
    UniqueConstraint("system", "domain", "document", "time"),
    Index("ix_service_evaluations_time", "system", "domain", "time"),
)

texts = Table(
    "service_texts",
    metadata,
    Column("evaluation", ForeignKey("service_evaluations.id"), primary_key=True),
    Column("segments", Text, nullable=False),  # JSON, as they came
)

scores = Table(
    "service_scores",
    metadata,
    Column("evaluation", ForeignKey("service_evaluations.id"), primary_key=True),
    Column("metric", String(200), primary_key=True),  # as asked for
    Column("signature", Text, nullable=False),
    Column("value", Float),  # of the document; null: undefined
    Column("values", LargeBinary, nullable=False),  # of the segments: doubles, NaN where undefined
    Column("rows", LargeBinary, nullable=False),  # of the segments, as `Statistics.to_bytes` writes them
)

secrets = Table(
    "service_secrets",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)

sessions = Table(  # of people who read the dashboard
    "service_sessions",
    metadata,
    Column("id", String(64), primary_key=True),  # a hash of what is in the cookie
    Column("key", ForeignKey("service_keys.id"), nullable=False),
    Column("expires", Float, nullable=False),
)
