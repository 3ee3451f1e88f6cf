"""WMT score files: shapes of all years, there and back."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from tertium.errors import InputError, SpecError
from tertium.io.scorematrix import LEVELS, SHORT, ScoreMatrix
from tertium.io.wmtscores import SHAPES, read_wmt_scores, write_wmt_scores


@pytest.fixture
def formats(shared: Path) -> Path:
    return shared / "data" / "formats"


def written(folder: Path, name: str, *lines: str) -> Path:
    path = folder / name
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


def test_the_sample_of_2017(formats: Path) -> None:
    found = read_wmt_scores(formats / "wmt17.seg.score.tsv")
    assert (found.shape, found.level, found.metrics, found.pairs) == (
        "wmt17",
        "segment",
        ("sentBLEU",),
        ("cs-en",),
    )
    assert found.columns["ensemble"].names == ("non-ensemble",)
    assert found.columns["available"].names == ("yes",)
    matrix = found.matrix()
    assert matrix.cells() == {("online-A.0", "1"): 0.2741, ("online-A.0", "2"): 0.3310}
    assert len(found) == 2


def test_the_samples_of_2020_and_2023(formats: Path) -> None:
    system = read_wmt_scores(formats / "wmt20.sys.score.tsv")
    assert (system.shape, system.level) == ("wmt20", "system")
    assert system.matrix().system("CUNI-DocTransformer.1457") == 29.2218
    document = read_wmt_scores(formats / "wmt20.doc.score.tsv")
    assert (document.shape, document.level) == ("wmt20", "document")
    assert document.matrix().cells() == {
        ("CUNI-DocTransformer.1457", "aktualne.cz.100069"): 0.5653060000000001
    }
    domain = read_wmt_scores(formats / "wmt23.sys.score.tsv")
    assert (domain.shape, domain.level) == ("wmt22", "system")
    assert domain.matrix(domain="all", reference="refA").system("ONLINE-Y") == 0.8123


SHAPES_AND_LEVELS = [
    (shape, level) for shape, level in itertools.product(SHAPES, LEVELS) if level in SHAPES[shape]
]


@pytest.mark.parametrize(("shape", "level"), SHAPES_AND_LEVELS)
def test_there_and_back_in_all_shapes(tmp_path: Path, shape: str, level: str) -> None:
    rng = np.random.default_rng(7)
    items = {"segment": ("1", "2", "3"), "document": ("d.1", "d.2", "d.3"), "system": ("all",)}[level]
    matrices = [
        ScoreMatrix(name, level, ("A.1", "B.2"), items, rng.normal(size=(2, len(items))))  # type: ignore[arg-type]
        for name in ("chrF", "TER")
    ]
    path = tmp_path / f"OURS.{SHORT[level]}.score"
    write_wmt_scores(
        path,
        matrices,
        shape=shape,
        pair="en-de",
        testset="newstest",
        reference="refA",
        documents=["d.1", "d.1", "d.2"],
        domains=["news", "news", "social"],
    )
    assert len(path.read_text().splitlines()[0].split("\t")) == len(SHAPES[shape][level])
    back = read_wmt_scores(path)
    assert (back.shape, back.level) == (shape, level)
    names = {key: column.names for key, column in back.columns.items()}
    assert names["pair"] == ("en-de",)
    assert names.get("reference", ("refA",)) == ("refA",)
    if shape == "wmt22" and level == "segment":
        assert list(back.columns["document"])[:3] == ["d.1", "d.1", "d.2"]
        assert list(back.columns["domain"])[:3] == ["news", "news", "social"]
    for matrix in matrices:
        same = back.matrix(metric=matrix.name)
        assert np.array_equal(same.values, matrix.values)  # bit for bit
        assert (same.systems, same.items) == (matrix.systems, matrix.items)


def test_six_to_nine_columns() -> None:
    widths = {len(order) for levels in SHAPES.values() for order in levels.values()}
    assert widths == {5, 6, 7, 8, 9}  # five: system files to 2016


def test_missing_scores_have_no_line(tmp_path: Path) -> None:
    path = tmp_path / "chrF.seg.score"
    chrf = ScoreMatrix.of_segments("chrF", {"A": [0.5, None]})
    write_wmt_scores(path, [chrf], shape="wmt17", pair="cs-en", testset="t")
    assert len(path.read_text().splitlines()) == 1
    assert read_wmt_scores(path).matrix(segments=2).data()["systems"] == {"A": [0.5, None]}


def test_the_level_is_asked_for_where_the_name_does_not_tell(tmp_path: Path) -> None:
    line = (
        "chrF\ten-de\tset\tref\tsys\t12\t0.5"  # document 12 or segment 12, or domain "ref", reference "sys"
    )
    path = written(tmp_path, "scores.tsv", line)
    with pytest.raises(
        InputError, match=r"line 1 can be read in 3 ways: say shape='wmt20', level='segment' or"
    ):
        read_wmt_scores(path)
    assert read_wmt_scores(path, level="document").matrix().items == ("12",)
    with pytest.raises(SpecError, match="no shape 'wmt19'; did you mean 'wmt1"):
        read_wmt_scores(path, shape="wmt19")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            ["chrF\tcs-en\tt\tA\t1\t0.5", "chrF\tcs-en\tt\tA\t2\tnan"],
            r"line 2: the score 'nan' is not a finite",
        ),
        (["chrF\tcs-en\tt\tA\t1\t0.5", "chrF\tcs-en\tt\tA\t2\tx"], r"line 2: the score 'x' is not a number"),
        (["chrF\tcs-en\tt\tA\t1\t0.5", "chrF\tcs-en\tt\tA\t0\t1"], r"line 2: the segment '0' is not a whole"),
        (
            ["chrF\tcs-en\tt\tA\t1\t0.5", "chrF\tcs-en\tt\tA\t1.5\t1"],
            r"line 2: the segment '1.5' is not a whole",
        ),
        (
            ["chrF\tcs-en\tt\tA\t1\t0.5", "chrF\tcs-en\tt\tA\t0.5"],
            r"line 2 has 5 fields, but wmt08 has metric",
        ),
        (["chrF\tcs-en\tt\t\t1\t0.5"], r"line 1: the system is empty"),
        (["chrF cs-en t A 1 0.5"], r"line 1: 1 fields that do not form a line of a segment score file"),
        (["chrF\tcs-en\tt\tA\t1\t0.5", "", "chrF\tcs-en\tt\tA\t2\t1"], r"line 2 is empty"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path: Path, lines: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read_wmt_scores(written(tmp_path, "chrF.seg.score", *lines))
    assert "chrF.seg.score" in str(caught.value)


def test_the_same_place_twice(tmp_path: Path) -> None:
    path = written(tmp_path, "x.seg.score", *["chrF\tcs-en\tt\tA\t1\t0.5"] * 2)
    with pytest.raises(InputError, match=r"line 2 scores system 'A', segment 1 again \(first: .*line 1\)"):
        read_wmt_scores(path).matrix()


def test_segments_beyond_the_test_set(tmp_path: Path) -> None:
    path = written(tmp_path, "x.seg.score", "chrF\tcs-en\tt\tA\t1\t0.5", "chrF\tcs-en\tt\tA\t9\t0.5")
    with pytest.raises(InputError, match=r"line 2: segment 9 is beyond the test set, which has 8"):
        read_wmt_scores(path).matrix(segments=8)


def test_several_metrics_and_pairs(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "x.sys.score",
        "BLEU\tcs-en\tt\tA\t1",
        "BLEU\tde-en\tt\tA\t2",
        "TER\tcs-en\tt\tA\t3",
    )
    found = read_wmt_scores(path)
    assert found.matrix(metric="BLEU", pair="de-en").system("A") == 2
    with pytest.raises(InputError, match=r"several metrics \(BLEU, TER\): say which"):
        found.matrix()
    with pytest.raises(InputError, match=r"no metric 'BLUE'; did you mean 'BLEU'"):
        found.matrix(metric="BLUE")
    with pytest.raises(InputError, match="have no reference"):
        found.matrix(metric="TER", reference="refA")
    with pytest.raises(InputError, match="no score matches all of these: metric TER, pair de-en"):
        found.matrix(metric="TER", pair="de-en")


def test_what_cannot_be_written(tmp_path: Path) -> None:
    path = tmp_path / "x"
    scores = ScoreMatrix.of_systems("BLEU", {"A\tB": 1})
    with pytest.raises(InputError, match="cannot be written to a tab-separated file"):
        write_wmt_scores(path, [scores], shape="wmt08", pair="cs-en", testset="t")
    documents = ScoreMatrix("x", "document", ("A",), ("d",), np.ones((1, 1)))
    with pytest.raises(SpecError, match="wmt17 has no files of document scores"):
        write_wmt_scores(path, [documents], shape="wmt17", pair="p", testset="t")
    segments = ScoreMatrix.of_segments("x", {"A": [1.0]})
    with pytest.raises(InputError, match="has the documents of segments"):
        write_wmt_scores(path, [segments], shape="wmt22", pair="p", testset="t")
    with pytest.raises(InputError, match="metrics of one level"):
        write_wmt_scores(path, [], shape="wmt22", pair="p", testset="t")
    assert not path.exists()
