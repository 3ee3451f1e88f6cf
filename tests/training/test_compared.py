"""Metrics learn from which of two translations people find better."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium as tt
from tertium.cli import main
from tertium.errors import InputError, SpecError
from tertium.io.metricfiles import read_model
from tertium.testset import TestSet
from tertium.training.compared import JudgedPairs
from tertium.training.human_pairs import compared_in, compared_in_folder, compared_kind, compared_with_texts
from tertium.training.models import LEARNERS
from tertium.training.report import training_report
from tertium.training.selection import select
from tertium.training.training import predicted, train
from tests.training.test_training import WORDS

WEIGHTS = np.array([0.08, -0.05])  # of chrF and TER: log-odds that a translation is better, for a point more


@pytest.fixture(scope="module")
def texts() -> TestSet:
    draw = random.Random(11)
    references = [" ".join(draw.choices(WORDS, k=draw.randint(5, 11))) for _ in range(400)]
    systems = {
        name: [
            " ".join(
                draw.choice(WORDS) if draw.random() < 0.5 * draw.random() else word for word in text.split()
            )
            for text in references
        ]
        for name in "ABC"
    }
    return TestSet.of(references, systems)


def votes(texts: TestSet, ties: float = 0.0, seed: int = 1) -> list[tuple[int, str, str, int]]:
    """Of each segment all pairs, as often as the odds say; a share of them undecided."""
    rng = np.random.default_rng(seed)
    scored = [texts.score(spec, level="segment") for spec in ("chrf", "ter")]
    worth = sum(
        weight * np.array([score.values for score in own], dtype=float)
        for weight, own in zip(WEIGHTS, scored, strict=True)
    )
    rows = []
    for i in range(len(texts)):
        for a, b in ((0, 1), (2, 0), (1, 2)):
            wins = rng.random() < 1 / (1 + np.exp(worth[b, i] - worth[a, i]))
            sign = 0 if rng.random() < ties else 1 if wins else -1
            rows.append((i + 1, "ABC"[a], "ABC"[b], sign))
    return rows


def written(path: Path, rows: list[tuple[int, str, str, int]]) -> str:
    choice = {1: "first", -1: "second", 0: "undecided"}
    lines = [f"ann\t{i}\t{a}\t{b}\t{choice[sign]}" for i, a, b, sign in rows]
    path.write_text("\n".join(["annotator\tsegment\tfirst\tsecond\tchoice", *lines]) + "\n", "utf-8")
    return str(path)


@pytest.fixture(scope="module")
def judged(texts: TestSet, tmp_path_factory: pytest.TempPathFactory) -> JudgedPairs:
    return compared_in(texts, written(tmp_path_factory.mktemp("votes") / "votes.tsv", votes(texts)))


def test_weights_come_back() -> None:
    """Differences and votes of known weights, thousands of them."""
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(30_000, 3)) * [1.0, 10.0, 0.1]
    weights = np.array([0.8, -0.12, 0.0])
    signs = np.where(rng.random(len(rows)) < 1 / (1 + np.exp(-rows @ weights)), 1.0, -1.0)
    found = LEARNERS["logistic"].fit(rows, signs, 1.0)
    assert found["weights"][:2] == pytest.approx(weights[:2], rel=0.06)
    assert abs(found["weights"][2]) < 0.3
    direction = np.array(LEARNERS["ranksvm"].fit(rows, signs, 1.0)["weights"]) * [1, 10, 0.1]
    expected = weights * [1, 10, 0.1]
    cosine = direction @ expected / np.linalg.norm(direction) / np.linalg.norm(expected)
    assert cosine > 0.998


@pytest.mark.parametrize("ties", [0, 100])
@pytest.mark.parametrize("cost", [0.001, 0.1, 1.0])
def test_weights_are_scikit_learns(cost: float, ties: int) -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import LinearSVC

    rng = np.random.default_rng(9)
    rows = rng.normal(size=(400, 3)) * [1, 20, 0.3]
    rows[:, 2] += rows[:, 0]
    signs = np.where(rows @ [1.0, 0.05, -2] + rng.logistic(size=400) > 0, 1.0, -1.0)
    signs[:ties] = 0
    spread = np.sqrt((rows**2).mean(axis=0))
    twice, answers = (
        np.vstack([rows, rows]),
        np.concatenate([np.where(signs, signs, 1), np.where(signs, signs, -1)]),
    )
    theirs: Any = LogisticRegression(C=cost, fit_intercept=False, tol=1e-12, max_iter=1000)
    theirs.fit(twice / spread, answers, sample_weight=np.full(800, 0.5))
    found = LEARNERS["logistic"].fit(rows, signs, cost)["weights"]
    assert found == pytest.approx(theirs.coef_[0] / spread, rel=1e-4)
    own, said = rows[signs != 0], signs[signs != 0]
    spread = np.sqrt((own**2).mean(axis=0))
    theirs = LinearSVC(C=cost, fit_intercept=False, dual=False, tol=1e-10, max_iter=100_000).fit(
        own / spread, said
    )
    found = LEARNERS["ranksvm"].fit(rows, signs, cost)["weights"]
    assert found == pytest.approx(theirs.coef_[0] / spread, rel=1e-4)


def test_what_can_be_told_apart_surely_has_an_end() -> None:
    rows = np.linspace(-3, 3, 400)[:, None] * [1.0, 1.0]
    found = LEARNERS["logistic"].fit(rows, np.where(rows[:, 0] > 0, 1.0, -1.0), 1.0)["weights"]
    assert found[0] == pytest.approx(found[1])
    assert 0.5 < found[0] < 10


def test_a_tie_is_half_of_each_or_nothing() -> None:
    rng = np.random.default_rng(4)
    rows = rng.normal(size=(500, 2))
    signs = np.where(rows @ [1.0, 0.5] + rng.logistic(size=500) > 0, 1.0, -1.0)
    tied = np.where(np.arange(500) % 4 == 0, 0.0, signs)
    both = np.vstack([rows[tied != 0], rows[tied != 0], rows[tied == 0], rows[tied == 0]])
    answers = np.concatenate([tied[tied != 0]] * 2 + [np.ones(125), -np.ones(125)])
    by_hand = LEARNERS["logistic"].fit(both, answers, 0.5)  # everything twice: half the cost
    assert LEARNERS["logistic"].fit(rows, tied, 1.0)["weights"] == pytest.approx(by_hand["weights"], rel=1e-2)
    svm = LEARNERS["ranksvm"]
    assert svm.fit(rows, tied, 1.0) == svm.fit(rows[tied != 0], tied[tied != 0], 1.0)


def test_what_votes_are_made_of_is_learnt(texts: TestSet, judged: JudgedPairs) -> None:
    found = train(judged, ["chrf", "ter"])
    assert (found.learner, found.measure, found.segments) == ("logistic", "tau", 1200)
    assert found.model.weights == pytest.approx(WEIGHTS, rel=0.35)
    assert found.accuracy == pytest.approx((1 + found.correlation) / 2, abs=0.03)
    assert found.model.training is not None
    assert (found.model.training.measure, found.model.training.accuracy) == ("tau", found.accuracy)
    worth = {one.spec: one for one in found.components}
    assert all((one.without or 0) < found.correlation for one in worth.values())
    text = " ".join(str(found).split())
    assert "decided as people did (1200 comparisons, 10 parts, logistic)" in text
    assert "tau without it" in text


def test_agreement_is_wmts(texts: TestSet, judged: JudgedPairs) -> None:
    """tau of chrF by the pairs one by one."""
    values = {score.system: score.values for score in texts.score("chrf", level="segment")}
    right = wrong = 0
    for i, a, b, sign in votes(texts):
        difference = (values[a][i - 1] - values[b][i - 1]) * sign  # type: ignore[operator]
        right, wrong = right + (difference > 0), wrong + (difference < 0)
    scores = np.array(
        [
            tt.metric("chrf").score([h], [r], level="segment")
            for h, r in zip(judged.hypotheses, judged.references, strict=True)
        ]
    )
    everything = np.ones(len(judged), dtype=bool)
    assert judged.agreement(scores, everything) == pytest.approx((right - wrong) / 1200)
    assert judged.accuracy(scores) == pytest.approx(right / 1200)


def test_ties_of_people_are_not_counted(texts: TestSet, tmp_path: Path) -> None:
    rows = votes(texts, ties=0.3)
    found = compared_in(texts, written(tmp_path / "v.tsv", rows))
    assert found.number() == sum(sign != 0 for *_, sign in rows) < len(rows) == len(found.sign)
    learnt = train(found, ["chrf", "ter"], ablation=False)
    assert learnt.segments == found.number()
    assert 0 < learnt.model.weights[0] < WEIGHTS[0] * 1.2


def test_what_is_first_does_not_matter(judged: JudgedPairs) -> None:
    turned = replace(judged, first=judged.second, second=judged.first, sign=-judged.sign)
    for learner in ("logistic", "ranksvm"):
        one, other = (
            train(own, ["chrf", "ter"], learner=learner, ablation=False) for own in (judged, turned)
        )
        assert one.model.weights == pytest.approx(other.model.weights, rel=1e-4)


def test_references_are_not_in_two_parts(judged: JudgedPairs) -> None:
    folds = judged.folds()
    assert (folds[judged.first] == folds[judged.second]).all()
    scores = predicted(judged, ["chrf", "ter"])
    assert (judged.accuracy(scores) or 0) > 0.6


def test_a_report_and_a_selection(judged: JudgedPairs) -> None:
    found = training_report(judged, ["chrf", "ter"])
    assert [one.judgements for one in found.curve] == sorted(one.judgements for one in found.curve)
    assert found.curve[-1].correlation == pytest.approx(found.trained.correlation)
    assert found.slope == pytest.approx(1, abs=0.3)
    assert found.calibration[0].judged < 0.5 < found.calibration[-1].judged
    assert "in people's choices" in " ".join(str(found).split())
    chosen = select(judged, ["chrf", "ter", "lengths.*"], learner="logistic")
    assert chosen.measure == "tau"
    assert {"chrf", "ter"} <= set(chosen.kept)


def test_rankings(texts: TestSet, tmp_path: Path) -> None:
    """Ranks of three systems are three comparisons."""
    lines = ["annotator\tsegment\tsystem\trank"]
    for i in range(1, 101):
        lines += [f"ann\t{i}\t{name}\t{rank}" for name, rank in zip("ABC", (1, 2, 2), strict=True)]
    (path := tmp_path / "ranks.tsv").write_text("\n".join(lines), "utf-8")
    found = compared_in(texts, str(path))
    assert (len(found.sign), found.number()) == (300, 200)
    assert [found.hypotheses[i] for i in found.first[:2]] == [texts.systems["A"][0]] * 2


def test_pairs_with_their_texts(texts: TestSet, tmp_path: Path) -> None:
    rows = []
    for number, (i, a, b, sign) in enumerate(votes(texts)):
        better, worse = (a, b) if sign > 0 else (b, a)
        sides = {
            side: {"sys_name": name, "sys": texts.systems[name][i - 1]}
            for side, name in (("better", better), ("worse", worse))
        }
        own = {"id": str(number), "src": f"s{i}", "ref": texts.references.first[i - 1], **sides}
        rows.append(json.dumps(own))
    (path := tmp_path / "pairs.jsonl").write_text("\n".join(rows), "utf-8")
    assert compared_kind(str(path)) == "texts"
    found = compared_with_texts(str(path))
    assert (found.sign == 1).all()
    assert len(found.sign) == 1200
    learnt = train(found, ["chrf", "ter"], ablation=False)
    assert learnt.model.weights == pytest.approx(WEIGHTS, rel=0.35)
    report = training_report(found, ["chrf", "ter"])
    assert report.calibration[0].judged < 0.5  # although the better one always stands first


def test_documents_are_compared(tmp_path: Path, texts: TestSet) -> None:
    ids = [f"d{i // 2}" for i in range(400)]
    of_documents = replace(texts, documents=tuple(ids))
    rows: list[Any] = [(f"d{i // 2}", a, b, sign) for i, a, b, sign in votes(texts) if i % 2 == 0 and i < 400]
    found = compared_in(of_documents, written(tmp_path / "v.tsv", rows), units="documents")
    learnt = train(found, ["doc:chrf", "ter"], ablation=False)
    assert learnt.model.components == ("doc:chrf", "doc:ter")
    assert found.what == "documents"
    with pytest.raises(InputError, match=r"v\.tsv: line 2: the test set has no document '1'"):
        compared_in(of_documents, written(tmp_path / "v.tsv", votes(texts)), units="documents")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([(401, "A", "B", 1)], "line 2: the test set has no segment '401'"),
        ([(1, "A", "D", 1)], "line 2: the test set has no system 'D'"),
        (
            [(1, "A", "B", 1)],
            "1 comparisons with a better translation are too few to train on: 200 are the least",
        ),
        ([(i, "A", "B", 0) for i in range(1, 300)], "0 comparisons with a better translation are too few"),
    ],
)
def test_comparisons_that_cannot_be_learnt_from(
    texts: TestSet, tmp_path: Path, rows: list[tuple[int, str, str, int]], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        compared_in(texts, written(tmp_path / "v.tsv", rows))


def test_learners_and_judgements_must_fit(judged: JudgedPairs) -> None:
    with pytest.raises(
        SpecError,
        match="ridge learns from scores, but people gave comparisons: take one of logistic, ranksvm",
    ):
        train(judged, ["chrf"], learner="ridge")
    with pytest.raises(InputError, match="comparison 1: the two translations are of different references"):
        replace(judged, references=tuple(f"r{i}" for i in range(len(judged))))


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], texts: TestSet
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, lines in {"ref": texts.references.first, **texts.systems}.items():
        Path(name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    written(Path("v.tsv"), votes(texts))
    call = "train blend ref -i A B C --human v.tsv -m chrf ter -o my.metric"
    assert main(call.split()) == 0
    assert "tau = " in capsys.readouterr().out
    assert read_model("my.metric").kind == "linear"
    assert main(["score", "ref", "-i", "A", "-m", "file:my.metric", "-q", "-f", "text"]) == 0
    capsys.readouterr()
    for more, message in (
        ("--standardise", "--standardise is for scores"),
        ("--model svr", "svr learns from scores, but people gave comparisons"),
        ("--testset .", "--testset holds the texts"),
    ):
        assert main(f"{call} {more}".split()) == 2
        assert message in capsys.readouterr().err


def test_a_year_of_rankings(shared: Path, tmp_path: Path) -> None:
    import tarfile

    with tarfile.open(shared / "data" / "wmt12" / "wmt12-to-en.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    folder = tmp_path / "wmt12"
    found = compared_in_folder(str(folder / "rankings.csv"), str(folder), ["cs-en"])
    assert set(found.sets) == {"cs-en"}
    learnt = train(found, ["chrf", "bleu"], ablation=False)
    assert learnt.correlation > 0.15
    with pytest.raises(InputError, match="there are no outputs of 'fr-en'"):
        compared_in_folder(str(folder / "rankings.csv"), str(folder), ["fr-en"])


def test_a_table_of_better_and_worse(shared: Path, tmp_path: Path) -> None:
    folder = shared / "data" / "wmt17"
    better, worse = list(TestSet.load(folder, pair="cs-en").systems)[:2]
    rows = [f"cs-en\tnewstest2017\t{i}\t{better}\t{worse}" for i in range(1, 251)]
    path = tmp_path / "RR-seglevel.csv"
    path.write_text("\n".join(["LP\tDATA\tSID\tBETTER\tWORSE", *rows]), "utf-8")
    assert compared_kind(str(path)) == "better-worse"
    found = compared_in_folder(str(path), str(folder))
    assert (found.number(), set(found.sets)) == (250, {"cs-en"})
    with pytest.raises(InputError, match="give the folder of texts with --testset"):
        compared_in(TestSet.of(["a"], {"A": ["b"]}), str(path))


def test_pseudo_references_instead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], texts: TestSet
) -> None:
    """C is the reference, and nobody asks how good it is."""
    monkeypatch.chdir(tmp_path)
    for name, lines in {"ref": texts.references.first, **texts.systems}.items():
        Path(name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    rows = votes(texts)
    written(Path("v.tsv"), rows)
    Path("da.tsv").write_text(
        "\n".join(["system\tsegment\tscore", *(f"{a}\t{i}\t{i % 7}" for i in range(1, 401) for a in "ABC")]),
        "utf-8",
    )
    common = ["train", "blend", "ref", "-i", "A", "B", "C", "-m", "chrf", "--pseudo-references", "C"]
    assert main([*common, "--without-references", "--human", "v.tsv", "-o", "v.metric"]) == 0
    found = read_model("v.metric").training
    assert found is not None
    assert (found.pseudo, found.segments) == (("C",), 400)
    assert (
        main([*common, "--without-references", "--human", "da.tsv", "--model", "ridge", "-o", "d.metric"])
        == 0
    )
    found = read_model("d.metric").training
    assert found is not None
    assert (found.pseudo, found.segments) == (("C",), 800)
    capsys.readouterr()
