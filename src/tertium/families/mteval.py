"""BLEU and NIST as NIST's mteval-v13a computes them: the scores of evaluation campaigns for many years."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, ClassVar

from tertium import _native
from tertium._native import Lines
from tertium.families.base import Level, option
from tertium.families.bleu import bleu_columns, bleu_line, bleu_parts
from tertium.families.words import TokenMetric
from tertium.statistics import DenseStatistics, StatisticColumn, WholeCounts, columns
from tertium.text import tokenizers
from tertium.text.segments import References

_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&apos;", "'"))
_HYPHENATED = re.compile("[-\u00ad\u058a\u1806\u2010\u2011\u2e17\u30fb\ufe63\uff0d\uff65]\u2028")
_TOK_HELP = "tokeniser: 13a (mteval's own), intl (its international one), or any that bleu has"


@dataclass(frozen=True)
class _Mteval(TokenMetric):
    """What both scores share: mteval's text, in lower case unless case is kept."""

    tok: str = option("13a", _TOK_HELP, aliases=("tokenize",))
    lowercase: bool = option(True, "compare in lower case (no: mteval's -c)", aliases=("lc",))

    @property
    def preparation(self) -> Hashable:
        return self  # texts are read in a way of their own

    def _tokenizer(self) -> tuple[str, Callable[[Lines], Lines] | None]:
        """Of 13a mteval lower-cases ASCII letters only."""
        return ("13a-lc", None) if self.tok == "13a" and self.lowercase else super()._tokenizer()

    def _texts(self, lines: Lines) -> Lines:
        if self.tok == "13a":
            return lines
        before = self._tokenizer()[1]
        lines = _as_perl_reads(lines, entities=self.tok == "intl", lowercase=self.lowercase)
        return lines if before is None else before(lines)

    def word_items(self) -> dict[str, str]:
        return {"case": "lc" if self.lowercase else "mixed"} | tokenizers.signature_items(self.tok)

    @classmethod
    def words_from(cls, items: dict[str, str]) -> dict[str, Any]:
        tok = tokenizers.from_signature(items.get("tok", "13a"))
        return {"tok": tok, "lowercase": items.get("case", "lc") != "mixed"}


def _as_perl_reads(lines: Lines, *, entities: bool, lowercase: bool) -> Lines:
    """What mteval does before it tokenises: entities undone, then lower case letter by letter.

    So a capital sigma is never a final one, and "&AMP;" is no entity.
    """
    if not entities and not lowercase:
        return lines
    wanted = _ENTITIES if entities else ()
    texts = [lines[i] for i in range(len(lines))]
    for i, text in enumerate(texts):
        if text is None:
            continue
        if wanted and ("&" in text or "<skipped>" in text or "\u2028" in text):
            text = _HYPHENATED.sub("", text.replace("<skipped>", ""))
            for entity, character in wanted:
                text = text.replace(entity, character)
        if lowercase and "Σ" in text:
            text = text.replace("Σ", "σ")
        texts[i] = text
    read = Lines(texts)
    return read.lower() if lowercase else read


@dataclass(frozen=True)
class MtevalBLEU(_Mteval):
    """BLEU as mteval-v13a: lower-cased, and orders without match halved.

    >>> import tertium as tt
    >>> m = tt.metric("mtevalbleu")
    >>> round(m.score_total(m.statistics(["the cat sat on the mat"], ["The cat sat on a mat"])), 2)
    53.73
    """

    name: ClassVar[str] = "mtevalbleu"
    label: ClassVar[str] = "mtevalBLEU"
    title: ClassVar[str] = "BLEU as mteval-v13a computes it: lower case, halving smoothing"
    formula: ClassVar[str] = (
        "BLEU = 100 BP (prod_n p_n)^(1/N),  p_n = m_n/c_n,  BP = min(1, exp(1 - r/c)),\n"
        "m_n = clipped matches, c_n = hypothesis n-grams, c and r the lengths, all summed over segments;\n"
        "the k-th order without match has p_n = 1/(2^k c_n), an order without n-grams p_n = 1"
    )
    paper: ClassVar[str] = (
        "Papineni et al. 2002, https://aclanthology.org/P02-1040; NIST's mteval-v13a.pl, "
        "https://www.nist.gov/itl/iad/mig/tools"
    )
    quirks: ClassVar[str] = (
        "Lower-cases unless lowercase=no (mteval's -c): ASCII letters with tok=13a, all with tok=intl. Its 13a is\n"
        "sacrebleu's; its intl undoes entities (&quot; &amp; &lt; &gt; &apos;) first, which sacrebleu's does not. An\n"
        "order for which the hypothesis is too short counts as precision 1 and still takes part in the mean, so a\n"
        "segment of one right word scores 100, and one without any match above 0. An empty hypothesis scores 0."
    )

    smooth: str = option(
        "halving",
        "what zero matches count (none: mteval's --no-smoothing)",
        choices=("halving", "none"),
        key="smooth",
    )
    reflen: str = option(
        "closest",
        "length of several references (mteval's --brevity-penalty)",
        choices=("closest", "shortest"),
        key="reflen",
    )
    order: int = option(4, "longest n-gram, 1 to 9", between=(1, 9), key="order?")

    @property
    def columns(self) -> tuple[StatisticColumn, ...]:
        return bleu_columns(self.order)

    def _counted(self, lines: Lines, references: Any, tokenizer: str, threads: int) -> Any:
        return _native.bleu_rows(lines, references, tokenizer, self.order, threads, self.reflen)

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        return _native.mteval_bleu_scores(statistics.data, self.order, self.smooth == "halving")

    def components(self, total: DenseStatistics, level: Level = "corpus") -> dict[str, Any]:
        """Precisions in percent (smoothed), brevity penalty, lengths, matches and counts of each order."""
        row = total.row(0)
        precisions = _native.mteval_bleu_precisions(row, self.order, self.smooth == "halving")
        parts = bleu_parts(row, self.order, precisions)
        return parts if row[0] else parts | {"brevity_penalty": 0.0}

    def verbose(self, total: DenseStatistics, level: Level = "corpus") -> str:
        return bleu_line(self.components(total, level))


