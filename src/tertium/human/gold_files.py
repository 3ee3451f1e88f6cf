"""Any file of raw judgements as gold: what kind of file it is, and how that kind becomes scores of systems.

| kind | file | gold |
|---|---|---|
| appraise, table, pearmut | scores from 0 to 100 | quality control, z by annotator, means; for ESA plain means |
| mqm, mtme-rating, appraise | error spans | means of weighted errors |
| hume | marks of semantic units | shares of right units by segment |
| rankings, wmt-rankings | ranks of several translations | expected wins of the pairs they imply |
| comparisons | two translations side by side | expected wins; majority votes as better-worse pairs |
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from inspect import signature
from typing import Any

from tertium.errors import InputError, SpecError
from tertium.human.consistency import consistent
from tertium.human.directassessment import MINIMUM, Control, DirectAssessment, assess
from tertium.human.judgement import Gold
from tertium.human.kinds import KINDS
from tertium.human.paragraphs import Votes, majority_votes
from tertium.human.ranking import expected_wins, pairwise
from tertium.io.comparisons import Comparisons
from tertium.io.coverage import Coverage
from tertium.io.judgementtable import Duplicates, JudgementReading
from tertium.io.pairs import BetterWorse
from tertium.io.records import text_lines
from tertium.io.streams import FilePath
from tertium.io.tables import Table
from tertium.io.wmtjudgements import is_wmt_judgements
from tertium.results import Result

_BY_NAME = ((".jsonl", "pearmut"), (".rating", "mtme-rating"), ("mqm", "mqm"))
_BY_COLUMN = (
    ("mark", "hume"),
    ("mteval_g", "hume"),
    ("rank", "rankings"),
    ("choice", "comparisons"),
    ("votes", "comparisons"),
)


@dataclass(frozen=True, eq=False)
class RawGold(Result):
    """Gold made from a file of judgements, and the steps worth showing."""

    kind = "gold of a file"
    judged: str  # what the file is
    systems: Gold
    segments: Gold | None  # None: people compared systems and gave no scores
    pairs: BetterWorse | None  # what a majority decided between two translations
    coverages: tuple[Coverage, ...]
    parts: Mapping[str, Result]  # how the gold was made

    def contents(self) -> Mapping[str, Any]:
        return {"judged": self.judged, "coverages": self.coverages, **self.parts}

    def tables(self) -> Iterator[Table]:
        for part in self.parts.values():
            yield from part.tables()

    def words(self) -> Iterator[str]:
        yield str(self.coverages[0])


def kind_of(path: FilePath) -> str:
    """What a file of judgements is: by its name, and a table by its columns."""
    name = os.path.basename(os.fspath(path)) if isinstance(path, str | os.PathLike) else ""
    for part, kind in _BY_NAME:
        if part in name:
            return kind
    _, top = next(text_lines(path))
    if is_wmt_judgements(top):
        return "wmt-rankings"
    if ".csv" in name:
        return "appraise"
    columns = [column.strip().lower() for column in top.split("\t")]
    return next((kind for column, kind in _BY_COLUMN if column in columns), "table")


def read_gold(
    path: FilePath,
    kind: str | None = None,
    *,
    batches: FilePath | None = None,
    duplicates: Duplicates | None = None,
    task: str | None = None,
    control: Control = "protocol",
    minimum: int = MINIMUM,
    standardise: bool | None = None,
) -> RawGold:
    """Read a file of judgements and make gold from it. Quality control and standardisation follow the protocol
    (`tertium.human.directassessment.assess`) unless set here; `batches` is the batch file of an Appraise export, `task`
    one of the tasks of a WMT file.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "sides.tsv")
    ...     _ = path.write_text("annotator\\tsegment\\tfirst\\tsecond\\tchoice\\nann\\t1\\tA\\tB\\tfirst\\n")
    ...     found = read_gold(path)
    >>> found.judged, found.systems.scores.system("A")
    ('comparisons', 1.0)
    """
    chosen = kind_of(path) if kind is None else kind
    read = KINDS[chosen]
    told = {"batches": batches, "duplicates": duplicates, "task": task}
    told = {option: value for option, value in told.items() if value is not None}
    if strange := [option for option in told if option not in signature(read).parameters]:
        raise SpecError(f"judgements of the kind {chosen} take no option {strange[0]!r}")
    reading = read(path, **told)
    if isinstance(reading, Gold):
        systems = reading.by_system()
        return RawGold(chosen, systems, reading, None, (reading.coverage,), {"systems": systems})
    if not isinstance(reading, JudgementReading):
        return _compared(chosen, *reading)
    found = assess(
        reading.judgements, reading.protocol, control=control, standardise=standardise, minimum=minimum
    )
    gold = named_gold(found)
    coverages = (reading.coverage, found.coverage)
    return RawGold(chosen, gold.by_system(), gold, None, coverages, {"assessment": found})


def named_gold(found: DirectAssessment) -> Gold:
    """The gold of an assessment, called by what it is: z, raw, ESA, MQM."""
    scores = found.gold.scores
    name = scores.name if found.protocol == "DA" else f"{found.protocol}{'-z' if found.standardised else ''}"
    return replace(found.gold, scores=replace(scores, name=name))


def ranked(path: FilePath) -> tuple[Comparisons, Coverage]:
    """The pairs that a file of rankings implies."""
    from tertium.io.rankings import read_rankings

    rankings, coverage = read_rankings(path)
    return pairwise(rankings, origin=coverage.origin), coverage


def ranked_in_task(path: FilePath, task: str | None = None) -> tuple[Comparisons, Coverage]:
    """The pairs implied by the rankings of sentences in one task of a WMT file."""
    from tertium.human.wmttasks import chosen_tasks
    from tertium.io.wmtjudgements import read_wmt_judgements

    found = chosen_tasks(read_wmt_judgements(path), task)
    origin = found.coverage.origin
    if len(found.names) > 1:
        raise InputError(f"{origin} has the tasks {', '.join(found.names)}: choose one (--task, human.task)")
    own = [one for one in found.tasks if one.type == "RANK"]
    if not own:
        raise InputError(f"{origin}: {found.names[0]} has no rankings of sentences")
    return pairwise(own[0].rankings, origin=origin), found.coverage


def _compared(kind: str, comparisons: Comparisons, coverage: Coverage) -> RawGold:
    kept, repeats = consistent(comparisons)
    systems = expected_wins(kept)
    votes = majority_votes(kept)
    checked: dict[str, Result] = {} if repeats is None else {"self_agreement": repeats}
    parts: dict[str, Result] = {**checked, "systems": systems, "votes": votes}
    return RawGold(kind, systems, None, _decided(votes), (coverage,), parts)


def _decided(votes: Votes) -> BetterWorse | None:
    """What a majority decided, where segments are line numbers; named paragraphs have none."""
    decided = votes.decided
    if not decided or not all(vote.segment.isdecimal() for vote in decided):
        return None
    return BetterWorse.of(
        (int(vote.segment), *((vote.first, vote.second) if vote.sign > 0 else (vote.second, vote.first)))
        for vote in decided
    )
