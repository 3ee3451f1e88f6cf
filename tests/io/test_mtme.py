"""mt-metrics-eval's folders: the samples, a made folder, there and back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tertium.errors import InputError
from tertium.io.mqm import MQMWeights
from tertium.io.mtme import (
    mtme_pairs,
    mtme_scores,
    read_documents,
    read_mtme_layout,
    read_mtme_ratings,
    read_mtme_scores,
    write_mtme_scores,
)
from tertium.io.scorematrix import ScoreMatrix


@pytest.fixture
def formats(shared: Path) -> Path:
    return shared / "data" / "formats"


@pytest.fixture
def made(tmp_path: Path) -> Path:
    for folder in ("sources", "references", "documents", "human-scores", "system-outputs/en-de"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "sources" / "en-de.txt").write_text("one\ntwo\n")
    (tmp_path / "references" / "en-de.refA.txt").write_text("eins\nzwei\n")
    (tmp_path / "references" / "en-de.refB.txt").write_text("1\n2\n")
    (tmp_path / "documents" / "en-de.docs").write_text("news\tbbc\nsocial\treddit\n")
    for system in ("ONLINE-Y", "refA"):
        (tmp_path / "system-outputs" / "en-de" / f"{system}.txt").write_text("eins\nzwei\n")
    (tmp_path / "human-scores" / "en-de.mqm.seg.score").write_text("ONLINE-Y\t-1.0\nONLINE-Y\tNone\n")
    return tmp_path


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_samples(formats: Path) -> None:
    domains, documents = read_documents(formats / "mtme.docs.tsv")
    assert domains == ("news", "news", "social")
    assert documents == ("aj-english.33941", "aj-english.33941", "reddit.8812")
    domain = read_mtme_scores(formats / "mtme.human.mqm.domain.score")
    assert (domain.level, domain.cells()) == ("domain", {("AIRC", "news"): -14.319230769230769})
    system = read_mtme_scores(formats / "mtme.metric.sys.score")
    assert (system.level, system.system("ONLINE-Y")) == ("system", 0.896970763882786)
    rated = read_mtme_ratings(formats / "mtme.seg.rating").judgements
    assert (rated.system[0], rated.segment[0], rated.annotator[0]) == ("ONLINE-Y", "1", "rater1")
    assert rated.score.tolist() == [-5.0]
    span = rated.spans[0][0]  # type: ignore[index]
    assert (span.start, span.end, span.severity, span.category) == (368, 393, "major", "accuracy/addition")


def test_the_segment_sample_is_cut_off(formats: Path) -> None:
    """Its two systems have two and one lines: a real file would have all segments for each."""
    with pytest.raises(InputError, match="system 'ONLINE-Y' has 1 segments, but there must be 2"):
        read_mtme_scores(formats / "mtme.human.mqm.seg.score")


def test_a_folder(made: Path) -> None:
    assert mtme_pairs(made) == ["en-de"]
    texts = read_mtme_layout(made, "en-de")
    assert list(texts.references) == ["refA", "refB"]
    assert list(texts.systems) == ["ONLINE-Y", "refA"]
    assert (texts.documents, texts.domains) == (("bbc", "reddit"), ("news", "social"))
    human, metrics = mtme_scores(made, "en-de")
    assert [(one.name, one.level) for one in human] == [("mqm", "segment")]
    assert metrics == []
    assert read_mtme_scores(human[0].path).data()["systems"] == {"ONLINE-Y": [-1.0, None]}
    with pytest.raises(InputError, match="no system outputs for 'de-en'"):
        read_mtme_layout(made, "de-en")
    (made / "documents" / "en-de.docs").write_text("news\tbbc\n")
    with pytest.raises(InputError, match=r"en-de\.docs has 1 lines, but the other files have 2"):
        read_mtme_layout(made, "en-de")
    (made / "documents" / "en-de.docs").unlink()
    assert "there are no documents" in str(read_mtme_layout(made, "en-de").coverage)


@pytest.mark.parametrize(
    ("level", "items"),
    [("segment", ("1", "2")), ("document", ("1", "2")), ("domain", ("news", "social")), ("system", ("all",))],
)
@pytest.mark.parametrize("human", [True, False])
def test_there_and_back(tmp_path: Path, level: str, items: tuple[str, ...], human: bool) -> None:
    values = np.random.default_rng(3).normal(size=(2, len(items))) * 1e-7
    values[1, -1] = np.nan
    scores = ScoreMatrix("COMET", level, ("ONLINE-Y", "AIRC"), items, values)  # type: ignore[arg-type]
    path = write_mtme_scores(tmp_path, "en-de", scores, reference="refA", human=human)
    found = mtme_scores(tmp_path, "en-de")[0 if human else 1]
    assert [(one.path, one.level) for one in found] == [(path, level)]
    assert found[0].name == ("COMET" if human else "COMET-refA")
    back = read_mtme_scores(path)
    assert back.name == found[0].name  # without the language pair
    assert np.array_equal(back.values, scores.values, equal_nan=True)  # bit for bit
    assert (back.systems, back.items, back.level) == (scores.systems, scores.items, scores.level)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.sys.score", "A\t1\nA\t2\n", r"line 2 scores system 'A' again \(first on line 1\)"),
        ("x.sys.score", "A\tnan\n", r"line 1: the score 'nan' is not a finite number"),
        ("x.sys.score", "A\n", r"line 1 has 1 fields, expected 2: system, score"),
        ("x.sys.score", "A 1 2\n", r"line 1 has 3 fields, expected 2: system, score"),
        ("x.domain.score", "A\t1\n", r"line 1 has 2 fields, expected 3: domain, system, score"),
        ("x.seg.score", "A\t1\nA\t2\nB\t1\n", r"system 'B' has 1 segments, but there must be 2"),
        ("x.score", "A\t1\n", r"the name does not give the level"),
    ],
)
def test_wrong_score_files(tmp_path: Path, name: str, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_mtme_scores(written(tmp_path, name, text))


def test_blanks_of_any_kind_separate_fields(tmp_path: Path) -> None:
    """As mt-metrics-eval reads them; a name with a blank needs a tab behind it."""
    read = read_mtme_scores(written(tmp_path, "x.sys.score", "A  1\nB 2\nmy system\t3\n"))
    assert read.data()["systems"] == {"A": [1.0], "B": [2.0], "my system": [3.0]}
    assert read_documents(written(tmp_path, "x.docs", "news a\nnews a\n")) == (("news", "news"), ("a", "a"))


def test_wrong_documents(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"line 3: document 'a' begins again"):
        read_documents(written(tmp_path, "x.docs", "n\ta\nn\tb\nn\ta\n"))
    with pytest.raises(InputError, match=r"line 1 has 1 fields"):
        read_documents(written(tmp_path, "x.docs", "a\n"))


def test_ratings(tmp_path: Path) -> None:
    error = '{"start": 0, "end": 3, "category": "fluency/punctuation", "severity": "minor", "score": 0.1}'
    path = written(
        tmp_path,
        "en-de.mqm.seg.rating",
        f'A\t{{"errors": [{error}, {error}]}}\tr1\nA\tNone\tr1\nA\t{{"errors": []}}\nB\t{{"errors": []}}\tr2\n',
    )
    found = read_mtme_ratings(path)
    assert list(found.judgements.segment) == ["1", "3", "1"]  # the second segment of A was not rated
    assert found.judgements.score.tolist() == [-0.2, 0.0, 0.0]
    assert str(found.coverage).endswith("3 judgements used; 1 left out: not rated, first on line 2")
    harder = read_mtme_ratings(path, weights=MQMWeights.of({"Minor Fluency/Punctuation": 2}))
    assert harder.judgements.score[0] == -4
    for text, message in (
        ("A\t{}\tr\n", r"line 1: the errors are not a valid JSON rating"),
        ("A\t[\tr\n", r"line 1: the errors are not a valid JSON rating"),
        ('A\t{"errors": [{"start": 3, "end": 1, "score": 1}]}\n', r"from 3 to 1, which is not a valid span"),
        ('A\t{"errors": [{"start": 1, "end": 3}]}\n', r"an error has no score"),
    ):
        with pytest.raises(InputError, match=message):
            read_mtme_ratings(written(tmp_path, "bad.seg.rating", text))


def test_what_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="say which reference"):
        write_mtme_scores(tmp_path, "en-de", ScoreMatrix.of_systems("x", {"A": 1}))
    some = ScoreMatrix("x", "segment", ("A",), ("2",), np.ones((1, 1)))
    with pytest.raises(InputError, match="all segments, from 1 on"):
        write_mtme_scores(tmp_path, "en-de", some, reference="refA")
    with pytest.raises(InputError, match="part of a file name"):
        write_mtme_scores(tmp_path, "en-de", ScoreMatrix.of_systems("a/b", {"A": 1}), reference="refA")
