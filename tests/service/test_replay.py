"""Real traffic and the office's own vectors: WMT17 replayed day by day; YiSi-1 with vectors in versions."""

from __future__ import annotations

import gzip
import json
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

import tertium as tt
from tertium.cli import main
from tertium.monitor import schema, vectors
from tertium.monitor.alarms import alarms, look
from tertium.monitor.database import ServiceDatabase
from tertium.monitor.history import Evaluations, series
from tertium.monitor.storing import kept
from tertium.service.application import application
from tertium.service.equipment import EquipmentSettings
from tertium.service.office import ServiceSettings
from tertium.service.replaying import line_of, replayed
from tertium.text.training import library
from tests.cli.test_damaged_files import small_estimator
from tests.service.site import SAMPLE, segments

SIZE, DAYS, CHANGE = 20, 80, 50


def lines(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode("utf-8").removesuffix("\n").split("\n")


def test_wmt17_as_days_of_traffic(shared: Path, tmp_path: Path) -> None:
    """Edinburgh's system translates for fifty days, then C-3MA's under the same name; the other stays."""
    folder = shared / "data" / "wmt17"
    reference = lines(folder / "references" / "newstest2017-deen-ref.en.gz")
    outputs = {path.name.split(".")[1]: path for path in (folder / "system-outputs" / "de-en").iterdir()}
    good, bad, other = (lines(outputs[name]) for name in ("uedin-nmt", "C-3MA", "online-B"))
    database = ServiceDatabase(tmp_path / "service.db")
    begin = datetime(2026, 1, 1, tzinfo=UTC)
    sent, january, draw = [], list[int](), random.Random(17)
    for day in range(DAYS):
        first = draw.randrange(len(reference) - SIZE)  # the set's own order is none of days: it grows harder
        places = list(range(first, first + SIZE))
        if day < 31:
            january += places
        for name, texts in (("ours", good if day < CHANGE else bad), ("theirs", other)):
            own = [{"mt": texts[i], "reference": reference[i]} for i in places]
            moment = (begin + timedelta(days=day)).isoformat()
            body = {"system": name, "domain": "news", "document": f"day-{day}", "time": moment}
            sent.append(line_of(**body, segments=own, metrics=["chrf"]))
    assert replayed(application(database)[1], sent, "wmt17") == 2 * DAYS
    while look(database):
        pass
    found = alarms(database, Evaluations())
    assert [(own["system"], own["change"]) for own in found] == [("ours", "worse")]
    assert begin + timedelta(days=CHANGE) < datetime.fromtimestamp(found[0]["time"], UTC)
    [months] = series(database, Evaluations(system="theirs"), "chrf", "month")
    whole = tt.score([other[i] for i in january], [reference[i] for i in january], "chrf").scores[0].value
    assert months["points"][0]["value"] == whole
    database.close()


def test_vectors_in_versions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    place, corpus = tmp_path / "office", tmp_path / "own.txt"
    corpus.write_text(
        "\n".join(str(text) for stream in SAMPLE.references.streams for text in stream), "utf-8"
    )
    assert main(["monitor", "init", str(place), "--lang", "en", "--train", str(corpus)]) == 0
    database = ServiceDatabase(place / "service.db")
    office = application(database)[1]

    def send(document: str) -> dict[str, Any]:
        replayed(office, [line_of(system="s", document=document, segments=segments())], document)
        [row] = database.rows(select(func.max(schema.evaluations.c.id).label("id")))
        return {own["metric"]: own for own in kept(database, row.id)["scores"]}

    first = send("a")
    assert list(first) == ["chrf", "ter", "yisi1:weight=length"], "by meaning, too"
    path = vectors.versions(database)[0]["path"]
    spec = f'yisi1:vectors="{path}",weight=length'
    outputs, references = ([own[side] for own in segments()] for side in ("mt", "references"))
    texts = tt.TestSet.of(references_per_segment=references, systems={"mt": outputs})
    assert first["yisi1:weight=length"]["value"] == texts.score(spec).scores[0].value, "as the command line"
    assert main(["monitor", "vectors", str(place)]) == 2
    assert "vectors are trained on 200 at least" in capsys.readouterr().err
    monkeypatch.setattr(vectors, "LEAST", 10)
    assert main(["monitor", "vectors", str(place)]) == 0
    assert "series of YiSi-1 begin anew" in capsys.readouterr().out
    office._chosen = None
    send("b")
    both = series(database, Evaluations(), "yisi1:weight=length", "batch")
    assert len(both) == 2, "another series"
    assert "other settings" in both[0]["note"]
    assert not both[1]["note"]
    assert main(["monitor", "vectors", str(place), "--list"]) == 0
    assert "version 2" in capsys.readouterr().out
    written = {text for own in references for text in own}
    assert [own["origin"] for own in vectors.versions(database)] == [
        f"trained by {library()} on own.txt",
        f"trained on {len(written)} references of the service by {library()}",
    ]
    assert json.dumps(kept(database, 1))
    database.close()


def test_without_references_an_estimator_speaks(tmp_path: Path) -> None:
    """The one that the office's settings name, where a call names no metrics; the numbers are the command line's."""
    (tmp_path / "small.qe").write_bytes(small_estimator())
    (tmp_path / "office.toml").write_text("[estimate]\nmodel = 'small.qe'\n", "utf-8")
    equipment = EquipmentSettings.load(str(tmp_path / "office.toml"))
    database = ServiceDatabase(tmp_path / "service.db")
    office = application(database, ServiceSettings(equipment=equipment))[1]
    sources, outputs = ["Open the file", "Save it"], ["Öffnen Sie die Datei", "Speichern"]
    own = [{"source": source, "mt": mt} for source, mt in zip(sources, outputs, strict=True)]
    assert replayed(office, [line_of(system="s", document="d", segments=own)], "lines") == 1
    found = kept(database, 1)
    [score] = found["scores"]
    spec = f'estimate:estimator="{tmp_path / "small.qe"}"'
    texts = tt.TestSet.of([""] * 2, {"mt": outputs}, sources=sources)
    assert score["metric"] == "estimate"
    assert score["value"] == texts.score(spec).scores[0].value
    assert score["segments"] == texts.score(spec, level="segment").scores[0].values
    assert found["phrases"] is None
    [one] = series(database, Evaluations(), "estimate", "day")
    assert one["points"][0]["value"] == score["value"]
    database.close()
