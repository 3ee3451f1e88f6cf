"""sacrebleu's flags for metrics, and METEOR's: each one an option of the metrics it reaches."""

from __future__ import annotations

import dataclasses
import os
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.options import PARSER_HELP, languages_named
from tertium.errors import MissingExtraError, SpecError, TertiumWarning

if TYPE_CHECKING:
    from tertium.families.for_texts import ChosenMetrics

_WORDS = "words"  # reaches every metric that has a tokeniser
_PARSED = "parsed"  # reaches every metric that has a parser


class MetricFlag(click.Option):
    """A flag that sets the option `field` of one metric, or of all that compare words."""

    def __init__(self, names: str, field: str, reaches: str, **settings: Any) -> None:
        super().__init__(names.split(), default=None, **settings)
        self.field, self.reaches = field, reaches

    def concerns(self, metric: Any) -> bool:
        if self.reaches == _WORDS:
            has_words = hasattr(metric, "tok") and hasattr(metric, self.field) and metric.scope == "segment"
            return has_words and getattr(metric, "takes_words", True)
        if self.reaches == _PARSED:
            return hasattr(metric, self.field)
        return bool(metric.name == self.reaches or metric.name.startswith(f"{self.reaches}-"))


_FLAG: dict[str, Any] = {"is_flag": True}
FLAGS = [
    MetricFlag(names, field, reaches, help=help, **settings)
    for names, field, reaches, settings, help in (
        (
            "-tok --tokenize",
            "tok",
            _WORDS,
            {},
            "Tokeniser of BLEU, MacroF, MicroF: 13a, none, intl, char, zh, moses-de, ja-mecab, spm:FILE...",
        ),
        ("-lc --lowercase", "lowercase", _WORDS, _FLAG, "Compare in lower case (BLEU, MacroF, MicroF)."),
        ("-s --smooth-method", "smooth", "bleu", {}, "Smoothing of BLEU: exp, floor, add-k, none."),
        (
            "-sv --smooth-value",
            "smooth_value",
            "bleu",
            {"type": float},
            "Value of floor (0.1) and add-k (1).",
        ),
        (
            "-cc --chrf-char-order",
            "char_order",
            "chrf",
            {"type": int},
            "Longest character n-gram of chrF (6).",
        ),
        (
            "-cw --chrf-word-order",
            "word_order",
            "chrf",
            {"type": int},
            "Longest word n-gram of chrF (0; 2 is chrF++).",
        ),
        ("--chrf-beta", "beta", "chrf", {"type": float}, "Weight of recall in chrF (2)."),
        ("--chrf-whitespace", "whitespace", "chrf", _FLAG, "Keep white space in chrF's n-grams."),
        ("--chrf-lowercase", "lowercase", "chrf", _FLAG, "Compare in lower case (chrF)."),
        ("--chrf-eps-smoothing", "eps", "chrf", _FLAG, "Epsilon smoothing in chrF, all orders in the mean."),
        ("--ter-case-sensitive", "case_sensitive", "ter", _FLAG, "Keep case in TER."),
        ("--ter-asian-support", "asian_support", "ter", _FLAG, "Split CJK characters in TER."),
        ("--ter-no-punct", "no_punct", "ter", _FLAG, "Remove punctuation in TER."),
        ("--ter-normalized", "normalized", "ter", _FLAG, "Tercom's normalisation in TER."),
        ("--meteor-resources", "resources", "meteor", {"metavar": "DIR"}, "METEOR's directory or jar."),
        ("--parser", "parser", _PARSED, {"metavar": "PARSER"}, PARSER_HELP),
    )
]


def chosen_metrics(
    specs: Sequence[str], given: Mapping[str, Any], language_pair: str | None = None
) -> list[Any]:
    """The metrics that specs name, with the flags given. A flag never overrides what a spec says itself."""
    from tertium.measuring import metrics_named

    return list(dict.fromkeys(metrics_named(chosen_specs(specs, given, language_pair))))


