"""YiSi equals the author's program: golden/yisi0.json and its test data (shared/data/yisi), to six digits."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tertium as tt
from tertium import _native
from tertium.errors import InputError
from tertium.families.base import Metric
from tertium.testing import EXAMPLE
from tertium.text import idf
from tertium.text.vectors import Vectors
from tests.conftest import SHARED
from tests.families.golden import Case, parametrized, present
from tests.twins import yisi as twin
from tests.vectors import example_words, vector

pytestmark = pytest.mark.golden
FILES = {
    "challenge": ("golden/inputs/tok13a/challenge.{}.fr", "golden/inputs/tok13a/challenge.ref.fr"),
    "toy": ("data/yisi/test_hyp.en", "data/yisi/test_ref.en"),
    "ted.tok": ("golden/inputs/ted/{}.eng", "golden/inputs/ted/ref.eng"),
}


def read(name: str) -> list[str]:
    return (SHARED / name).read_text(encoding="utf-8").removesuffix("\n").split("\n")


def cases() -> Iterator[Case]:
    sets = json.loads((SHARED / "golden" / "yisi0.json").read_text(encoding="utf-8"))["sets"]
    for dataset, systems in sets.items():
        hypotheses, references = FILES[dataset]
        for system, results in systems.items():
            for result in results:
                options = {"lexsim": result["lexsim"], "n": result["ngram"], "alpha": result["alpha"]}
                yield Case(dataset, system, hypotheses.format(system), (references,), options, result)


CASES = list(cases()) if present() else []


def close(ours: float, printed: float | str) -> bool:
    """Equal to the six digits that are printed."""
    return abs(ours - float(printed)) <= 1e-6


def metric_of(options: dict[str, Any], shared: Path) -> Metric:
    common = f"tok=none,n={options['n']},alpha={options['alpha']}"
    if options["lexsim"] == "lcs":
        return tt.metric(f"yisi0:{common}")
    return tt.metric(f'yisi1:{common},vectors="{shared}/data/yisi/mini.d300.en"')


@parametrized(CASES)
def test_yisi_of_every_segment_and_document(shared: Path, case: Case) -> None:
    metric = metric_of(case.options, shared)
    rows = metric.statistics(read(case.hypotheses), read(case.references[0]))
    scores = metric.score_rows(rows, "segment") / 100
    assert len(scores) == len(case.results["segment"])
    assert all(close(ours, theirs) for ours, theirs in zip(scores, case.results["segment"], strict=True))
    assert close((metric.score_total(rows) or 0.0) / 100, case.results["doc"][0])


def test_number_of_cases(shared: Path) -> None:
    assert len(CASES) == 16
    assert sum(len(case.results["segment"]) for case in CASES) == 9 * 108 + 6 * 10 + 2445


@pytest.mark.parametrize("version", ["0", "1", "2"])
def test_the_programs_own_expectations(shared: Path, version: str) -> None:
    """The configurations yisi-0, -1 and -2 without roles."""
    folder = shared / "data" / "yisi"
    vectors = f'vectors="{folder}/mini.d300.en"'
    spec = {
        "0": "yisi0:tok=none",
        "1": f"yisi1:tok=none,{vectors}",
        "2": f'yisi2:tok=none,{vectors},source_vectors="{folder}/mini.d300.de"',
    }[version]
    metric = tt.metric(spec)
    sources = read("data/yisi/test_inp.de") if version == "2" else None
    rows = metric.statistics(read("data/yisi/test_hyp.en"), read("data/yisi/test_ref.en"), sources=sources)
    expected = read(f"data/yisi/ref/test_hyp.sntyisi{version}")
    scores = (metric.score_rows(rows, "segment") / 100).tolist()
    assert all(close(ours, theirs) for ours, theirs in zip(scores, expected, strict=True))
    assert close((metric.score_total(rows) or 0) / 100, read(f"data/yisi/ref/test_hyp.docyisi{version}")[0])


def test_yisi2_needs_no_references(shared: Path) -> None:
    folder = shared / "data" / "yisi"
    spec = f'yisi2:tok=none,vectors="{folder}/mini.d300.en",source_vectors="{folder}/mini.d300.de"'
    hypotheses, sources = read("data/yisi/test_hyp.en"), read("data/yisi/test_inp.de")
    found = tt.score(hypotheses, metrics=spec, sources=sources).scores[0]
    assert close((found.value or 0) / 100, read("data/yisi/ref/test_hyp.docyisi2")[0])
    assert found.signature.startswith("nrefs:0|")
    with pytest.raises(InputError, match="give either references"):
        tt.score(hypotheses, metrics=[spec, "bleu"], sources=sources)


def numbers(line: str) -> list[float]:
    return [float(text) for text in re.findall(r"\d+\.\d+", line)]


def test_lexical_and_phrase_similarity(shared: Path) -> None:
    folder = shared / "data" / "yisi"
    vectors = Vectors.open(folder / "mini.d300.en")
    assert close(vectors.similarity("EU", "UK"), numbers(read("data/yisi/ref/lexsim_test.out")[-1])[0])
    assert close(vectors.similarity("EU", "UK"), numbers(read("data/yisi/ref/w2v_test.out")[-1])[0])
    similarity = _native.WordSimilarity("vectors", vectors.table, vectors.table, "ascii")
    weights = idf.load(folder / "test_ref.en", "none")
    printed = [numbers(line) for line in read("data/yisi/ref/phrasesim_test.out")[-2:]]
    for (one, other), expected in zip(
        (("EU", "UK"), ("EU government", "UK government")), printed, strict=True
    ):
        n = len(one.split())
        texts = _native.Lines([other, one])
        found = _native.phrase_agreements(texts, "none", similarity, weights, weights, 3, [(0, n, 0, n)])
        assert all(close(ours, theirs) for ours, theirs in zip(found[0], expected, strict=True))


def test_weights_of_words(shared: Path) -> None:
    """The program's test learns from two sentences, of which one has a question mark."""
    weights = idf.learn(["what is on offer ?", "nothing much ."], tok="none")
    printed = [
        numbers(line) or [float(line.split()[-1])] for line in read("data/yisi/ref/lexweight_test.out")
    ]
    assert (
        close(weights.weight(b"?", "ascii"), f"{printed[0][0]}")
        or abs(weights.weight(b"?", "ascii") - printed[0][0]) < 5e-6
    )  # printed with six digits in all
    assert weights.weight(b"offers", "ascii") == printed[1][0]


