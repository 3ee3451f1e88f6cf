"""Numbers on the bundled sample, for places that have no ../shared.

BLEU, chrF and TER were printed by sacrebleu 2.6.0, MacroF1 by the Counter version in benchmarks/counters.py.
"""

from __future__ import annotations

import pytest

import tertium as tt

BOTH = ("reference1.en", "reference2.en")
NUMBERS = [
    ("bleu", BOTH, (64.24171166027553, 16.599334072443458, 20.775499713860246)),
    (
        "bleu:tok=intl,lowercase=yes,smooth=floor",
        BOTH,
        (65.15401068431125, 17.64122643418845, 21.236354273256126),
    ),
    ("chrf", BOTH, (71.67681015903482, 45.90850441032041, 37.86663461855078)),
    ("chrf++", BOTH[:1], (68.7188060063608, 42.777293079149395, 37.64673440540464)),
    ("ter", BOTH, (32.588454376163874, 66.75977653631286, 60.614525139664806)),
    (
        "ter:normalized=yes,case_sensitive=yes",
        BOTH,
        (28.103236378533385, 60.139287177386315, 55.05940188447358),
    ),
    ("macrof1", BOTH[:1], (61.03444046543648, 31.931334090048573, 28.829722849855944)),
]
SYSTEMS = ("strong", "literal", "smooth")


@pytest.mark.parametrize(("spec", "references", "expected"), NUMBERS, ids=[spec for spec, _, _ in NUMBERS])
def test_scores(
    sample: dict[str, list[str]], spec: str, references: tuple[str, ...], expected: tuple[float, ...]
) -> None:
    scores = tt.score(
        {name: sample[f"system-{name}.en"] for name in SYSTEMS}, [sample[name] for name in references], spec
    )
    assert [score.value for score in scores] == pytest.approx(expected, abs=1e-9)


def test_statistics(sample: dict[str, list[str]]) -> None:
    references = [sample[name] for name in BOTH]
    bleu = tt.metric("bleu")
    total = bleu.statistics(sample["system-strong.en"], references).total()
    assert isinstance(total, tt.DenseStatistics)
    assert total.row(0) == [1187, 1205, 1069, 829, 615, 453, 1187, 1118, 1049, 980]
    ter = tt.metric("ter")
    edits = [
        ter.components(ter.statistics(sample[f"system-{name}.en"], references).total())["edits"]
        for name in SYSTEMS
    ]
    assert edits == [350, 717, 651]


def test_a_segment(sample: dict[str, list[str]]) -> None:
    references = [sample[name] for name in BOTH]
    values = [
        tt.score(sample[f"system-{name}.en"], references, "bleu", level="segment")["bleu"].values[4]
        for name in SYSTEMS
    ]
    assert values == pytest.approx([45.22740424147764, 6.098966053113174, 51.02761099828093], abs=1e-9)
