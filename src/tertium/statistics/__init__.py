"""Rows of statistics: what adds (`dense`, `types`, `bags`), and how it travels elsewhere (`parcels`)."""

from tertium.statistics.bags import Remainders, ValueStatistics
from tertium.statistics.base import Statistics, as_int64, as_weights, mask_weights
from tertium.statistics.dense import (
    DenseStatistics,
    StatisticColumn,
    WeightedTogether,
    columns,
    weighted_scores,
)
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
    "as_int64",
    "as_weights",
    "columns",
    "mask_weights",
    "weighted_scores",
]
