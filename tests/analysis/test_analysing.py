"""Documents before their translation: statuses, work with an interval that holds, XLIFF and page."""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from tertium.analysis.analysing import Analyst, Staffing
from tertium.analysis.effort import NEW, READING, REPEATED, THERE, Portion, cost, effort_of
from tertium.analysis.experience import Experience
from tertium.analysis.pretranslated import pretranslated
from tertium.cli import main
from tertium.errors import InputError
from tertium.io.linefilters import filtered
from tertium.io.memories.formats import open_units
from tertium.io.records import json_line
from tertium.report.analysis import render_analysis
from tests.cli.test_damaged_files import small_estimator

NOUNS = [
    "harbour",
    "bridge",
    "garden",
    "station",
    "market",
    "library",
    "theatre",
    "museum",
    "school",
    "hospital",
]
FRENCH = ["port", "pont", "jardin", "gare", "marché", "bibliothèque", "théâtre", "musée", "école", "hôpital"]


def experience_of(seed: int, segments: float, documents: float, number: int = 80) -> Experience:
    """Documents whose fuzzy matches save what their rate says, but for these errors of segments and of documents."""
    draws = np.random.default_rng(seed)
    rates, saved, words, places = [], [], [], []
    for place in range(number):
        own = draws.normal(0, documents)
        for _ in range(20):
            rate = float(draws.integers(70, 100))
            rates.append(rate)
            saved.append(rate / 100 - 0.3 + own + draws.normal(0, segments))
            words.append(float(draws.integers(3, 20)))
            places.append(place)
    return Experience(np.array(rates), np.array(saved), np.array(words), np.array(places))


def test_spreads_are_recovered() -> None:
    found = [experience_of(seed, 0.2, 0.1).fuzzy for seed in range(10)]
    assert np.mean([own.segments for own in found if own]) == pytest.approx(0.2, abs=0.01)
    assert np.mean([own.documents for own in found if own]) == pytest.approx(0.1, abs=0.015)
    alike = [experience_of(seed, 0.2, 0.0).fuzzy for seed in range(10)]
    assert np.mean([own.documents for own in alike if own]) < 0.025
    assert experience_of(1, 0.2, 0.1).exact is None, "there is no exact match among them"


def test_the_interval_holds_what_it_promises() -> None:
    """400 new documents, each with another memory's experience: 95% are within the interval, give or take chance."""
    inside = 0
    for seed in range(400):
        experience = experience_of(seed, 0.2, 0.08, number=40)
        draws = np.random.default_rng(10_000 + seed)
        own = draws.normal(0, 0.08)
        spent, portions = 0.0, []
        for _ in range(40):
            rate, words = float(draws.integers(70, 100)), int(draws.integers(3, 20))
            portions.append(Portion(words, "75-84", float(experience.expected([rate])[0])))
            spent += cost(Portion(words, "75-84", rate / 100 - 0.3 + own + draws.normal(0, 0.2)), READING)
        said = effort_of(portions, experience)
        assert said.low is not None
        assert said.high is not None
        inside += said.low <= spent <= said.high
    assert 0.92 < inside / 400 < 0.985