def test_maximum_matching(shared: Path) -> None:
    """The five cases of the program's test: the same pairs."""
    text = (shared / "data" / "yisi" / "ref" / "maxmatching_test.out").read_text(encoding="utf-8")
    blocks = text.split("Test case ")[1:]
    assert len(blocks) == 5
    for block in blocks:
        lines = block.splitlines()[1:]
        columns = [int(name) for name in lines[0].split("|")[1:]]
        table = [line.split("|") for line in lines[1:] if "|" in line]
        weights = [[float(value) for value in row[1:]] for row in table]
        from tertium.text.srl import matched

        found = {(int(table[i][0]), columns[j], weights[i][j]) for i, j in matched(weights)}
        expected = {
            tuple(float(value) for value in line[1:-1].split(",")) for line in lines if line.startswith("(")
        }
        assert found == expected


# Beyond the golden numbers: our own twin, on the contract's example.


def split(texts: Any) -> list[list[str]]:
    return [text.split() for text in texts]


@pytest.mark.parametrize("version", [0, 1, 2])
@pytest.mark.parametrize(("order", "alpha"), [(1, 0.5), (2, 0.8), (3, 0.8), (5, 0.0)])
def test_twin(supply: Any, version: int, order: int, alpha: float) -> None:
    metric = supply(tt.metric(f"yisi{version}:tok=none,n={order},alpha={alpha}"))
    own = {word: vector(word) for word in example_words()}
    other = {word: vector(word, "source ") for word in example_words()}
    similarity = (twin.substring, twin.by_vectors(own), twin.by_two_languages(own, other))[version]
    hypotheses, references = split(EXAMPLE.hypotheses), split(EXAMPLE.others)
    sources = EXAMPLE.others if version == 2 else None
    rows = metric.statistics(EXAMPLE.hypotheses, EXAMPLE.others, sources=sources)
    theirs = twin.weights(references)
    ours = twin.weights(hypotheses) if version == 2 else theirs
    expected = []
    for hypothesis, reference in zip(hypotheses, references, strict=True):
        parts = twin.agreement(hypothesis, reference, similarity, ours, theirs, order)
        expected.append(100 * twin.f_score(*parts, alpha))
    assert metric.score_rows(rows, "segment") == pytest.approx(expected, abs=1e-4)
    assert metric.score_total(rows) == pytest.approx(sum(expected) / len(expected), abs=1e-4)


