"""Rows and scores of many metrics, on the bundled sample and on random texts, as bits: what two builds must agree on.

    python -m tools.release.digest FILE          # writes what this Python's Tertium gives
    python -m tools.release.digest ONE OTHER     # compares two such files; status 1 if rows differ

Rows are whole numbers and must be the same everywhere. Scores may use exp, log and powers of the machine's own C
library or of NumPy, which promise no last bit: the greatest relative difference is printed. Rows of metrics that add
up scores of sentences (ribes, sentbleu) have those inside: with another library's exp and log they were seen to differ.
"""

from __future__ import annotations

import hashlib
import json
import math
import platform
import random
import sys
from pathlib import Path

SYSTEMS = ("strong", "literal", "smooth")
CORPORA, SEGMENTS = 4, 12


def corpora() -> list[tuple[list[str], list[list[str]]]]:
    """Hypotheses and streams of references: the sample's, then random ones that every Python knows the letters of."""
    import tertium
    from tests.native.fuzz import ALPHABETS, shuffled

    sample = Path(tertium.__file__).parent / "data" / "sample"
    if not sample.is_dir():  # an editable installation: the package lies elsewhere
        sample = Path(__file__).parent.parent.parent / "src" / "tertium" / "data" / "sample"

    def read(name: str) -> list[str]:
        return (sample / name).read_text("utf-8").splitlines()

    references = [read("reference1.en"), read("reference2.en")]
    found = [(read(f"system-{system}.en"), references) for system in SYSTEMS]
    rng = random.Random(20261118)
    for _ in range(CORPORA):

        def text() -> str:
            alphabet = rng.choice(ALPHABETS)
            return "".join(rng.choice(alphabet) for _ in range(rng.choice([5, 30, 64, 65, 130, 300])))

        streams = [[text() for _ in range(SEGMENTS)] for _ in range(2)]
        found.append(([shuffled(rng, line) for line in streams[0]], streams))
    return found


def bits(rows: object) -> str:
    """A short hash of rows, whatever their kind."""
    from tertium.statistics import DenseStatistics

    if isinstance(rows, DenseStatistics):
        parts = [bytes(memoryview(rows.data))]
    else:
        parts = [repr(rows.types).encode(), *(bytes(part) for part in rows.rows.entries())]  # type: ignore[attr-defined]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]


def digest() -> dict[str, object]:
    import tertium
    from tertium import _native, registry
    from tests.native.fuzz import SPECS, with_vectors

    found = {}
    for spec in SPECS:
        metric = with_vectors(registry.metric(spec))
        rows, scores = [], []
        for hypotheses, references in corpora():
            made = metric.statistics(hypotheses, references)
            rows.append(bits(made))
            total = metric.score_total(made)
            values = [math.nan if total is None else total, *map(float, metric.score_rows(made, "segment"))]
            scores.append([value.hex() for value in values])
        found[spec] = {"rows": rows, "scores": scores}
    return {
        "tertium": tertium.__version__,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "core": Path(str(_native.__file__)).name,
        "metrics": found,
    }


def said(made: dict[str, object]) -> str:
    return f"Python {made['python']}, {made['machine']}, {made['core']}"


def compare(one: dict[str, object], other: dict[str, object]) -> int:
    """Says what two builds agree on; the status of the command."""
    first, second = one["metrics"], other["metrics"]
    assert isinstance(first, dict)
    assert isinstance(second, dict)
    print(f"{said(one)}  /  {said(other)}")
    differ = [
        spec
        for spec in first.keys() | second.keys()
        if first[spec]["rows"] != second.get(spec, {}).get("rows")
    ]
    values = unequal = 0
    greatest, where = 0.0, ""
    for spec in first:
        for ours, theirs in zip(first[spec]["scores"], second[spec]["scores"], strict=True):
            for a, b in zip(map(float.fromhex, ours), map(float.fromhex, theirs), strict=True):
                values += 1
                if a == b or (math.isnan(a) and math.isnan(b)):
                    continue
                unequal += 1
                difference = (
                    abs(a - b) / max(abs(a), abs(b)) if math.isfinite(a) and math.isfinite(b) else math.inf
                )
                if difference > greatest:
                    greatest, where = difference, spec
    print(
        f"rows of {len(first)} metrics: "
        + (f"differ for {', '.join(sorted(differ))}" if differ else "the same bits")
    )
    print(
        f"{values} scores: "
        + (
            f"{unequal} differ, at most by {greatest:.1e} of their value ({where})"
            if unequal
            else "the same bits"
        )
    )
    return int(bool(differ) or greatest > 1e-12)


def main() -> int:
    files = sys.argv[1:]
    if len(files) == 1:
        Path(files[0]).write_text(json.dumps(digest(), indent=1) + "\n", "utf-8")
        return 0
    if len(files) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    one, other = (json.loads(Path(name).read_text("utf-8")) for name in files)
    return compare(one, other)


if __name__ == "__main__":
    sys.exit(main())