def test_work_is_counted_as_the_page_says() -> None:
    nothing = Experience(np.zeros(0), np.zeros(0), np.zeros(0), np.zeros(0, np.int64))
    assert not nothing.learned
    assert nothing.expected([80, 102]).tolist() == [0.8, 1.0]
    portions = [Portion(100, NEW, 0.0), Portion(50, REPEATED, 1.0), Portion(30, THERE, 1.0)]
    found = effort_of(portions, nothing, words_per_hour=200)
    assert (found.words, found.weighted, found.hours, found.assumed) == (180, 105.0, 0.525, False)
    assert (found.low, found.high) == (105.0, 105.0), "what is new and what is repeated is certain"
    fuzzy = effort_of([Portion(10, "75-84", 0.8)], nothing)
    assert (fuzzy.low, fuzzy.hours_low) == (None, None), "nobody knows what such matches save"


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory of 40 documents in which matches of the same text were kept as they were."""
    folder = tmp_path_factory.mktemp("office")
    units = []
    for day in range(40):
        noun, french = NOUNS[day % 10], FRENCH[day % 10]
        about = {"client": "acme", "document": f"d{day}", "translator": f"t{day % 3}"}
        texts = [
            ("The office is closed on public holidays", "Le bureau est fermé les jours fériés"),
            (f"The old {noun} lies behind the hill", f"Le vieux {french} se trouve derrière la colline"),
            (f"Visitors may enter the {noun} from {day} o'clock", f"On peut visiter le {french} dès {day} h"),
        ]
        units += [
            {
                "source": source,
                "target": target,
                "source_language": "en",
                "target_language": "fr",
                "date": f"2024-{1 + day // 28:02}-{1 + day % 28:02}",
                **about,
            }
            for source, target in texts
        ]
    (folder / "units.jsonl").write_text("".join(map(json_line, units)), "utf-8")
    assert main(["memory", "import", str(folder / "units.jsonl"), "-o", str(folder / "m.db"), "-q"]) == 0
    return folder


DOCUMENT = [
    "The office is closed on public holidays",
    "The old harbour lies behind the green hill",
    "Quantum chromodynamics fascinates everybody",
    "Quantum chromodynamics fascinates everybody",
]


def test_statuses_and_work(office: Path, tmp_path: Path) -> None:
    path = tmp_path / "new.txt"
    path.write_text("\n".join(DOCUMENT) + "\n", "utf-8")
    analyst = Analyst(str(office / "m.db"), words_per_hour=10)
    assert analyst.experience.learned
    found = analyst.analyse(str(path), client="acme", staffing=Staffing())
    assert [own.status for own in found.segments] == ["pass", "edit", "new", "new"]
    assert found.segments[0].target == "Le bureau est fermé les jours fériés"
    assert (found.segments[2].target, found.segments[3].repeats, found.segments[3].band) == ("", 3, REPEATED)
    assert found.segments[2].weighted == 4.0
    assert found.segments[3].weighted == pytest.approx(0.4)
    effort = found.effort
    assert effort.weighted == pytest.approx(sum(own.weighted for own in found.segments))
    assert effort.low is not None
    assert effort.high is not None
    assert effort.low <= effort.weighted <= effort.high
    assert effort.hours == effort.weighted / 10
    assert found.translators is not None
    assert {own.translator for own in found.translators.documents[0].candidates}
    assert found.readability is not None
    assert sum(own["segments"] for own in found.data()["statuses"].values()) == 4
    assert found == analyst.analyse(str(path), client="acme", staffing=Staffing())


def test_the_machines_translations(office: Path, tmp_path: Path) -> None:
    path = tmp_path / "new.txt"
    path.write_text("\n".join(DOCUMENT) + "\n", "utf-8")
    mt = [
        "Le bureau ferme",
        "Le vieux port",
        "ja ja ja ja ja ja ja ja ja ja",
        "La chromodynamique quantique fascine",
    ]
    analyst = Analyst(str(office / "m.db"))
    found = analyst.analyse(str(path), mt=mt)
    assert [own.status for own in found.segments] == ["pass", "edit", "block", "edit"]
    assert [own.origin for own in found.segments] == ["memory", "memory", "machine", "machine"]
    assert found.segments[2].target == "", "what is blocked is not shown"
    assert any("What the machine saves is not known" in note for note in found.notes)
    assert (
        analyst.analyse(str(path), translate=lambda lines: [mt[DOCUMENT.index(one)] for one in lines])
        is not None
    )
    (tmp_path / "edits.qe").write_bytes(small_estimator(edited=True))
    marked = Analyst(str(office / "m.db"), model=str(tmp_path / "edits.qe")).analyse(str(path), mt=mt)
    assert marked.segments[3].mark is not None
    assert not any("What the machine saves is not known" in note for note in marked.notes)
    with pytest.raises(InputError, match="4 segments, but there are 1 machine translations"):
        analyst.analyse(str(path), mt=["x"])


XLIFF = """<?xml version="1.0" encoding="utf-8"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
<file original="a" source-language="en" target-language="fr" datatype="plaintext"><body>
<trans-unit id="a"><source>Something else</source><target state="final">Autre chose</target></trans-unit>
<trans-unit id="b"><source>The <g id="1">office</g> is closed on public holidays</source></trans-unit>
<trans-unit id="c"><source>The office is closed on public holidays</source></trans-unit>
<trans-unit id="d"><source>Nobody &lt;knows&gt; this one &amp; that</source></trans-unit>
</body></file></xliff>
"""


@pytest.mark.parametrize("version", ["1", "2"])
def test_the_pretranslated_file(office: Path, tmp_path: Path, version: str) -> None:
    """What was translated stays, tags stay, and the states are the standard's; our own reader reads it back."""
    path, out = tmp_path / "new.xlf", tmp_path / "out.xlf"
    path.write_text(XLIFF, "utf-8")
    found = Analyst(str(office / "m.db")).analyse(str(path), client="acme")
    assert [own.status for own in found.segments] == ["done", "edit", "pass", "new"]
    assert "inline tags are to be put in" in found.segments[1].reasons
    assert found.segments[0].weighted == 0.0
    out.write_text(pretranslated(found, version=version), "utf-8")
    tree = ElementTree.parse(out)
    names = {one.tag.rpartition("}")[2] for one in tree.iter()}
    assert ("alt-trans" if version == "1" else "match") in names
    again = list(open_units(str(out), untranslated=True))
    assert [own.target for own in again] == ["Autre chose", *[found.segments[1].target] * 2, ""]
    assert again[1].source_markup, "the tag of the source is kept"
    text = out.read_text("utf-8")
    expected = {
        "1": ['state="final"', 'state-qualifier="exact-match"', "<note from=", 'state="translated"'],
        "2": ['state="translated" subState="tertium:pass"', 'subState="tertium:edit"', "<notes>"],
    }
    for part in expected[version]:
        assert part in text, part


