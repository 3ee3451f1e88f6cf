"""The dashboard: how each system does in each domain, what changed, and down to the words."""
