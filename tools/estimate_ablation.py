"""Writes the tables of docs/estimate.md that show what each set of features earns, and what corpora do; on dev only.

    python -m tools.estimate_ablation [--shared ../shared] [--only ablation corpora] [--kept FOLDER] [--page PAGE]

Features of the training part (7,000 translations, in parts) and of the development part are made once and kept in a
folder; then estimators are trained on some of their columns. Nothing is read of test20.
"""

from __future__ import annotations

import tarfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from tertium.estimation.blending import best_share, blended, with_tendency
from tertium.estimation.corpora import Corpora
from tertium.estimation.estimator import FOLDS, edits_beside, groups_of, targets_of
from tertium.estimation.features import FEATURES
from tertium.estimation.leftout import PartFeatures
from tertium.estimation.models import Regression
from tertium.estimation.othermetrics import set_of
from tertium.estimation.view import Learnt, TokenScores, View, folds_of
from tertium.estimation.words import KeyedWords, Numbers, Places
from tertium.io.translations import Translations
from tools.estimate_table import PAIRS, POST_EDITED, lines, material
from tools.pages import put, table_parser

SETS = ("lengths", "marks", "copies", "repeats", "translated", "surprise", "tendency", "tokens")
CHECKS = "checks"
YISI = "yisi2:vectors={0}/mini.d300.de,source_vectors={0}/mini.d300.en,idf=none,source_idf=none"
BESIDE = ("all and `checks`", "all and YiSi-2")
WAYS = {"with log-probabilities": SETS, "without": SETS[:-1]}


@dataclass(frozen=True, eq=False)
class Made:
    """Features of both parts, and what people said; `other` are those that learnt from edits, too."""

    rows: Numbers
    other: Numbers
    values: Numbers
    edits: Numbers
    folds: Places
    dev: Numbers
    dev_other: Numbers  # of an estimator in which edits are a half
    truth: Numbers

    @classmethod
    def of(cls, shared: Path, pair: str, corpora: Corpora | None) -> Made:
        train, dev = (material(shared, pair, part) for part in ("train", "dev"))
        values, truth = targets_of(train, "da"), targets_of(dev, "da")
        folds, edits = folds_of(groups_of(train), FOLDS), edits_beside(train, "da", values)
        sets = sets_of(shared, pair)
        words = None if corpora is None else corpora.words(train.sources, train.translations, folds)
        found = PartFeatures.of(
            train, values, folds, sets, scores=_scores(train), edits=edits, corpora=words, pair=pair
        )
        sides = found.source, found.translation
        learnt = Learnt.of(*sides, values, corpora=words)
        view = View(
            KeyedWords.of(dev.sources), KeyedWords.of(dev.translations), learnt, _scores(dev), pair=pair
        )
        rows = np.hstack([FEATURES[one].columns(view) for one in sets])
        if edits is None or found.by_edits is None:
            return cls(found.rows, found.rows, values, values, folds, rows, rows, truth)
        other = with_tendency(rows, sets, view, *sides, blended(values, edits, 0.5))
        return cls(found.rows, found.by_edits, values, edits, folds, rows, other, truth)

    def worth(self, columns: Places) -> float:
        """Pearson's r on dev of an estimator with these columns."""
        ours, theirs = self.rows[:, columns], self.other[:, columns]
        share = best_share(ours, theirs, self.values, self.edits, self.folds)
        aim = blended(self.values, self.edits, share)
        learnt = Regression.learnt(blended(ours, theirs, share), aim)
        found = learnt.of((self.dev_other if share else self.dev)[:, columns])
        return float(np.corrcoef(found, self.truth)[0, 1])


def _scores(texts: Translations) -> TokenScores:
    return TokenScores(texts.pieces or (), [np.asarray(own, float) for own in texts.token_scores or ()])


def sets_of(shared: Path, pair: str) -> tuple[str, ...]:
    """All, checks of memories, and YiSi-2 for the one pair that there are vectors of."""
    yisi = set_of(YISI.format(shared / "data" / "yisi"))
    return (*SETS, CHECKS, yisi) if pair == "en-de" else (*SETS, CHECKS)


def columns_of(every: Sequence[str], sets: Sequence[str]) -> Places:
    ends = np.cumsum([0, *(len(FEATURES[one].names) for one in every)])
    parts = [np.arange(ends[i], ends[i + 1]) for i, one in enumerate(every) if one in sets]
    return np.concatenate(parts)


def made(shared: Path, kept: Path, pair: str, name: str, corpora: Corpora | None = None) -> Made:
    """From the folder, if they are there."""
    path = kept / f"{pair}.{name.replace(' ', '-')}.npz"
    if not path.exists():
        kept.mkdir(parents=True, exist_ok=True)
        np.savez(path, **vars(Made.of(shared, pair, corpora)))
    with np.load(path) as own:
        return Made(*(own[one.name] for one in fields(Made)))


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lined = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in lined)


