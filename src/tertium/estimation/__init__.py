"""Quality estimation: how good translations are, without references (docs/estimate.md)."""
