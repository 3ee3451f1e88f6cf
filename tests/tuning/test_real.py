"""Tuning on real outputs: sixteen systems of WMT12, German to English (docs/tuning.md)."""

from __future__ import annotations

import io
import tarfile

import pytest

from tertium.io.nbestfeatures import FeatureLists
from tertium.tuning.gathering import gather
from tertium.tuning.tuning import tune_across
from tests.conftest import SHARED

ARCHIVE = SHARED / "data" / "wmt12" / "wmt12-to-en.tar.xz"


@pytest.mark.skipif(not ARCHIVE.exists(), reason="no ../shared")
def test_the_recall_variant_gives_the_longest_output() -> None:
    texts = {}
    with tarfile.open(ARCHIVE) as archive:
        for member in archive:
            if "/de-en/" in member.name or member.name.endswith("ref.en"):
                file = archive.extractfile(member)
                if file is not None:
                    lines = io.TextIOWrapper(file, "utf-8", newline="\n").read().split("\n")
                    texts[member.name.rpartition(".")[2]] = [line.strip("\r") for line in lines[:1000]]
    references = texts.pop("en")
    assert len(texts) == 16
    lists = FeatureLists.of(gather(texts, ["chrf", "bleu", "ter"]))
    assert len(lists.names) == 20
    found = tune_across(lists, references, ["bleu:PGBC4", "bleu:RGBC4"], heldout=0.5, restarts=2)
    precision = found.setup.metrics[0]
    by_precision, by_recall = found.scores["BLEU[PGBC4]"], found.scores["BLEU[RGBC4]"]
    before = found.scores["(before)"]
    assert (by_precision[precision] or 0) > (before[precision] or 0) + 0.5
    assert (by_precision[precision] or 0) > (by_recall[precision] or 0)
    ratio = found.components.metrics[0].parts["length ratio"]
    assert (ratio[1] or 0) > (ratio[0] or 0) + 0.02