def ablation(shared: Path, kept: Path) -> str:
    """Without each set, and with it alone."""
    cells: dict[str, list[str]] = {name: [] for name in ("all", *SETS, *BESIDE)}
    for pair in PAIRS:
        own, every = made(shared, kept, pair, "none"), sets_of(shared, pair)

        def r(sets: Sequence[str], own: Made = own, every: Sequence[str] = every, pair: str = pair) -> str:
            found = own.worth(columns_of(every, sets))
            print(pair, *sets, f"{found:.4f}", flush=True)
            return f"{found:.3f}"

        cells["all"] += [r(SETS), ""]
        for one in SETS:
            cells[one] += [r([other for other in SETS if other != one]), r([one])]
        for name, one in zip(BESIDE, (CHECKS, *every[len(SETS) + 1 :]), strict=False):
            cells[name] += [r([*SETS, one]), r([one])]
    for name in BESIDE:
        cells[name] += [""] * (2 * len(PAIRS) - len(cells[name]))
    head = ["features", *(f"{pair}{way}" for pair in PAIRS for way in ("", ", alone"))]
    names = {one: f"without `{one}`" for one in SETS}
    return _table(head, [[names.get(name, name), *own] for name, own in cells.items()])


def _packed(path: Path, name: str) -> list[str]:
    with tarfile.open(path) as packed:
        file = packed.extractfile(name)
        assert file is not None
        return file.read().decode().split("\n")[:-1]


def news(shared: Path, pair: str) -> Corpora:
    """What news there are under ../shared: pairs of WMT12, WMT17, WMT19 and WMT23 (English and German) and of WMT16
    (Romanian and English), and English references of WMT12 and WMT17."""
    data = shared / "data"
    wmt17 = {
        name: lines(data / "wmt17" / f"{name}.gz")
        for name in (
            *(f"references/newstest2017-{own}en-ref.en" for own in ("cs", "de", "ru", "zh")),
            *("sources/newstest2017-ende-src.en", "references/newstest2017-ende-ref.de"),
            "sources/newstest2017-deen-src.de",
        )
    }
    old, new = data / "wmt12" / "wmt12-to-en.tar.xz", data / "mtme" / "wmt23-en-de.tar.xz"
    english = _packed(old, "wmt12/references/newstest2012-ref.en")
    if pair == "en-de":
        sides = {
            "en": (
                wmt17["sources/newstest2017-ende-src.en"],
                wmt17["references/newstest2017-deen-ref.en"],
                english,
                _packed(new, "wmt23/sources/en-de.txt"),
                lines(data / "macroavg" / "de-en" / "ref.en.gz"),
            ),
            "de": (
                wmt17["references/newstest2017-ende-ref.de"],
                wmt17["sources/newstest2017-deen-src.de"],
                _packed(old, "wmt12/sources/newstest2012-src.de"),
                _packed(new, "wmt23/references/en-de.refA.txt"),
                lines(data / "macroavg" / "de-en" / "src.de.gz"),
            ),
        }
        pairs = [
            both
            for ours, theirs in zip(sides["en"], sides["de"], strict=True)
            for both in zip(ours, theirs, strict=True)
        ]
        return Corpora(pairs)
    target = [line for name, own in wmt17.items() if name.endswith(".en") for line in own] + english
    if pair != "ro-en":
        return Corpora(target=target)
    folder = data / "daseg-wmt15-16" / "da-wmt16" / "ro-en"
    ours, theirs = (lines(folder / f"DAseg-newstest2016.{kind}.ro-en") for kind in ("source", "reference"))
    return Corpora(list(zip(ours, theirs, strict=True)), target=target)


def post_edits(shared: Path, pair: str) -> Corpora | None:
    """Sources of the training part and their post-edits, where there are any."""
    if pair not in POST_EDITED:
        return None
    folder = shared / "data" / "mlqe-pe" / pair / "post-editing"
    ours, theirs = (lines(folder / f"train.{kind}.xz") for kind in ("src", "pe"))
    return Corpora(list(zip(ours, theirs, strict=True)))


CORPORA: dict[str, Callable[[Path, str], Corpora | None]] = {
    "none": lambda shared, pair: None,
    "news": news,
    "post-edits of the training part": post_edits,
}


def corpora_table(shared: Path, kept: Path) -> str:
    rows = []
    for way, sets in WAYS.items():
        for name, read in CORPORA.items():
            cells = []
            for pair in PAIRS:
                corpora = read(shared, pair)
                if corpora is None and name != "none":
                    cells.append("")
                    continue
                own = made(shared, kept, pair, name, corpora)
                found = own.worth(columns_of(sets_of(shared, pair), sets))
                print(pair, way, name, 0 if corpora is None else len(corpora), f"{found:.4f}", flush=True)
                cells.append(f"{found:.3f}")
            rows.append([way, name, *cells])
    return _table(["estimator", "corpora", *PAIRS], rows).replace("| --- | ---: |", "| --- | --- |", 1)


TABLES = {"ablation": ablation, "corpora": corpora_table}


def main() -> None:
    parser = table_parser(__doc__, TABLES)
    parser.add_argument("--kept", type=Path, default=Path("/tmp/estimate-ablation"))
    given = parser.parse_args()
    put({name: TABLES[name](given.shared, given.kept) for name in given.only}, given.page)


if __name__ == "__main__":
    main()
