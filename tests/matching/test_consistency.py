"""Terms inside a document: a proposal that translates one otherwise is flagged, and the document's own choice wins."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tertium.cli import main
from tertium.errors import InputError
from tertium.matching.matched import MatchedDocument
from tertium.matching.matching import match_document
from tests.matching.test_matching import memory

FILLERS = {
    "cable": "câble", "battery": "batterie", "camera": "caméra", "router": "routeur", "sensor": "capteur",
    "pump": "pompe", "valve": "vanne", "pipe": "tuyau", "filter": "filtre", "window": "fenêtre",
}  # fmt: skip
VERBS = {"Clean": "Nettoyez", "Replace": "Remplacez", "Inspect": "Inspectez", "Remove": "Retirez"}
SCREEN, SCREEN_OTHER = "écran", "moniteur"


def term_rows() -> list[dict[str, str]]:
    """Two translations of *display*; all other words have one."""
    made = [
        {"source": f"{verb} the {noun}", "target": f"{own} le {word}"}
        for verb, own in VERBS.items()
        for noun, word in FILLERS.items()
    ]
    for verb, own in VERBS.items():
        made.append({"source": f"{verb} the display", "target": f"{own} le {SCREEN}", "date": "2020-01-01"})
        made.append(
            {"source": f"{verb} the display", "target": f"{own} le {SCREEN_OTHER}", "date": "2021-01-01"}
        )
    made.append({"source": "Unplug the display slowly today", "target": f"Débranchez le {SCREEN} lentement"})
    return made


def matched(tmp_path: Path, lines: list[str], **how: object) -> MatchedDocument:
    path = memory(tmp_path, term_rows())
    document = tmp_path / "new.txt"
    document.write_text("\n".join(lines) + "\n")
    return match_document(str(document), path, **how)  # type: ignore[arg-type]


def test_the_choice_made_earlier_wins_among_equals(tmp_path: Path) -> None:
    lines = ["Unplug the display slowly today", "Clean the display", "Inspect the pump"]
    plain = matched(tmp_path, lines)
    assert plain.segments[1].proposals[0].target == f"Nettoyez le {SCREEN_OTHER}"  # the newest
    assert all(not one.terms for own in plain.segments for one in own.proposals)
    first, second, last = matched(tmp_path, lines, terms=True).segments
    assert not any(one.terms for one in first.proposals[:1])
    kept, other = second.proposals[:2]
    assert (kept.target, kept.terms) == (f"Nettoyez le {SCREEN}", ())
    assert other.target == f"Nettoyez le {SCREEN_OTHER}"
    flag = other.terms[0]
    assert (flag.term, flag.proposed, flag.chosen, flag.segment) == ("display", SCREEN_OTHER, SCREEN, 1)
    assert f"“display” is {SCREEN_OTHER} here, but {SCREEN} in segment 1" in other.reasons
    assert not any(one.terms for one in last.proposals)


def test_articles_and_plurals_are_no_other_choice(tmp_path: Path) -> None:
    rows = [
        {
            **row,
            "target": row["target"].replace("le écran", "l’écran").replace("Nettoyez l’", "Nettoyez les "),
        }
        for row in term_rows()
        if SCREEN_OTHER not in row["target"]
    ]
    path, document = memory(tmp_path, rows), tmp_path / "new.txt"
    document.write_text("Inspect the display\nClean the displays\nReplace the display\n")
    found = match_document(str(document), path, terms=True)
    assert [own.proposals[0].target for own in found.segments][1:] == [
        "Nettoyez les écran",
        "Remplacez l’écran",
    ]
    assert not any(one.terms for own in found.segments for one in own.proposals)


def test_a_better_proposal_is_flagged_but_stays(tmp_path: Path) -> None:
    """What is far more alike comes first, whatever its terms."""
    path = memory(
        tmp_path,
        [
            *(row for row in term_rows() if row["target"] != f"Nettoyez le {SCREEN}"),
            {"source": "Clean the old display of the camera", "target": f"Nettoyez le vieil {SCREEN}"},
        ],
    )
    document = tmp_path / "new.txt"
    document.write_text("Unplug the display slowly today\nClean the display\n")
    second = match_document(str(document), path, terms=True).segments[1]
    assert second.proposals[0].rate == 100
    assert [flag.chosen for flag in second.proposals[0].terms] == [SCREEN]


def test_a_glossary_decides(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    glossary, out = tmp_path / "terms.tsv", tmp_path / "out.jsonl"
    glossary.write_text(f"display\t{SCREEN}\n")
    found = matched(tmp_path, ["Replace the displays", "Clean the display"], glossary=str(glossary))
    own = found.segments[1].proposals
    assert own[0].target == f"Nettoyez le {SCREEN}"
    assert f"“display” is {SCREEN_OTHER} here, but {SCREEN} in the glossary" in own[1].reasons
    document = str(tmp_path / "new.txt")
    call = ["memory", "match", document, "--memory", found.memory, "--glossary", str(glossary), "-q"]
    assert main([*call, "-o", str(out)]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "translate a term otherwise than the document" in printed
    last = json.loads(out.read_text("utf-8").splitlines()[1])
    assert last["proposals"][1]["terms"][0]["chosen"] == SCREEN
    glossary.write_text("display\n")
    with pytest.raises(InputError, match="line 1"):
        matched(tmp_path, ["Clean the display"], glossary=str(glossary))
