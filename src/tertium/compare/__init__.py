"""Comparing systems: is B better than A, where, and why. Algebra over the statistics that scoring made."""
