"""Programs that other environments run: they use nothing of ours, and talk JSON Lines (docs/metrics/outside.md)."""
