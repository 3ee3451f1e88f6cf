"""Checks of units, by name: each says what is wrong in a sentence, where, and how much it weighs."""
