"""All checks of the doctor, in turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tertium.comparison.doctor.column import Role, TextColumn
from tertium.comparison.doctor.damage import check_text
from tertium.comparison.doctor.diagnosis import Diagnosis, Finding
from tertium.comparison.doctor.manner import check_manner, check_script
from tertium.comparison.doctor.order import check_counts, check_order
from tertium.comparison.doctor.pairing import (
    check_identical,
    check_leak,
    check_lengths,
    check_repeated,
    check_test_set,
    check_untranslated,
)
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
) -> Diagnosis:
    """What looks wrong with texts: names and lines of references, systems and (one) source.

    Texts of different length are a finding too; then only what can be seen in single texts is checked.

    >>> found = examine({"ref": ["The cat sat.", "It rained."]}, {"A": ["The cat sat.", ""]})
    >>> print(found)
    2 texts of 2 lines examined: 1 finding
    serious: A: 1 of 2 lines is empty
        line 2
        -> an empty output scores nothing: check whether decoding failed there
    >>> found.exit_status
    1
    """
    if not references or not systems:
        raise InputError("the doctor needs references and at least one system")
    if sources is not None and len(sources) != 1:
        raise InputError(f"there is one source text, not {len(sources)}")
    refs = [_column(name, "reference", texts) for name, texts in references.items()]
    outputs = [_column(name, "system", texts) for name, texts in systems.items()]
    source = (
        None if sources is None else next(_column(name, "source", texts) for name, texts in sources.items())
    )
    columns = [*refs, *outputs, *([] if source is None else [source])]
    findings = [finding for column in columns for finding in check_text(column)]
    lengths = {len(column) for column in columns}
    languages = source_language, target_language
    if len(lengths) > 1:
        findings = [*check_counts(columns), *findings]
    else:
        findings += _together(refs, outputs, source, languages)
    segments = lengths.pop() if len(lengths) == 1 else None
    return Diagnosis.of(findings, [column.name for column in columns], segments)


def _together(
    references: Sequence[TextColumn],
    systems: Sequence[TextColumn],
    source: TextColumn | None,
    languages: tuple[str | None, str | None],
) -> Iterator[Finding]:
    """Checks that need the texts line by line."""
    yield from check_identical(systems, "output")
    yield from check_identical(references, "text")
    yield from check_test_set(source, references)
    yield from check_order(systems, references[0], source)
    for reference in references:
        yield from check_manner(reference, systems)
        if languages[1] is not None:
            yield from check_script(reference, languages[1], ())
    if source is not None and languages[0] is not None:
        yield from check_script(source, languages[0], ())
    for system in systems:
        if source is not None:
            yield from check_untranslated(system, source, references)
        yield from check_leak(system, references)
        yield from check_repeated(system, source, references)
        yield from check_manner(system, references)
        yield from check_script(system, languages[1], references)
        yield from check_lengths(system, references)


def _column(name: str, role: Role, texts: Texts) -> TextColumn:
    lines = as_lines(texts, name, missing=True)
    return TextColumn(name, role, tuple(lines[i] for i in range(len(lines))))


def examine_testset(
    testset: TestSet, *, source_language: str | None = None, target_language: str | None = None
) -> Diagnosis:
    """What looks wrong with a test set.

    >>> print(examine_testset(TestSet.sample()))
    6 texts of 69 lines examined: 1 finding
    serious: smooth: outputs have 0.66 times the letters of the references (median)
        -> check whether outputs are cut off or padded, or the references belong to another text
    """
    streams = testset.references.streams
    names = ["reference"] if len(streams) == 1 else [f"reference {i + 1}" for i in range(len(streams))]
    return examine(
        dict(zip(names, streams, strict=True)),
        testset.systems,
        None if testset.sources is None else {"source": testset.sources},
        source_language=source_language,
        target_language=target_language,
    )