def test_the_page_is_one_safe_file(office: Path, tmp_path: Path) -> None:
    path = tmp_path / "<b>.txt"
    path.write_text("\n".join([*DOCUMENT, "<script>alert(1)</script>"]) + "\n", "utf-8")
    found = Analyst(str(office / "m.db")).analyse(str(path), staffing=Staffing())
    page, few = render_analysis(found), render_analysis(replace(found, learned_from=0))
    learnt = "What matches save was learnt from this memory"
    assert (learnt in page, learnt in few) == (bool(found.learned_from), False)
    assert "<script>alert(1)" not in page
    assert page.count('data-status="') == 5
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "How much work" in page
    assert "Translators" in page


def test_the_command(office: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, mt = tmp_path / "new.html", tmp_path / "mt.py"
    path.write_text("".join(f"<p>{line}.</p>" for line in DOCUMENT), "utf-8")
    mt.write_text("import sys\nfor line in sys.stdin: print(line.strip().upper())\n", "utf-8")
    call = ["analyse", "document", str(path), "--memory", str(office / "m.db"), "--client", "acme", "-q"]
    program = shlex.join([sys.executable, str(mt)])
    files = ["-o", str(tmp_path / "out.xlf"), "--html", str(tmp_path / "out.html")]
    assert main([*call, "--translate", program, *files, "-f", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["kind"] == "analysed document"
    assert (tmp_path / "out.xlf").read_text("utf-8").count("<trans-unit") == len(told["segments"]) == 4
    assert (tmp_path / "out.html").read_text("utf-8").startswith("<!doctype html>")
    for wrong, said in (
        (["-o", str(tmp_path / "out.txt")], "is written as .xlf"),
        (["--translate", "no-such-program"], "cannot be started"),
        (["--reading", "7"], "from 0 to 1"),
        (["--words-per-hour", "0"], "must be above 0"),
        (["--edit", "95"], "cannot be worth less"),
        (["--mt", str(mt)], "machine translations"),
    ):
        assert main([*call, *wrong]) == 2
        assert said in capsys.readouterr().err
    assert not (tmp_path / "out.txt").exists()


def test_programs_that_do_not_behave() -> None:
    for command, said in (
        ("sh -c 'echo no >&2; exit 3'", "ended with status 3: no"),
        ("head -1", "wrote 1 lines for 2"),
        ("printf '\\377\\n\\377\\n'", "not UTF-8"),
        ("'", "cannot be read as a command"),
        (" ", "is empty"),
    ):
        with pytest.raises(InputError, match=said):
            filtered(command, ["one", "two"])
    with pytest.raises(InputError, match="has not ended within"):
        filtered("sleep 5", ["one"], timeout=0.2)
    assert filtered("cat", ["one\ntwo", "three"]) == ["one two", "three"]
