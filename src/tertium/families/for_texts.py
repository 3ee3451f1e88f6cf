"""Metrics with the tokenisers that texts call for: languages that are written without spaces between words.

docs/tokenizers.md has the rule as a table. Metrics that somebody configured (`bleu:tok=13a`, a `Metric`) are never
changed; where they find no words in the texts, a note says so.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tertium import registry
from tertium.errors import MissingExtraError, ScriptWarning
from tertium.families.base import Metric
from tertium.families.values import written
from tertium.text import tokenizers
from tertium.text.scripts import HAN, SPACELESS, Spaceless, TextSequence, base_language, spaceless

Specs = str | Metric | Sequence[str | Metric]

# The tokeniser with which BLEU is published for a language: for zh, ja and ko sacrebleu's choice with -l.
PUBLISHED = {
    "zh": "zh",
    "yue": "zh",
    "ja": "ja-mecab",
    "ko": "ko-mecab",
    **{language: f"{language}-icu" for language in ("th", "lo", "km", "my")},
}
_ASIAN = "normalized=yes,asian_support=yes"
_PROGRAMS = {"ja-mecab": "MeCab", "ko-mecab": "MeCab-ko"}
CHARACTERS = "char"  # takes the place of a tokeniser that is not installed


@dataclass(frozen=True)
class ChosenMetrics:
    """Metrics as they score some texts, and what a reader of their scores must know of their tokenisers."""

    metrics: tuple[Metric, ...]
    notes: tuple[str, ...] = ()


class TokenizerChoice(NamedTuple):
    """The tokeniser for a language, and the extra that lacks where it is not the published one."""

    tok: str
    published: str
    lacking: str = ""


def tokenizer_for(language: str | None) -> TokenizerChoice | None:
    """The tokeniser for a language that needs one of its own; None for all others.

    >>> tokenizer_for("zh_TW"), tokenizer_for("de")
    (TokenizerChoice(tok='zh', published='zh', lacking=''), None)
    """
    name = PUBLISHED.get(base_language(language) or "")
    if name is None:
        return None
    try:
        tokenizers.signature_items(name)
    except MissingExtraError as error:
        instead = CHARACTERS if base_language(language) != "ko" else "13a"  # Korean has spaces
        return TokenizerChoice(instead, name, error.extra)
    return TokenizerChoice(name, name)


def leaves_words_open(spec: str | Metric) -> bool:
    """Whether a spec leaves it to us how texts are cut into words. A `Metric` says all that it is.

    >>> leaves_words_open("bleu"), leaves_words_open("bleu:tok=13a"), leaves_words_open("chrf")
    (True, False, False)
    """
    if not isinstance(spec, str):
        return False
    metric = registry.metric(spec)
    if metric.name == "doc":
        return leaves_words_open(spec.strip().partition(":")[2] or "bleu")
    options = type(metric).named(registry.parse_spec(spec)[2])
    return bool(metric.word_options) and not {*options} & {*metric.word_options}


def closed_spec(metric: Metric) -> str:
    """A spec that says how text is cut into words even where that is the default: it names this metric for all texts.

    >>> closed_spec(registry.metric("bleu")), closed_spec(registry.metric("chrf"))
    ('bleu:tok=13a', 'chrf')
    """
    spec = str(metric)
    if not leaves_words_open(spec):
        return spec
    of = getattr(metric, "of", metric)
    option = metric.word_options[0]
    return f"{spec}{',' if ':' in str(of) else ':'}{option}={written(getattr(of, option))}"


def metrics_for_language(specs: Specs, language: str | None) -> ChosenMetrics:
    """The metrics for a target language: where it is written without spaces between words (or is Korean), those whose
    specs leave it open get its tokeniser.

    >>> [str(metric) for metric in metrics_for_language(["bleu", "ter", "bleu:tok=13a"], "zh").metrics]
    ['bleu:tok=zh', 'ter:normalized=yes,asian_support=yes', 'bleu']
    """
    given = [specs] if isinstance(specs, str | Metric) else list(specs)
    metrics = [registry.metric(spec) for spec in given]
    choice = tokenizer_for(language)
    if choice is None:
        return ChosenMetrics(tuple(metrics))
    base = base_language(language) or ""
    base = "zh" if base == "yue" else base
    open_ones = [leaves_words_open(spec) for spec in given]
    chosen = _with_words(metrics, open_ones, base, choice)
    notes = []
    changed = [
        metric
        for metric, is_open in zip(chosen, open_ones, strict=True)
        if is_open and getattr(getattr(metric, "of", metric), "tok", None) == choice.tok
    ]
    if choice.lacking and changed:
        notes.append(f"{_not_installed(choice)}: {_settings(changed, choice)} {_instead(choice)}.")
    if base in SPACELESS:
        notes += _without_words(chosen, base)
    return ChosenMetrics(tuple(chosen), tuple(notes))


def metrics_for_texts(
    specs: Specs, references: TextSequence | None, origin: Sequence[str] = ()
) -> ChosenMetrics:
    """The metrics for texts whose language nobody named: the script of the references decides. A test set by name says
    its languages (`origin`, as signatures have it: "lang:en-zh").

    >>> [str(metric) for metric in metrics_for_texts("bleu", ["今天天气很好。"]).metrics]
    ['bleu:tok=zh']
    >>> metrics_for_texts("bleu", ["The weather is fine today."]).notes
    ()
    """
    given = [specs] if isinstance(specs, str | Metric) else list(specs)
    if (language := _language_of(origin)) is not None:
        return metrics_for_language(given, language)
    metrics = tuple(registry.metric(spec) for spec in given)
    if references is None or all(
        metric.finds_words_in(language) for metric in metrics for language in SPACELESS
    ):
        return ChosenMetrics(metrics)
    texts = spaceless(references)
    if texts is None:
        return ChosenMetrics(metrics)
    if texts.language is None:
        return ChosenMetrics(metrics, tuple(_mixed(metrics, texts)))
    language = "zh" if texts.language == HAN else texts.language
    choice = tokenizer_for(language)
    assert choice is not None
    chosen = _with_words(metrics, [leaves_words_open(spec) for spec in given], language, choice)
    changed = [new for new, old in zip(chosen, metrics, strict=True) if new != old]
    notes = [_recognised(texts, choice, changed)] if changed else []
    return ChosenMetrics(tuple(chosen), (*notes, *_without_words(chosen, language)))


def tokenizer_of_lengths(
    references: TextSequence, language: str | None = None, origin: Sequence[str] = ()
) -> str:
    """The tokeniser that counts how long segments are, by the same rule: 13a where there are spaces between words.

    >>> tokenizer_of_lengths(["今天天气很好。"]), tokenizer_of_lengths(["Guten Tag"]), tokenizer_of_lengths([], "zh")
    ('zh', '13a', 'zh')
    """
    language = language or _language_of(origin)
    if language is None and (texts := spaceless(references)) is not None:
        language = "zh" if texts.language == HAN else texts.language
    choice = tokenizer_for(language) if base_language(language) != "ko" else None
    return "13a" if choice is None else choice.tok


def _language_of(origin: Sequence[str]) -> str | None:
    """The target language of a test set by name."""
    pair = next((own.partition(":")[2] for own in origin if own.startswith("lang:")), "")
    return pair.partition("-")[2] or None


def asked_for(spec: str | Metric, metrics: Collection[Metric]) -> Metric:
    """Of some metrics the one that a spec names: the very one, or what it became for a language.

    >>> str(asked_for("bleu", metrics_for_language(["bleu"], "zh").metrics))
    'bleu:tok=zh'
    """
    metric = registry.metric(spec)
    if metric in metrics or not leaves_words_open(spec):
        return metric
    variants = {metric.for_language(language, tok) for language, tok in PUBLISHED.items()}
    variants.add(metric.for_language("th", CHARACTERS))
    return next((one for one in metrics if one in variants), metric)


def warn_of(notes: Iterable[str]) -> None:
    """Issue notes as warnings, for callers who look at numbers only."""
    for note in notes:
        warnings.warn(note, ScriptWarning, stacklevel=3)


def _with_words(
    metrics: Sequence[Metric], open_ones: Sequence[bool], language: str, choice: TokenizerChoice
) -> list[Metric]:
    return [
        metric.for_language(language, choice.tok) if is_open else metric
        for metric, is_open in zip(metrics, open_ones, strict=True)
    ]


def _recognised(texts: Spaceless, choice: TokenizerChoice, changed: Sequence[Metric]) -> str:
    """What was recognised, and how it is scored."""
    how = _settings(changed, choice)
    if texts.language == HAN:
        return (
            f"Han characters without kana: scored as Chinese ({how}). If Japanese: -l xx-ja or tok=ja-mecab."
        )
    name = SPACELESS[str(texts.language)]
    if choice.lacking:
        return f"{name} references, and {_not_installed(choice)}: {how} {_instead(choice)}."
    return f"{name} references: {how}."


def _settings(changed: Sequence[Metric], choice: TokenizerChoice) -> str:
    """Metrics with the settings that they got."""
    cut = [metric for metric in changed if getattr(getattr(metric, "of", metric), "tok", None) == choice.tok]
    asian = [metric for metric in changed if metric not in cut]
    parts = [f"{_listed(cut)} with tok={choice.tok}"] if cut else []
    return ", ".join([*parts, *([f"{_listed(asian)} with {_ASIAN}"] if asian else [])])


def _not_installed(choice: TokenizerChoice) -> str:
    return f"{_PROGRAMS.get(choice.published, 'ICU')} is not installed"


def _instead(choice: TokenizerChoice) -> str:
    return f"instead of {choice.published} (pip install 'tertium[{choice.lacking}]')"


def _without_words(metrics: Sequence[Metric], language: str) -> list[str]:
    """Metrics that take what stands between spaces for words, in a language that has none between words."""
    choice = tokenizer_for(language)
    assert choice is not None
    lacking = [metric for metric in metrics if not metric.finds_words_in(language)]
    fitting = {metric: metric.for_language(language, choice.tok) for metric in lacking}
    better = [metric for metric, other in fitting.items() if other.finds_words_in(language)]
    others = [metric for metric in lacking if metric not in better]
    why = f"text between spaces for words, and {SPACELESS[language]} has no spaces between words"
    found = []
    if better:
        toks = (getattr(getattr(other, "of", other), "tok", "none") for other in map(fitting.get, better))
        ways = dict.fromkeys(_ASIAN if tok == "none" else f"tok={tok}" for tok in toks)
        found.append(f"{_listed(better, tok=True)} {_takes(better)} {why}: use {' and '.join(ways)}.")
    if others:
        words = "its words are" if len(others) == 1 else "their words are"
        found.append(f"{_listed(others)} {_takes(others)} {why}: {words} whole clauses.")
    return found


def _mixed(metrics: Sequence[Metric], texts: Spaceless) -> Iterator[str]:
    lacking = [
        metric for metric in metrics if not all(metric.finds_words_in(language) for language in SPACELESS)
    ]
    yield (
        f"{100 * texts.share:.0f}% of the reference lines are {' or '.join(texts.languages)}, without spaces between "
        f"words: {_listed(lacking)} {_takes(lacking)} text between spaces for words; score each language by itself."
    )


def _takes(metrics: Sequence[Metric]) -> str:
    return "takes" if len(metrics) == 1 else "take"


def _listed(metrics: Sequence[Metric], *, tok: bool = False) -> str:
    def shown(metric: Metric) -> str:
        own = getattr(getattr(metric, "of", metric), "tok", "none") if tok else "none"
        return metric.label if own == "none" else f"{metric.label} (tok={own})"

    names = list(dict.fromkeys(map(shown, metrics)))
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
