"""Tertium from the tools that people already have: a file a tool, imported when it is used (docs/adapters.md)."""
