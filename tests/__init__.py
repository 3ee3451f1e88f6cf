"""A package, so that no other package that brings `tests` along is taken for it."""
