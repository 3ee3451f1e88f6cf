"""TER, exactly as sacrebleu computes it; as tercom itself or the Moses evaluator do, with `like`."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from tertium import _native
from tertium._native import Lines
from tertium.errors import SpecError
from tertium.families.base import Level, Metric, option
from tertium.families.wer import LIKE_HELP, warn_wordless
from tertium.families.words import DIACRITICS_HELP, TokenMetric, words_from
from tertium.statistics import DenseStatistics, StatisticColumn
from tertium.statistics import columns as named
from tertium.text import tokenizers
from tertium.text.normalize import normalize
from tertium.text.segments import References

_KERNELS = {"": _native.ter_rows, "tercom": _native.ter_tercom_rows, "moses": _native.ter_moses_rows}


@dataclass(frozen=True)
class TER(TokenMetric):
    """TER: edits (insertions, deletions, substitutions, shifts of blocks) per reference word. Lower is better.

    >>> import tertium as tt
    >>> m = tt.metric("ter")
    >>> round(m.score_total(m.statistics(["on the mat the cat sat"], ["the cat sat on a mat"])), 2)
    33.33
    """

    name: ClassVar[str] = "ter"
    label: ClassVar[str] = "TER"
    title: ClassVar[str] = "edits with shifts per reference word, exactly sacrebleu's TER (lower is better)"
    formula: ClassVar[str] = (
        "TER = 100 sum_i edits_i / sum_i length_i,  edits_i = the fewest edits to any reference of segment i,\n"
        "length_i = mean length of its references; a shift of a block of words costs one edit"
    )
    fewest_for_interval: ClassVar[int] = 5
    paper: ClassVar[str] = "Snover et al. 2006, https://aclanthology.org/2006.amta-papers.25"
    quirks: ClassVar[str] = (
        "Lower-cases unless case_sensitive. Shifts are found greedily: blocks of up to 10 words, moved by at most 50,\n"
        "at most 1,000 candidates per segment, edit distance within a beam of 25 around the diagonal. Empty\n"
        "references with a non-empty hypothesis score 100, empty against empty 0. With normalized, references are\n"
        "normalised twice and hypotheses once, as sacrebleu does: '..0' becomes three tokens in a reference, two in a\n"
        "hypothesis. like=tercom: the original, which prunes cells that cost 20 more than the best, has no limit of\n"
        "candidates, makes the first of the best shifts, normalises once, and keeps an empty word where no_punct\n"
        "empties the beginning of a line.\n"
        "like=moses: tokenised text, case counts; blocks of the reference move towards the hypothesis, by at most 25;\n"
        "10 shifts are tried in a round, and one that saves just what it costs is made; cells that cost 10 more than\n"
        "the best of their column are pruned. Empty references score 0. The evaluator prints 1 - TER/100."
    )
    higher_is_better: ClassVar[bool] = False
    perfect: ClassVar[float | None] = 0.0

    columns: ClassVar[tuple[StatisticColumn, ...]] = named(
        *("insertions", "deletions", "substitutions", "shifts", "reference_length"), real=["reference_length"]
    )

    normalized: bool = option(
        False, "tercom's normalisation: entities, punctuation as tokens", aliases=("norm",), key="norm"
    )
    no_punct: bool = option(False, "remove punctuation")
    asian_support: bool = option(
        False, "split CJK characters and punctuation", aliases=("asian",), key="asian"
    )
    case_sensitive: bool = option(False, "do not lower-case")
    diacritics: bool = option(True, DIACRITICS_HELP)
    like: str = option("", LIKE_HELP, choices=("", "moses", "tercom"), key="like")
    tok: str = option("none", "with like=moses only: " + tokenizers.HELP, aliases=("tokenize",))
    lowercase: bool | Literal["ascii"] = option(
        False, "with like=moses only: compare in lower case (ascii: only A-Z)", aliases=("lc",)
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self._moses:
            for name in ("normalized", "no_punct", "asian_support", "case_sensitive"):
                if getattr(self, name):
                    raise SpecError(f"ter: like=moses compares tokens as they are and takes no {name}=yes")
        elif self.tok != "none":
            raise SpecError(
                "ter: tok is for like=moses; TER's own tokeniser is set by normalized, no_punct and asian_support"
            )
        elif self.lowercase:
            raise SpecError("ter: lowercase is for like=moses; TER lower-cases unless case_sensitive=yes")

    @property
    def _moses(self) -> bool:
        return self.like == "moses"

    @property
    def takes_words(self) -> bool:
        """Whether a tokeniser and case given for all metrics are its, too: sacrebleu's are BLEU's alone."""
        return self._moses

    word_options: ClassVar[tuple[str, ...]] = ("normalized", "asian_support", "tok")

    @property
    def preparation(self) -> Hashable:
        return self

    def finds_words_in(self, language: str) -> bool:
        if self._moses:
            return super().finds_words_in(language)
        return language in ("zh", "ja") and self.normalized and self.asian_support

    def for_language(self, language: str, tok: str) -> Metric:
        """tercom's own support of East Asian scripts, which works after its normalisation; it has none of others."""
        if self._moses:
            return super().for_language(language, tok)
        return replace(self, normalized=True, asian_support=True) if language in ("zh", "ja") else self

    def _tokenizer(self) -> tuple[str, Callable[[Lines], Lines] | None]:
        if self._moses:
            return super()._tokenizer()
        flags = [(self.normalized, "n"), (self.no_punct, "p"), (self.asian_support, "a")]
        letters = "".join(letter for on, letter in flags if on)
        return "-".join(filter(None, ("tercom", "java" if self.like else "", letters))), None

    def _texts(self, lines: Lines) -> Lines:
        before = self._tokenizer()[1]
        lowercase = self.lowercase if self._moses else not self.case_sensitive
        made = normalize(lines, lowercase=lowercase, diacritics=self.diacritics)
        return made if before is None else before(made)

    def _prepare(self, references: References, threads: int) -> _native.WordReferences:
        tokenizer = self._tokenizer()[0]
        streams = [self._texts(stream) for stream in references.streams]
        if self.normalized and not self.like:
            # sacrebleu tokenises references twice, and the second time can split more
            streams = [_native.join_tokens(stream, tokenizer) for stream in streams]
        prepared = _native.WordReferences(streams, tokenizer, threads)
        if self._moses and prepared.count_wordless():
            warn_wordless(self.name)
        return prepared

    def _counted(self, lines: Lines, references: Any, tokenizer: str, threads: int) -> Any:
        return _KERNELS[self.like](lines, references, tokenizer, threads)

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        return _native.ter_scores(statistics.data, 0.0 if self._moses else 100.0)

    def components(self, total: DenseStatistics, level: Level = "corpus") -> dict[str, Any]:
        """Edits and their kinds (of each segment's nearest reference), and the length they are divided by."""
        parts = {column.name: total.only(column.name) for column in self.columns}
        return {"edits": sum(value for name, value in parts.items() if name != "reference_length"), **parts}

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        if self._moses:
            return self.word_items() | {"like": self.like}
        items = {"case": "mixed" if self.case_sensitive else "lc", "tok": "tercom"}
        flags = {"norm": self.normalized, "punct": not self.no_punct, "asian": self.asian_support}
        items |= {name: "yes" if on else "no" for name, on in flags.items()}
        items |= {} if self.diacritics else {"diac": "no"}
        return items | ({"like": self.like} if self.like else {})

    @classmethod
    def words_from(cls, items: dict[str, str]) -> dict[str, Any]:
        if items.get("like") == "moses":
            return words_from(items, "none")
        no_punct, case_sensitive = items.get("punct") == "no", items.get("case") == "mixed"
        diacritics = items.get("diac") != "no"
        return {"no_punct": no_punct, "case_sensitive": case_sensitive, "diacritics": diacritics}
