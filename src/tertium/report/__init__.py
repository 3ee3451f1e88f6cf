"""One HTML file that shows a comparison of systems: opens from disk, asks nothing of the network.

What it shows is a plain dictionary (`tertium.report.contract` says of what), so that whatever can make one, the
library, a notebook or a file of JSON, can have a report.
"""

from tertium.report.page import render, write_report

__all__ = ["render", "write_report"]
