"""Hybrids: drawn fairly and the same for a seed; scored as if their texts had been scored; files there and back."""

from __future__ import annotations

import gzip
import math
from pathlib import Path

import numpy as np
import pytest

import tertium as tt
from tertium.errors import InputError, SpecError
from tertium.measured import Measured
from tertium.measuring import measure
from tertium.meta.hybrids import load_hybrids, save_hybrids, score_hybrids
from tertium.progress import listening
from tertium.statistics import mask_weights
from tertium.stats.hybrids import Hybrids, draw_hybrids

METRICS = ["bleu", "chrf", "ter", "macrof1", "microf1", "character", "nist"]
HUMAN = {"literal": 60.0, "smooth": 55.0, "strong": 80.0}


@pytest.fixture(scope="module")
def measured() -> Measured:
    return measure(tt.TestSet.sample(), METRICS)


def bits(hybrids: Hybrids) -> np.ndarray:
    return np.unpackbits(hybrids.masks, axis=1, count=hybrids.n_segments, bitorder="little").astype(bool)


def test_draws_are_fair_and_seeded() -> None:
    drawn = draw_hybrids(5, 203, 6000)
    assert len(drawn) == 6000
    assert (drawn.first < drawn.second).all()
    counts = np.bincount(drawn.first * 5 + drawn.second, minlength=25)
    assert sorted(counts[counts > 0]) == pytest.approx([600] * 10, rel=0.15)
    chosen = bits(drawn)
    assert chosen.mean() == pytest.approx(0.5, abs=0.002)
    assert chosen.mean(axis=0) == pytest.approx(np.full(203, 0.5), abs=0.04)
    assert np.array_equal(drawn.taken, chosen.sum(axis=1))
    again = draw_hybrids(5, 203, 6000)
    assert np.array_equal(again.masks, drawn.masks)
    assert np.array_equal(again.first, drawn.first)
    assert not np.array_equal(draw_hybrids(5, 203, 6000, seed=1).masks, drawn.masks)
    assert sum(len(places) for _, _, places in drawn.by_pair()) == 6000


def test_corpus_scores_are_those_of_the_mixed_texts(measured: Measured) -> None:
    """Every metric, dense and by types: hybrids built as texts, scored from the start."""
    found = score_hybrids(measured, HUMAN, hybrids=12)
    testset = measured.testset
    outputs = [[lines[i] for i in range(len(testset))] for lines in testset.systems.values()]
    chosen = bits(found.hybrids)
    for metric, own in zip(measured.metrics, found.metrics, strict=True):
        prepared = metric.prepare(testset.references)
        for h in range(12):
            first, second = outputs[found.hybrids.first[h]], outputs[found.hybrids.second[h]]
            texts = [b if take else a for a, b, take in zip(first, second, chosen[h], strict=True)]
            assert own.scores[h] == metric.score_total(metric.statistics(texts, prepared)), metric
    shares = chosen.mean(axis=1)
    scores = np.array([HUMAN[name] for name in found.systems])
    expected = (1 - shares) * scores[found.hybrids.first] + shares * scores[found.hybrids.second]
    assert found.human == pytest.approx(expected, abs=1e-12)
    assert found.human_from == "shares"
    assert any("mixed by share" in note for note in found.notes())


def test_means_of_segment_scores(measured: Measured) -> None:
    rng = np.random.default_rng(1)
    human = {name: np.where(rng.random(69) < 0.4, rng.normal(size=69), np.nan) for name in measured.systems}
    outside = {"Other": {name: rng.normal(size=69) for name in measured.systems}}
    found = score_hybrids(
        measured, human, aggregation={"chrf": "segments", "ter": "segments"}, outside=outside, hybrids=40
    )
    assert [own.aggregation for own in found.metrics] == [
        "corpus", "segments", "segments", "corpus", "corpus", "corpus", "corpus", "segments",
    ]  # fmt: skip
    chosen, names = bits(found.hybrids), found.systems
    chrf = np.stack([measured.segment_scores(name, "chrf") for name in names])
    people, other = (np.stack([table[name] for name in names]) for table in (human, outside["Other"]))
    for h in range(40):
        system = np.where(chosen[h], found.hybrids.second[h], found.hybrids.first[h])
        cells = system, np.arange(69)
        assert found.metrics[1].scores[h] == pytest.approx(chrf[cells].mean(), rel=1e-13)
        assert found.metrics[-1].scores[h] == pytest.approx(other[cells].mean(), rel=1e-13)
        assert found.human[h] == pytest.approx(np.nanmean(people[cells]), rel=1e-12)
    assert found.human_from == "segments"
    assert found.table().columns[2].digits == 4
    assert found.data()["metrics"]["Other"]["aggregation"] == "segments"


