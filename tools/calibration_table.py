"""Writes the tables of docs/estimate-scale.md: how far marks are off, whether promises are kept, and what the view of
memory and machine saves, on MLQE-PE.

    python -m tools.calibration_table [--part dev] [--only marks promises] [--models FOLDER] [--page FILE]

Estimators are trained on the training part, with log-probabilities. On `--part test20` fresh data are the development
part; on `--part dev` they are every second segment of it, and the others are looked at. Everything was chosen on `dev`.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from tertium.estimation.estimator import Estimator, edit_rates, trained
from tertium.io.memories.pairs import Pair
from tertium.io.translations import Translations
from tertium.memory.importing import import_memory
from tertium.stats.reliability import reliability
from tertium.triage.calibration import Calibration, calibrated, calibration_of, truth_of, upwards
from tertium.triage.choosing import MEMORY, choose
from tertium.triage.promises import promised
from tertium.triage.results import EvaluatedEstimator, estimate, evaluate
from tools.estimate_table import PAIRS, POST_EDITED, lines, material
from tools.pages import put, table_parser

_HERE = Path(__file__).resolve().parent.parent
PROMISES = ((0.05, 20), (0.1, 20), (0.2, 20), (0.05, 40), (0.1, 40))  # share of bad ones, edits in 100 words
RUNS = 400  # of the simulation
FRESH, DRAWS = (50, 100, 200, 500), 50  # segments that move a curve, and how often they are drawn
_NAMES = {"da": "people's marks", "hter": "edits"}


@cache
def texts_of(shared: Path, pair: str, part: str, target: str) -> Translations:
    """Translations with marks, or tokenised with post-edits; log-probabilities with both."""
    found = material(shared, pair, part)
    if target == "da":
        return replace(found, hter=None, post_edits=None)
    folder = shared / "data" / "mlqe-pe" / pair / "post-editing"
    source, output, edited = (lines(folder / f"{part}.{kind}.xz") for kind in ("src", "mt", "pe"))
    scores = {"pieces": found.pieces, "token_scores": found.token_scores}
    return Translations(f"{pair} {part}", source, output, post_edits=edited, **scores)


def split(texts: Translations, first: bool) -> Translations:
    """Every second segment, or the others."""
    kept = slice(0, None, 2) if first else slice(1, None, 2)
    changed = {key: own[kept] for key, own in vars(texts).items() if isinstance(own, list | tuple)}
    return replace(texts, **changed)


class Bench:
    """Estimators and data; models are kept in a folder."""

    def __init__(self, shared: Path, part: str, models: Path) -> None:
        self.shared, self.part, self.models = shared, part, models

    def estimator(self, pair: str, target: str) -> Estimator:
        path = self.models / f"{pair}.{target}.model"
        if not path.exists():
            found = trained(texts_of(self.shared, pair, "train", target), target=target, pair=pair)
            found.write(path)
            print(pair, target, f"trained, r = {found.correlation:.3f}", flush=True)
        return Estimator.read(path)

    def fresh(self, pair: str, target: str) -> Translations:
        found = texts_of(self.shared, pair, "dev", target)
        return found if self.part != "dev" else split(found, first=True)

    def test(self, pair: str, target: str) -> Translations:
        found = texts_of(self.shared, pair, self.part, target)
        return found if self.part != "dev" else split(found, first=False)

    @property
    def all(self) -> list[tuple[str, str]]:
        return [*((pair, "da") for pair in PAIRS), *((pair, "hter") for pair in POST_EDITED)]


def _row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def marks_table(bench: Bench) -> str:
    """How far marks are off, in points: as trained, calibrated on fresh data, and on every second segment of the part
    itself, with the others to look at."""
    head = (
        "what is true",
        "pair",
        "as trained",
        "on fresh data",
        "chance alone",
        "on like data",
        "chance alone",
    )
    rows = [_row(*head), _row("---", "---", *["---:"] * 5)]
    for pair, target in bench.all:
        estimator, test = bench.estimator(pair, target), bench.test(pair, target)
        before = evaluate(estimator, test, pair=pair)
        after = evaluate(calibrated(estimator, bench.fresh(pair, target), pair=pair), test, pair=pair)
        like = calibrated(estimator, split(test, first=True), pair=pair)
        alike = evaluate(like, split(test, first=False), pair=pair)
        errors = []
        for own in (before, after, alike):
            assert own.calibration is not None
            errors += [own.calibration.error, own.calibration.chance]
        shown = (f"{own:.1f}" for own in (errors[0], *errors[2:]))
        rows.append(_row(_NAMES[target], pair, *shown))
        print(rows[-1], flush=True)
    return "\n".join(rows)


def drift_table(bench: Bench) -> str:
    """How far marks are off after a few fresh segments of the part itself moved the curve (or made a new one), on the
    others; in draws."""
    head = ("what is true", "pair", "before", *(f"{number} fresh" for number in FRESH))
    rows = [_row(*head), _row("---", "---", *["---:"] * (1 + len(FRESH)))]
    for pair, target in bench.all:
        estimator = bench.estimator(pair, target)
        texts = texts_of(bench.shared, pair, bench.part, target)
        if bench.part != "dev":
            estimator = calibrated(estimator, bench.fresh(pair, target), pair=pair)
        before = calibration_of(estimator, required=True)
        assert before is not None
        known = truth_of(texts, before.scale)
        assert known is not None
        truth, found = known[0], upwards(estimator.estimates(texts, pair=pair), estimator.target)
        whole = reliability(before.marks(found), truth)
        cells = [f"{whole.error:.1f} ({whole.chance:.1f})"]
        for number in FRESH:
            seen = []
            for draw in range(DRAWS):
                order = np.random.default_rng([number, draw]).permutation(len(truth))
                own, rest = order[:number], order[number:]
                moved = Calibration.of(found[own], truth[own], before.scale, fresh=True, before=before)
                after = reliability(moved.marks(found[rest]), truth[rest])
                anew = reliability(replace(moved, earlier=None).marks(found[rest]), truth[rest])
                seen.append((after.error, anew.error, after.chance))
            error, other, chance = np.mean(seen, axis=0)
            cells.append(f"{error:.1f} / {other:.1f} ({chance:.1f})")
        rows.append(_row(_NAMES[target], pair, *cells))
        print(rows[-1], flush=True)
    return "\n".join(rows)


def promises_table(bench: Bench) -> str:
    """Promises by fresh data, and what becomes of them."""
    head = ("pair", "of what passes", "needs more than", "passes", "of it bad", "95% interval", "promise")
    rows = [_row(*head), _row("---", "---:", "---:", "---:", "---:", "---:", "---")]
    for pair in POST_EDITED:
        estimator = calibrated(bench.estimator(pair, "hter"), bench.fresh(pair, "hter"), pair=pair)
        for share, edits in PROMISES:
            found: EvaluatedEstimator = evaluate(
                estimator, bench.test(pair, "hter"), pair=pair, promise=share, below=100 - edits
            )
            kept = found.kept
            assert kept is not None
            what = (pair, f"at most {share:.0%}", f"{edits} in 100")
            if kept.promise.threshold is None or kept.low is None or kept.high is None:
                rows.append(_row(*what, "0", "", "", "cannot be made"))
            else:
                seen = (f"{kept.passed / kept.segments:.1%}", f"{kept.bad / kept.passed:.1%}")
                rows.append(_row(*what, *seen, f"{kept.low:.1%} to {kept.high:.1%}", kept.outcome))
            print(rows[-1], flush=True)
    return "\n".join(rows)


def simulation_table(bench: Bench) -> str:
    """How often promises are broken where new segments are like those of the calibration: segments of the training
    part, left out, are drawn again and again; all of them say what is true of a threshold."""
    head = (
        "pair",
        "of what passes",
        "needs more than",
        "calibrated on",
        "a promise is made",
        "broken",
        "allowed",
    )
    rows = [_row(*head), _row("---", *["---:"] * 6)]
    draw = np.random.default_rng(12345)
    for pair in POST_EDITED:
        whole = calibration_of(bench.estimator(pair, "hter"), required=True)
        assert whole is not None
        for share, edits, number in ((0.2, 20, 1000), (0.1, 40, 1000), (0.1, 40, 300), (0.1, 60, 1000)):
            made = broken = 0
            bad = whole.truth < 100 - edits - 1e-4
            for _ in range(RUNS):
                places = draw.integers(0, len(whole.truth), number)
                own = Calibration(
                    whole.estimates[places], whole.truth[places], "edits", True, whole.grid[::4]
                )
                found = promised(own, share, below=100 - edits, confidence=0.9)
                if found.threshold is not None:
                    made += 1
                    broken += bool(bad[whole.estimates > found.threshold].mean() > share)
            cells = (
                f"at most {share:.0%}",
                f"{edits} in 100",
                number,
                f"{made / RUNS:.1%}",
                f"{broken / RUNS:.1%}",
            )
            rows.append(_row(pair, *cells, "10%"))
            print(rows[-1], flush=True)
    return "\n".join(rows)


def choosing_table(bench: Bench) -> str:
    """Memory or machine: edits saved of 100, against the post-edit. The memory is the training part, post-edited."""
    ways = (
        "the machine alone",
        "the memory alone",
        "the memory where it is alike by 75%",
        "the view",
        "the better of both",
    )
    head = ("shown", *POST_EDITED)
    found: dict[str, list[str]] = {
        way: [] for way in (*ways, "segments with a proposal", "the memory is shown")
    }
    for pair in POST_EDITED:
        with tempfile.TemporaryDirectory() as folder:
            train = texts_of(bench.shared, pair, "train", "hter")
            table = Path(folder, "units.tsv")
            rows = zip(train.sources, train.post_edits or (), strict=True)
            table.write_text("".join(f"{a}\t{b}\n" for a, b in rows), "utf-8")
            memory = os.path.join(folder, "memory.db")
            import_memory([str(table)], memory, pair=Pair.parse(pair))
            for name, own in _chosen(bench, pair, memory).items():
                found[name].append(own)
        print(pair, {name: own[-1] for name, own in found.items()}, flush=True)
    return "\n".join(
        [_row(*head), _row("---", *["---:"] * len(POST_EDITED)), *(_row(k, *v) for k, v in found.items())]
    )


def _chosen(bench: Bench, pair: str, memory: str) -> Mapping[str, str]:
    test = bench.test(pair, "hter")
    estimator = calibrated(bench.estimator(pair, "hter"), bench.fresh(pair, "hter"), pair=pair)
    given = {"pieces": test.pieces, "token_scores": test.token_scores, "pair": pair}
    estimates = estimate(estimator, test.sources, test.translations, detectors=False, **given)  # type: ignore[arg-type]
    view = choose(estimator, estimates, test.sources, test.translations, memory)
    edited = list(test.post_edits or ())
    machine = 100 * (1 - edit_rates(test.translations, edited))
    shown = 100 * (1 - edit_rates([own.target for own in view.segments], edited))
    from tertium.triage.proposals import best_proposals, opened

    proposals = best_proposals(opened(memory), test.sources)
    stored = 100 * (1 - edit_rates([own.target if own else "" for own in proposals], edited))
    rates = np.array([own.rate if own else 0 for own in proposals])
    return {
        "the machine alone": f"{machine.mean():.2f}",
        "the memory alone": f"{stored.mean():.2f}",
        "the memory where it is alike by 75%": f"{np.where(rates >= 75, stored, machine).mean():.2f}",
        "the view": f"{shown.mean():.2f}",
        "the better of both": f"{np.maximum(machine, stored).mean():.2f}",
        "segments with a proposal": f"{int((rates > 0).sum())}",
        "the memory is shown": f"{sum(own.show == MEMORY for own in view.segments)}",
    }


TABLES: Mapping[str, Callable[[Bench], str]] = {
    "marks": marks_table,
    "drift": drift_table,
    "promises": promises_table,
    "simulation": simulation_table,
    "choosing": choosing_table,
}


def main() -> None:
    parser = table_parser(__doc__, TABLES)
    parser.add_argument("--part", default="dev")
    parser.add_argument("--models", type=Path, help="a folder that keeps the estimators")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        models = given.models or Path(folder)
        models.mkdir(parents=True, exist_ok=True)
        bench = Bench(given.shared, given.part, models)
        tables = {name: TABLES[name](bench) for name in given.only}
    put(tables, given.page)


if __name__ == "__main__":
    main()
