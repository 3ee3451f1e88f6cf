"""COMET, MetricX and BLEURT by their ready-made program: with stand-ins for the packages, called as the real ones are.

The real packages pull torch or tensorflow, and their models lie where tests cannot reach. The stand-ins have the calls
and parameters of unbabel-comet 2.2, metricx24 and bleurt, and refuse any others.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from textwrap import dedent

import pytest

import tertium as tt
from tertium.cli import main
from tertium.errors import InputError, SpecError
from tertium.families.outside import Outside
from tertium.programs import neural

PACKAGES = {
    "torch/__init__.py": """
        class cuda:
            @staticmethod
            def is_available():
                return False
        class no_grad:
            def __enter__(self): pass
            def __exit__(self, *_): pass
        class tensor(list):
            def __init__(self, rows, device): super().__init__(rows)
        def ones_like(rows):
            return [[1] * len(row) for row in rows]
    """,
    "comet/__init__.py": """
        import os
        print("COMET says hello on standard output")
        class Found:
            def __init__(self, scores): self.scores = scores
        class Model:
            def predict(self, samples, batch_size, gpus, progress_bar):
                assert gpus == 0 and progress_bar is False
                print("progress")
                return Found([len(s["mt"]) + 100 * len(s.get("ref", "")) + 10000 * len(s["src"]) for s in samples])
        def load_from_checkpoint(path, local_files_only):
            assert path.endswith("model.ckpt") and local_files_only and os.environ["HF_HUB_OFFLINE"] == "1"
            return Model()
    """,
    "bleurt/__init__.py": "",
    "bleurt/score.py": """
        class BleurtScorer:
            def __init__(self, checkpoint): pass
            def score(self, *, references, candidates, batch_size):
                return [0.5 * (r == c) for r, c in zip(references, candidates, strict=True)]
    """,
    "transformers/__init__.py": """
        class AutoTokenizer:
            @classmethod
            def from_pretrained(cls, path, local_files_only):
                return lambda text, max_length, truncation: {"input_ids": [*map(ord, text), 1]}
    """,
    "metricx24/__init__.py": "",
    "metricx24/models.py": """
        class Answer:
            def __init__(self, value): self.predictions = [value]
        class MT5ForRegression:
            @classmethod
            def from_pretrained(cls, path, torch_dtype, local_files_only): return cls()
            def to(self, device): pass
            def eval(self): pass
            def __call__(self, input_ids, attention_mask):
                text = "".join(map(chr, input_ids[0]))
                assert len(attention_mask[0]) == len(input_ids[0])
                return Answer(0.0 if text == "source: Hund candidate: dog reference: dog" else 25.0)
    """,
}


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that looks like a checkpoint; the packages on the path."""
    for name, code in PACKAGES.items():
        path = tmp_path / "packages" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(code))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "packages"))
    checkpoint = tmp_path / "wmt22-comet-da" / "checkpoints" / "model.ckpt"
    checkpoint.parent.mkdir(parents=True)
    checkpoint.write_bytes(b"weights")
    return tmp_path / "wmt22-comet-da"


def score(metric: str | Outside, **options: object) -> tuple[float | None, str]:
    texts = tt.TestSet.of(["dog"], {"A": ["dog"]}, sources=["Hund"])
    found = texts.score(metric, **options)  # type: ignore[arg-type]
    return found.scores[0].value, found.scores[0].signature


def test_comet(model: Path) -> None:
    value, signature = score(f'outside:program=comet,model="{model}"')
    assert value == 3 + 100 * 3 + 10000 * 4
    assert 'program:comet|model:"comet wmt22-comet-da"' in signature
    assert "|needs:both|better:higher|" in signature
    assert str(model) not in signature
    assert 'model-hash:"unknown"' not in signature
    value, signature = score(f'outside:program=comet,model="{model}",needs=source')
    assert value == 3 + 10000 * 4
    assert "|needs:source|" in signature


def test_the_hash_is_that_of_the_model(model: Path) -> None:
    one = score(f'outside:program=comet,model="{model}"')[1]
    other = model.with_name("other")
    (other / "checkpoints").mkdir(parents=True)
    (other / "checkpoints" / "model.ckpt").write_bytes(b"other weights")
    two = score(f'outside:program=comet,model="{other}"')[1]
    hashes = [said.split("model-hash:")[1].split("|")[0] for said in (one, two)]
    assert hashes[0] != hashes[1]


