"""One HTML file that shows a comparison of systems: opens from disk and loads nothing from the network.

What it shows is the `.data()` of the comparison and its `.texts()`: every segment with its scores.
"""

from tertium.report.page import render, write_report

__all__ = ["render", "write_report"]
