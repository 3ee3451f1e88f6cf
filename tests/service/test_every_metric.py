"""Every registered metric over HTTP gives the numbers that the command line prints, to the last bit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tertium import registry
from tertium.cli import main
from tertium.monitor.database import ServiceDatabase
from tertium.monitor.keys import ServiceKeys
from tertium.service.application import application
from tertium.service.office import ServiceSettings
from tests import trees
from tests.conftest import each_metric

TEXTS = {
    "source": ["Der alte Hafen bleibt offen .", "Viele Leute standen am Ufer , obwohl es regnete ."],
    "mt": ["The old port remains open .", "Many people stood on the shore , although it was raining ."],
    "reference": ["The old harbour stays open .", "A lot of people stood on the bank although it rained ."],
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, ServiceDatabase, str]]:
    """A database, a key, and the texts as files."""
    trees.plug_in()
    folder = tmp_path_factory.mktemp("every")
    for name, lines in TEXTS.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    (folder / "documents").write_text("one\none\n", "utf-8")
    database = ServiceDatabase(folder / "service.db")
    yield folder, database, ServiceKeys(database).create("a", ["administer"])
    database.close()


def records(text: str) -> list[dict[str, Any]]:
    """What was printed: one object, a list of them, or one in each line."""
    try:
        found = json.loads(text)
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.splitlines()]
    return found if isinstance(found, list) else [found]


@pytest.mark.parametrize("spec", each_metric())
def test_the_service_says_what_the_command_line_says(
    spec: str, place: Any, supply: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    from starlette.testclient import TestClient

    folder, database, key = place
    metric = supply(registry.metric(spec))
    named = str(metric)
    app, _ = application(database, ServiceSettings(metrics=(named,)))
    body = {
        "system": "nmt",
        "document": spec,
        "segments": [dict(zip(TEXTS, own, strict=True)) for own in zip(*TEXTS.values(), strict=True)],
        "metrics": [named],
    }
    client = TestClient(app)
    answer = client.post("/v1/evaluations", json=body, headers={"authorization": f"Bearer {key}"})
    assert answer.status_code == 201, answer.text
    [score] = answer.json()["scores"]
    command = ["score", f"{folder}/reference", "-i", f"{folder}/mt", "--source", f"{folder}/source", "-q"]
    command += ["--documents", f"{folder}/documents", "-m", named, "--format", "json", "-w", "17"]
    printed = {}
    for level in ("corpus", "document" if metric.scope == "document" else "segment"):
        assert main([*command, "--level", level]) == 0, capsys.readouterr().err
        printed[level] = records(capsys.readouterr().out)
    [whole], single = printed.values()
    assert score["value"] == whole["score"]
    assert score["signature"] == whole["signature"]
    if metric.scope == "document":  # one text: its score stands at the first segment
        assert score["segments"] == [single[0]["score"], *([None] * (len(TEXTS["mt"]) - 1))]
    else:
        assert score["segments"] == [own["score"] for own in single]
