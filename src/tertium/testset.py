"""A test set: sources, references, outputs of systems, documents, metadata; line by line the same segments."""

from __future__ import annotations
