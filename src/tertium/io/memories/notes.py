"""What looked wrong while a memory was read or written: each kind said once, with how often and where first."""

from __future__ import annotations

import warnings

from tertium.errors import TertiumWarning


class Notes:
    """Counts by sentence. A sentence has `{}` for the number of units.

    >>> notes = Notes("in.tmx")
    >>> notes.add("dates that are no dates: {}", "line 3: '2019-13-45'")
    >>> notes.add("dates that are no dates: {}", "line 9: 'May'")
    >>> notes.sentences()
    ["in.tmx: dates that are no dates: 2 (the first: line 3: '2019-13-45')"]
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._found: dict[str, tuple[int, str]] = {}

    def add(self, sentence: str, where: str) -> None:
        number, first = self._found.get(sentence, (0, where))
        self._found[sentence] = number + 1, first

    def sentences(self) -> list[str]:
        return [
            f"{self._name}: {sentence.format(f'{number:,}')} (the first: {first})"
            for sentence, (number, first) in self._found.items()
        ]

    def warn(self) -> None:
        """Say it, and forget it."""
        for sentence in self.sentences():
            warnings.warn(sentence, TertiumWarning, stacklevel=2)
        self._found.clear()
