"""Rows as files: shards are scored anywhere, and their rows, carried home, give scores, documents and tests. No text
is needed.

A file has the form of all our binary files (`io/caches.py`: content, facts, checksums). The facts name the systems, the
metrics with what decides their rows, this program's version, and the sizes of the blocks that are the content: for
every run of segments the rows of each system by each analysis, packed (`statistics/packing.py`); then for every shard
its documents, in order, with their numbers of segments (JSON, compressed).
"""
