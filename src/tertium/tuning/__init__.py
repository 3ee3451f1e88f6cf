"""Weights of n-best features, found for any metric: MERT, PRO and batch MIRA (docs/nbest.md)."""
