"""Test sets by name, kept as sacrebleu keeps them: what is known of each, texts of its archives, downloads."""