def test_hybrids_nobody_judged_are_left_out_and_counted(measured: Measured) -> None:
    human = {name: np.full(69, np.nan) for name in measured.systems}
    human["literal"][0], human["smooth"][1], human["strong"][2] = 1.0, 2.0, 3.0
    found = score_hybrids(measured, human, hybrids=300)
    missing = int((~found.used).sum())
    assert 0 < missing < 300
    assert f"{missing} hybrids without a human or metric score are left out" in found.notes()
    assert found.correlations()[0].n == 300 - missing


def test_results_do_not_depend_on_threads(measured: Measured) -> None:
    one, two = (score_hybrids(measured, HUMAN, hybrids=200, threads=n) for n in (1, 2))
    for first, second in zip(one.metrics, two.metrics, strict=True):
        assert np.array_equal(first.scores, second.scores)


def test_progress_and_tables(measured: Measured) -> None:
    seen = []
    with listening(lambda stages: seen.append(" ".join(map(str, stages)))):
        found = score_hybrids(measured, HUMAN, hybrids=300)
    assert seen == [
        "hybrids of literal and smooth 0 of 3",
        "hybrids of literal and strong 1 of 3",
        "hybrids of smooth and strong 2 of 3",
        "",
    ]
    table = found.table()
    assert len(table.rows) == len(METRICS)
    assert table.best
    williams = found.williams()
    assert williams.n == 300
    assert found.data()["seed"] == 12345


def test_files_there_and_back(tmp_path: Path, measured: Measured) -> None:
    drawn = draw_hybrids(3, 69, 50)
    for name in ("hybrids.tsv", "hybrids.tsv.gz"):
        save_hybrids(tmp_path / name, measured.systems, drawn)
        again = load_hybrids(tmp_path / name, measured.systems, 69)
        assert np.array_equal(again.masks, drawn.masks)
        assert np.array_equal(again.first, drawn.first)
        assert np.array_equal(again.second, drawn.second)
        assert again.seed is None
    packed = (tmp_path / "hybrids.tsv.gz").read_bytes()
    assert gzip.decompress(packed) == (tmp_path / "hybrids.tsv").read_bytes()
    save_hybrids(tmp_path / "hybrids.tsv.gz", measured.systems, drawn)
    assert (tmp_path / "hybrids.tsv.gz").read_bytes() == packed
    other = score_hybrids(measured, HUMAN, hybrids=again)
    assert np.array_equal(
        other.metrics[0].scores, score_hybrids(measured, HUMAN, hybrids=50).metrics[0].scores
    )


