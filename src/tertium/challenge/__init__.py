"""Challenge sets: what a system can and cannot do, one phenomenon at a time (Isabelle, Cherry and Foster 2017)."""
