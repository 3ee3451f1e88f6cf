"""`check_memory`: a memory looked through, whatever holds it."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

from tertium.engines.base import Engine, engine_named
from tertium.errors import InputError, SpecError
from tertium.io.glossaries import read_terms
from tertium.io.memories.pairs import Pair
from tertium.memory.checked import SHOWN, CheckedMemory
from tertium.memory.examining import Examination, judged, learn
from tertium.memory.reading import Source, UnitSource
from tertium.memory.resuming import Checkpoint
from tertium.vetting.judging import usual_judge
from tertium.vetting.labelling import LabelledJudge, read_labels
from tertium.vetting.suspicion import ListedDoubts, UnitJudge

TOP = 1000


def check_memory(
    path: str,
    *,
    checks: Iterable[str] = (),
    clients: Sequence[str] = (),
    top: int | None = None,
    glossary: str | None = None,
    labels: str | None = None,
    encoder: str | None = None,
    mismatched: float | None = None,
    resume: bool = False,
    judge: UnitJudge | None = None,
    form: str | None = None,
    pair: Pair | None = None,
    encoding: str | None = None,
    engine: str | Engine = "local",
    source: UnitSource | None = None,
) -> CheckedMemory:
    """Look through a memory: how many units deserve a look, which, and why.

    Only what some `checks` doubt counts, if any are named, and only units of some `clients`. The `top` worst units are
    kept (1000). The check `terms` uses a `glossary` (TSV or TBX), the check `vectors` an `encoder` of both languages;
    `labels`, a file of units that are right or wrong, refine probabilities; `mismatched` is the share of units whose
    sides do not belong together (0.003). With `resume`, a run that was stopped is
    gone on with. Another `judge` than the usual one may be given. `engine` says where units are judged; what is found
    does not depend on it. A `source` takes the place of the file: whatever units can be read from, more than once.

    >>> path = written("a.tsv", "Wait 10 s\\tAttendez 100 s\\nSave\\tEnregistrer\\n")
    >>> found = check_memory(str(path), pair=Pair("en", "fr"))
    >>> found.units, found.worst[0].reasons[0].sentence
    (2, '10 is missing; 100 is extra')
    """
    source = source or Source(path, form, pair, encoding)
    source.check()
    source.check_file()
    checks = tuple(checks)
    judge = judge_for(source, checks, judge, glossary, labels, encoder, mismatched)
    found = Examination(TOP if top is None else top, frozenset(clients))
    settings = {
        "checks": list(checks),
        "clients": sorted(clients),
        "top": found.top,
        "mismatched": mismatched,
    }
    run = Checkpoint(
        "check",
        source,
        {**settings, "glossary": glossary, "labels": labels, "encoder": encoder},
        resume=resume,
    )
    if before := run.before():
        found.take(before[0])
    learn(source, judge)
    with run.kept(lambda: (found.state(), array("f"))):
        for units, suspicions in judged(source, judge, run.done, engine_named(engine)):
            found.add(units, suspicions)
            run.done = found.read
            run.due(lambda: (found.state(), array("f")))
    if clients and not found.units:
        raise InputError(f"{path}: no unit is of {' or '.join(clients)}")
    return CheckedMemory.of(
        path, found, judge.checked, calibrated=judge.calibrated, shown=SHOWN if top is None else top
    )


def judge_for(
    source: UnitSource,
    checks: Sequence[str] = (),
    judge: UnitJudge | None = None,
    glossary: str | None = None,
    labels: str | None = None,
    encoder: str | None = None,
    mismatched: float | None = None,
) -> UnitJudge:
    """The usual judge, or this one, with a glossary and labels in the languages of the memory, and an encoder."""
    if mismatched is not None and not 0 < mismatched < 1:
        raise InputError(f"--mismatched {mismatched:g}: must be above 0 and below 1")
    pair = Pair(*source.languages()) if glossary or labels else None
    terms = read_terms(glossary, *pair) if glossary and pair else None
    judge = usual_judge(judge, terms, encoder, mismatched)
    if labels:
        judge = LabelledJudge(judge, read_labels(labels, pair))
    if "terms" in checks and terms is None:
        raise SpecError("the check terms needs a glossary (--glossary FILE)")
    if "vectors" in checks and encoder is None:
        raise SpecError("the check vectors needs an encoder (--encoder NAME)")
    return ListedDoubts(judge, checks) if checks else judge
