"""What there is for people who have a Spark DataFrame."""

from tertium.clusters.rows import write_rows
from tertium.clusters.scoring import FrameScores, PlannedFrame, planned, refusal, score
from tertium.engines.spark import read_frame

__all__ = ["FrameScores", "PlannedFrame", "planned", "read_frame", "refusal", "score", "write_rows"]
