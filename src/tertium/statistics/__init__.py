"""Rows of statistics: what adds (`dense`, `types`, `bags`), how it travels elsewhere (`parcels`), and what is
learnt of the whole set before (`learnt`)."""

from tertium.statistics.bags import Remainders, ValueStatistics
from tertium.statistics.base import Statistics, as_int64, as_weights, mask_weights
from tertium.statistics.dense import (
    DenseStatistics,
    StatisticColumn,
    WeightedTogether,
    columns,
    weighted_scores,
)
from tertium.statistics.learnt import WholeCounts
from tertium.statistics.types import TypeComplements, TypeCounts, TypeStatistics

__all__ = [
    "DenseStatistics",
    "Remainders",
    "StatisticColumn",
    "Statistics",
    "TypeComplements",
    "TypeCounts",
    "TypeStatistics",
    "ValueStatistics",
    "WeightedTogether",
    "WholeCounts",
    "as_int64",
    "as_weights",
    "columns",
    "mask_weights",
    "weighted_scores",
]
