"""Which tokenisers WMT17's baselines used (seed 003, section 2.4.10): those with which its tables come out again."""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import tertium


@cache
def lines_of(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        return [line.rstrip("\n") for line in file]


def reference(folder: Path, pair: str) -> list[str]:
    source, target = pair.split("-")
    return lines_of(folder / "references" / f"newstest2017-{source}{target}-ref.{target}.gz")


def output(folder: Path, pair: str, system: str) -> list[str]:
    return lines_of(folder / "system-outputs" / pair / f"newstest2017.{system}.{pair}.gz")


def judged(folder: Path, pair: str) -> tuple[list[str], list[str], list[float]]:
    """Hypotheses, references and people's scores of the segments of table 11 and 12."""
    rows = [line.split() for line in (folder / "DA-seglevel.csv").read_text(encoding="utf-8").splitlines()]
    # Several names joined by a plus are systems with the same output.
    own = [
        (name.split("+")[0], int(number) - 1, float(score))
        for lp, _, name, number, score in rows
        if lp == pair
    ]
    hypotheses = [output(folder, pair, name)[i] for name, i, _ in own]
    return hypotheses, [reference(folder, pair)[i] for _, i, _ in own], [score for _, _, score in own]


@pytest.mark.parametrize(
    ("pair", "tokenizer", "published"),
    [
        ("cs-en", "moses-en-p", 0.435),
        ("de-en", "moses-en-p", 0.432),
        ("ru-en", "moses-en-p", 0.484),
        ("zh-en", "moses-en-p", 0.512),  # moses-en, which cuts Chinese words in English text, gives .525
        ("en-ru", "moses-en-p", 0.468),  # the English rules for Russian too; moses-ru-p gives .469
        ("en-zh", "zh+moses-en-p", 0.642),  # zh-wmt17+moses-en-p gives .641
    ],
)
def test_sentbleu(shared: Path, pair: str, tokenizer: str, published: float) -> None:
    """Tables 11 and 12. Tokenised first, then put in lower case, ASCII letters only."""
    hypotheses, references, human = judged(shared / "data" / "wmt17", pair)
    assert len(human) == 560
    metric = tertium.metric(f"sentbleu:tok={tokenizer},lowercase=yes")
    scores = metric.score_rows(metric.statistics(hypotheses, references), "segment")
    assert round(float(np.corrcoef(scores, human)[0, 1]), 3) == published


def test_lower_case_with_the_segmentation_alone() -> None:
    metric = tertium.metric("sentbleu:tok=zh-wmt17,lowercase=yes")
    assert metric.statistics(["中文ABC"], ["中文abc"]).row(0)[:3] == [3, 3, 3]


@pytest.mark.parametrize("tokenizer", ["zh-wmt17+intl", "zh+intl"])
def test_bleu_of_chinese(shared: Path, tokenizer: str) -> None:
    """Table 5: segmented, then mteval's international tokens, in lower case."""
    folder = shared / "data" / "wmt17"
    rows = [line.split() for line in (folder / "DA-syslevel.csv").read_text(encoding="utf-8").splitlines()]
    human = {system: float(score) for pair, score, system in rows if pair == "en-zh"}
    metric = tertium.metric(f"bleu:tok={tokenizer},lowercase=yes")
    prepared = metric.prepare(reference(folder, "en-zh"))
    scores = [
        metric.score_total(metric.statistics(output(folder, "en-zh", name), prepared)) for name in human
    ]
    assert len(scores) == 11
    assert round(float(np.corrcoef(scores, list(human.values()))[0, 1]), 3) == 0.981
