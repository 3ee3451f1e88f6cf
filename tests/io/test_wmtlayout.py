"""The folders of the WMT metrics tasks: the real ones of 2017, and made ones with everything that can be wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tertium.errors import InputError, SpecError
from tertium.io.wmtlayout import is_wmt_layout, read_wmt_human, read_wmt_layout, wmt_pairs


@pytest.fixture(scope="module")
def wmt17(shared: Path) -> Path:
    return shared / "data" / "wmt17"


@pytest.fixture
def made(tmp_path: Path) -> Path:
    for folder in ("sources", "references", "system-outputs/cs-en"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "sources" / "t-csen-src.cs").write_text("jedna\ndva\n", encoding="utf-8")
    (tmp_path / "references" / "t-csen-ref.en").write_text("one\ntwo\n", encoding="utf-8")
    for system, text in (("A.1", "one\nzwei\n"), ("B.0", "one\ntwo !\n"), ("C+", "eins\nzwei\n")):
        (tmp_path / "system-outputs" / "cs-en" / f"t.{system}.cs-en").write_text(text, encoding="utf-8")
    return tmp_path


def human(folder: Path, *rows: str, header: str = "LP DATA SYSTEM SID HUMAN") -> Path:
    path = folder / "DA.csv"
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def test_all_pairs_of_2017(wmt17: Path) -> None:
    assert is_wmt_layout(wmt17)
    pairs = wmt_pairs(wmt17)
    assert pairs == ["cs-en", "de-en", "en-cs", "en-de", "en-ru", "en-zh", "ru-en", "zh-en"]
    systems = {pair: len(read_wmt_layout(wmt17, pair).systems) for pair in pairs}
    assert systems == {
        "cs-en": 4,
        "de-en": 11,
        "en-cs": 14,
        "en-de": 16,
        "en-ru": 9,
        "en-zh": 11,
        "ru-en": 9,
        "zh-en": 16,
    }


def test_byte_order_marks_are_told(wmt17: Path) -> None:
    texts = read_wmt_layout(wmt17, "en-ru")
    assert texts.coverage.notes == (
        "newstest2017.online-A.0.en-ru.gz begins with a byte-order mark, removed",
    )
    kept = read_wmt_layout(wmt17, "en-ru", strip_bom=False)
    assert (kept.systems["online-A.0"][0] or "") == "\ufeff" + (texts.systems["online-A.0"][0] or "")
    marked = [pair for pair in wmt_pairs(wmt17) if read_wmt_layout(wmt17, pair).coverage.notes]
    assert marked == ["de-en", "en-cs", "en-de", "en-ru", "ru-en"]  # five, as data/README.md says


@pytest.mark.parametrize("pair", ["cs-en", "de-en", "en-ru", "en-zh", "ru-en", "zh-en"])
def test_segments_judged_in_2017(wmt17: Path, pair: str) -> None:
    texts = read_wmt_layout(wmt17, pair)
    found = read_wmt_human(wmt17 / "DA-seglevel.csv", pair, texts=texts)  # shared outputs are really the same
    assert found.coverage.used == 560
    assert int(found.scores.defined.sum()) == 560
    assert found.coverage.left_out[0].rows == 5 * 560
    assert len(found.scores.items) == len(texts)
    everybody = read_wmt_human(wmt17 / "DA-seglevel.csv", pair, texts=texts, shared="all")
    extra = sum(len(members) - 1 for members in found.shared.values())
    assert extra > 0
    assert int(everybody.scores.defined.sum()) == 560 + extra


def test_systems_judged_in_2017(wmt17: Path) -> None:
    scores = read_wmt_human(wmt17 / "DA-syslevel.csv", "cs-en").scores
    assert scores.system("online-A.0") == -0.068
    assert len(scores.systems) == 4
    with pytest.raises(InputError, match=r"no scores of 'en-cs'; did you mean"):
        read_wmt_human(wmt17 / "DA-seglevel.csv", "en-cs")


def test_several_references(made: Path) -> None:
    (made / "references" / "t-csen-refB.en").write_text("1\n2\n", encoding="utf-8")
    (made / "references" / "README").write_text("hello\n", encoding="utf-8")
    texts = read_wmt_layout(made, "cs-en")
    assert list(texts.references) == ["ref", "refB"]
    assert len(texts) == 2
    assert "README is not named" in str(texts.coverage)


def test_several_test_sets(made: Path) -> None:
    (made / "references" / "u-csen-ref.en").write_text("one\n", encoding="utf-8")
    (made / "system-outputs" / "cs-en" / "u.A.1.cs-en").write_text("one\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"cs-en has several test sets \(t, u\): say which"):
        read_wmt_layout(made, "cs-en")
    texts = read_wmt_layout(made, "cs-en", testset="t")
    assert list(texts.systems) == ["A.1", "B.0", "C+"]
    assert "1 left out: of a test set other than t (u.A.1.cs-en)" in str(texts.coverage)


def test_folders_by_test_set(made: Path) -> None:
    (made / "system-outputs" / "t").mkdir()
    (made / "system-outputs" / "cs-en").rename(made / "system-outputs" / "t" / "cs-en")
    assert wmt_pairs(made) == ["cs-en"]
    assert len(read_wmt_layout(made, "cs-en").systems) == 3


def test_damaged_folders(made: Path) -> None:
    outputs = made / "system-outputs" / "cs-en"
    (outputs / "t.D.0.cs-en").write_text("only one\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"t\.D\.0\.cs-en has 1 lines, but the other files have 2"):
        read_wmt_layout(made, "cs-en")
    (outputs / "t.D.0.cs-en").rename(outputs / "t.D.0.de-en")
    with pytest.raises(InputError, match=r"the name is not TESTSET\.SYSTEM\.cs-en"):
        read_wmt_layout(made, "cs-en")
    (outputs / "t.D.0.de-en").unlink()
    with pytest.raises(InputError, match=r"no system outputs for 'cs-de'; did you mean 'cs-en'"):
        read_wmt_layout(made, "cs-de")
    (made / "references" / "t-csen-ref.en").rename(made / "references" / "t-csen-ref.de")
    with pytest.raises(InputError, match="the name says csen, but its language is de"):
        read_wmt_layout(made, "cs-en")
    (made / "references" / "t-csen-ref.de").unlink()
    with pytest.raises(InputError, match="there is no reference of any set for cs-en"):
        read_wmt_layout(made, "cs-en")


def test_shared_outputs(made: Path) -> None:
    texts = read_wmt_layout(made, "cs-en")
    path = human(made, "cs-en t B.0+A.1 1 0.5", "cs-en t C+ 2 -1", "de-en t X 1 0")
    found = read_wmt_human(path, "cs-en", texts=texts)
    assert found.scores.cells() == {("B.0", "1"): 0.5, ("C+", "2"): -1.0}  # a plus may belong to a name
    assert found.shared == {("B.0", "1"): ("B.0", "A.1")}
    assert "1 outputs are shared by several systems: scored for the first of them" in str(found.coverage)
    both = read_wmt_human(path, "cs-en", texts=texts, shared="all")
    assert both.scores.system("A.1") == 0.5
    with pytest.raises(SpecError, match="first system or for all"):
        read_wmt_human(path, "cs-en", shared="none")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            ["cs-en t A.1+B.0 2 0.5"],
            r"line 2: A\.1 and B\.0 should share an output, but they differ in segment 2",
        ),
        (
            ["cs-en t A.1 1 1", "cs-en t A.1 1 2"],
            r"line 3 scores system 'A\.1', segment 1 again \(first on line 2\)",
        ),
        (["cs-en t A.1 1 nan"], r"line 2: the score 'nan' is not a finite number"),
        (["cs-en t A.1 3 1"], r"line 2: segment 3 is beyond the test set, which has 2"),
        (["cs-en t A.1 x 1"], r"line 2: the segment 'x' is not a whole number"),
        (["cs-en t A.1 1"], r"line 2: has 4 fields, but the header names 5 columns"),
        (["cs-en t D 1 1"], r"line 2: there is no output of system 'D'"),
    ],
)
def test_wrong_rows_are_named(made: Path, rows: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read_wmt_human(human(made, *rows), "cs-en", texts=read_wmt_layout(made, "cs-en"))
    assert "DA.csv" in str(caught.value)


def test_systems_without_output_may_be_left_out(made: Path) -> None:
    texts = read_wmt_layout(made, "cs-en")
    path = human(made, "cs-en 0.5 A.1", "cs-en 0.1 gone", header="LP HUMAN SYSTEM")
    found = read_wmt_human(path, "cs-en", texts=texts, missing="leave out")
    assert found.scores.systems == ("A.1",)
    assert "1 left out: no output of system gone, first on line 3" in str(found.coverage)
    assert "system B.0 has outputs but no human score" in str(found.coverage)
    with pytest.raises(InputError, match=r"line 1: the header has no column 'human'"):
        read_wmt_human(human(made, "x", header="LP SYSTEM SCORE"), "cs-en")


def test_a_test_set_of_references_alone_is_skipped_with_a_note(tmp_path: Path) -> None:
    """As WMT17's newstestB2017: a second reference set of English-Finnish that nobody translated."""
    for folder in ("sources", "references", "system-outputs/en-fi"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("newstest2017", "newstestB2017"):
        (tmp_path / "references" / f"{name}-enfi-ref.fi").write_text("yksi\n")
    (tmp_path / "sources" / "newstest2017-enfi-src.en").write_text("one\n")
    (tmp_path / "system-outputs" / "en-fi" / "newstest2017.online-A.0.en-fi").write_text("yksi\n")
    found = read_wmt_layout(tmp_path, "en-fi")
    assert found.name == "newstest2017"
    assert "newstestB2017 has references but no outputs: skipped" in str(found.coverage)
