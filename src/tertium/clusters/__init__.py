"""Datasets of a Spark cluster: scored, compared, estimated and checked where they lie."""