def chosen_specs(
    specs: Sequence[str], given: Mapping[str, Any], language_pair: str | None = None
) -> list[Any] | ChosenMetrics:
    """The same, for texts that are still to be read: with -l metrics have the tokenisers of the target language.
    Without it a metric whose tokeniser nobody chose is a spec, so that the script of the references can choose."""
    from tertium.families.for_texts import leaves_words_open, metrics_for_language, tokenizer_for

    flags = {flag.name: flag for flag in FLAGS}
    values = {flag: given[name] for name, flag in flags.items() if name and given.get(name) is not None}
    _, target = languages = languages_named(language_pair)
    _check_tokenizer(given.get("tokenize"), target)
    found: list[Any] = []
    for spec in specs:
        metric = _speaking(_with_flags(spec, values), spec, languages)
        open_still = leaves_words_open(spec) and not _chooses_words(metric, values)
        found.append(str(metric) if open_still else metric)
    found = list(dict.fromkeys(found))
    if target is None:
        return found
    choice = tokenizer_for(target)
    lacking = choice is not None and choice.lacking in ("ja", "ko")
    if choice is not None and lacking and any(map(leaves_words_open, found)):  # as sacrebleu has it
        raise MissingExtraError(f"the tokeniser {choice.published}", choice.lacking)
    return metrics_for_language(found, target)


def _chooses_words(metric: Any, values: Mapping[MetricFlag, Any]) -> bool:
    """Whether one of the flags given says how this metric cuts words."""
    own = getattr(metric, "of", metric)
    return any(flag.field in own.word_options and flag.concerns(own) for flag in values)


def _speaking(metric: Any, spec: str, languages: tuple[str | None, str | None]) -> Any:
    """A metric over documents or parses with the languages of -l, unless its spec says others: it has lists of words,
    stems."""
    from tertium import registry

    fields = {field.name: field for field in dataclasses.fields(metric)}
    if (metric.scope != "document" and "parser" not in fields) or "lang" not in fields:
        return metric
    said = {*registry.parse_spec(spec)[2]}
    source, target = languages
    wanted = {"lang": target, "source_lang": source if metric.needs_source else None}
    changes = {
        name: language
        for name, language in wanted.items()
        if language and name in fields and not {name, *fields[name].metadata.get("aliases", ())} & said
    }
    return dataclasses.replace(metric, **changes)


def _with_flags(spec: str, values: Mapping[MetricFlag, Any]) -> Any:
    from tertium import registry

    try:
        metric: Any = registry.metric(spec)
    except SpecError as error:
        if os.path.exists(spec):
            raise SpecError(f"{spec!r} is a file, not a metric: references come before -m and -i") from None
        raise error
    if metric.name == "doc":  # doc:bleu
        return registry.lifted(_with_flags(spec.strip().partition(":")[2] or "bleu", values))
    said = {*registry.parse_spec(spec)[2]}
    fields = {field.name: field for field in dataclasses.fields(metric)}
    changes = {}
    for flag, value in values.items():
        if not flag.concerns(metric):
            continue
        field = fields[flag.field]
        own = {field.name, *field.metadata.get("aliases", ())}
        if not own & said and getattr(metric, field.name) == field.default:
            changes[field.name] = value
    if changes.get("smooth_value") is not None and changes.get("smooth", metric.smooth) in ("exp", "none"):
        del changes["smooth_value"]
        warnings.warn("-sv has no effect without floor or add-k smoothing", TertiumWarning, stacklevel=2)
    return dataclasses.replace(metric, **changes)


def _check_tokenizer(asked: str | None, language: str | None) -> None:
    """Refuse a -tok that would be downloaded, and name the one that the target language calls for."""
    from tertium.families.for_texts import PUBLISHED
    from tertium.text.scripts import base_language

    if asked is not None:
        from tertium.published import DOWNLOADED_TOKENIZERS

        if asked in DOWNLOADED_TOKENIZERS:
            raise SpecError(f"-tok {asked}: Tertium does not download models: give a file, -tok spm:FILE")
    usual = PUBLISHED.get(base_language(language) or "")
    from tertium.text.tokenizers import cuts_words_of

    if asked is None or usual is None or asked == usual or asked.startswith("spm:"):
        return
    if base_language(language) == "ko" or cuts_words_of(asked, base_language(language) or ""):
        warnings.warn(f"consider -tok {usual} for this target language", TertiumWarning, stacklevel=2)
