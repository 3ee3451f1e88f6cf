"""Judgements of people in the formats they come in: Appraise, MQM, pearmut, plain tables."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tertium.errors import InputError
from tertium.io.appraise import read_appraise
from tertium.io.judgements import read_judgements
from tertium.io.judgementtable import Judgements, Span
from tertium.io.mqm import MQMWeights, read_mqm
from tertium.io.pearmut import read_pearmut


@pytest.fixture
def formats(shared: Path) -> Path:
    return shared / "data" / "formats"


def written(folder: Path, name: str, *lines: str) -> Path:
    path = folder / name
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


# ---- Appraise


def test_the_esa_sample(formats: Path) -> None:
    found = read_appraise(formats / "appraise.esa.csv")
    table = found.judgements
    assert repr(table) == "<Judgements: 1 (1 genuine) by 1 annotator, 1 system, 1 segment>"
    assert (table.annotator[0], table.system[0], table.segment[0]) == (
        "engdeu6905",
        "NLLB_MBR_BLEU",
        "video_games-2-en_0748710-63:1",
    )
    assert table.document is not None
    assert table.document[0] == "video_games-2-en_0748710-63"
    assert table.spans == ((Span(117, 131, "minor"),),)
    assert table.seconds is not None
    assert table.seconds[0] == pytest.approx(19.344, abs=1e-6)
    assert found.documents is None
    assert not found.coverage.left_out


ROW = "ann,A,17,{kind},eng,deu,{score},doc1#A,{whole},100,110"


def test_kinds_and_whole_documents(tmp_path: Path) -> None:
    kinds = ("TGT", "BAD", "CHK", "REF")
    rows = [ROW.format(kind=kind, score=50 + i, whole=False) for i, kind in enumerate(kinds)]
    found = read_appraise(written(tmp_path, "da.csv", *rows, ROW.format(kind="TGT", score=80, whole=True)))
    assert found.judgements.counts() == {"genuine": 1, "degraded": 1, "repeat": 1, "reference": 1}
    assert found.documents is not None
    assert found.documents.score.tolist() == [80.0]
    assert str(found.coverage).endswith(
        "5 judgements used; 1 scores of whole documents are in a separate table"
    )


def test_nine_columns_and_missing_spans(tmp_path: Path) -> None:
    plain = read_appraise(written(tmp_path, "a.csv", "ann,A,17,TGT,eng,deu,70,100,110"))
    assert plain.judgements.document is None
    spans = json.dumps([{"start_i": "missing", "end_i": "missing", "severity": "major", "error_type": None}])
    quoted = '"' + spans.replace('"', '""') + '"'
    row = f"ann,A,17,TGT,eng,deu,70,doc#A,False,{quoted},100,110"
    esa = read_appraise(written(tmp_path, "b.csv", row))
    assert esa.judgements.spans == ((Span(None, None, "major"),),)


def test_languages(tmp_path: Path) -> None:
    rows = [ROW.format(kind="TGT", score=1, whole=False), "ann,A,17,TGT,deu,eng,70,doc1#A,False,100,110"]
    path = written(tmp_path, "da.csv", *rows)
    with pytest.raises(InputError, match=r"da\.csv: line 2 is deu-eng, unlike the lines before"):
        read_appraise(path)
    found = read_appraise(path, pair=("deu", "eng"))
    assert found.judgements.score.tolist() == [70.0]
    assert "1 left out: of languages eng-deu, first on line 1" in str(found.coverage)
    with pytest.raises(InputError, match="no judgements of ces-eng"):
        read_appraise(path, pair=("ces", "eng"))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("ann,A,17,TGT,eng,deu", r"line 2 has 6 fields, expected 11"),
        (
            ROW.format(kind="TXT", score=5, whole=False),
            r"line 2: the type 'TXT' is unknown; did you mean 'TGT'",
        ),
        (ROW.format(kind="TGT", score=101, whole=False), r"line 2: the score 101 is not between 0 and 100"),
        (ROW.format(kind="TGT", score="nan", whole=False), r"line 2: the score 'nan' is not a finite number"),
        (
            ROW.format(kind="TGT", score=5, whole="maybe"),
            r"line 2: is-document must be True or False, not 'maybe'",
        ),
        ("ann,A,17,TGT,eng,deu,5,d,False,110,100", r"line 2: the end \(100\) is before the start \(110\)"),
        (",A,17,TGT,eng,deu,5,d,False,100,110", r"line 2: the user is empty"),
        ('ann,A,17,TGT,eng,deu,5,"d,False,100,110', r"line 2: not valid CSV"),
    ],
)
def test_wrong_rows_of_appraise(tmp_path: Path, row: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_appraise(written(tmp_path, "da.csv", ROW.format(kind="TGT", score=70, whole=False), row))


def test_duplicated_judgements(tmp_path: Path) -> None:
    row = ROW.format(kind="TGT", score=70, whole=False)
    path = written(tmp_path, "da.csv", row, row)
    with pytest.raises(
        InputError, match=r'line 2 repeats line 1: the same judgement twice .*--duplicates "leave out"'
    ):
        read_appraise(path, duplicates="refuse")
    left = read_appraise(path, duplicates="leave out")
    assert len(left.judgements) == 1
    assert "1 left out: the same judgement again, first on line 2" in str(left.coverage)
    assert len(read_appraise(path, duplicates="keep").judgements) == 2


# ---- MQM

HEADER = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"


def mqm(folder: Path, *errors: str) -> Path:
    return written(folder, "mqm.tsv", HEADER, *errors)


def error(category: str, severity: str, target: str = "x", rater: str = "r1", segment: int = 1) -> str:
    return f"A\td\t1\t{segment}\t{rater}\tsource\t{target}\t{category}\t{severity}"


def test_the_mqm_sample(formats: Path) -> None:
    table = read_mqm(formats / "mqm.tsv").judgements
    assert (table.system[0], table.segment[0], table.annotator[0]) == ("hyp.Facebook-AI", "719", "rater2")
    assert table.document is not None
    assert table.document[0] == "abcnews.420140"
    assert table.score.tolist() == [0.0]
    assert table.spans == ((),)  # the marks in the source of a row without errors are no error


def test_weights_add_up_by_rater(tmp_path: Path) -> None:
    path = mqm(
        tmp_path,
        error("Accuracy/Mistranslation", "Major"),
        error("Fluency/Punctuation", "Minor"),
        error("Fluency/Grammar", "Minor"),
        error("Style/Awkward", "Neutral"),
        error("Non-translation!", "Major", rater="r2"),
        error("No-error", "No-error", segment=2),
    )
    table = read_mqm(path).judgements
    assert list(zip(table.segment, table.annotator, strict=True)) == [("1", "r1"), ("1", "r2"), ("2", "r1")]
    assert table.score.tolist() == pytest.approx([-6.1, -25.0, 0.0])
    changed = read_mqm(path, weights={"Major": 10, "Fluency": 0}).judgements
    assert changed.score.tolist() == pytest.approx([-10.1, -25.0, 0.0])  # the more exact rule stays


def test_quotation_marks_are_text(tmp_path: Path) -> None:
    table = read_mqm(mqm(tmp_path, error("Style", "Minor", target='"Ein <v>Hund"</v> bellt'))).judgements
    assert table.spans == ((Span(5, 10, "Minor", "Style", False, 1.0),),)
    assert '"Ein Hund" bellt'[5:10] == 'Hund"'


def test_weights_are_complete(tmp_path: Path) -> None:
    assert read_mqm(mqm(tmp_path, error("Style", "Critical"))).judgements.score.tolist() == [-25.0]
    path = mqm(tmp_path, error("Style", "Severe"))
    with pytest.raises(InputError, match=r"mqm\.tsv: line 2: there is no weight for severity 'Severe'"):
        read_mqm(path)
    assert read_mqm(path, weights=MQMWeights.of({"severe": 10})).judgements.score.tolist() == [-10.0]


def test_wrong_rows_of_mqm(tmp_path: Path) -> None:
    twice = error("Style", "Minor")
    assert read_mqm(mqm(tmp_path, twice, twice)).judgements.score.tolist() == [-2.0]
    with pytest.raises(InputError, match=r"line 3 repeats line 2"):
        read_mqm(mqm(tmp_path, twice, twice), duplicates="refuse")
    once = read_mqm(mqm(tmp_path, twice, twice), duplicates="leave out")
    assert once.judgements.score.tolist() == [-1.0]
    assert once.coverage.left_out[0].first_line == 3
    with pytest.raises(InputError, match=r"line 2: has 8 fields, but the header names 9 columns"):
        read_mqm(mqm(tmp_path, twice.rpartition("\t")[0]))
    with pytest.raises(InputError, match=r"line 1: the header has no column 'severity'"):
        read_mqm(written(tmp_path, "x.tsv", HEADER.rpartition("\t")[0]))
    with pytest.raises(InputError, match=r"line 3: segment 1 belongs to document 'e', but on line 2 to 'd'"):
        read_mqm(mqm(tmp_path, twice, twice.replace("\td\t", "\te\t")))


# ---- pearmut


def test_the_pearmut_sample(formats: Path) -> None:
    table = read_pearmut(formats / "pearmut.jsonl").judgements
    assert (table.annotator[0], table.system[0], table.segment[0]) == ("alice", "GPT-4", "1")
    assert table.score.tolist() == [85.0]
    assert table.spans == ((Span(11, 17, "minor"),),)  # 16 is inclusive there
    assert table.seconds is not None
    assert table.seconds.tolist() == [45.0]


def item(**changed: object) -> str:
    given: dict[str, object] = {
        "user_id": "ann",
        "item_i": 3,
        "annotation": {"A": {"score": 80}, "B": {"score": None, "error_spans": []}},
        "time": 30,
    }
    return json.dumps(given | changed)


def test_several_systems_at_once(tmp_path: Path) -> None:
    found = read_pearmut(written(tmp_path, "p.jsonl", item()))
    assert list(found.judgements.system) == ["A"]
    assert found.judgements.seconds is not None
    assert found.judgements.seconds.tolist() == [15.0]
    assert "1 left out: no score, first on line 1" in str(found.coverage)
    scored = read_pearmut(written(tmp_path, "p.jsonl", item()), weights={})
    assert scored.judgements.score.tolist() == [80.0, 0.0]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", r"line 2: is not JSON"),
        ("[]", r"line 2: holds a list, where an object"),
        (item(item_i=-1), r"line 2: item_i -1 is not a whole number"),
        (item(annotation={}), r"line 2: there is no annotation"),
        (item(annotation={"A": {"score": "x"}}), r"line 2: the score 'x' of 'A' is not a finite number"),
        (item(annotation={"A": {"score": float("nan")}}), r"line 2: NaN is not JSON"),
        (item(user_id=None), r"line 2: the user_id is empty"),
        (item(time="long"), r"line 2: the time 'long' is not a number of seconds"),
        (item(annotation={"A": {"score": 1, "error_spans": [{"start_i": 5, "end_i": 2}]}}), r"from 5 to 2"),
        (item(item_i=0), r"line 2 repeats line 1: the same judgement twice"),
    ],
)
def test_wrong_items_of_pearmut(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_pearmut(written(tmp_path, "p.jsonl", item(item_i=0), line))


# ---- plain tables


def test_a_plain_table_with_all_columns(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "da.tsv",
        "system\tsegment\tscore\tannotator\tkind\tdocument\tstart\tseconds",
        "A\t1\t70.1\tann\tgenuine\td1\t\t10",
        "B\t1\t33.333333333333336\tbob\tdegraded\td1\t1.5\t11",
        "A\t1\t71\tann\trepeat\t\t2e9\t12",
    )
    reading = read_judgements(path)
    assert not reading.coverage.left_out
    found = reading.judgements
    assert found.score.tolist() == [70.1, 33.333333333333336, 71.0]
    assert found.counts() == {"genuine": 1, "repeat": 1, "degraded": 1, "reference": 0}
    assert found.document is not None
    assert list(found.document) == ["d1", "d1", ""]
    assert found.start is not None
    assert np.array_equal(found.start, [np.nan, 1.5, 2e9], equal_nan=True)
    assert found.seconds is not None
    assert found.seconds.tolist() == [10, 11, 12]
    assert (list(found.annotator), list(found.system)) == (["ann", "bob", "ann"], ["A", "B", "A"])


def test_columns_nobody_asked_for(tmp_path: Path) -> None:
    path = written(tmp_path, "da.tsv", "Segment\tSYSTEM\tscore\tmood", "1\tA\t5\tgood", "1\tA\t5\tgood")
    found = read_judgements(path)
    assert len(found.judgements) == 2  # without annotators the same row may come twice
    assert "columns not used: mood" in str(found.coverage)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["system\tsegment", "A\t1"], r"line 1: the header has no column 'score'"),
        (["system\tsegment\tscore\tscore", "A\t1\t2\t3"], r"line 1: the column 'score' occurs twice"),
        (["system\tsegment\tscore", "A\t1"], r"line 2: has 2 fields, but the header names 3 columns"),
        (["system\tsegment\tscore", "A\t1\tnan"], r"line 2: the score 'nan' is not a finite number"),
        (["system\tsegment\tscore", "A\t\t5"], r"line 2: the segment is empty"),
        (["system\tsegment\tscore\tkind", "A\t1\t5\tbad"], r"line 2: there is no item type 'bad'"),
        (["system\tsegment\tscore"], r"there are no judgements in this file"),
        (
            ["system\tsegment\tscore\tannotator", "A\t1\t5\tann", "A\t1\t5\tann"],
            r"line 3 repeats line 2: the same judgement twice",
        ),
    ],
)
def test_wrong_plain_tables(tmp_path: Path, rows: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_judgements(written(tmp_path, "da.tsv", *rows))


def test_some_of_the_judgements() -> None:
    table = Judgements.of(
        system=["A", "B", "B"],
        segment=["1", "1", "2"],
        score=[1, 2, 3],
        annotator=["x", "y", "z"],
        kind=["genuine", "genuine", "repeat"],
        spans=[(), (Span(0, 1, "minor"),), ()],
    )
    assert table.where(2) == "judgements: judgement 3"
    some = table.take(np.array([False, True, True]))
    assert (some.system.names, list(some.annotator), some.document) == (("B",), ["y", "z"], None)
    assert (some.score.tolist(), some.kind.tolist()) == ([2, 3], [0, 1])
    assert some.spans == ((Span(0, 1, "minor"),), ())
    assert table.of_kind("repeat").score.tolist() == [3]
    with pytest.raises(InputError, match=r"judgements: judgement 1: the score nan"):
        Judgements.of(system=["A"], segment=["1"], score=[float("nan")])
    with pytest.raises(InputError, match="1 scores, but 2 values of system"):
        Judgements.of(system=["A", "B"], segment=["1"], score=[1])
    with pytest.raises(InputError, match="no item type 'bad'"):
        Judgements.of(system=["A"], segment=["1"], score=[1], kind=["bad"])
