"""An office that has everything: a memory, a policy, an estimator, people, and a system that learns."""

from __future__ import annotations

from pathlib import Path

from tertium.cli import main
from tertium.io.records import json_line
from tertium.monitor.database import ServiceDatabase
from tertium.service.equipment import EquipmentSettings, settings_beside
from tests.cli.test_damaged_files import lines, small_estimator

TOML = """
[memory]
file = "memory.db"
policy = "policy.json"
parts = true
[estimate]
model = "edits.qe"
[assign]
people = "people.tsv"
"""
LEARNS = """
[adapt]
folder = "learnt"
"""
UNITS = [
    {
        "source": f"file {i} of the harbour",
        "target": f"Datei {i} des Hafens",
        "source_language": "en",
        "target_language": "de",
        "client": "acme",
        "document": f"d{i}",
        "translator": f"t{i % 3}",
        "date": f"2024-01-{i:02}",
    }
    for i in lines(28)
]


def equipped(folder: Path, more: str = "") -> tuple[ServiceDatabase, EquipmentSettings]:
    """The office in a folder, and what it has."""
    (folder / "jobs.jsonl").write_text("".join(map(json_line, UNITS)), "utf-8")
    assert main(["memory", "import", str(folder / "jobs.jsonl"), "-o", str(folder / "memory.db"), "-q"]) == 0
    policy = ["--since", "2024-01-08", "-o", str(folder / "policy.json"), "-q"]
    assert main(["memory", "policy", "train", str(folder / "memory.db"), *policy]) == 0
    (folder / "edits.qe").write_bytes(small_estimator(edited=True))
    (folder / "people.tsv").write_text("translator\tavailable\twords_per_day\nt0\tno\t\n", "utf-8")
    (folder / "office.toml").write_text(TOML + more, "utf-8")
    return ServiceDatabase(folder / "service.db"), EquipmentSettings.load(settings_beside(str(folder)) or "")