def test_several_references_and_weights(supply: Any) -> None:
    """Precision and recall are each the best; w-YiSi weighs by the mean number of words of the references."""
    streams = [["a b c", "the cat"], ["c d e f g", None]]
    hypotheses = ["a b d e f g", "the dog"]
    flat, weighted = (supply(tt.metric(spec)) for spec in ("yisi1:n=1,idf=none", "w-yisi1:n=1,idf=none"))
    single = [flat.statistics(hypotheses[:1], [stream[:1]]) for stream in streams]
    both = flat.statistics(hypotheses, streams)
    parts = [flat.components(rows.total()) for rows in single]
    found = flat.components(both.take([0]))
    assert found["precision"] == max(part["precision"] for part in parts)
    assert found["recall"] == max(part["recall"] for part in parts)
    rows = weighted.statistics(hypotheses, streams)
    assert rows["weight"].tolist() == [4.0, 2.0]
    scores = flat.score_rows(both, "segment")
    assert weighted.score_total(rows) == pytest.approx((4 * scores[0] + 2 * scores[1]) / 6, abs=1e-9)
    assert weighted.score_rows(rows, "segment").tolist() == pytest.approx(scores.tolist(), abs=1e-9)


def test_weights_from_a_file(tmp_path: Path, supply: Any) -> None:
    """A corpus and its stored counts give the same; the references do so where they are the corpus."""
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("\n".join(EXAMPLE.others) + "\n", encoding="utf-8")
    stored = tmp_path / "idf.tsv"
    idf.save(idf.learn(EXAMPLE.others), stored)
    specs = ["yisi1", f'yisi1:idf="{corpus}"', f'yisi1:idf="{stored}"']
    found = []
    for spec in specs:
        metric = supply(tt.metric(spec))
        found.append(metric.score_total(metric.statistics(EXAMPLE.hypotheses, EXAMPLE.others)))
    assert found[0] == found[1] == found[2]
    uniform = supply(tt.metric("yisi1:idf=none"))
    assert uniform.score_total(uniform.statistics(EXAMPLE.hypotheses, EXAMPLE.others)) != found[0]


def test_matching_is_the_best_of_all(tmp_path: Path) -> None:
    from itertools import permutations

    from tertium.text.srl import matched

    draw = random.Random(4)
    for _ in range(60):
        rows, columns = draw.randint(1, 5), draw.randint(1, 5)
        weights = [[round(draw.uniform(-1, 1), 2) for _ in range(columns)] for _ in range(rows)]
        pairs = matched(weights)
        assert len(pairs) == min(rows, columns)
        assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)
        short, long = sorted((rows, columns))
        best = max(
            sum(weights[k][p] if rows <= columns else weights[p][k] for k, p in enumerate(chosen))
            for chosen in permutations(range(long), short)
        )
        assert sum(weights[i][j] for i, j in pairs) == pytest.approx(best, abs=1e-12)
