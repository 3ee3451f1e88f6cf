"""Translation memories in files: units in and out, one at a time, in every format that people keep them in."""
