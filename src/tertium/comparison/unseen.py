"""What becomes of source words that the training corpus lacks, and which words systems invent.

A word is unseen if it has a letter or a digit and the source side of the training corpus lacks it, case ignored. Each
occurrence is one of these, the first that fits:

- copied: the output has the same word (rightly so, if a reference has it too);
- translated: the output has the word that it is aligned with in a reference; where it is aligned with none, a word
  of the reference that is aligned with nothing, either, and not common (in more than 1% of the segments);
- dropped: a reference has such a word for it, but the output none: it is aligned with nothing there, and no word of
  the output is to spare (aligned with nothing and in no reference);
- other: it became other words, or it cannot be told.

Invented are words of the output that neither the target side of the training corpus nor the source nor a reference
has. Words are aligned by IBM model 1 (`text.ibm1`) on the test set, references and all outputs together: what both
directions agree on, rough, and for all systems the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from tertium.comparison.groupings import training_counts
from tertium.comparison.rates import ClassRates, rates_by_system
from tertium.comparison.significance import ResamplingPlan
from tertium.errors import InputError
from tertium.measured import Measured
from tertium.statistics import DenseStatistics, columns
from tertium.text.alignment import Links
from tertium.text.ibm1 import align
from tertium.text.tokenizers import tokenize

COLUMNS = columns(
    *("unseen", "copied", "rightly", "translated", "dropped", "other", "output words", "invented")
)
Words = Sequence[str]
_COMMON = 0.01  # of the segments have a common word


def unseen_words(
    measured: Measured, plan: ResamplingPlan, training_source: Any, training: Any, *, tok: str = "13a"
) -> ClassRates:
    """What becomes of unseen words, per 100 of them (invented: per 100 words of the output), by system, tested against
    `plan.baseline`. `training_source` and `training` are the two sides of the corpus: files, or texts.

    >>> from tertium import TestSet, measure
    >>> sources, references = ["ein Gnu rennt", "der Gnu lebt"], ["a gnu runs", "the gnu lives"]
    >>> outputs = {"A": references, "B": ["a Gnuff runs", "the lives"]}
    >>> measured = measure(TestSet.of(references, outputs, sources=sources), "bleu")
    >>> corpus = ["ein Hund rennt", "der Hund lebt"], ["a dog runs", "the dog lives"]
    >>> found = unseen_words(measured, ResamplingPlan("A", resamples=20), *corpus)
    >>> [f"{name}: {rates['B'].count}" for name, rates in found.rates.items() if rates["B"].count]
    ['dropped: 1', 'other: 1', 'invented: 1']
    """
    testset = measured.testset
    if testset.sources is None:
        raise InputError("words unseen in training are those of the source: give it with --source")
    known, known_targets = (
        {word.lower() for word in training_counts(side, tok)} for side in (training_source, training)
    )

    def cut(lines: Iterable[str | None]) -> list[Words]:
        return list(tokenize([(line or "").lower() for line in lines], tok))

    sources = cut(testset.sources)
    references = [cut(stream) for stream in testset.references.streams]
    outputs = {name: cut(testset.systems[name]) for name in measured.systems}
    sides = [*references, *outputs.values()]
    links = align(sources * len(sides), [words for side in sides for words in side])
    n = len(sources)
    seen_in = Counter(word for side in references for words in side for word in set(words))
    common = {word for word, number in seen_in.items() if number > max(1.0, _COMMON * n * len(references))}
    of_references = [links[i * n : (i + 1) * n] for i in range(len(references))]
    rows = {}
    for i, (name, texts) in enumerate(outputs.items(), len(references)):
        own = links[i * n : (i + 1) * n]
        rows[name] = DenseStatistics.build(
            COLUMNS,
            [
                _segment(
                    sources[s],
                    texts[s],
                    own[s],
                    [(side[s], linked[s]) for side, linked in zip(references, of_references, strict=True)],
                    common,
                    known,
                    known_targets,
                )
                for s in range(n)
            ],
        )
    shares = {column.name: (column.name, "unseen") for column in COLUMNS[1:6]} | {
        "invented": ("invented", "output words")
    }
    number = int(next(iter(rows.values())).total().only("unseen"))
    notes = (
        f"per 100 of the {number:,} words of the source that the training corpus lacks (invented: of the output)",
    )
    return rates_by_system("Words unseen in training", rows, shares, plan, notes)


def _segment(
    source: Words,
    output: Words,
    links: Links,
    references: Sequence[tuple[Words, Links]],
    common: Collection[str],
    known: Collection[str],
    known_targets: Collection[str],
) -> list[int]:
    """The row of one segment. A word of the output serves once, copies first."""
    unseen = [i for i, word in enumerate(source) if word not in known and _is_word(word)]
    left = Counter(output)
    in_references = {word for words, _ in references for word in words}
    copied = []
    for i in unseen:
        if left[source[i]] > 0:
            left[source[i]] -= 1
            copied.append(i)
    elsewhere = in_references.union(source)
    linked, spare = {i for i, _ in links}, Counter(output)
    spare.subtract(output[j] for _, j in links)
    free = sum(n for word, n in spare.items() if word not in elsewhere and _is_word(word))
    to_spare = [
        word
        for words, own in references
        for j, word in enumerate(words)
        if word not in common and _is_word(word) and all(j != k for _, k in own)
    ]
    became: Counter[str] = Counter()
    for i in unseen:
        if i in copied:
            continue
        wanted = [words[j] for words, own in references for k, j in own if k == i] or to_spare
        found = next((word for word in wanted if left[word] > 0), None)
        if found is not None:
            left[found] -= 1
            became["translated"] += 1
        elif i in linked or free > 0:
            free -= i not in linked
        elif wanted:
            became["dropped"] += 1
    rightly = sum(source[i] in in_references for i in copied)
    invented = sum(_is_word(word) and word not in known_targets and word not in elsewhere for word in output)
    other = len(unseen) - len(copied) - became.total()
    fates = (len(copied), rightly, became["translated"], became["dropped"], other)
    return [len(unseen), *fates, len(output), invented]


def _is_word(token: str) -> bool:
    return any(map(str.isalnum, token))
