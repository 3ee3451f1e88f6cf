"""MQM annotations as tab-separated files: a row for each error that a rater marked, never quoted.

Columns by their names: system, doc, doc_id, seg_id, rater, source, target, category, severity. The marked words stand
between <v> and </v>. A row with the category No-error says that the rater found none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from tertium.errors import InputError
from tertium.io.coverage import OpenCoverage
from tertium.io.judgementtable import Duplicates, JudgementReading, RowsOfJudgements, Span
from tertium.io.records import HeadedTable, Row
from tertium.io.streams import FilePath

DEFAULT_WEIGHTS: Mapping[str, float] = {
    "Critical": 25.0,
    "Major": 5.0,
    "Minor": 1.0,
    "Neutral": 0.0,
    "No-error": 0.0,
    "Non-translation": 25.0,
    "Minor Fluency/Punctuation": 0.1,
}


@dataclass(frozen=True)
class MQMWeights:
    """What each error costs: by its severity, by its category, or by both ("Minor Fluency/Punctuation").

    The most specific rule decides: severity and category, then category, then severity. A category covers those below
    it: "Fluency" is also "Fluency/Grammar". Case and a final "!" do not matter. The defaults are those of Freitag et
    al. (2021), "Experts, Errors, and Context"; critical errors, which they do not have, weigh 25 as in the MQM
    framework.

    >>> weights = MQMWeights()
    >>> [weights.weight(*error) for error in (("Major", "Accuracy/Omission"), ("minor", "Fluency/Punctuation"),
    ...                                       ("Major", "Non-translation!"), ("No-error", "No-error"))]
    [5.0, 0.1, 25.0, 0.0]
    """

    rules: tuple[tuple[str, float], ...] = tuple(DEFAULT_WEIGHTS.items())

    @classmethod
    def of(
        cls, weights: MQMWeights | Mapping[str, float] | None, defaults: Mapping[str, float] = {}
    ) -> MQMWeights:
        """The default weights (and further ones) with some of them changed, or others added.

        >>> MQMWeights.of({"Severe": 10}).weight("Severe", "Accuracy")
        10.0
        """
        if isinstance(weights, MQMWeights):
            return weights
        given = (*DEFAULT_WEIGHTS.items(), *defaults.items(), *(weights or {}).items())
        return cls(tuple({_plain(key): float(value) for key, value in given}.items()))

    def weight(self, severity: str, category: str, where: str = "MQM") -> float:
        """The cost of an error; a severity without a rule is refused."""
        known = {_plain(key): value for key, value in self.rules}
        names = [_plain(category)]
        while "/" in names[-1]:
            names.append(names[-1].rpartition("/")[0])
        for key in (*(f"{_plain(severity)} {name}" for name in names), *names, _plain(severity)):
            if key in known:
                return known[key]
        raise InputError(
            f"{where}: there is no weight for severity {severity!r}, category {category!r} "
            f"(known: {', '.join(key for key, _ in self.rules)})"
        )


def _plain(text: str) -> str:
    return text.strip().rstrip("!").lower()


def read_mqm(
    path: FilePath,
    *,
    weights: MQMWeights | Mapping[str, float] | None = None,
    duplicates: Duplicates = "keep",
) -> JudgementReading:
    """Read MQM annotations: a judgement for each system, segment and rater, minus the sum of the errors' weights.

    The same error marked twice in a segment counts twice, as in the published scores, unless `duplicates` says
    otherwise. The span of an error is that of the text without its marks.

    >>> header = "system\\tdoc\\tdoc_id\\tseg_id\\trater\\tsource\\ttarget\\tcategory\\tseverity\\n"
    >>> row = "A\\td\\t1\\t7\\trater1\\tEin Hund\\tThe <v>dog</v>\\tAccuracy/Mistranslation\\tMajor\\n"
    >>> found = read_mqm(written("mqm.tsv", header + row)).judgements
    >>> found.score.tolist(), found.spans[0][0].start, found.spans[0][0].end
    ([-5.0], 4, 7)
    """
    rules = MQMWeights.of(weights)
    rows = HeadedTable(path, ("system", "seg_id", "rater", "category", "severity"))
    book = OpenCoverage(rows.name, "errors and rows without errors")
    seen: dict[tuple[str, ...], int] = {}
    found: dict[tuple[str, str, str], list[Span]] = {}
    places: dict[tuple[str, str, str], tuple[int, str]] = {}
    used = 0
    for row in rows:
        system, segment, rater, severity, category = row.named(
            "system", "seg_id", "rater", "severity", "category"
        )
        first = seen.setdefault(tuple(row.fields.values()), row.number)
        if first != row.number and duplicates == "refuse":
            raise InputError(f'{row.where} repeats line {first} (use --duplicates "leave out" or keep)')
        if first != row.number and duplicates == "leave out":
            book.leave_out("the same row again", row.number)
            continue
        weight = rules.weight(severity, category, row.where)
        spans = found.setdefault((system, segment, rater), [])
        document = row.get("doc")
        line, known = places.setdefault((system, segment, rater), (row.number, document))
        if known != document:
            raise InputError(
                f"{row.where}: segment {segment} belongs to document {document!r}, but on line {line} to {known!r}"
            )
        if _plain(category) != "no-error":
            spans.append(_span(row, severity, category, weight))
        used += 1
    table = RowsOfJudgements(rows.name, "keep")
    for (system, segment, rater), own in found.items():
        line, document = places[system, segment, rater]
        table.add(
            line,
            annotator=rater,
            system=system,
            segment=segment,
            score=-sum(span.weight or 0.0 for span in own) + 0.0,
            document=document,
            spans=tuple(own),
        )
    return JudgementReading(table.table(), book.closed(used), protocol="MQM")


def _span(row: Row, severity: str, category: str, weight: float) -> Span:
    """The marked words: in the target, else in the source; nothing marked is an error of the whole segment."""
    for side in ("target", "source"):
        if found := re.search(r"<v>(.*?)</v>", row.get(side)):
            start = found.start()
            return Span(start, start + len(found[1]), severity, category, side == "source", weight)
    return Span(None, None, severity, category, False, weight)
