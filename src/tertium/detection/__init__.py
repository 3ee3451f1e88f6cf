"""What is badly wrong with translations, without references: detectors, and whether to block."""
