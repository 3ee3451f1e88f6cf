"""Writes the tables of docs/estimate.md: estimators trained on MLQE-PE, and what they are worth where they were not.

    python -m tools.estimate_table [--shared ../shared] [--part dev] [--only pairs curve] [--page docs/estimate.md]

Everything was chosen on `dev`; the page has `test20`. Without --page tables are printed only.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

from tertium.estimation.estimator import Estimator, edit_rates, trained
from tertium.io.translations import Translations, read_token_scores, read_translations
from tertium.triage.results import evaluate
from tools.da_segments import wmt17
from tools.pages import put, table_parser

_HERE = Path(__file__).resolve().parent.parent
PAIRS = ("en-de", "ro-en", "et-en")
POST_EDITED = ("en-de", "ro-en")
CURVE = (100, 1_000, 7_000)
ENCODER = "use"
OTHERS = ("cs-en", "de-en", "ru-en", "zh-en")  # of WMT17
# Pearson's r with z_mean of test20, as published (Specia et al. 2020; Fomicheva et al. 2020).
PUBLISHED = {
    "OpenKiwi, baseline of WMT20": (0.146, 0.685, 0.477),
    "mean log-probability": (0.208, 0.647, 0.486),
    "D-TP (30 passes with dropout)": (0.259, 0.693, 0.642),
    "winner of WMT20 (large pretrained encoders)": (0.55, 0.91, 0.82),
}


def material(shared: Path, pair: str, part: str) -> Translations:
    """Translations with z_mean and log-probabilities; and with HTER where they were post-edited, too."""
    folder, both = shared / "data" / "mlqe-pe" / pair / "direct-assessments", pair.replace("-", "")
    found = read_translations(folder / f"{part}.{both}.df.short.tsv.xz")
    pieces, scores = read_token_scores(
        folder / f"word_probas.{part}.{both}.xz", folder / f"mt.{part}.{both}.xz"
    )
    rates = edits(shared, pair, part) if pair in POST_EDITED else None
    return replace(found, pieces=pieces, token_scores=scores, hter=rates)


def edits(shared: Path, pair: str, part: str) -> list[float]:
    """HTER, made by our own TER from translations and post-edits."""
    folder = shared / "data" / "mlqe-pe" / pair / "post-editing"
    output, edited = (lines(folder / f"{part}.{kind}.xz") for kind in ("mt", "pe"))
    return edit_rates(output, edited).tolist()


def without_edits(texts: Translations) -> Translations:
    """The same without post-edits."""
    return replace(texts, hter=None)


def without_scores(texts: Translations) -> Translations:
    """The same as a black box: without log-probabilities."""
    return replace(texts, pieces=None, token_scores=None)


def _row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def _r(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


WAYS: dict[str, Callable[[Translations], Translations]] = {
    "with log-probabilities": lambda texts: texts,
    "without": lambda texts: without_scores(texts),
}


@cache
def learnt(shared: Path, pair: str, way: str, number: int = CURVE[-1], encoder: str = "") -> Estimator:
    """An estimator, as a file has it, of the first translations of the training part."""
    texts = WAYS[way](first(material(shared, pair, "train"), number))
    begin = time.process_time()
    found = trained(texts, pair=pair, encoder=encoder)
    took = time.process_time() - begin
    size = found.write("/tmp/estimate-table.model")
    told = (pair, number, way, encoder, f"edits {found.share}, left out {found.correlation:.3f}")
    print(*told, f"{took:.0f} s, {size} bytes", flush=True)
    return Estimator.read("/tmp/estimate-table.model")


def worth(shared: Path, pair: str, part: str, way: str, number: int = CURVE[-1], encoder: str = "") -> str:
    """Pearson's r."""
    texts = WAYS[way](material(shared, pair, part))
    found = evaluate(learnt(shared, pair, way, number, encoder), texts, pair=pair).pearson
    print(pair, part, number, way, encoder, found, flush=True)
    return _r(found)


def pair_table(shared: Path, part: str) -> str:
    """With and without log-probabilities, and with an encoder, beside what was published."""
    rows = [_row("estimator", *PAIRS), _row("---", *["---:"] * len(PAIRS))]
    for encoder in ("", ENCODER):
        for way in WAYS:
            called = f"ours, {way}" + (f", encoder `{encoder}`" if encoder else "")
            rows.append(_row(called, *(worth(shared, pair, part, way, encoder=encoder) for pair in PAIRS)))
    rows += [_row(name, *map(_r, own)) for name, own in PUBLISHED.items()]
    return "\n".join(rows)


def curve_table(shared: Path, part: str) -> str:
    """With fewer translations to learn from: the first ones of the training part."""
    rows = [_row("trained on", *PAIRS), _row("---", *["---:"] * len(PAIRS))]
    for number in CURVE:
        found = (worth(shared, pair, part, "with log-probabilities", number) for pair in PAIRS)
        rows.append(_row(f"{number:,}", *found))
    return "\n".join(rows)


def other_table(shared: Path, part: str) -> str:
    """What estimators of other languages are worth on WMT17's segments into English (--force)."""
    trained_on = [pair for pair in PAIRS if pair.endswith("-en")]
    rows = [_row("trained on", *OTHERS), _row("---", *["---:"] * len(OTHERS))]
    for pair in trained_on:
        cells = []
        for other in OTHERS:
            judged = wmt17([other])
            texts = Translations(other, judged.sources or (), judged.hypotheses, judged.judgements.tolist())
            found = evaluate(learnt(shared, pair, "without"), texts, pair=other, force=True).pearson
            cells.append(_r(found))
        rows.append(_row(f"{pair}, without log-probabilities", *cells))
    return "\n".join(rows)


def first(texts: Translations, number: int) -> Translations:
    """The first ones only."""
    changed = {key: value[:number] for key, value in vars(texts).items() if isinstance(value, list | tuple)}
    return replace(texts, **changed)


def edited_table(shared: Path, part: str) -> str:
    """HTER, made by our own TER from translations and post-edits."""
    rows = [_row("target", *POST_EDITED), _row("---", *["---:"] * len(POST_EDITED))]
    cells = []
    for pair in POST_EDITED:
        folder = shared / "data" / "mlqe-pe" / pair / "post-editing"
        texts = {}
        for one in ("train", part):
            source, output, edited = (lines(folder / f"{one}.{kind}.xz") for kind in ("src", "mt", "pe"))
            texts[one] = Translations(f"{pair} {one}", source, output, post_edits=edited)
        found = evaluate(trained(texts["train"], pair=pair), texts[part], pair=pair)
        cells.append(_r(found.pearson))
        print(pair, "hter", found.pearson, found.mean_error, flush=True)
    return "\n".join([*rows, _row("HTER, without log-probabilities", *cells)])


def lines(path: Path) -> list[str]:
    from tertium.io.door import read_strings

    return read_strings(path)


TABLES = {"pairs": pair_table, "curve": curve_table, "edited": edited_table, "other": other_table}


def main() -> None:
    parser = table_parser(__doc__, TABLES)
    parser.add_argument("--part", default="dev")
    given = parser.parse_args()
    tables = {name: TABLES[name](given.shared, given.part) for name in given.only}
    put(tables, given.page)


if __name__ == "__main__":
    main()
