"""The probe: what it promises about itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from tertium.errors import InputError
from tertium.io.memories.formats import FORMATS
from tertium.io.memories.notes import Notes
from tertium.io.memories.unit import Unit
from tertium.memory.damages import DAMAGES
from tertium.memory.probing import MIXED, ProbedKind, probe_memory
from tests.vetting.test_judging import memory


def written(folder: Path, units: list[Unit]) -> str:
    path = folder / "memory.jsonl"
    with path.open("w", encoding="utf-8") as file:
        writer = FORMATS["jsonl"].write(file, Notes(str(path)), None)
        for unit in units:
            writer.write(unit)
        writer.finish()
    return str(path)


def value(own: ProbedKind) -> float:
    return own.average_precision or 0.0


def test_damage_is_found_and_baselines_stand_beside_it(tmp_path: Path) -> None:
    path = written(tmp_path, memory(1500))
    found = probe_memory(path, runs=4)
    assert [own.kind for own in found.kinds] == [*DAMAGES, MIXED]
    by_kind = {own.kind: own for own in found.kinds}
    other = by_kind["other target"]
    assert other.average_precision is not None
    assert other.length_ratio is not None
    assert other.average_precision > 0.95 > 0.5 > other.length_ratio
    assert other.damaged == round(0.01 * other.units)
    assert by_kind["number changed"].units == 0  # there are no numbers in this memory
    assert by_kind["number changed"].average_precision is None
    assert found == probe_memory(path, runs=4)
    whole, kinds = found.words()
    assert whole.startswith(
        f"{path}: average precision {by_kind[MIXED].average_precision:.2f} over damage of all kinds"
    )
    known = [own for own in found.kinds if own.average_precision is not None and own.kind != MIXED]
    best, least = max(known, key=value).kind, min(reversed(known), key=value).kind
    assert kinds.startswith(f"Found best: {best}")
    assert f"least: {least}" in kinds


def test_other_memories_teach_words(tmp_path: Path) -> None:
    """Words of a small memory are known from a large one."""
    (tmp_path / "large").mkdir()
    small, large = written(tmp_path, memory(60, 7)), written(tmp_path / "large", memory(2000, 8))
    alone, taught = (probe_memory(small, kinds=["truncated"], also=also, runs=6) for also in ((), (large,)))
    assert taught.units == alone.units
    assert (taught.kinds[0].average_precision or 0) >= (alone.kinds[0].average_precision or 0)


def test_errors_that_a_reader_has_named_are_no_false_alarms(tmp_path: Path) -> None:
    units = [
        Unit(
            f"{unit.source} {n % 50 + 20} of 90",
            f"{unit.target} {n % 50 + 20 + (n == 700)} de 90",
            "en",
            "fr",
        )
        for n, unit in enumerate(memory(1500))
    ]
    (tmp_path / "labels").mkdir()
    path = written(tmp_path, units)
    labels = written(tmp_path / "labels", [units[700]._replace(properties=(("label", "wrong"),))])
    before, after = (
        probe_memory(path, kinds=["number changed"], runs=4, share=0.002, labels=own)
        for own in (None, labels)
    )
    assert before.units == after.units + 1
    assert (before.kinds[0].average_precision or 0) < (after.kinds[0].average_precision or 0)


def test_what_cannot_be_probed_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, memory(10))
    with pytest.raises(InputError, match="'worse' is no kind of damage: there are other target"):
        probe_memory(path, kinds=["worse"])
    with pytest.raises(InputError, match="--share 2: must be between 0 and 1"):
        probe_memory(path, share=2)
    with pytest.raises(InputError, match="no unit has a source of 99 words or more"):
        probe_memory(path, least_words=99)
