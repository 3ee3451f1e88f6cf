"""Writes the tables of docs/wmt17.md: our numbers beside the published ones, every cell (`make wmt17`).

    python -m tools.wmt17_page [--shared ../shared] [--page docs/wmt17.md] [--threads 2]

What people wrote on the page stays; what stands between `<!-- NAME -->` and `<!-- end -->` is written anew.
"""

from __future__ import annotations

import argparse
import gzip
import os
import tempfile
import warnings
from pathlib import Path

import tertium as tt
from tertium.human import open_wmt
from tertium.io.scoretable import ScoreTable, read_score_table
from tertium.meta import CorrelationGrid, Evaluation, Task, correlate_table, evaluate
from tools.pages import filled
from tools.wmt17_published import HUME_TABLES, MACRO, MACRO_METRICS, OUT_OF_ENGLISH, TABLES, TO_ENGLISH

_HERE = Path(__file__).resolve().parent.parent
NEAR = 0.005  # a difference above this is named on the page
# Names in the authors' table of scores, and those of the texts.
RENAMED = {
    "FBK.4870": "fbk-nmt-combination.4870",
    "CASICT-DCU-NMT.5157": "CASICT-cons.5157",
    "CASICT-DCU-NMT.5144": "CASICT-cons.5144",
    "ROCMT.5183": "ROCMT.5167",
}
MACRO_SPECS = {
    "BLEU": ("bleu", "bleu:tok=zh"),
    "MacroF1": ("macrof1", "macrof1:tok=zh"),
    "MicroF1": ("microf1", "microf1:tok=zh"),
    "CHRF1": ("chrf1", "chrf1"),
}


def wmt17_task(folder: Path, *, hybrids: int = 10_000) -> Task:
    """The metrics task of 2017 on the pairs that are there."""
    human = {"system": folder / "DA-syslevel.csv", "segment": folder / "DA-seglevel.csv", "kind": "DA"}
    levels = ("system", "segment", "hybrids")
    return Task(
        "WMT17",
        metrics=("@wmt17",),
        layout=folder,
        human=human,
        levels=levels,
        significance="williams",
        hybrids=hybrids,
        missing="leave out",
    )


def hume_task(folder: Path, *, hybrids: int = 10_000) -> Task:
    """HUME's part of it: every language whose sentences and texts are in the folder."""
    return Task(
        "HUME",
        metrics=("@wmt17",),
        layout=folder,
        human={"judgements": folder / "sentences.{target}.tsv.gz", "kind": "HUME"},
        levels=("system", "segment", "hybrids"),
        significance="williams",
        segments="judged",
        hybrids=hybrids,
        hybrid_human="segments",
    )


# What Moses' tokeniser wrote into the references, and what is left of no-break spaces in one system's output.
ENTITIES = {
    "&amp; # 160 ;": " ",
    "&quot;": '"',
    "&apos;": "'",
    "&#91;": "[",
    "&#93;": "]",
    " @-@ ": "-",
    "&amp;": "&",
}


def resolved(folder: Path, made: Path) -> Path:
    """A copy of HUME's folder whose texts have characters in place of entities."""
    for file in sorted(folder.rglob("*.gz")):
        text = gzip.decompress(file.read_bytes()).decode("utf-8")
        if file.parent != folder:
            for entity, characters in ENTITIES.items():
                text = text.replace(entity, characters)
            text = "".join(" ".join(line.split()) + "\n" for line in text.splitlines())
        place = made / file.relative_to(folder)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(gzip.compress(text.encode("utf-8")))
    return made


