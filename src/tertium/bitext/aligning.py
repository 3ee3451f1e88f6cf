"""Documents and their translations, sentence by sentence: units for a memory."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tertium.errors import InputError, many
from tertium.io.memories.pairs import Pair
from tertium.io.memories.unit import Unit
from tertium.io.pages import pages_of, paragraphs
from tertium.io.streams import display_name
from tertium.memory.reading import Source, batches
from tertium.memory.writing import UnitFile, written
from tertium.progress import steps
from tertium.results import Result
from tertium.text.beads import Bead, Document, Odds, align
from tertium.text.splitting import sentences

if TYPE_CHECKING:
    import numpy as np

    from tertium.io.tables import Table

VECTORS = 12.0  # what a cosine of 1 above the usual is worth, as log odds
SHOWN = 20  # documents that are printed
MOST_TAUGHT = 200_000  # units of a memory that teaches


@dataclass(frozen=True)
class AlignedDocument:
    """A document: its sentences on both sides, the units made of them, and sentences left alone."""

    name: str
    sources: int
    targets: int
    units: int
    source_alone: tuple[str, ...]
    target_alone: tuple[str, ...]


@dataclass(frozen=True)
class AlignedMemory(Result):
    """What became of documents: units, kinds of beads, and what was left alone."""

    kind = "aligned memory"
    output: str
    units: int
    beads: dict[str, int]  # by kind, as in 1:2
    documents: tuple[AlignedDocument, ...]
    unpaired: tuple[str, ...] = ()  # documents that only one side has

    def words(self) -> Iterator[str]:
        single = self.beads.get("1:1", 0)
        yield (
            f"{self.output}: {many(self.units, 'unit')} from {many(len(self.documents), 'document')}:"
            f" {single:,} of one sentence each, {self.units - single:,} where sentences were joined."
        )
        ours = sum(len(own.source_alone) for own in self.documents)
        theirs = sum(len(own.target_alone) for own in self.documents)
        if ours or theirs:
            alone = f"{many(ours, 'source sentence')} and {many(theirs, 'target sentence')}"
            yield f"{alone} have no counterpart and are not in it."
        if self.unpaired:
            shown = ", ".join(self.unpaired[:3]) + (", ..." if len(self.unpaired) > 3 else "")
            yield f"On one side only, and left out: {many(len(self.unpaired), 'document')} ({shown})."

    def table(self) -> Table:
        from tertium.io.tables import Column, Table, number_column

        numbers = ("sources", "targets", "units", "sources alone", "targets alone")
        columns = (Column("document"), *(number_column(name, digits=None) for name in numbers))
        order = sorted(self.documents, key=lambda own: -len(own.source_alone) - len(own.target_alone))
        chosen = self.documents if len(self.documents) <= SHOWN else order[:SHOWN]
        rows = tuple(
            (own.name, own.sources, own.targets, own.units, len(own.source_alone), len(own.target_alone))
            for own in chosen
        )
        more = len(self.documents) - len(chosen)
        notes = (f"and {more:,} more documents with fewer left alone (-f json shows all)",) if more else ()
        return Table("", columns, rows, notes)


def align_files(
    source: str,
    target: str,
    output: str,
    *,
    pair: Pair,
    to: str | None = None,
    lines: bool = False,
    encoder: str | None = None,
    memory: str | None = None,
    encoding: str | None = None,
) -> AlignedMemory:
    """Align two documents, or all documents of two folders that have the same names, and write the units.

    `lines`: every line is a sentence, nothing is split. `memory`: units that teach which words translate which.

    >>> source = written("a.en.txt", "It rains. We wait 3 hours. Anna sleeps.")
    >>> target = written("a.fr.txt", "Il pleut, et nous attendons 3 heures. Anna dort.")
    >>> made = align_files(str(source), str(target), str(source) + ".tsv", pair=Pair("en", "fr"))
    >>> made.beads
    {'1:1': 1, '2:1': 1}
    """
    file = UnitFile(output, to)
    if encoder is not None:
        from tertium.text.sentences import check_encoder

        check_encoder(encoder)
    ours, theirs = pages_of(source), pages_of(target)
    if os.path.isdir(source) != os.path.isdir(target):
        raise InputError(f"{source} and {target}: two files, or two folders")
    names = [name for name in ours if name in theirs]
    if not names:
        raise InputError(
            f"{source} and {target}: no documents (.html, .txt, .md) that have the same name in both folders"
        )
    file.refuse([*ours.values(), *theirs.values()])
    documents = []
    for name in steps(names, "reading documents"):
        paths = ((ours[name], pair.source), (theirs[name], pair.target))
        sides = [_side(path, language, lines, encoding) for path, language in paths]
        for (path, _), (found, _) in zip(paths, sides, strict=True):
            if not found and name == "":
                raise InputError(f"{display_name(path)}: has no text")
        documents.append(
            Document(
                sides[0][0],
                sides[1][0],
                sides[0][1],
                sides[1][1],
                vectors_of(encoder, sides[0][0], sides[1][0]),
            )
        )
    odds = Odds(vectors=VECTORS, usual=usual_similarity(documents)) if encoder else Odds()
    taught = _taught(memory, pair) if memory else ((), ())
    beads = align(documents, odds=odds, taught=taught)
    kinds = Counter[str]()
    made = []
    with written(file):
        file.begin(None)
        for name, document, own in zip(names, documents, beads, strict=True):
            named = name or os.path.basename(source)
            for unit in units_of(document, own, pair, named):
                file.write(unit)
            made.append(_counted(named, document, own, kinds))
    ordered = dict(sorted(kinds.items(), key=lambda one: (-one[1], one[0])))
    unpaired = tuple(sorted({*ours, *theirs} - set(names)))
    return AlignedMemory(output, file.units, ordered, tuple(made), unpaired)


def units_of(document: Document, beads: Sequence[Bead], pair: Pair, name: str) -> Iterator[Unit]:
    """A unit for each bead that has both sides, with its kind and score as properties."""
    position = 0
    for (i, past_i), (j, past_j), score in beads:
        if i < past_i and j < past_j:
            position += 1
            about = (("alignment", f"{past_i - i}:{past_j - j}"), ("alignment-score", f"{score:.2f}"))
            texts = (" ".join(document.sources[i:past_i]), " ".join(document.targets[j:past_j]))
            yield Unit(*texts, *pair, document=name, position=position, properties=about)


def _side(path: str, language: str, lines: bool, encoding: str | None) -> tuple[list[str], list[bool] | None]:
    if lines:
        from tertium.io.files import read_lines

        found = [
            " ".join((line or "").split())
            for line in read_lines(path, encoding=encoding or "utf-8", strip_bom=True)
        ]
        return [line for line in found if line], None
    return sentences(paragraphs(path, encoding=encoding), language)


def _counted(name: str, document: Document, beads: Sequence[Bead], kinds: Counter[str]) -> AlignedDocument:
    units = 0
    alone: tuple[list[str], list[str]] = ([], [])
    for (i, past_i), (j, past_j), _ in beads:
        if i < past_i and j < past_j:
            units += 1
            kinds[f"{past_i - i}:{past_j - j}"] += 1
        else:
            alone[0].extend(document.sources[i:past_i])
            alone[1].extend(document.targets[j:past_j])
    return AlignedDocument(
        name, len(document.sources), len(document.targets), units, tuple(alone[0]), tuple(alone[1])
    )


def _taught(memory: str, pair: Pair) -> tuple[list[str], list[str]]:
    """Sources and targets of a memory."""
    source = Source(memory, pair=pair)
    source.check()
    sources: list[str] = []
    targets: list[str] = []
    for batch in batches(source.open(), memory):
        sources += [unit.source for unit in batch]
        targets += [unit.target for unit in batch]
        if len(sources) >= MOST_TAUGHT:
            break
    return sources, targets


def vectors_of(
    encoder: str | None, sources: Sequence[str], targets: Sequence[str]
) -> tuple[np.ndarray, np.ndarray] | None:
    """Vectors of sentences by an encoder that knows both languages."""
    if encoder is None:
        return None
    from tertium.text.sentences import sentence_vectors

    both = sentence_vectors(encoder, [*sources, *targets])
    return both[: len(sources)], both[len(sources) :]


def usual_similarity(documents: Sequence[Document]) -> float:
    """The cosine of sentences that met by chance: the mean over all pairs of a document."""
    sums, pairs = 0.0, 0
    for document in documents:
        if document.vectors is not None:
            ours, theirs = document.vectors
            sums += float(ours.sum(0) @ theirs.sum(0))
            pairs += len(ours) * len(theirs)
    return sums / pairs if pairs else 0.0
