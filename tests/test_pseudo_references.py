"""Outputs of other systems as references: the same numbers as any reference, said in signatures, never one's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tertium as tt
from tertium.cli import main
from tertium.errors import InputError
from tertium.io.door import Files
from tertium.published import parse
from tertium.registry import from_signature, metric
from tertium.text.segments import References
from tertium.verifying import verify

SPECS = ["bleu", "chrf++", "ter", "tskm:seq", "macrof1"]
SAMPLE = tt.TestSet.sample()


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    sides = {"ref": SAMPLE.references.streams[0], **SAMPLE.systems, "src": SAMPLE.sources}
    for name, lines in sides.items():
        assert lines is not None
        Path(name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    Path("ids").write_text("".join(f"{name}\n" for name in SAMPLE.documents or ()), "utf-8")
    return tmp_path


def printed(call: str, capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    assert main([*call.split(), "-f", "json", "-q"]) == 0
    found = json.loads(capsys.readouterr().out)
    return found if isinstance(found, list) else [found]


@pytest.mark.parametrize("level", ["corpus", "segment", "document"])
def test_they_count_as_references_do(texts: Path, level: str) -> None:
    reference, other = (
        list(map(str, SAMPLE.references.streams[0])),
        list(map(str, SAMPLE.systems["smooth"])),
    )
    hypotheses = SAMPLE.systems["strong"]
    how = {"level": level, "documents": SAMPLE.documents}
    both = tt.score(hypotheses, [reference, other], SPECS, **how)  # type: ignore[arg-type]
    one = tt.score(hypotheses, reference, SPECS, pseudo_references={"smooth": other}, **how)  # type: ignore[arg-type]
    alone = tt.score(hypotheses, None, SPECS, pseudo_references={"smooth": other}, **how)  # type: ignore[arg-type]
    plain = tt.score(hypotheses, other, SPECS, **how)  # type: ignore[arg-type]
    assert [own.values for own in one] == [own.values for own in both]
    assert [own.values for own in alone] == [own.values for own in plain]
    assert all("nrefs:1|pseudo:smooth|" in own.signature for own in one)
    assert all("nrefs:0|pseudo:smooth|" in own.signature for own in alone)


def test_files(texts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (one,) = printed("score ref -i strong -m bleu --pseudo-references other=smooth", capsys)
    (two,) = printed("score ref smooth -i strong -m bleu", capsys)
    assert one["score"] == two["score"]
    assert "nrefs:1|pseudo:other|" in str(one["signature"])
    (alone,) = printed("score -i strong -m bleu --pseudo-references other=smooth", capsys)
    (same,) = printed(
        "score ref -i strong -m bleu --pseudo-references other=smooth --without-references", capsys
    )
    (plain,) = printed("score smooth -i strong -m bleu", capsys)
    assert alone["score"] == same["score"] == plain["score"]
    assert alone["signature"] == same["signature"]
    assert "nrefs:0|pseudo:other|" in str(alone["signature"])
    (named,) = printed("score ref -i strong smooth -m bleu --pseudo-references smooth", capsys)
    assert named["score"] == one["score"]  # smooth is not scored any more


def test_documents_and_metrics_of_documents(texts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    common = "-i strong -m doc:chrf --documents ids"
    (one,) = printed(f"score ref {common} --pseudo-references x=smooth", capsys)
    (two,) = printed(f"score ref smooth {common}", capsys)
    assert one["score"] == two["score"]
    assert "pseudo:x" in str(one["signature"])


def test_compare_says_it(texts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = "compare ref -i strong literal -m chrf --pseudo-references x=smooth"
    (found,) = printed(call, capsys)
    text = json.dumps(found)
    assert "nrefs:1|pseudo:x|" in text
    assert main([*call.split(), "--details"]) == 0
    tested = "score ref -i strong literal -m bleu --paired-bs --pseudo-references x=smooth -f text"
    assert main(tested.split()) == 0
    assert "|pseudo:x|" in capsys.readouterr().out


def test_signatures_are_read_back(texts: Path) -> None:
    scored = tt.score(
        SAMPLE.systems["strong"],
        SAMPLE.references.first,
        "bleu",
        pseudo_references={"online-A": SAMPLE.systems["smooth"], "two words": SAMPLE.systems["literal"]},
    ).scores[0]
    assert 'pseudo:"online-A+two words"' in scored.signature
    assert from_signature("BLEU", scored.signature) == metric("bleu")
    claim = parse(f"BLEU|{scored.signature} = {scored.value:.1f}")
    assert (claim.n_references, claim.pseudo) == (1, ("online-A", "two words"))
    files = Files(["ref"], ["strong"], pseudo=["two words=literal", "online-A=smooth"])
    found = verify([claim], files.open(whole=True))
    assert found.holds
    assert found.claims[0].signature.startswith('nrefs:1|pseudo:"online-A+two words"|')
    instead = tt.score(
        SAMPLE.systems["strong"], None, "bleu", pseudo_references={"online-A": SAMPLE.systems["smooth"]}
    ).scores[0]
    claim = parse(f"BLEU|{instead.signature} = {instead.value:.1f}")
    assert verify([claim], files.open(whole=True)).holds


def test_a_line_with_other_labels(texts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = "BLEU|nrefs:1|pseudo:online-A|case:mixed|eff:no|tok:13a|smooth:exp|tertium:0.1.0 = 50.0"
    assert main(["verify", line, "ref", "-i", "strong"]) == 2
    assert "give that output, --pseudo-references online-A=FILE" in capsys.readouterr().err
    assert main(["verify", line, "ref", "-i", "strong", "--pseudo-references", "online-A=smooth"]) == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("score ref -i strong --pseudo-references x=short", "different numbers of lines"),
        ("score ref -i strong --pseudo-references x=nowhere", "nowhere"),
        (
            "score ref -i strong smooth --pseudo-references smoth",
            "there is no system 'smoth' to take as pseudo-",
        ),
        ("score ref -i strong --pseudo-references x=strong", "no system is compared with its own output"),
        (
            "score ref -i strong --pseudo-references x=copy",
            "strong: is pseudo-reference 'x' in every segment",
        ),
        ("score ref -i strong --pseudo-references x=copy --level segment", "in every segment"),
        ("score ref -i strong --pseudo-references strong", "all systems are pseudo-references: none is left"),
        ("score ref -i strong --pseudo-references strong=smooth", "has the name of a system"),
        (
            "score ref -i strong --pseudo-references x=smooth x=literal",
            "two pseudo-references are called 'x'",
        ),
        ("score ref -i strong --pseudo-references a+b=smooth", "is a name without +"),
        ("score ref -i strong --pseudo-references =smooth", "is a name without +"),
        ("score ref -i strong --without-references", "--without-references needs pseudo-references"),
        ("score -i strong", "there are no references"),
        ("compare ref -i strong smooth --pseudo-references x=copy", "in every segment"),
        ("compare ref -i strong smooth --pseudo-references smooth", "a comparison needs two or more"),
    ],
)
def test_what_cannot_be_a_pseudo_reference(
    texts: Path, capsys: pytest.CaptureFixture[str], call: str, message: str
) -> None:
    Path("short").write_text("one\ntwo\n", "utf-8")
    Path("copy").write_text(Path("strong").read_text("utf-8"), "utf-8")
    assert main([*call.split(), "-m", "chrf"]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert len(err.strip().splitlines()) == 1


def test_test_sets() -> None:
    with pytest.raises(InputError, match=r"there is no system to take as pseudo-reference: 'smoth'"):
        SAMPLE.with_pseudo_references(["smoth"])
    with pytest.raises(InputError, match="has the name of a system"):
        SAMPLE.with_pseudo_references((), {"strong": SAMPLE.systems["smooth"]})
    with pytest.raises(InputError, match=r"pseudo-reference 'x' has 1 segment, the texts have 69"):
        SAMPLE.with_pseudo_references((), {"x": ["a"]})
    with pytest.raises(InputError, match="without references there must be pseudo-references"):
        SAMPLE.with_pseudo_references(instead=True)
    with pytest.raises(InputError, match="is named twice"):
        SAMPLE.with_pseudo_references(["smooth", "smooth"])
    with pytest.raises(InputError, match="none is left"):
        SAMPLE.with_pseudo_references(list(SAMPLE.systems))
    with pytest.raises(InputError, match="strong: is pseudo-reference 'x' in every segment"):
        SAMPLE.with_pseudo_references((), {"x": SAMPLE.systems["strong"]}).score("chrf")
    made = SAMPLE.with_pseudo_references(["smooth"])
    assert made.take([0, 1]).references.pseudo == ("smooth",)
    assert made.of_documents().references.pseudo == ("smooth",)
    assert isinstance(made.references, References)
    assert "2 references, 1 pseudo-reference (smooth), sources" in repr(made)
    assert "8 documents, 1 pseudo-reference (smooth), sources" in repr(
        SAMPLE.with_pseudo_references(["smooth"], instead=True)
    )
    scores = made.score("chrf")
    assert [own.system for own in scores] == ["literal", "strong"]
    assert "nrefs:2|pseudo:smooth" in scores.scores[0].signature


def test_a_task(texts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [f"{name}\t{i}\t{0.1 * i}" for name in ("strong", "smooth", "literal") for i in range(1, 70)]
    Path("human.tsv").write_text("\n".join(["system\tsegment\tscore", *rows]), "utf-8")
    Path("task.toml").write_text(
        'name = "t"\nreferences = ["ref"]\nmetrics = ["chrf"]\nlevels = ["segment"]\n'
        'pseudo_references = ["smooth"]\nwithout_references = true\n'
        '[systems]\nstrong = "strong"\nsmooth = "smooth"\nliteral = "literal"\n[human]\nsegment = "human.tsv"\n',
        "utf-8",
    )
    assert main(["meta", "run", "task.toml", "-f", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert "nrefs:0|pseudo:smooth|" in json.dumps(found)
    assert main(["meta", "run", "task.toml", "--provenance"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "pseudo-references instead of references: smooth" in said
    text = Path("task.toml").read_text("utf-8")
    for change, message in (
        (('["smooth"]', '["nobody"]'), "there is no system to take as pseudo-reference: 'nobody'"),
        (('pseudo_references = ["smooth"]\n', ""), "without_references needs pseudo_references"),
    ):
        Path("task.toml").write_text(text.replace(*change), "utf-8")
        assert main(["meta", "run", "task.toml"]) == 2
        assert message in capsys.readouterr().err


def test_votes_on_paragraphs(texts: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Votes on a system that is a pseudo-reference are left out."""
    names = list(dict.fromkeys(SAMPLE.documents or ()))
    rows = [
        f"ann\t{name}\t{a}\t{b}\tfirst"
        for name in names
        for a, b in (("strong", "literal"), ("smooth", "strong"))
    ]
    Path("votes.tsv").write_text("\n".join(["annotator\tsegment\tfirst\tsecond\tchoice", *rows]), "utf-8")
    call = "meta paragraphs ref -i strong literal smooth --documents ids --votes votes.tsv -m chrf doc:chrf -f json"
    assert main([*call.split(), "--pseudo-references", "smooth"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["groups"][0]["pairs"] == len(names)
    assert "nrefs:1|pseudo:smooth|" in json.dumps(found["signatures"])