@dataclass(frozen=True)
class NIST(_Mteval):
    """NIST: matching n-grams weighted by how much they tell, as mteval-v13a computes it.

    >>> import tertium as tt
    >>> m = tt.metric("nist")
    >>> round(m.score_total(m.statistics(["the cat sat on the mat"], ["the cat sat on a mat"])), 4)
    2.1541
    """

    name: ClassVar[str] = "nist"
    label: ClassVar[str] = "NIST"
    title: ClassVar[str] = "information-weighted n-gram precision, mteval-v13a's NIST score"
    formula: ClassVar[str] = (
        "NIST = penalty sum_{n=1..5} (sum over matching n-grams w1..wn of info(w1..wn)) / (hypothesis n-grams),\n"
        "info(w1..wn) = log2(count(w1..wn-1) / count(w1..wn)) in all references of the set,\n"
        "info(w1) = log2(words / count(w1)),\n"
        "penalty = exp(-beta ln(min(1, c/r))^2),  beta = -ln 0.5 / (ln 1.5)^2,  c = words of the hypotheses,\n"
        "r = mean number of words of a segment's references"
    )
    fewest_for_interval: ClassVar[int] = 5
    paper: ClassVar[str] = (
        "Doddington 2002, Automatic evaluation of machine translation quality using n-gram co-occurrence statistics, "
        "HLT; NIST's mteval-v13a.pl"
    )
    quirks: ClassVar[str] = (
        "The information comes from the references of the whole set and stays fixed for its segments, documents and\n"
        "resamples; scores of different test sets cannot be compared, and there is no upper bound. Lower-cases unless\n"
        "lowercase=no. After the word 0, mteval weights a word as if nothing came before it (0 is false in Perl).\n"
        "like=nltk: several references as in nltk (for each order the reference with most information, and its\n"
        "length in r); with one reference nothing changes but the word 0."
    )
    perfect: ClassVar[float | None] = None
    needs_whole_set: ClassVar[bool] = True
    learns: ClassVar[bool] = True
    often: ClassVar[tuple[str, ...]] = ("n-grams",)

    order: int = option(5, "longest n-gram, 1 to 9", between=(1, 9), key="order")
    like: str = option("mteval", "the original to follow", choices=("mteval", "nltk"), key="like")

    @property
    def columns(self) -> tuple[StatisticColumn, ...]:
        orders = range(1, self.order + 1)
        information = [f"information_{n}" for n in orders]
        real = [*information, "reference_length"]
        return columns(*(f"count_{n}" for n in orders), *real, real=real)

    def _prepare(self, references: References, threads: int) -> _native.NistReferences:
        return self._counts(references, None, threads)

    def _counts(
        self, references: References, whole: _native.KeyCounts | None, threads: int
    ) -> _native.NistReferences:
        streams = [self._texts(stream) for stream in references.streams]
        nltk = self.like == "nltk"
        how = self._tokenizer()[0], self.order, not nltk, nltk, threads
        return (
            _native.NistReferences(streams, *how, whole)
            if whole is not None
            else _native.NistReferences(streams, *how)
        )

    def _learn(self, references: References, sources: Lines | None, threads: int) -> WholeCounts:
        counts = self._counts(references, None, threads).counts()
        found = WholeCounts()
        found.count("words", {b"": counts.words})
        found.count_parts("n-grams", counts.parts())
        return found

    def _prepare_learnt(
        self, references: References, learnt: WholeCounts, threads: int
    ) -> _native.NistReferences:
        whole = learnt.table("n-grams")
        whole.words = learnt.number("words")
        return self._counts(references, whole, threads)

    def _counted(self, lines: Lines, references: Any, tokenizer: str, threads: int) -> Any:
        return _native.nist_rows(lines, references, tokenizer, threads)

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        return _native.nist_scores(statistics.data, self.order)

    def components(self, total: DenseStatistics, level: Level = "corpus") -> dict[str, Any]:
        """What each order adds before the penalty, the penalty, and the lengths."""
        orders = range(1, self.order + 1)
        counts = [int(total.only(f"count_{n}")) for n in orders]
        information = [float(total.only(f"information_{n}")) for n in orders]
        gains = [i / max(1, c) for i, c in zip(information, counts, strict=True)]
        length, reference = counts[0], float(total.only("reference_length"))
        return {
            "gains": gains,
            "length_penalty": _penalty(length / reference if reference else math.inf) if length else 0.0,
            "hypothesis_length": length,
            "reference_length": reference,
            "information": information,
            "counts": counts,
        }

    def verbose(self, total: DenseStatistics, level: Level = "corpus") -> str:
        parts = self.components(total, level)
        gains = "/".join(f"{gain:.3f}" for gain in parts["gains"])
        return (
            f"{gains} (penalty = {parts['length_penalty']:.3f} hyp_len = {parts['hypothesis_length']} "
            f"ref_len = {parts['reference_length']:g})"
        )


def _penalty(ratio: float) -> float:
    return 1.0 if ratio >= 1 else math.exp(math.log(0.5) * (math.log(ratio) / math.log(1.5)) ** 2)