def test_metricx_and_bleurt(model: Path) -> None:
    metric = tt.metric(f'outside:program=metricx,model="{model}"')
    assert not metric.higher_is_better
    assert score(metric)[0] == 0.0
    assert score(f'outside:program=bleurt,model="{model}"')[0] == 0.5


def test_the_version_of_a_package_from_a_repository(model: Path) -> None:
    """It is known by the name of the package, not by the address that it came from."""
    about = model.parent / "packages" / "BLEURT-0.0.2.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: BLEURT\nVersion: 0.0.2\n")
    signature = score(f'outside:program=bleurt,model="{model}",called=versioned')[1]
    assert '|model-version:"0.0.2"|' in signature
    assert '|versions:"bleurt=0.0.2' in signature


def test_bleurt_scores_nothing_against_no_reference(model: Path) -> None:
    with pytest.raises(SpecError, match="bleurt compares with references alone: needs=source leaves it none"):
        tt.metric(f'outside:program=bleurt,model="{model}",needs=source')
    command = shlex.join(
        [sys.executable, neural.__file__, "bleurt", "--model", str(model), "--no-references"]
    )
    with pytest.raises(InputError, match="bleurt compares with references alone: it cannot do without"):
        score(Outside(command=command, needs="source"))


def test_what_is_not_there_is_said_in_one_line(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for metric, said in {
        'outside:program=comet,model="/no/such/model"': "there is no model at /no/such/model: .* nothing is downloaded",
        'outside:program=comet,model="/no/model",python="/no/such/python"': "cannot be started",
    }.items():
        with pytest.raises(InputError, match=said) as raised:
            score(metric)
        assert "\n" not in str(raised.value)
    monkeypatch.setenv("PYTHONPATH", "")
    with pytest.raises(
        InputError, match=r"bleurt is not installed for .*: pip install git\+https://github.com"
    ):
        score(f'outside:program=bleurt,model="{model}",called=absent')
    with pytest.raises(InputError, match=r"metricx24 is not installed for .*: git clone .* PYTHONPATH"):
        score(f'outside:program=metricx,model="{model}",called=absent')
    for spec in ("outside:program=comet", "outside:model=x", "outside:program=x,model=y"):
        with pytest.raises(
            SpecError, match=r"needs a model on this disk|needs its program|program='x' is not valid"
        ):
            tt.metric(spec)


def test_what_a_package_raises_is_one_line(model: Path, tmp_path: Path) -> None:
    (tmp_path / "packages" / "comet" / "__init__.py").write_text("raise RuntimeError('no\\nluck')")
    with pytest.raises(InputError, match="reports an error: RuntimeError: no luck"):
        score(f'outside:program=comet,model="{model}",called=broken')


def test_a_score_of_a_unit_scale_is_shown_with_more_decimals(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """BLEURT's .125 is not shown as .1; chrF keeps its one decimal, and -w adds to both."""
    texts = {"ref": ["a", "b", "c", "d"], "one": ["a", "x", "y", "z"], "two": ["a", "b", "x", "y"]}
    for name, lines in texts.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    reference, *systems = (str(tmp_path / name) for name in texts)
    spec = f'outside:program=bleurt,model="{model}"'
    assert main(["score", reference, "-i", systems[0], "-m", spec, "chrf", "-b", "-f", "text"]) == 0
    assert capsys.readouterr().out.split() == ["0.125", "25.0"]
    assert main(["score", reference, "-i", *systems, "-m", spec, "chrf", "-w", "2", "-f", "text"]) == 0
    printed = capsys.readouterr().out
    assert "0.1250" in printed
    assert "50.00" in printed
    assert f"outside[{model.name}]" in printed
    assert main(["score", reference, "-i", systems[0], "-m", spec, "-sl", "-f", "text", "-b"]) == 0
    assert capsys.readouterr().out.split() == ["0.500", "0.000", "0.000", "0.000"]
    assert main(["score", reference, "-i", systems[0], "-m", spec, "-f", "json"]) == 0
    assert '"score": 0.125,' in capsys.readouterr().out


def test_another_python(model: Path, tmp_path: Path) -> None:
    """A folder with blanks, and a Python that is not ours."""
    other = tmp_path / "my python"
    other.symlink_to(sys.executable)
    metric = Outside(program="bleurt", model=str(model), python=str(other))
    assert shlex.split(metric._command)[0] == str(other)
    assert score(metric)[0] == 0.5
    assert tt.metric(str(metric)) == metric
