"""Tables of the WMT metrics tasks that hold several language pairs: a header with LP, and tabs, commas or spaces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tertium.errors import InputError, did_you_mean
from tertium.io.coverage import OpenCoverage
from tertium.io.records import Header, text_lines
from tertium.io.streams import FilePath, display_name


class PairTable:
    """A table opened at its header. Rows are read once."""

    def __init__(self, path: FilePath, required: Sequence[str]) -> None:
        self.name = display_name(path)
        self._rows = text_lines(path)
        first_line, top = next(self._rows)
        self._separator = next((sign for sign in ("\t", ",") if sign in top), None)
        where = f"{self.name}: line {first_line}"
        self.header = Header(top.split(self._separator), where, required=("lp", *required))
        self._pairs: dict[str, None] = {}

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Line numbers and fields, all of them checked against the header."""
        for number, line in self._rows:
            if line.strip():
                fields = line.split(self._separator)
                self.header.check(fields, f"{self.name}: line {number}")
                self._pairs[self.header.get(fields, "lp") or ""] = None
                yield number, fields

    def rows_of(self, pair: str, testset: str | None, book: OpenCoverage) -> Iterator[tuple[int, list[str]]]:
        """The rows of one pair (and test set, where the table has a column DATA); the book says what was left out."""
        for number, fields in self.rows():
            other = testset is not None and self.header.get(fields, "data") not in (None, testset)
            if other or self.header.get(fields, "lp") != pair:
                book.leave_out("of other language pairs or test sets", number)
            else:
                yield number, fields

    @property
    def pairs(self) -> list[str]:
        """The language pairs of the rows read so far."""
        return list(self._pairs)

    def nothing_of(self, what: str, pair: str) -> InputError:
        """What to raise when the table has nothing of a pair."""
        return InputError(f"{self.name}: there are no {what} of {pair!r}{did_you_mean(pair, self.pairs)}")
