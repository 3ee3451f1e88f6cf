"""Names of `text.keyed` that all of this room uses."""

from tertium.text.keyed import KeyedWords, Keys, Numbers, Places, mixed
from tertium.text.ngrams import Arrays

__all__ = ["Arrays", "KeyedWords", "Keys", "Numbers", "Places", "mixed"]
