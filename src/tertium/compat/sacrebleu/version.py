"""The sacrebleu whose numbers this package equals; signatures print it."""

__version__ = version = "2.6.0"
__version_tuple__ = version_tuple = (2, 6, 0)
