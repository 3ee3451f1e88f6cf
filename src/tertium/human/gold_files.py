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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import signature
from typing import Any

from tertium.errors import InputError, SpecError
from tertium.human.consistency import consistent
from tertium.human.directassessment import MINIMUM, Control, DirectAssessment, assess
from tertium.human.judgement import Gold
from tertium.human.kinds import KINDS
from tertium.human.paragraphs import Votes, majority_votes
from tertium.human.ranking import AGREEMENT, JUDGES, consensus, expected_wins, pairwise
from tertium.human.raters import (
    joined_comparisons,
    joined_golds,
    joined_judgements,
    score_agreement,
)
from tertium.io.comparisons import Comparisons
from tertium.io.coverage import Coverage
from tertium.io.judgementtable import Duplicates, JudgementReading
from tertium.io.pairs import BetterWorse
from tertium.io.records import text_lines
from tertium.io.streams import FilePath, display_name
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
_TITLES = {
    "rankings": "Pairs of ranked translations, by majority",
    "wmt-rankings": "Pairs of ranked translations, by majority",
    "comparisons": "Preferences between two translations, by majority",
}
MAJORITY = "pairs of translations on which more than half of the judges agree (one judge is enough)"
PERCENTAGES = ("DA", "ESA")  # protocols whose scores go from 0 to 100


@dataclass(frozen=True, eq=False)
class RawGold(Result):
    """Gold made from files of judgements, and the steps worth showing."""

    kind = "gold of a file"
    judged: str  # what the file is
    systems: Gold
    segments: Gold | None  # None: people compared systems and gave no scores
    pairs: BetterWorse | None  # what judges decided between two translations
    coverages: tuple[Coverage, ...]
    parts: Mapping[str, Result]  # how the gold was made
    pairs_rule: str = ""  # how judges decided
    raw: Gold | None = None  # scores from 0 to 100 as people gave them, where they gave such scores

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
    columns = [column.strip().lower() for column in top.split("\t" if "\t" in top else ",")]
    if ".csv" in name and "mteval_g" not in columns:
        return "appraise"
    return next((kind for column, kind in _BY_COLUMN if column in columns), "table")


def read_gold(
    path: FilePath | Sequence[FilePath],
    kind: str | None = None,
    *,
    batches: FilePath | None = None,
    duplicates: Duplicates | None = None,
    task: str | None = None,
    pair: str | None = None,
    judges: int | None = None,
    agreement: float | None = None,
    control: Control = "protocol",
    minimum: int = MINIMUM,
    standardise: bool | None = None,
) -> RawGold:
    """Read a file of judgements, or several of one kind (one for each rater), and make gold from them.

    Quality control and standardisation follow the protocol (`tertium.human.directassessment.assess`) unless set here.

    Parameters:
        batches: the batch file of an Appraise export.
        task: one of the tasks of a WMT file.
        pair: the language pair to take from a file of several; files of one pair need none.
        judges, agreement: which comparisons make better-worse pairs (`tertium.human.consensus`: two judges and 60% if
            only the other one is named). With neither, more than half of a pair's judges decide.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "sides.tsv")
    ...     _ = path.write_text("annotator\\tsegment\\tfirst\\tsecond\\tchoice\\nann\\t1\\tA\\tB\\tfirst\\n")
    ...     found = read_gold(path)
    >>> found.judged, found.systems.scores.system("A")
    ('comparisons', 1.0)
    """
    paths: list[Any] = list(path) if isinstance(path, list | tuple) else [path]
    chosen = _one_kind(paths) if kind is None else kind
    read = KINDS[chosen]
    known = signature(read).parameters
    options = {"batches": batches, "duplicates": duplicates, "task": task}
    options = {option: value for option, value in options.items() if value is not None}
    if strange := [option for option in options if option not in known]:
        raise SpecError(f"judgements of the kind {chosen} take no option {strange[0]!r}")
    if pair is not None and "pair" in known:
        options["pair"] = pair
    readings = [read(one, **options) for one in paths]
    asked = None
    if judges is not None or agreement is not None:
        asked = (judges or JUDGES, AGREEMENT if agreement is None else agreement)
    if asked is not None and isinstance(readings[0], Gold | JudgementReading):
        raise SpecError(f"judges and agreement are for rankings and comparisons, not for the kind {chosen}")
    if isinstance(readings[0], Gold):
        gold = joined_golds(readings)
        systems = gold.by_system()
        return RawGold(chosen, systems, gold, None, (gold.coverage,), {"systems": systems})
    if not isinstance(readings[0], JudgementReading):
        comparisons = joined_comparisons([found for found, _ in readings])
        return _compared(chosen, comparisons, tuple(coverage for _, coverage in readings), asked)
    judgements = joined_judgements([reading.judgements for reading in readings])
    if len({reading.protocol for reading in readings}) > 1:
        protocols = ", ".join(f"{reading.coverage.origin}: {reading.protocol}" for reading in readings)
        raise InputError(f"files of different protocols make no gold together ({protocols})")
    found = assess(
        judgements, readings[0].protocol, control=control, standardise=standardise, minimum=minimum
    )
    gold = named_gold(found)
    coverages = (*(reading.coverage for reading in readings), found.coverage)
    parts: dict[str, Result] = {"assessment": found}
    if (agreed := score_agreement(judgements)) is not None:
        parts["agreement"] = agreed
    raw = found.raw if found.protocol in PERCENTAGES else None
    return RawGold(chosen, gold.by_system(), gold, None, coverages, parts, raw=raw)


def _one_kind(paths: Sequence[FilePath]) -> str:
    kinds = {kind_of(path): path for path in paths}
    if len(kinds) > 1:
        raise InputError(
            "files of different kinds make no gold together: "
            + ", ".join(f"{display_name(path)} ({kind})" for kind, path in kinds.items())
        )
    return next(iter(kinds))


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


def _compared(
    kind: str,
    comparisons: Comparisons,
    coverages: tuple[Coverage, ...],
    asked: tuple[int, float] | None = None,
) -> RawGold:
    """Expected wins, better-worse pairs by consensus or majority, and the agreement of the judges."""
    from tertium.human.wmttasks import comparison_agreement

    kept, repeats = consistent(comparisons)
    systems = expected_wins(kept)
    parts: dict[str, Result] = {} if repeats is None else {"self_agreement": repeats}
    agreed = comparison_agreement(kept, "RANK" if "rankings" in kind else "comparisons")
    if agreed.rows:
        parts["agreement"] = agreed
    parts["systems"] = systems
    if asked is not None:
        judges, share = asked
        agreeing = consensus(kept, judges=judges, agreement=share)
        rule = agreeing.rule
        if agreeing.agreement is not None and agreeing.kappa is not None:
            rule += f" (P(A) {agreeing.agreement:.3f}, kappa {agreeing.kappa:.3f})"
        parts["consensus"] = agreeing
        coverages += (agreeing.coverage,)
        return RawGold(kind, systems, None, agreeing.pairs, coverages, parts, rule)
    votes = replace(majority_votes(kept), title=_TITLES[kind])
    parts["votes"] = votes
    return RawGold(kind, systems, None, _decided(votes), coverages, parts, MAJORITY)


def _decided(votes: Votes) -> BetterWorse | None:
    """What a majority decided, where segments are line numbers; named paragraphs have none."""
    decided = votes.decided
    if not decided or not all(vote.segment.isdecimal() for vote in decided):
        return None
    return BetterWorse.of(
        (int(vote.segment), *((vote.first, vote.second) if vote.sign > 0 else (vote.second, vote.first)))
        for vote in decided
    )
