"""METEOR 1.5: words matched by form, stem, synonym and paraphrase, with a penalty for fragments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from tertium import _native
from tertium._native import Lines
from tertium.errors import InputError, MissingExtraError, SpecError, did_you_mean
from tertium.families.base import Level, Metric, option
from tertium.families.meteor_tasks import MODULES, TASKS, default_modules, default_task, parameters
from tertium.families.values import written
from tertium.statistics import DenseStatistics, StatisticColumn, columns
from tertium.text import meteor
from tertium.text.segments import References

NORMALIZATIONS = ("norm", "nopunct", "lower", "none")
_NUMBERS = ("alpha", "beta", "gamma", "delta")
_FILES = {"resources": "res", "synonyms": "synfile", "paraphrases": "parafile"}
_SIDES = ("content", "reference_content", "function", "reference_function")


@dataclass(frozen=True)
class WordKnowledge(Metric):
    """What METEOR 1.5 and METEOR over links share: language, modules, text and files."""

    lang: str = option(
        "en", "language: en cz de es fr ru, da fi hu it nl no pt ro se tr, ar-bw-red, other", key="lang"
    )
    modules: str = option(
        "", "modules joined by +: exact, stem, synonym, paraphrase; default by language", key="mod"
    )
    normalize: str = option(
        "",
        "text: norm (METEOR's normaliser), nopunct (without punctuation too), lower, none; "
        "default norm, or lower where METEOR has no normaliser",
        aliases=("norm",),
        key="norm",
    )
    beam: int = option(40, "how many alignments are followed at a time", between=(1, 100_000), key="beam")
    resources: str = option(
        "", "METEOR's directory or jar; default $TERTIUM_METEOR, else pycocoevalcap's", key="res", file=True
    )
    synonyms: str = option(
        "",
        "synonyms: METEOR's or WordNet's directory, wordnet, or a multilingual WordNet",
        key="synfile",
        file=True,
    )
    paraphrases: str = option(
        "", "paraphrases: a file in METEOR's or PPDB's format", key="parafile", file=True
    )

    def __post_init__(self) -> None:
        language = meteor.language(self.lang)
        self._set("lang", language.code)
        self._set("normalize", self.normalize or self._default_normalize)
        if self.normalize not in NORMALIZATIONS:
            raise SpecError(
                f"{self.name}: no normalize={self.normalize!r}{did_you_mean(self.normalize, NORMALIZATIONS)}"
            )
        if self.normalize in ("norm", "nopunct") and not language.apostrophes:
            raise SpecError(
                f"{self.name}: METEOR has no normaliser for {language.name}: tokenise the texts and use normalize=lower"
            )
        given = self.modules.replace(",", " ").replace("+", " ").split() or self._default_modules
        for module in given:
            if module not in MODULES:
                raise SpecError(f"{self.name}: there is no module {module!r}{did_you_mean(module, MODULES)}")
        if len(set(given)) < len(given):
            raise SpecError(f"{self.name}: a module is given twice ({'+'.join(given)})")
        self._set("modules", "+".join(given))
        super().__post_init__()
        for name in (*_FILES, "function_words", "vectors"):
            if '"' in getattr(self, name, ""):
                raise SpecError(
                    f"{self.name}: a file with a quotation mark in its name cannot be used ({name})"
                )

    def finds_words_in(self, language: str) -> bool:
        return False  # METEOR's normaliser cuts at spaces and punctuation

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    @property
    def _default_normalize(self) -> str:
        return "norm" if meteor.language(self.lang).apostrophes else "lower"

    @property
    def _default_modules(self) -> tuple[str, ...]:
        raise NotImplementedError

    @property
    def _defaults(self) -> dict[str, Any]:
        """Defaults that depend on other options: a spec string leaves them out."""
        return {"normalize": self._default_normalize, "modules": "+".join(self._default_modules)}

    def _given(self) -> Iterator[tuple[str, str]]:
        defaults = self._defaults
        for name, pair in super()._given():
            if name not in defaults or getattr(self, name) != defaults[name]:
                yield name, pair

    @property
    def module_names(self) -> tuple[str, ...]:
        return tuple(self.modules.split("+"))

    @property
    def _knowledge(self) -> meteor.Knowledge:
        files = self.resources, self.synonyms, self.paraphrases, self._function_words
        return meteor.knowledge(meteor.Wanted(self.lang, self.module_names, *files))

    @property
    def _function_words(self) -> str:
        return "none"

    @property
    def _sources(self) -> dict[str, str]:
        """Where the knowledge comes from. What is not available is `missing`: then nothing can be scored either."""
        try:
            return dict(self._knowledge.sources)
        except (InputError, MissingExtraError):
            wanted = {"func": True, "syn": "synonym" in self.modules, "para": "paraphrase" in self.modules}
            return {part: "missing" for part, needed in wanted.items() if needed}

    @property
    def _normalizer(self) -> tuple[_native.MeteorNormalizer, str]:
        return meteor.normalizer(self.lang, punctuation=self.normalize == "norm", given=self.resources)

    def _words(self, lines: Lines) -> Lines:
        """Lines as words with spaces between."""
        if self.normalize in ("norm", "nopunct"):
            return self._normalizer[0].cut(lines, lower=True)
        return lines if self.normalize == "none" else lines.lower()

    def _read(self, lines: Lines) -> _native.MeteorTexts:
        """Lines as numbers of words."""
        return meteor.read_words(self._knowledge, self._words(lines))

    def _prepare(self, references: References, threads: int) -> _native.MeteorReferences:
        streams = [self._read(stream) for stream in references.streams]
        return _native.MeteorReferences(self._knowledge.lexicon, streams)

    def _text_items(self) -> dict[str, str]:
        """The part of a signature that says how words are cut and matched, and with which files."""
        items = {"lang": self.lang, "mod": self.modules, "norm": self.normalize}
        if self.normalize in ("norm", "nopunct"):
            items["abbr"] = self._normalizer[1]
        items |= {key: source for key, source in self._sources.items() if key != "func"}
        if self.beam != 40:
            items["beam"] = str(self.beam)
        return items | {
            short: f'"{getattr(self, name)}"' for name, short in _FILES.items() if getattr(self, name)
        }


@dataclass(frozen=True)
class Meteor(WordKnowledge):
    """METEOR 1.5: a weighted mean of precision and recall over an alignment, less a penalty for its fragments.

    >>> import tertium as tt
    >>> m = tt.metric("meteor:modules=exact+stem,function_words=none")
    >>> rows = m.statistics(["the dogs were running home"], ["the dog ran home"])
    >>> round(m.score_total(rows), 2), rows["chunks"].tolist()
    (27.99, [2])
    """

    name: ClassVar[str] = "meteor"
    label: ClassVar[str] = "METEOR"
    title: ClassVar[str] = "METEOR 1.5: matches by form, stem, synonym and paraphrase, and their order"
    formula: ClassVar[str] = (
        "P = sum over modules i of w_i (delta m_ic + (1 - delta) m_if) / (delta |content| + (1 - delta) |function|)\n"
        "in the hypothesis, R the same in the reference; Fmean = P R / (alpha P + (1 - alpha) R),\n"
        "METEOR = Fmean (1 - gamma (chunks / matched words)^beta). Counts are summed over segments."
    )
    fewest_for_interval: ClassVar[int] = 5
    paper: ClassVar[str] = "Denkowski and Lavie 2014, https://aclanthology.org/W14-3348"
    quirks: ClassVar[str] = (
        "Synonyms and paraphrases need METEOR's files, or others of their kind; without them choose\n"
        "modules=exact+stem. Weights belong to places in the list of modules, not to modules. A segment that is\n"
        "matched whole in one chunk has no penalty, and its chunk is not counted in sums. Ambiguous stems and\n"
        "synonyms are matched only where they cost no further chunk. Several references: the best for a segment."
    )

    task: str = option("", f"what it is tuned for: {' '.join(TASKS)}; default rank or li", key="task")
    alpha: float | None = option(
        None, "balance of F: weight of recall, 0 to 1; default by task", between=(0, 1), key="alpha"
    )
    beta: float | None = option(
        None, "exponent of the penalty; default by task", between=(0, 100), key="beta"
    )
    gamma: float | None = option(
        None, "weight of the penalty, 0 to 1; default by task", between=(0, 1), key="gamma"
    )
    delta: float | None = option(
        None,
        "weight of content words against function words, 0 to 1; default by task",
        between=(0, 1),
        key="delta",
    )
    weights: str = option("", "weights of the modules, joined by +; default by task", key="w")
    function_words: str = option(
        "",
        "function words: a file, language, or none; default METEOR's English list",
        key="funcfile",
        file=True,
    )
    unit: str = option("", "what is counted: word or char; default word, char for task=util", key="unit")

    def __post_init__(self) -> None:
        self._set("lang", meteor.language(self.lang).code)
        self._set("task", self.task or default_task(self.lang))
        if self.task not in TASKS:
            raise SpecError(f"meteor: there is no task {self.task!r}{did_you_mean(self.task, TASKS)}")
        super().__post_init__()
        tuned = parameters(self.lang, self.task)
        for name in _NUMBERS:
            if getattr(self, name) is None:
                self._set(name, getattr(tuned, name))
        self._set("weights", self._checked_weights(tuned.weights))
        self._set("unit", self.unit or self._default_unit)
        if self.unit not in ("word", "char"):
            raise SpecError(f"meteor: unit is word or char, not {self.unit!r}")
        if not (self.modules + "+").startswith("exact+") or not (self.weights + "+").startswith("1+"):
            self._set("perfect", None)  # equal texts are matched by the first module only, with its weight

    def _checked_weights(self, tuned: tuple[float, ...]) -> str:
        number = len(self.module_names)
        given = self.weights.replace(",", " ").replace("+", " ").split()
        try:
            values = [float(weight) for weight in given] or list(tuned[:number])
        except ValueError:
            raise SpecError(f"meteor: weights are numbers joined by +, not {self.weights!r}") from None
        if len(values) != number or not all(0 <= value <= 100 for value in values):
            raise SpecError(
                f"meteor: weights must be {number} numbers from 0 to 100, one for each of {self.modules}, "
                f"not {self.weights}"
            )
        if not any(values):
            raise SpecError("meteor: all weights are 0, so nothing would count")
        return "+".join(written(value) for value in values)

    @property
    def _default_unit(self) -> str:
        return "char" if self.task == "util" else "word"

    @property
    def _default_modules(self) -> tuple[str, ...]:
        return default_modules(self.lang, self.task)

    @property
    def _function_words(self) -> str:
        return self.function_words

    @property
    def _defaults(self) -> dict[str, Any]:
        tuned = parameters(self.lang, self.task)
        weights = tuned.weights[: len(self.module_names)]
        return {
            **super()._defaults,
            "task": default_task(self.lang),
            "unit": self._default_unit,
            "weights": "+".join(written(weight) for weight in weights),
            **{name: getattr(tuned, name) for name in _NUMBERS},
        }

    @property
    def columns(self) -> tuple[StatisticColumn, ...]:
        """METEOR's own statistics, in its order, and whether all is matched in one chunk."""
        return columns(
            *("length", "reference_length", "functions", "reference_functions"),
            *(f"{side}_{stage}" for stage in range(1, 5) for side in _SIDES),
            *("chunks", "matched", "reference_matched", "whole"),
        )

    @property
    def _parameters(self) -> tuple[list[float], list[float]]:
        numbers = [float(getattr(self, name)) for name in _NUMBERS]
        return numbers, [float(weight) for weight in self.weights.split("+")]

    def _rows(
        self, hypotheses: Lines, prepared: _native.MeteorReferences, sources: Lines | None, threads: int
    ) -> DenseStatistics:
        how = self.module_names, *self._parameters
        characters, texts = self.unit == "char", self._read(hypotheses)
        rows = _native.meteor_rows(
            texts, prepared, *how, characters=characters, beam=self.beam, threads=threads
        )
        return DenseStatistics(self.columns, rows)

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        return _native.meteor_scores(statistics.data, *self._parameters)

    def components(self, total: DenseStatistics, level: Level = "corpus") -> dict[str, Any]:
        """Precision, recall, their mean and the penalty as METEOR prints them (0 to 1), lengths, chunks, matches."""
        counts = {column.name: total.only(column.name) for column in self.columns}
        _, weights = self._parameters
        delta = float(self.delta or 0)

        def rate(prefix: str) -> float:
            matched = sum(
                weight
                * (delta * counts[f"{prefix}content_{i}"] + (1 - delta) * counts[f"{prefix}function_{i}"])
                for i, weight in enumerate(weights, 1)
            )
            functions = counts[f"{prefix}functions"]
            length = delta * (counts[f"{prefix}length"] - functions) + (1 - delta) * functions
            return matched / length if length else 0.0

        precision, recall = rate(""), rate("reference_")
        alpha = float(self.alpha or 0)
        below = alpha * precision + (1 - alpha) * recall
        matched = (counts["matched"] + counts["reference_matched"]) / 2
        fragments = (counts["chunks"] - counts["whole"]) / matched if matched else 0.0
        return {
            "precision": precision,
            "recall": recall,
            "fmean": precision * recall / below if below else 0.0,
            "penalty": float(self.gamma or 0) * fragments ** float(self.beta or 0),
            "chunks": counts["chunks"] - counts["whole"],
            "hypothesis_length": counts["length"],
            "reference_length": counts["reference_length"],
            "matches": {
                module: sum(counts[f"{side}_{i}"] for side in ("content", "function"))
                for i, module in enumerate(self.module_names, 1)
            },
        }

    def verbose(self, total: DenseStatistics, level: Level = "corpus") -> str:
        parts = self.components(total, level)
        matches = "/".join(str(count) for count in parts["matches"].values())
        return (
            f"P = {parts['precision']:.3f} R = {parts['recall']:.3f} penalty = {parts['penalty']:.3f} "
            f"chunks = {parts['chunks']} ({self.modules} = {matches})"
        )

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        items = self._text_items() | {"func": self._sources["func"]}
        if self.function_words:
            items["funcfile"] = f'"{self.function_words}"'
        items |= {"task": self.task, "unit": self.unit, "w": self.weights}
        return items | {name: written(float(getattr(self, name))) for name in _NUMBERS}
