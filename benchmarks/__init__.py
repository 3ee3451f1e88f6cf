"""Ratios against peers, measured back to back in one run on the same text: `make bench`."""
