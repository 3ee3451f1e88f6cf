"""Ways to learn from corrections, each one file: fine-tuning, adapters, nearest neighbours, repaired matches."""
