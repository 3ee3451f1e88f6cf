"""One HTML file that shows a comparison of systems: opens from disk, asks nothing of the network.

What it shows is the `.data()` of the comparison and, besides, its `.texts()`: those of every segment, with scores.
"""

from tertium.report.page import render, write_report

__all__ = ["render", "write_report"]
