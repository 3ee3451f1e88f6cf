"""What packages add under entry points: tokenisers, resolvers, statistics, checks, judges, formats."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest

import tertium as tt
from tertium import registry
from tertium.catalogue import others_table
from tertium.challenge.judges import judge_named
from tertium.comparison.analyses import ANALYSES, ComparisonAnalysis
from tertium.comparison.doctor.checks import CHECKS, Check
from tertium.comparison.doctor.column import TextColumn
from tertium.comparison.doctor.diagnosis import Finding
from tertium.comparison.doctor.odd_lines import Examined
from tertium.human.gold_files import read_gold
from tertium.io.coverage import Coverage
from tertium.io.judgementtable import JudgementReading, Judgements
from tertium.io.scorematrix import ScoreMatrix
from tertium.io.streams import FilePath
from tertium.io.tables import Column, Table
from tertium.meta.against_people import judge_systems
from tertium.meta.agreement_statistics import STATISTICS, AgreementStatistic, ScoredSystems, system_statistics
from tertium.meta.scored_metrics import ScoredMetric
from tertium.registry import Registry
from tertium.stats.correlation import Correlation
from tertium.text.coreference import Resolver
from tertium.text.tokenizers import TOKENIZERS, Tokenizer, check, per_line, tokenize

HYPHENS = Tokenizer("Splits at hyphens.", opened=lambda name: per_line(lambda text: text.replace("-", " - ")))


def first_best(scores: ScoredSystems) -> Correlation:
    return Correlation(float(scores.human.argmax() == scores.metric.argmax()), None, len(scores.human))


WINNER = AgreementStatistic("Whether the best system is the best one for people.", "win", first_best)


def shouting(text: TextColumn, _texts: Examined) -> Iterator[Finding]:
    if all(line.isupper() for _, line in text.filled):
        yield Finding("shouting", "look", text.name, "is all in capitals", "check the decoder")


LONGEST = ComparisonAnalysis(
    "The longest output of each system.",
    lambda found: [Table("Longest", (Column("system"),), tuple((name,) for name in found.measured.systems))],
    lambda found: {name: len(found.measured) for name in found.measured.systems},
)
SHOUTING = Check("Texts all in capitals.", shouting, ("system",))


def capitals(texts: list[str]) -> list[list[list[tuple[int, int]]]]:
    return [[[(i, i + 1) for i, letter in enumerate(text) if letter.isupper()]] for text in texts]


CAPITALS = Resolver.of(capitals, "All words with capitals are one.")
Plug = Callable[[str, str, str], None]


@pytest.fixture
def plug(monkeypatch: pytest.MonkeyPatch) -> Iterator[Plug]:
    """plug("tertium.tokenizers", "hyphens", "HYPHENS"): as if a package that offers it were installed."""
    entries: list[importlib.metadata.EntryPoint] = []

    def plugged(group: str, name: str, target: str) -> None:
        entries.append(importlib.metadata.EntryPoint(name, f"tests.test_plugins:{target}", group))
        registry.plugins.cache_clear()

    def found(**chosen: str) -> importlib.metadata.EntryPoints:
        return importlib.metadata.EntryPoints(entries).select(**chosen)

    monkeypatch.setattr(importlib.metadata, "entry_points", found)
    yield plugged
    registry.plugins.cache_clear()


def test_a_resolver(plug: Plug) -> None:
    with pytest.raises(tt.SpecError, match="unknown source of chains 'capitals'"):
        tt.metric("doc:coref:chains=capitals")
    plug("tertium.resolvers", "capitals", "CAPITALS")
    metric = tt.metric("doc:coref:muc,chains=capitals")
    assert metric.score(["A b C d E"], ["A b C d e"]) == pytest.approx(100 * 2 * 0.5 / 1.5)
    assert "All words with capitals are one." in str(others_table("resolvers").rows)


def test_a_tokeniser(plug: Plug) -> None:
    with pytest.raises(tt.SpecError, match="unknown tokeniser 'hyphens'"):
        check("hyphens")
    plug("tertium.tokenizers", "hyphens", "HYPHENS")
    assert tokenize(["a well-known fact."], "hyphens") == [["a", "well", "-", "known", "fact."]]
    assert tokenize(["a well-known fact."], "hyphens+13a")[0][-1] == "."
    scores = tt.score(["a well-known fact of life"], ["a well - known fact of life"], "bleu:tok=hyphens")
    assert scores["bleu:tok=hyphens"].value == pytest.approx(100.0)
    assert "tok:hyphens" in scores["bleu:tok=hyphens"].signature
    with pytest.raises(tt.SpecError, match="did you mean 'hyphens'"):
        check("hyphen")
    with pytest.raises(tt.SpecError, match="unknown tokeniser 'hyphens:x'"):
        check("hyphens:x")


def test_a_statistic(plug: Plug) -> None:
    plug("tertium.statistics", "winner", "WINNER")
    assert system_statistics()[-1] == "winner"
    people = ScoreMatrix.of_systems("DA", {"A": 0.5, "B": 0.1, "C": 0.2})
    metric = ScoreMatrix.of_systems("M", {"A": 50.0, "B": 10.0, "C": 20.0})
    scored = ScoredMetric("M", True, metric, None)
    found = judge_systems(people, [scored], "de-en", statistic="winner", significance="none")
    assert found["M"].value == 1.0
    assert found.symbol == "win"
    with pytest.raises(tt.SpecError, match="did you mean 'winner'"):
        judge_systems(people, [scored], "de-en", statistic="winer")


def test_a_check(plug: Plug) -> None:
    references, systems = {"ref": ["The cat sat.", "It rained."]}, {"A": ["THE CAT SAT.", "IT RAINED."]}
    assert "shouting" not in {found.check for found in tt.comparison.examine(references, systems).findings}
    plug("tertium.checks", "shouting", "SHOUTING")
    assert "shouting" in {found.check for found in tt.comparison.examine(references, systems).findings}


def test_an_analysis(plug: Plug) -> None:
    testset = tt.TestSet.sample()
    before = tt.compare(testset, ["chrf"], resamples=50)
    titles = [table.title for table in before.tables()]
    assert "analyses" not in before.data()
    plug("tertium.analyses", "longest", "LONGEST")
    found = tt.compare(testset, ["chrf"], resamples=50).with_details("longest")
    assert [table.title for table in found.tables()] == [*titles, "Longest"]
    assert found.data()["analyses"]["longest"] == dict.fromkeys(found.measured.systems, len(testset))
    assert "Longest" in str(found)


def test_a_judge(plug: Plug) -> None:
    with pytest.raises(tt.SpecError, match="unknown judge 'mine'"):
        judge_named("mine")
    plug("tertium.judges", "mine", "SimpleNamespace")
    assert isinstance(judge_named("mine"), SimpleNamespace)


def stars(path: FilePath) -> JudgementReading:
    judged = Judgements.of(system=["A", "B"], segment=["1", "1"], score=[4, 2], origin=str(path))
    return JudgementReading(judged, Coverage(str(path), "judgements", 2), protocol="ESA")


def test_a_format_of_judgements(plug: Plug) -> None:
    with pytest.raises(tt.SpecError, match="unknown judgement format 'stars'"):
        read_gold("x.stars", "stars")
    plug("tertium.judgements", "stars", "stars")
    assert read_gold("x.stars", "stars").systems.scores.system("A") == 4
    with pytest.raises(tt.SpecError, match="judgements of the kind stars take no option 'batches'"):
        read_gold("x.stars", "stars", batches="b.json")


@pytest.mark.parametrize("table", [TOKENIZERS, STATISTICS, CHECKS, ANALYSES])
def test_everything_registered_has_its_sentence(table: Registry[Tokenizer]) -> None:
    for name in table:
        assert table[name].sentence.endswith(".")
        assert table.origin(name) == "tertium"
