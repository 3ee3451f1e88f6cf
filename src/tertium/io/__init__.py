"""Every file format in and out: lines, columns, WMT test sets, tables."""
