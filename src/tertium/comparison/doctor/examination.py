"""The doctor at work: texts in, findings out."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from tertium.comparison.doctor.checks import findings
from tertium.comparison.doctor.column import Role, TextColumn
from tertium.comparison.doctor.diagnosis import Diagnosis
from tertium.comparison.doctor.odd_lines import Examined
from tertium.comparison.doctor.order import check_counts
from tertium.comparison.doctor.overlap import check_training
from tertium.comparison.doctor.words import Vocabulary
from tertium.errors import InputError
from tertium.testset import TestSet
from tertium.text.segments import Texts, as_lines


def examine(
    references: Mapping[str, Texts],
    systems: Mapping[str, Texts],
    sources: Mapping[str, Texts] | None = None,
    *,
    source_language: str | None = None,
    target_language: str | None = None,
    identify: bool = True,
    training: Sequence[str | os.PathLike[str]] = (),
) -> Diagnosis:
    """What looks wrong with texts: names and lines of references, systems and (one) source.

    Languages are recognised by function words and, unless `identify` is false, by py3langid if it is installed.
    `training` are files of a training corpus, either side of it, in which source and references are sought.
    Texts of different length are a finding too; then only what can be seen in single texts is checked.

    >>> found = examine({"ref": ["The cat sat.", "It rained."]}, {"A": ["The cat sat.", ""]})
    >>> print(found)
    2 texts of 2 lines examined: 1 serious finding, in A
    serious: A: 1 of 2 lines is empty
        line 2
        -> an empty output scores nothing: check whether decoding failed there
    >>> found.exit_status
    1
    """
    if not references or not systems:
        raise InputError("the doctor needs references and at least one system")
    if sources is not None and len(sources) != 1:
        raise InputError(f"expected one source text, not {len(sources)}")
    vocabulary = Vocabulary()
    refs = [_column(name, "reference", texts, vocabulary) for name, texts in references.items()]
    outputs = [_column(name, "system", texts, vocabulary) for name, texts in systems.items()]
    source = [_column(name, "source", texts, vocabulary) for name, texts in (sources or {}).items()]
    columns = [*refs, *outputs, *source]
    lengths = {len(column) for column in columns}
    texts = Examined(refs, outputs, source[0] if source else None, source_language, target_language, identify)
    found = list(findings(texts, side_by_side=len(lengths) == 1))
    if training:
        found += check_training([*refs, *source], training)
    if len(lengths) > 1:
        found = [*check_counts(columns), *found]
    segments = lengths.pop() if len(lengths) == 1 else None
    return Diagnosis.of(found, [column.name for column in columns], segments)


def _column(name: str, role: Role, texts: Texts, vocabulary: Vocabulary) -> TextColumn:
    return TextColumn(name, role, as_lines(texts, name, missing=True), vocabulary)


def examine_testset(
    testset: TestSet,
    *,
    source_language: str | None = None,
    target_language: str | None = None,
    identify: bool = True,
) -> Diagnosis:
    """What looks wrong with a test set.

    >>> print(examine_testset(TestSet.sample()))
    6 texts of 69 lines examined: 1 serious finding, in smooth
    serious: smooth: outputs have 0.66 times as many characters as the references
        (median)
        -> check whether outputs are cut off or padded, or the references belong to
        another text
    """
    streams = testset.references.streams
    names = ["reference"] if len(streams) == 1 else [f"reference {i + 1}" for i in range(len(streams))]
    return examine(
        dict(zip(names, streams, strict=True)),
        testset.systems,
        None if testset.sources is None else {"source": testset.sources},
        source_language=source_language,
        target_language=target_language,
        identify=identify,
    )
