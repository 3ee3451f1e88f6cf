"""Estimators that learn from corrections while people work (docs/estimate-online.md)."""
