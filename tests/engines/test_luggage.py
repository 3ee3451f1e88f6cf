"""Files that metrics name are found and can be put elsewhere, and judges travel to other processes."""

from __future__ import annotations

import dataclasses
import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import tertium as tt
from tertium import registry
from tertium.engines.luggage import FOLDER, Luggage, _arrived, _name, _packed, files_of, with_files
from tertium.engines.spark import _answer
from tertium.errors import InputError
from tertium.memory.checking import check_memory
from tests.conftest import registered

OURS = [
    spec for spec in registered() if not (registry.metric(spec).extra or registry.metric(spec).runs_programs)
]


def test_files_that_metrics_require_go_along(supply: Any) -> None:
    """Whatever the tests supply as a file is known to be one."""
    for metric in map(registry.metric, OURS):
        supplied = supply(metric)
        given = [str(getattr(supplied, name)) for name in metric.required]
        paths = {part.rpartition(":")[2] for value in given for part in value.split(";")}
        assert {path for path in paths if Path(path).exists()} <= set(files_of(supplied)), metric


def test_files_are_put_elsewhere(tmp_path: Path) -> None:
    for name in ("a.vec", "b.vec", "forms.tsv"):
        (tmp_path / name).write_text("x")
    own, other, forms = (str(tmp_path / name) for name in ("a.vec", "b.vec", "forms.tsv"))
    metric = dataclasses.replace(
        tt.metric("yisi2"), vectors=own, source_vectors=other, parses=f"{own};{other}"
    )
    moved = with_files(metric, lambda path: f"/there{path}")
    assert (moved.vectors, moved.parses) == (f"/there{own}", f"/there{own};/there{other}")
    assert set(files_of(metric)) == {own, other}
    tagged = dataclasses.replace(tt.metric("doc:tenses"), parser=f"lexicon:{forms}")
    assert files_of(tagged) == [forms]
    assert with_files(tagged, lambda path: path.replace(forms, "/f")).parser == "lexicon:/f"
    lifted = tt.metric(f"doc:yisi1:vectors={own}")
    assert files_of(lifted) == [own]
    assert files_of(tt.metric("bleu:tok=13a")) == []


def test_work_of_another_version_is_not_done() -> None:
    """Executors that come late, after all were asked, refuse it by themselves."""
    metric = tt.metric("bleu")
    assert pickle.loads(pickle.dumps(Luggage())).unpacked(metric) == metric
    with pytest.raises(InputError, match=rf"an executor has Tertium {tt.__version__}, and this is 0\.0\.9: "):
        Luggage(version="0.0.9").unpacked(metric)
    with pytest.raises(InputError, match="and this is 0"):
        _answer(("0.0.9", b""))


def test_files_and_folders_are_packed_and_unpacked(tmp_path: Path) -> None:
    folder = tmp_path / "a model"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "one").write_text("1")
    name = _name(str(folder))
    assert name.endswith(f"a_model{FOLDER}")
    there = _arrived(_packed(str(folder), name))
    assert Path(there, "deep", "one").read_text() == "1"
    assert _arrived(_packed(str(folder), name)) != there
    file = tmp_path / "file"
    file.write_text("2")
    before = _name(str(file))
    assert Path(_arrived(_packed(str(file), before))).read_text() == "2"
    file.write_text("changed")
    assert _name(str(file)) != before


def test_copies_go_when_the_process_ends(tmp_path: Path) -> None:
    code = (
        "import os; from tertium.engines.luggage import _packed; made = _packed(__file__, 'copy'); print(made);"
        "assert os.path.exists(made); child = os.fork() or exit(); os.waitpid(child, 0); assert os.path.exists(made)"
    )
    (tmp_path / "own.py").write_text(code)
    made = subprocess.run(
        [sys.executable, "-u", tmp_path / "own.py"], capture_output=True, text=True, check=True
    ).stdout.strip()
    assert made.endswith("copy")
    assert not Path(made).parent.exists()


def test_units_are_judged_alike_by_other_processes(tmp_path: Path) -> None:
    units = [
        {
            "source": f"Open {i} files in window {i % 7}",
            "target": f"Ouvrir {i + (i % 40 == 3)} fichiers dans {i % 7}",
            "source_language": "en",
            "target_language": "fr",
            "document": f"d{i // 50}",
        }
        for i in range(10_000)
    ]
    path = tmp_path / "all.jsonl"
    path.write_text("".join(json.dumps(unit) + "\n" for unit in units))
    here, there = (check_memory(str(path), top=5, engine=where).data() for where in ("local", "processes:2"))
    assert here == there
    assert here["look"] > 0
