"""Whole folders of shared tasks as test sets: WMT's and mt-metrics-eval's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from tertium.errors import InputError, did_you_mean
from tertium.io.mtme import folder_settings, read_mtme_layout
from tertium.io.streams import FilePath
from tertium.io.textset import TextSet
from tertium.io.wmtlayout import read_wmt_layout
from tertium.testset import TestSet
from tertium.text.segments import References


def open_wmt(
    folder: FilePath,
    pair: str,
    *,
    testset: str | None = None,
    references: Sequence[str] | None = None,
    strip_bom: bool = True,
) -> TestSet:
    """The test set of a language pair in the folders of a WMT metrics task, with all references or those named."""
    return as_testset(read_wmt_layout(folder, pair, testset=testset, strip_bom=strip_bom), references)


def open_mtme(
    folder: FilePath, pair: str, *, references: Sequence[str] | Literal["standard"] | None = "standard"
) -> TestSet:
    """The test set of a language pair in mt-metrics-eval's folders; None takes all references.

    The standard reference is the test set's; where that is not known, refA.

    Domains are metadata. References may be systems too: they have outputs of the same name.
    """
    if references == "standard":
        settings = folder_settings(folder, pair)
        references = ["refA" if settings is None else settings.reference]
    return as_testset(read_mtme_layout(folder, pair), references)


def as_testset(texts: TextSet, references: Sequence[str] | None = None) -> TestSet:
    """The texts of a shared task as a test set.

    >>> from tertium._native import Lines
    >>> texts = TextSet("newstest", "cs-en", {"refA": Lines(["a cat"])}, {"A": Lines(["the cat"])})
    >>> as_testset(texts)
    <TestSet 'newstest cs-en': 1 segment, 1 reference, 1 system (A)>
    """
    names = list(texts.references) if references is None else list(references)
    for name in names:
        if name not in texts.references:
            raise InputError(
                f"{texts.name} {texts.pair}: there is no reference {name!r}{did_you_mean(name, texts.references)}"
            )
    if not names:
        raise InputError(f"{texts.name} {texts.pair}: there are no references")
    return TestSet(
        name=f"{texts.name} {texts.pair}",
        references=References(tuple(texts.references[name] for name in names)),
        systems=dict(texts.systems),
        sources=texts.sources,
        documents=texts.documents,
        metadata={} if texts.domains is None else {"domain": texts.domains},
    )
