"""Our metrics against the component scores that BLEND's authors published for 5,460 segments (../shared/data/blend).

They come from Asiya: ROUGE 1.5.5 (with its stemmer and WordNet's exceptions, which we lack), GTM and Ol, all after the
Moses tokeniser with its escapes. So equality is counted, and the counts are what docs/metrics say.
"""

from __future__ import annotations

import tarfile
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tertium import registry
from tests.conftest import SHARED, skip_or_fail

pytestmark = pytest.mark.golden
DATA = SHARED / "data"
PAIRS = {"15": ("cs", "de", "fi", "ru"), "16": ("cs", "de", "fi", "ro", "ru", "tr")}
STEMS = {"15": "newstest2015", "16": "DAseg-newstest2016"}
TEST = "newstest2017.uedin-nmt.4890.ru-en"


@cache
def archive() -> dict[str, list[str]]:
    """The files of the archive by name, in lines."""
    path = DATA / "blend" / "blend-sample-scores.tar.xz"
    if not path.is_file():
        skip_or_fail(f"BLEND's component scores are not at {path}")
    found = {}
    with tarfile.open(path) as tar:
        for member in tar:
            if file := tar.extractfile(member) if member.isfile() else None:
                name = member.name.removeprefix("./")
                found[name] = file.read().decode("utf-8").removesuffix("\n").split("\n")
    return found


@cache
def texts(kind: str) -> list[str]:
    """Hypotheses (mt-system) or references: 5,360 training segments, then the 100 test segments."""
    lines: list[str] = []
    for year, languages in PAIRS.items():
        for language in languages:
            pair = f"{language}-en"
            path = DATA / "daseg-wmt15-16" / f"da-wmt{year}" / pair / f"{STEMS[year]}.{kind}.{pair}"
            lines += path.read_text("utf-8").removesuffix("\n").split("\n")
    return lines + archive()[TEST if kind == "mt-system" else "newstest2017-ruen-ref.en"]


def scores(name: str) -> np.ndarray:
    return np.array(
        [float(x) for x in archive()[f"train.mt-system.toen.{name}"] + archive()[f"{TEST}.{name}"]]
    )


def escaped(text: str) -> str:
    """What Moses' escapes leave of marks for ROUGE: `apos` and `quot` are words to it."""
    for mark, entity in {"&": "amp", "'": "apos", '"': "quot", "|": "#124", "<": "lt", ">": "gt"}.items():
        text = text.replace(mark, f" &{entity}; " if mark != "'" else f" &{entity};")
    return text.replace("[", " &#91; ").replace("]", " &#93; ")


@pytest.mark.parametrize(
    ("name", "spec", "equal"),
    [
        ("ROUGE-1", "rouge:1,stem=porter", 5129),
        ("ROUGE-2", "rouge:2,stem=porter", 5311),
        ("ROUGE-3", "rouge:3,stem=porter", 5368),
        ("ROUGE-4", "rouge:4,stem=porter", 5401),
        ("ROUGE-L", "rouge:L,stem=porter", 5205),
        ("ROUGE-W", "rouge:W,stem=porter,like=rouge-1.5.5", 5193),
        ("ROUGE-S*", "rouge:S,stem=porter", 5097),
        ("ROUGE-SU*", "rouge:SU,stem=porter,like=rouge-1.5.5", 5096),
        ("Ol", "ol:tok=moses-en,lc=yes", 5370),
        ("GTM-1", "gtm:1,tok=moses-en,lc=yes", 5370),
        ("GTM-2", "gtm:2,tok=moses-en,lc=yes", 5361),
        ("GTM-3", "gtm:3,tok=moses-en,lc=yes", 5361),
    ],
)
def test_components(shared: Path, name: str, spec: str, equal: int) -> None:
    prepare = escaped if name.startswith("ROUGE") else str
    metric = registry.metric(spec)
    hypotheses, references = ([prepare(text) for text in texts(kind)] for kind in ("mt-system", "reference"))
    ours = metric.score_rows(metric.statistics(hypotheses, references), "segment") / 100
    theirs = scores(name)
    assert len(ours) == len(theirs) == 5460
    assert int((np.abs(ours - theirs) < 2e-5).sum()) == equal
    assert np.corrcoef(ours, theirs)[0, 1] > 0.995