def hume_table(uploaded: Evaluation, characters: Evaluation, name: str) -> str:
    """As uploaded / entities resolved / published."""
    level, pairs, digits, published, _ = HUME_TABLES[name]
    lines = ["| metric | " + " | ".join(pairs) + " |", "| :--- |" + " ---: |" * len(pairs)]
    for metric in dict.fromkeys(metric for metric, _ in published):
        cells = []
        for pair in pairs:
            both = [evaluation.of(level, pair)[0] for evaluation in (uploaded, characters)]
            values = [*(own.shown(own[metric]) or 0.0 for own in both), published[metric, pair] or 0.0]
            cells.append(" / ".join(f"{value:.{digits}f}" for value in values))
        lines.append(f"| {metric} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def hume_tables(folder: Path, *, threads: int = 1) -> dict[str, str]:
    """The tables of HUME's part of the page."""
    with tempfile.TemporaryDirectory() as made:
        both = [evaluate(hume_task(own), threads=threads) for own in (folder, resolved(folder, Path(made)))]
    return {name: hume_table(*both, name) for name in HUME_TABLES}


def compared(evaluation: Evaluation, name: str) -> str:
    """One table: ours / published in every cell; bold where they differ by more than 0.005."""
    level, pairs, digits, published, _ = TABLES[name]
    judged = {own.pair: own for own in evaluation.of(level)}
    lines = ["| metric | " + " | ".join(pairs) + " |", "| :--- |" + " ---: |" * len(pairs)]
    lines.append("| n | " + " | ".join(f"{judged[pair].n:,}" for pair in pairs) + " |")
    for metric in dict.fromkeys(metric for metric, _ in published):
        cells = []
        for pair in pairs:
            own = judged[pair].shown(judged[pair][metric])
            theirs = published[metric, pair]
            text = f"{own:.{digits}f} / " + ("—" if theirs is None else f"{theirs:.{digits}f}")
            far = theirs is not None and own is not None and abs(round(own, digits) - theirs) > NEAR + 1e-9
            cells.append(f"**{text}**" if far else text)
        lines.append(f"| {metric} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def differences(evaluation: Evaluation, levels: tuple[str, ...]) -> str:
    """How near we are, counted, and every cell that is farther than 0.005."""
    found: list[tuple[float, str]] = []
    for level, pairs, digits, published, table in TABLES.values():
        if level not in levels:
            continue
        for own in evaluation.of(level):
            for metric in dict.fromkeys(metric for metric, _ in published):
                theirs = published.get((metric, own.pair))
                if own.pair in pairs and theirs is not None:
                    ours = round(own.shown(own[metric]) or 0.0, digits)
                    text = f"{metric}, {own.pair} (table {table}): {ours:.{digits}f} / {theirs:.{digits}f}"
                    found.append((abs(ours - theirs), text))
    counts = [sum(gap <= limit + 1e-9 for gap, _ in found) for limit in (0.0, 0.001, 0.002, NEAR)]
    far = [text for gap, text in found if gap > NEAR + 1e-9]
    lines = [
        f"Of {len(found)} cells {counts[0]} are equal to the last digit, {counts[1]} within 0.001, {counts[2]} within "
        f"0.002, {counts[3]} within {NEAR}; {len(far)} are farther off" + (":" if far else ".")
    ]
    return "\n".join([*lines, *([""] if far else []), *(f"- {text}" for text in far)])


def our_scores(shared: Path, *, pairs: tuple[str, ...], rounded: bool, threads: int = 1) -> ScoreTable:
    """The authors' table with our own scores in place of theirs. `rounded` to the digits that they have."""
    table = read_score_table(shared / "data" / "macroavg" / "wmt-scores-2017.tsv")
    wanted = [table.place(column) for column in ("Langs", "System", "Human", "BLEU_m")]
    rows: list[tuple[int, tuple[str, ...]]] = []
    for pair in pairs:
        testset = open_wmt(shared / "data" / "wmt17", pair)
        own = []
        for line, fields in table.rows:
            langs, system, human, organisers = (fields[at] for at in wanted)
            if langs == pair and human and organisers:
                if RENAMED.get(system, system) not in testset.systems:
                    raise SystemExit(f"{table.name}: line {line}: there is no text of {system} on {pair}")
                own.append((line, system, human))
        scores: dict[str, dict[str, float | None]] = {}
        for name, specs in MACRO_SPECS.items():
            spec = specs[pair.endswith("-zh")]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", tt.TertiumWarning)
                found = testset.score([spec], threads=threads)
            scores[name] = {system: found[system, spec].value for system in testset.systems}
        for line, system, human in own:
            values = []
            for name in MACRO_METRICS:
                value = scores[name][RENAMED.get(system, system)] or 0.0
                if rounded:  # chrF1 stands there as a share with two digits, the others with one
                    value = round(value / 100, 2) if name == "CHRF1" else round(value, 1)
                values.append(repr(value))
            rows.append((line, (pair, system, human, *values)))
    return ScoreTable("ours", ("pair", "system", "Human", *MACRO_METRICS), tuple(rows))


def macro_grid(scores: ScoreTable) -> CorrelationGrid:
    """Kendall's tau by pair of a table of scores."""
    return correlate_table(scores, "Human", MACRO_METRICS, ["pair"], system="system")


def macro_table(exact: CorrelationGrid, rounded: CorrelationGrid) -> str:
    """Ours with all digits / ours with the digits that the authors kept / published."""
    lines = [
        "| pair | n | " + " | ".join(MACRO_METRICS) + " |",
        "| :--- | ---: |" + " ---: |" * len(MACRO_METRICS),
    ]
    for (pair,) in exact.settings:
        cells = []
        for metric in MACRO_METRICS:
            parts = []
            for grid in (exact, rounded):
                cell = grid.cells[(pair,), metric]
                parts.append(("" if cell.significant() else "×") + f"{cell.value or 0.0:.3f}")
            value, significant = MACRO[pair, metric]
            parts.append(("" if significant else "×") + f"{value:.3f}")
            same = parts[1] == parts[2]
            cells.append(" / ".join(parts) if same else f"**{' / '.join(parts)}**")
        n = exact.cells[(pair,), MACRO_METRICS[0]].n
        lines.append(f"| {pair} | {n} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--shared", type=Path, default=os.environ.get("TERTIUM_SHARED", _HERE.parent / "shared")
    )
    parser.add_argument("--page", type=Path, default=_HERE / "docs" / "wmt17.md")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    evaluation = evaluate(wmt17_task(given.shared / "data" / "wmt17"), threads=given.threads)
    blocks = {name: compared(evaluation, name) for name in TABLES}
    blocks["differences"] = differences(evaluation, ("system", "segment"))
    blocks["hybrid-differences"] = differences(evaluation, ("hybrids",)).partition(";")[0] + "."
    blocks |= hume_tables(given.shared / "data" / "hume", threads=given.threads)
    pairs = (*TO_ENGLISH, *OUT_OF_ENGLISH)
    grids = [
        macro_grid(our_scores(given.shared, pairs=pairs, rounded=rounded, threads=given.threads))
        for rounded in (False, True)
    ]
    blocks["macro"] = macro_table(*grids)
    blocks["macro-summary"] = grids[0].table_with_summary().markdown().strip()
    given.page.write_text(filled(given.page.read_text(encoding="utf-8"), blocks), encoding="utf-8")
    print(f"{given.page}: {len(blocks)} tables written")


if __name__ == "__main__":
    main()
