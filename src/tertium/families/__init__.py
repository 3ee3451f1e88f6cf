"""The metrics: one file per family. Names are in `tertium.registry`."""
