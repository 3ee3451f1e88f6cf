"""Judgements of people: direct assessment, quality control, campaigns."""
