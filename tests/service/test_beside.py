"""Adaptive translation over HTTP, and campaigns of judgement under the same address."""

from __future__ import annotations

from pathlib import Path

import httpx2
import pytest

from tertium.app.access import Access
from tertium.app.database import CampaignDatabase
from tertium.cli import main
from tertium.client import Client, ServiceError
from tertium.io.records import json_line
from tertium.monitor.database import ServiceDatabase
from tertium.monitor.keys import ServiceKeys
from tertium.service.application import application
from tertium.service.equipment import EquipmentSettings
from tertium.service.office import ServiceSettings
from tests.service.serving import served

UNITS = [
    {
        "source": f"Open file {n}",
        "target": f"Ouvrir le fichier {n}",
        "source_language": "en",
        "target_language": "fr",
    }
    for n in range(20)
]


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("adaptive")
    (folder / "units.jsonl").write_text("".join(map(json_line, UNITS)), "utf-8")
    assert main(["memory", "import", str(folder / "units.jsonl"), "-o", str(folder / "m.db"), "-q"]) == 0
    return folder / "m.db"


def office(folder: Path, settings: str) -> tuple[ServiceDatabase, dict[str, str], EquipmentSettings]:
    (folder / "office.toml").write_text(settings, "utf-8")
    database = ServiceDatabase(folder / "service.db")
    keys = ServiceKeys(database)
    tokens = {scope: keys.create(scope, [scope]) for scope in ("read", "write", "administer")}
    return database, tokens, EquipmentSettings.load(folder / "office.toml")


def test_a_correction_is_known_to_the_next_translation_and_after_a_restart(
    tmp_path: Path, memory: Path
) -> None:
    toml = f'[memory]\nfile = "{memory}"\n[adapt]\nfolder = "learnt"\n'
    database, tokens, equipment = office(tmp_path, toml)
    text, better = "Close the window at once", "Fermez la fenêtre tout de suite"
    for turn in range(2):
        app, office_app = application(database, ServiceSettings(equipment=equipment))
        with served(app) as url:
            client = Client(url, tokens["administer"])
            assert client.translate("Open file 7")["translation"] == "Ouvrir le fichier 7"
            found = client.translate(text, client="acme")
            assert (found["translation"] == better) == bool(turn), "what was learnt is in the folder"
            if not turn:
                assert client.correct(text, better, client="acme")["learnt"]
                assert client.translate(text, client="acme")["translation"] == better
                with pytest.raises(ServiceError):
                    client.correct(text, " ")
                with pytest.raises(ServiceError) as refused:
                    Client(url, tokens["read"]).correct(text, better)
                assert refused.value.status == 403
                done = client.analyse("new.txt", f"{text}\n")
                [segment] = done["segments"]
                proposed = {own["target"] for own in segment["proposals"]}
                assert (segment["origin"], proposed) == ("machine", {better}), "analyses ask the system, too"
            else:
                assert client.state()["corrections"] > 0
                assert client.forget() == client.state()
                assert client.translate(text, client="acme")["translation"] != better
        office_app.equipment.adaptive().close()
    database.close()


def test_campaigns_beside_the_office(tmp_path: Path) -> None:
    campaigns = CampaignDatabase(tmp_path / "campaigns.db")
    token = Access(campaigns).new_script_token()
    campaigns.close()
    database, tokens, equipment = office(tmp_path, '[annotate]\nfile = "campaigns.db"\n')
    with served(application(database, ServiceSettings(equipment=equipment))[0]) as url:
        assert httpx2.get(f"{url}/api/campaigns", headers={"authorization": f"Bearer {token}"}).json() == []
        assert httpx2.get(f"{url}/api/campaigns").status_code == 401
        assert "password" in httpx2.get(f"{url}/admin/login").text.lower()
        assert httpx2.get(f"{url}/admin").status_code == 303
        assert httpx2.get(f"{url}/static/work.js").status_code == 200
        assert httpx2.get(f"{url}/static/dashboard.css").status_code == 200
        assert Client(url, tokens["read"]).evaluations() == []
        assert httpx2.get(f"{url}/workshop").status_code == 404, "the office's own"
    database.close()


def test_what_is_not_there_is_said_before_anything_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], memory: Path
) -> None:
    assert main(["monitor", "init", str(tmp_path)]) == 0
    for toml, said in (
        ('[annotate]\nfile = "none.db"\n', "no such database"),
        ("[annotate]\n", "file or url"),
        ('[adapt]\nfolder = "a"\nsystem = "magic"\n', "unknown system 'magic'"),
        ('[adapt]\nfolder = "a"\nsystem = "memory+static"\n', "needs a machine translation"),
    ):
        (tmp_path / "office.toml").write_text(toml, "utf-8")
        capsys.readouterr()
        assert main(["serve", str(tmp_path)]) == 2
        assert said in capsys.readouterr().err
    database, tokens, _ = office(tmp_path, "")
    with (
        served(application(database)[0]) as url,
        pytest.raises(ServiceError, match="no adaptive system") as refused,
    ):
        Client(url, tokens["read"]).translate("a")
    assert refused.value.status == 404
    database.close()
