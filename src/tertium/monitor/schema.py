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
    Column("probe", String(64), nullable=False),  # the fixed set of texts that this is of; empty: none
    Column("version", String(64), nullable=False),  # of the system; empty: not said
    Column("basis", String(64), nullable=False),  # hash of sources and references: what can be paired
    Column("watched", Integer, nullable=False),  # 1: the charts have seen it
    UniqueConstraint("key", "repeat"),
    UniqueConstraint("system", "domain", "document", "time"),
    Index("ix_service_evaluations_time", "system", "domain", "time"),
    Index("ix_service_evaluations_watched", "watched", "id"),
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
    Column("context", LargeBinary),  # of the segments with their neighbours: doubles; null: nobody asked
    Column("note", Text),  # on the tokeniser, for languages without spaces between words; null: none
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

jobs = Table(
    "service_jobs",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("key", ForeignKey("service_keys.id"), nullable=False),
    Column("repeat", String(200)),  # the caller's: a call that is made again is the same job
    Column("digest", String(64), nullable=False),  # of the body
    Column("created", Float, nullable=False),
    Column("state", String(10), nullable=False),  # waiting, running, done, failed
    Column("beat", Float, nullable=False),  # when somebody worked on it last
    Column("total", Integer, nullable=False),  # segments
    Column("done", Integer, nullable=False),
    Column("body", LargeBinary),  # JSON, compressed; null once it is done with
    Column("evaluation", Integer),  # what came of it
    Column("problem", Text),  # or why nothing did: a problem document
    UniqueConstraint("key", "repeat"),
)

marks = Table(
    "service_marks",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key", ForeignKey("service_keys.id"), nullable=False),
    Column("evaluation", ForeignKey("service_evaluations.id"), nullable=False),
    Column("segment", Integer, nullable=False),  # counted from 0; -1: the whole document
    Column("kind", String(10), nullable=False),  # da, mqm, esa
    Column("annotator", String(64), nullable=False),
    Column("value", Float),
    Column("spans", Text, nullable=False),  # JSON: start, end, severity, category; no text
    Column("received", Float, nullable=False),
    UniqueConstraint("evaluation", "segment", "kind", "annotator"),
)

releases = Table(
    "service_releases",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("system", ForeignKey("service_systems.id"), nullable=False),
    Column("version", String(64), nullable=False),
    Column("time", Float, nullable=False),
    Column("note", String(500), nullable=False),
    UniqueConstraint("system", "version"),
)

watches = Table(
    "service_watches",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("system", ForeignKey("service_systems.id"), nullable=False),
    Column("domain", String(64), nullable=False),  # empty: all domains together
    Column("probe", String(64), nullable=False),  # empty: what came in
    Column("metric", String(200), nullable=False),
    Column("signature", Text, nullable=False),
    Column("digest", String(64), nullable=False, unique=True),  # of all the above
    Column("last", Integer, nullable=False),  # the evaluation that was seen last
    Column("state", Text, nullable=False),  # JSON: where the chart stands
)

alarms = Table(
    "service_alarms",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("watch", ForeignKey("service_watches.id"), nullable=False),
    Column("change", String(10), nullable=False),  # worse, better
    Column("evaluation", Integer, nullable=False),  # that told
    Column("since", Integer, nullable=False),  # the first that belongs to it
    Column("batches", Integer, nullable=False),
    Column("before", Float),
    Column("after", Float),
    Column("time", Float, nullable=False),  # of the evaluation that told
    Column("begins", Float, nullable=False),  # of the first that belongs to it
    Column("raised", Float, nullable=False),
    UniqueConstraint("watch", "evaluation"),
)

webhooks = Table(
    "service_webhooks",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("url", String(500), nullable=False, unique=True),
    Column("secret", String(64), nullable=False),  # what calls are signed with
    Column("created", Float, nullable=False),
)

deliveries = Table(
    "service_deliveries",
    metadata,
    Column("alarm", ForeignKey("service_alarms.id"), primary_key=True),
    Column("webhook", ForeignKey("service_webhooks.id"), primary_key=True),
    Column("tries", Integer, nullable=False),
    Column("due", Float),  # null: nothing is to be done
    Column("delivered", Float),
    Column("said", String(200), nullable=False),  # the last answer
)

phrases = Table(
    "service_phrases",
    metadata,
    Column("evaluation", ForeignKey("service_evaluations.id"), primary_key=True),
    Column("signature", Text, nullable=False),  # how words were linked
    Column("spans", Text, nullable=False),  # JSON: of each segment, [start, end, score]; no text
)

settings = Table(
    "service_settings",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),  # JSON
)

vectors = Table(
    "service_vectors",
    metadata,
    Column("version", Integer, primary_key=True),
    Column("path", Text, nullable=False),
    Column("content", String(64), nullable=False),  # SHA-256
    Column("made", Float, nullable=False),
    Column("origin", String(200), nullable=False),  # what they were made of
)
