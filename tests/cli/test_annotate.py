"""`tertium annotate`: from a campaign file to the analysis, by commands alone."""

from __future__ import annotations

import json
import socket
import sys
import zipfile
from pathlib import Path

import openpyxl
import pytest

from tertium.cli import main

CAMPAIGN = """name = "harbour"
design = "direct-assessment"
testset = "sample"
languages = "de-en"

[annotators]
names = ["Ann", "Ben"]
items = 20
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "campaign.toml").write_text(CAMPAIGN)
    return tmp_path


def test_a_campaign_by_commands(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["annotate", "create", "campaign.toml", "--dry-run"]) == 0
    assert not (here / "campaigns.db").exists()
    assert main(["annotate", "create", "campaign.toml"]) == 0
    out = capsys.readouterr().out
    assert "administrator's password (shown only once)" in out
    assert "4 repeat, 4 degraded, 4 reference" in out
    assert main(["annotate", "links", "--url", "https://judge.example.org/"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("\t")[0] for line in lines] == ["annotator", "Ann", "Ben"]
    assert lines[1].split("\t")[1].startswith("https://judge.example.org/a/1.")
    assert main(["annotate", "sheets", "--out", "sheets"]) == 0
    sheets = capsys.readouterr().out.split()
    for place, path in enumerate(sheets):
        book = openpyxl.load_workbook(path)
        for row in book["Judgements"].iter_rows(min_row=2):
            row[3].value = (len(str(row[2].value)) * 7 + place) % 101
        book.save(path)
    assert main(["annotate", "sheets", *sheets]) == 0
    assert capsys.readouterr().out == "Ann: 20 of 20 items answered\nBen: 20 of 20 items answered\n"
    assert main(["annotate", "export", "-f", "jsonl"]) == 0
    judged = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(judged) == 40
    for one in judged:
        assert one["answer"]["score"] is not None
    assert main(["annotate", "export", "-f", "mtme"]) == 0
    assert zipfile.is_zipfile(here / "harbour.mtme.zip")
    assert main(["annotate", "export", "-f", "csv", "-o", "all.csv"]) == 0
    assert len((here / "all.csv").read_text().splitlines()) == 41
    capsys.readouterr()
    assert main(["annotate", "analyse", "-f", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["judgements"] == 40
    assert set(found["scores"]["systems"]) == {"literal", "smooth", "strong"}
    # What people judged goes on to `tertium meta`, by Tertium's own table and by Appraise's.
    for shape, file in (("judgements", "mine.tsv"), ("appraise", "mine.csv")):
        assert main(["annotate", "export", "-f", shape, "-o", file]) == 0
        everybody = ["--keep-everybody"] if found["scores"]["nobody_passed"] else []
        assert main(["meta", "gold", file, "-f", "json", *everybody]) == 0
        gold = json.loads(capsys.readouterr().out)
        for system, own in found["scores"]["systems"].items():
            assert gold["assessment"]["systems"][system]["ave_z"] == pytest.approx(own["ave_z"], abs=1e-12)
    for shown in ("table", "tsv", "markdown", "latex"):
        assert main(["annotate", "analyse", "-f", shown]) == 0
        assert "strong" in capsys.readouterr().out
    assert main(["annotate", "token"]) == 0
    assert len(capsys.readouterr().out.strip()) > 40
    assert main(["annotate", "language", "fr"]) == 0
    assert '"Undo" = "Annuler"' in capsys.readouterr().out
    assert main(["annotate", "language", "tlh"]) == 2


def test_the_password(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["annotate", "create", "campaign.toml"]) == 0
    monkeypatch.setenv("TERTIUM_ANNOTATE_PASSWORD", "short")
    assert main(["annotate", "password"]) == 2
    monkeypatch.setenv("TERTIUM_ANNOTATE_PASSWORD", "long enough for us")
    assert main(["annotate", "password"]) == 0
    from tertium.app.access import Access
    from tertium.app.database import CampaignDatabase

    database = CampaignDatabase("campaigns.db")
    assert Access(database).login("long enough for us") is not None
    database.close()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["annotate", "creat"], "no command 'creat'; did you mean 'create'"),
        (["annotate", "create", "nothing.toml"], "nothing.toml: no such campaign file"),
        (["annotate", "links"], "there is no such database"),
        (["annotate", "analyse", "--db", "nothing.db"], "there is no such database"),
        (["annotate", "sheets"], "give either --output FOLDER or filled-in sheets"),
        (["annotate", "serve", "--db", "nothing.db"], "there is no such database"),
        (["annotate", "serve", "--db", "nothing.db", "--workers", "2"], "there is no such database"),
        (
            ["annotate", "serve", "--db", "campaign.toml"],
            "the database cannot be opened: file is not a database",
        ),
        *(
            (
                ["annotate", "serve", "--db", "postgresql://me:secret@127.0.0.1:1/x", "--workers", workers],
                "me:***@127.0.0.1:1/x: the database cannot be opened: connection failed",
            )
            for workers in ("1", "3")
        ),
    ],
)
def test_one_line_and_status_two(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(arguments) == 2
    out, error = capsys.readouterr()
    assert message in error
    assert len(error.splitlines()) == 1
    assert out == ""


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_port_that_is_taken(here: Path, capsys: pytest.CaptureFixture[str], workers: str) -> None:
    assert main(["annotate", "create", "campaign.toml"]) == 0
    capsys.readouterr()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["annotate", "serve", "--port", f"{port}", "--workers", workers]) == 2
    out, error = capsys.readouterr()
    expected = f"tertium: 127.0.0.1, port {port}: the server cannot listen there: address already in use\n"
    assert (out, error) == ("", expected)


def test_without_the_extra(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sqlalchemy", None)
    assert main(["annotate", "create", "campaign.toml"]) == 2
    assert capsys.readouterr().err == "tertium: annotation needs an extra: pip install 'tertium[app]'\n"
    assert main(["annotate"]) == 0  # help is always there


def test_nothing_is_made_of_a_bad_file(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "campaign.toml").write_text(CAMPAIGN.replace("items = 20", "itmes = 20"))
    assert main(["annotate", "create", "campaign.toml"]) == 2
    assert "campaign.toml: line 8: annotators.itmes: unknown key" in capsys.readouterr().err
    (here / "campaign.toml").write_text(CAMPAIGN.replace("items = 20", "items = 2000"))
    assert main(["annotate", "create", "campaign.toml"]) == 2
    assert "too few items" in capsys.readouterr().err
    assert not (here / "campaigns.db").exists()
    (here / "campaign.toml").write_text(CAMPAIGN)
    assert main(["annotate", "create", "campaign.toml"]) == 0
    assert main(["annotate", "create", "campaign.toml"]) == 2
    assert "already" in capsys.readouterr().err


def test_analysing_nothing(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["annotate", "create", "campaign.toml"]) == 0
    capsys.readouterr()
    assert main(["annotate", "analyse"]) == 2
    assert "there are no judgements yet" in capsys.readouterr().err