HEADER = "hybrid\tfirst\tsecond\tsegments\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hybrid first\n", "line 1: the header has no column 'hybrid'"),
        (HEADER, "no hybrids below the header"),
        (HEADER + "1\tA\tB\n", "line 2: has 3 fields, but the header names 4 columns"),
        (HEADER + "2\tA\tB\t121\n", "line 2 must be hybrid 1, not '2'"),
        (HEADER + "1\tA\tX\t121\n", "line 2: there is no system 'X'"),
        (HEADER + "1\tA\tA\t121\n", "line 2: the hybrid is made of A only"),
        (HEADER + "1\tA\tB\t12\n", "line 2 describes 2 segments, but the test set has 3"),
        (HEADER + "1\tA\tB\t112\n2\tA\tB\t130\n", "line 3: segment 2 must be 1"),
    ],
)
def test_bad_files(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.tsv"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        load_hybrids(path, ["A", "B", "C"], 3)


def test_bad_input(measured: Measured, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="3 or more systems"):
        draw_hybrids(2, 10)
    with pytest.raises(InputError, match="3 or more systems with human scores, not 2"):
        score_hybrids(measured, {"literal": 1.0, "smooth": 2.0})
    with pytest.raises(InputError, match="'strnog' that does not exist; did you mean 'strong'"):
        score_hybrids(measured, {"literal": 1.0, "smooth": 2.0, "strnog": 3.0})
    with pytest.raises(InputError, match="one human score for each system, or one for each segment"):
        score_hybrids(measured, {"literal": 1.0, "smooth": 2.0, "strong": [1.0] * 69})
    with pytest.raises(InputError, match="2 human scores for 69 segments"):
        score_hybrids(measured, {name: [1.0, 2.0] for name in HUMAN})
    with pytest.raises(InputError, match="not a finite number"):
        score_hybrids(measured, HUMAN | {"strong": math.nan})
    with pytest.raises(SpecError, match="unknown aggregation 'mean'"):
        score_hybrids(measured, HUMAN, aggregation="mean")
    with pytest.raises(InputError, match="Other has no scores of smooth, strong"):
        score_hybrids(measured, HUMAN, outside={"Other": {"literal": [1.0] * 69}})
    with pytest.raises(InputError, match="hybrids are of 4 systems and 69 segments"):
        score_hybrids(measured, HUMAN, hybrids=draw_hybrids(4, 69, 5))
    with pytest.raises(InputError, match="at least one segment"):
        draw_hybrids(3, 0)
    with pytest.raises(InputError, match=r"the system name 'a\\tb' cannot be written"):
        save_hybrids(tmp_path / "x", ["a\tb", "c", "d"], draw_hybrids(3, 4, 2))
    one = np.zeros(1, dtype=np.int64)
    with pytest.raises(InputError, match="hybrid 1 is made of one system only"):
        Hybrids(one, one, np.zeros((1, 1), dtype=np.uint8), 3, 5)
    with pytest.raises(InputError, match="not one of the 3"):
        Hybrids(one, one + 3, np.zeros((1, 1), dtype=np.uint8), 3, 5)
    with pytest.raises(InputError, match="a bit set after its last segment"):
        Hybrids(one, one + 1, np.full((1, 1), 0b100000, dtype=np.uint8), 3, 5)
    with pytest.raises(InputError, match="1 hybrids need"):
        Hybrids(one, one + 1, np.zeros((1, 2), dtype=np.uint8), 3, 5)


def test_wmt17_hybrids_are_near_the_published_ones(shared: Path) -> None:
    """Table 6 for de-en. The organisers' hybrids and segment judgements are not public, so other hybrids are drawn and
    human scores mixed by share: |r| comes near, not equal. Without the noise of judging it is higher (.923 and .968),
    close to that of the real systems in table 4."""
    base = shared / "data" / "wmt17"
    rows = [line.split() for line in (base / "DA-syslevel.csv").read_text().splitlines()[1:]]
    human = {system: float(score) for pair, score, system in rows if pair == "de-en"}

    def lines(path: Path) -> list[str]:
        return gzip.decompress(path.read_bytes()).decode().removesuffix("\n").split("\n")

    outputs = {
        path.name.removeprefix("newstest2017.").removesuffix(".de-en.gz"): lines(path)
        for path in sorted((base / "system-outputs" / "de-en").iterdir())
    }
    reference = lines(base / "references" / "newstest2017-deen-ref.en.gz")
    testset = tt.TestSet.of(reference, outputs)
    measured = measure(testset, ["mtevalbleu:tok=intl", "chrf"])
    found = score_hybrids(measured, human, aggregation={"chrf": "segments"}, hybrids=4000)
    assert found.human_from == "shares"
    bleu, chrf = (abs(r.value or 0) for r in found.correlations())
    assert bleu == pytest.approx(0.9136, abs=0.02)
    assert chrf == pytest.approx(0.9602, abs=0.02)


@pytest.mark.parametrize("words", [3, 60_000])
@pytest.mark.parametrize("spec", ["macrof1", "microf1:k=2"])
def test_mixtures_by_types_are_weighted_sums(spec: str, words: int) -> None:
    """Counts that share a word, and counts that are too large for it."""
    metric = tt.metric(spec)
    references = [f"a b{i} c " * 3 + "a " * words for i in range(37)]
    first = [f"a b{i} x " * 2 + "a " * (words // 2 + i) for i in range(37)]
    second = [f"c b{i % 5} y{i} " + "a " * words for i in range(37)]
    one, other = (metric.statistics(texts, references) for texts in (first, second))
    coins = np.random.default_rng(1).random((9, 37)) < 0.5
    coins[0], coins[1] = False, True
    masks = np.packbits(coins, axis=1, bitorder="little")
    kept, moved = mask_weights(masks, 37)
    both = one.concat(other)
    mixed = metric.score_mixed(one, other, masks)
    assert mixed.tolist() == metric.score_weighted(both, kept).tolist()
    assert [mixed[0], mixed[1]] == [metric.score_total(one), metric.score_total(other)]
    ours, theirs = metric.score_swapped(one, other, masks, threads=2)
    assert ours.tolist() == mixed.tolist()
    assert theirs.tolist() == metric.score_weighted(both, moved).tolist()
    with pytest.raises(ValueError, match="beyond the last row"):
        metric.score_mixed(one, other, np.full((1, 5), 255, dtype=np.uint8))
    with pytest.raises(ValueError, match="a bit for each row"):
        metric.score_mixed(one, other, masks[:, :4].copy())
    with pytest.raises(ValueError, match="cannot mix 37 rows with 36"):
        metric.score_mixed(one, other.take(list(range(36))), masks)
