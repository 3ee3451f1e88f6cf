"""One small result of every kind, made by the functions that users call."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

import tertium as tt
from tertium.adaptation.base import Materials
from tertium.adaptation.bulletins import bulletins
from tertium.adaptation.nmt.learning import HeldOutScores, TrainedTranslator
from tertium.adaptation.routing import route
from tertium.adaptation.sanctioned import sanctioned
from tertium.adaptation.simulating import simulate
from tertium.analysis.analysed import AnalysedDocument, AnalysedSegment
from tertium.analysis.effort import Effort, EffortBand
from tertium.assignment.evaluating import AssignmentEvaluation, Hits, Lead, TestedPart
from tertium.assignment.ranking import ListedTranslator, RankedTranslators, TranslatorRanking
from tertium.bitext.aligning import AlignedDocument, AlignedMemory
from tertium.bitext.realigning import AlignmentReport, Misplaced, RealignedMemory
from tertium.cached_files import CachedFile, CachedFiles
from tertium.challenge.comparison import Contests
from tertium.challenge.contrast import metric_scorers, prefer
from tertium.challenge.judgements import ChallengeJudgements
from tertium.challenge.judges import AutomaticJudges, evaluate_judge, judge_all
from tertium.challenge.mining import mine
from tertium.challenge.pairs import make_pairs
from tertium.challenge.perturbing import perturb
from tertium.challenge.report import ChallengeReport
from tertium.challenge.results import evaluate
from tertium.challenge.tables import metric_scores
from tertium.clusters.estimating import EstimatedDataset
from tertium.comparison import compare, measure_favouritism, probe_bias
from tertium.comparison.gate import judge
from tertium.comparison.robustness import measure_robustness
from tertium.comparison.sacrebleu_tests import paired_scores
from tertium.comparison.wordless import compare_rows
from tertium.detection.detecting import detect
from tertium.detection.marked import areas
from tertium.documents.coreference import score_coreference
from tertium.documents.showing import show_documents
from tertium.documents.terms import term_consistency
from tertium.estimation.estimator import trained
from tertium.families.terms import Terms
from tertium.human.campaigns.agreements import agreement
from tertium.human.campaigns.analysis import analyse
from tertium.human.campaigns.conversions import comparisons
from tertium.human.campaigns.plan import planned
from tertium.human.campaigns.segments import segments_of
from tertium.human.campaigns.settings import Settings
from tertium.human.campaigns.systemscores import document_scores, question_rates, system_scores
from tertium.human.campaigns.wins import equivalence, win_matrix
from tertium.human.consistency import comparison_agreement
from tertium.human.darr import darr_pairs
from tertium.human.directassessment import direct_assessment
from tertium.human.gold_files import read_gold
from tertium.human.judgement import segment_gold
from tertium.human.paragraphs import majority_votes
from tertium.human.quality import quality_control
from tertium.human.ranking import consensus
from tertium.human.wmttasks import mean_rho, wmt08_gold, wmt_gold
from tertium.io.comparisons import Comparisons
from tertium.io.coreference import CoreferenceDocument
from tertium.io.door import Files
from tertium.io.judgementtable import Judgements
from tertium.io.judges.answers import JudgedError
from tertium.io.judges.asking import Spending
from tertium.io.markedtranslations import MarkedTranslations
from tertium.io.memories.pairs import Pair
from tertium.io.memories.unit import Unit
from tertium.io.nbest import NBest
from tertium.io.nbestfeatures import FeatureLists
from tertium.io.scorematrix import ScoreMatrix
from tertium.io.testsets.subsets import About
from tertium.io.translations import Translations
from tertium.io.trec import Qrels, Run
from tertium.io.wmtjudgements import read_wmt_judgements
from tertium.judging.results import ComparedByJudge, JudgedPair, JudgedTranslations, RatedSegment, RatedSystem
from tertium.matching.evaluating import PolicyEvaluation, SavedEdits
from tertium.matching.indexing import IndexedMemory
from tertium.matching.matched import MatchedDocument, MatchedSegment
from tertium.matching.parts import SegmentPart
from tertium.matching.proposals import Proposal, TermFlag
from tertium.matching.searching import Concordance, FoundUnit
from tertium.matching.training import PolicyTraining
from tertium.measuring import measure
from tertium.memory.checked import CheckedMemory
from tertium.memory.cleaning import CleanedMemory, ListedRepair
from tertium.memory.conversion import ConvertedMemory
from tertium.memory.examining import Examination
from tertium.memory.importing import ImportedFile, ImportedMemory
from tertium.memory.probing import ProbedKind, ProbedMemory
from tertium.meta.correlations import CorrelationCell, Correlations
from tertium.meta.downstream import evaluate_run, measure_runs
from tertium.meta.downstream_correlations import correlate_downstream
from tertium.meta.evaluation import Evaluation
from tertium.meta.hybrids import score_hybrids
from tertium.meta.macrotables import CorrelationGrid, GridsOfYears
from tertium.meta.paragraphs import judge_paragraphs
from tertium.meta.pooled import PooledCorrelations
from tertium.meta.retrieval_task import judge_by_retrieval
from tertium.meta.standard import FolderDefaults
from tertium.meta.task import Task
from tertium.namedsets import (
    DescribedTestSets,
    FetchedArchive,
    FetchedTestSets,
    ListedTestSet,
    PairOfSet,
    TestSetList,
)
from tertium.nbest import score_nbest
from tertium.online.corrections import OnlineEstimator
from tertium.online.results import learning
from tertium.partscores import part_scores
from tertium.published import parse
from tertium.readability.audience import advise
from tertium.readability.comparing import compare as compare_readability
from tertium.readability.results import LearntScale, ReadabilityLevels, TextLevel, text_level
from tertium.readability.scale import usual_scale
from tertium.readability.sentences import ReadSentence
from tertium.readability.unscaled import ReadabilityFormulas, formula_values
from tertium.results import Result
from tertium.rowfiles.writing import WrittenRows
from tertium.stats.correlation import Correlation
from tertium.training.judged import JudgedSegments
from tertium.training.report import training_report
from tertium.training.selection import select
from tertium.training.training import train
from tertium.triage.blocking import described_blocking, trained_to_block
from tertium.triage.calibration import calibrated
from tertium.triage.choosing import Choices, ChosenProposal
from tertium.triage.ranking import rank_documents
from tertium.triage.results import described, described_calibration, estimate
from tertium.triage.results import evaluate as evaluate_estimator
from tertium.tuning.reranking import rerank
from tertium.tuning.tuning import prepared
from tertium.verifying import verify
from tertium.vetting.judging import CombinedJudge
from tertium.wordtags.results import (
    EvaluatedTags,
    TaggedTokens,
    TaggedTranslation,
    WordEstimates,
    tag_scores,
)
from tests.challenge.conftest import NEW, OLD, A, judged, small_outputs, small_set, three_annotators
from tests.human.campaigns.made import campaign, chosen, screen

LONG = "The jurisdiction was exacerbated by deliberations, and the commission, which was late, acknowledged it all."
SAMPLE = Path(tt.__file__).parent / "data" / "sample"


def _checked() -> CheckedMemory:
    units = [
        Unit("Wait 10 s.", "Attendez 100 s.", "en", "fr", client="acme", translator="ann", date="2019-01-21"),
        Unit("Save %s?", "Enregistrer ?", "en", "fr", client="umbra", date="2020-02-03"),
        Unit("Open", "Ouvrir", "en", "fr"),
    ]
    judge = CombinedJudge.of()
    judge.learn(units)
    found = Examination(10)
    found.add(units, judge.judge(units))
    return CheckedMemory.of("memory.tmx", found, judge.checked, calibrated=True)


def _judged(testset: tt.TestSet) -> JudgedSegments:
    """All outputs of the sample, judged by their length."""
    texts = [text for lines in testset.systems.values() for text in lines]
    references = [text or "" for text in testset.references.streams[0]] * len(testset.systems)
    human = np.array([float(len(text or "")) for text in texts])
    return JudgedSegments(tuple(map(str, texts)), tuple(references), None, human, ("",) * len(texts))


def _analysed(candidate: ListedTranslator) -> AnalysedDocument:
    flag = TermFlag("file", "dossier", "fichier", 1)
    proposal = Proposal(
        *("Open it", "Ouvrez", 85, 0.9, 0.8, ((0, 4, 0, 4),), ("client acme",)),
        worth=0.8,
        earned=(("likeness", 0.3),),
        terms=(flag,),
    )
    segment = AnalysedSegment(
        *(1, "Open that", "edit", "Ouvrez", "memory", 85, 80.5, "85-94", 2, 1.1, 1, ("a match of 85%",)),
        (proposal,),
    )
    effort = Effort(2, 1.1, 0.9, 1.4, 0.004, 0.003, 0.005, 300.0, 0.1, True)
    ranking = TranslatorRanking("m.db", "acme", 9, (RankedTranslators("a.txt", 2, "", (candidate,), ()),))
    level = TextLevel("a.txt", 1, 2, 2.5, 1.5, 3.5, "", {}, ())
    bands = (EffortBand("85-94", 1, 2, 0.6, 1.1),)
    about = ("a.txt", "m.db", 9, ("en", "fr"), "acme", effort, bands, 50, (segment,), ranking, level)
    return AnalysedDocument(*about, ("Note.",))


def every_result(folder: Path) -> Iterator[Result]:
    yield from _scores()
    yield from _comparisons()
    yield from _judgements(folder)
    yield from _campaigns()
    yield from _meta()
    yield from _challenge()


def _scores() -> Iterator[Result]:
    systems = {"A": ["the cat sat on the mat", "a dog"], "B": ["a cat was on a mat", "dogs"]}
    reference = ["the cat sat on a mat", "the dog"]
    for level in ("corpus", "document", "segment"):
        found = tt.score(systems, reference, ["bleu", "bleu:tok=char"], level=level, documents=["x", "y"])
        yield found
        yield found.sacrebleu()
    inputs = Files(
        [str(SAMPLE / "reference1.en")], [str(SAMPLE / f"system-{n}.en") for n in ("strong", "smooth")]
    )
    yield paired_scores(inputs.open(), [tt.metric("bleu"), tt.metric("ter")], number=50)
    nbest = NBest((0, 0), ("the cat sat", "a cat sat on the mat"), (-1.0, -2.0))
    yield score_nbest(nbest, ["the cat sat on the mat"], ["chrf"]).selections()
    texts = ("the cat sat", "a cat sat on the mat", "the dog", "a hog") * 4
    features = tuple(f"words= {len(text.split())} odd= {i % 3}" for i, text in enumerate(texts))
    lists = FeatureLists.of(NBest(tuple(i // 2 for i in range(16)), texts, (0.0,) * 16, features))
    references = ["the cat sat on the mat", "the dog"] * 4
    tuned = prepared(lists, references, ["chrf", "ter"], restarts=1, heldout=0.5)
    yield from (tuned.run(tuned.metrics[0]), tuned.across(), rerank(lists, {"words": (1.0,), "odd": (0.0,)}))
    claims = [parse(f"BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp = {number}") for number in (30.2, 48)]
    yield verify(claims, inputs._replace(hypotheses=inputs.hypotheses[:1]).open(whole=True))
    yield tt.metrics()
    used = "2026-11-15T20:00:00+00:00"
    table = CachedFile("vectors", "/cache/vectors/0.cache", 5000, used, "damaged", "/data/toy.vec")
    yield CachedFiles("/cache", (table,))
    spent = Spending(2, 2, 0, 0, 0, 200, 20, 0.01, 1, 0, 0, ("small-2026",))
    error = JudgedError("dog", "Style", "minor", in_source=False, weight=1.0)
    rated = (
        RatedSegment("a", 1, -1.0, (-1.0,), (error,), ""),
        RatedSegment("b", 1, None, (None,), (), "refused: no"),
    )
    means = (RatedSystem("a", -1.0, 1, 0, 0.5, 0.5), RatedSystem("b", None, 0, 1, None, None))
    yield JudgedTranslations("llm[small]|nrefs:1", means, rated, spent)
    pair = JudgedPair(1, "first", "tie", "first", "")
    yield ComparedByJudge(
        "llm[small]|nrefs:0", "a", "b", 1, 0, 0, 0, 1.0, 0, 1, 1, 2, (0.1, 0.9), 1.0, 0.75, (pair,), spent
    )
    wmt17 = ListedTestSet("wmt17", ("de-en", "en-de"), True, "Official evaluation data.")
    yield TestSetList("/home/me/.sacrebleu", (wmt17,))
    pair = PairOfSet("wmt17", "de-en", ("ref",), ("src", "ref", "docid", "genre", "origlang"))
    yield DescribedTestSets("/home/me/.sacrebleu", (wmt17,), (pair,))
    about = [
        About("de" if i % 2 else "en", "news" if i < 40 else "talks") for i in range(len(tt.TestSet.sample()))
    ]
    yield part_scores(tt.TestSet.sample(), about, [tt.metric("bleu"), tt.metric("ter")])
    archive = FetchedArchive(
        "wmt17", "https://data.statmt.org/wmt17/translation-task/test.tgz", 5_000_000, "downloaded"
    )
    yield FetchedTestSets("/home/me/.sacrebleu", (archive,))
    causes = {"shift": 2, "merge": 0, "split": 0, "omission": 0, "order": 0}
    misplaced = Misplaced(3, 2, "shift", 20.5, "acme", "a", ("One", "Two"), ("Deux", "Un"), (("One", "Un"),))
    counts = ({"acme": (2, 9)}, {"a": (2, 9)}, {"2024": (2, 9)})
    yield AlignmentReport("m.tmx", 9, 1, 2, 1, causes, *counts, (misplaced,))
    yield RealignedMemory("m.tmx", "out.tmx", "left.tmx", 9, 9, 2, 0, causes)
    yield AlignedMemory(
        "out.tmx", 3, {"1:1": 2, "2:1": 1}, (AlignedDocument("a", 5, 3, 3, ("Alone.",), ()),), ("b",)
    )
    proposal = Proposal(
        "One",
        "Un",
        100,
        1.0,
        1.0,
        (),
        ("the same text",),
        "acme",
        "t1",
        "d",
        "2024-01-01",
        3,
        terms=(TermFlag("One", "Un", "Premier", 1),),
    )
    part = SegmentPart(0, 8, "Two dogs", "deux chiens", 3, 2, 3, 4, "Two dogs bark", "deux chiens aboient")
    matched = (MatchedSegment(1, "One", (proposal,)), MatchedSegment(2, "Two dogs run", (), (part,)))
    yield MatchedDocument("a.txt", "m.db", 9, "acme", matched, "a.xlf", (), True)
    yield Concordance("m.db", "One", "source", 1, (FoundUnit(3, "One", "Un", "acme", "d", "2024-01-01"),))
    yield PolicyTraining(
        *("m.db", "policy.json", "2024-01-01", 9, 2, 90, 0.2, 0.15, 0.1),
        ("domain",),
        (("wording", 0.01), ("client", -0.001)),
    )
    ways = [
        SavedEdits(name, 0.2, (0.1, 0.3), p, 0.2, None, 30.0)
        for name, p in (("policy", None), ("alike", 0.01))
    ]
    yield PolicyEvaluation(
        *("m.db", "2024-02-01", "2024-01-01", 9, 2, 9, 90, 0.1),
        tuple(ways),
        (("wording", 0.19, -0.01, 0.02),),
        ("domain",),
    )
    yield IndexedMemory("m.db", "m.db.index", 9, 4096)
    yield WrittenRows("all.rows", ("A", "B"), ("bleu", "chrf"), 3000, 30_000)
    candidate = ListedTranslator(1, "t1", 0.8, ("did 3 of 4 documents of this client",), "", True)
    yield TranslatorRanking(
        "m.db", "acme", 9, (RankedTranslators("a.txt", 90, "2026-12-01", (candidate,), ("Note.",)),)
    )
    yield _analysed(candidate)
    found = [
        Hits(name, (0.8, 0.9, 1.0), 0.85, ((0.7, 0.9),) * 4, leads)
        for name, leads in (("Tertium", ()), ("x", (Lead(0.1, -0.1, 0.2, 0.01),) * 4))
    ]
    part = TestedPart("Known clients", 9, 2, 1, tuple(found))
    yield AssignmentEvaluation(
        *("m.db", "2024-01-01", (part,), 0, (("t1", 5, 6),), (("1", 9, 0.1, 0.2),), (("nothing", 0.8, 0.85),))
    )
    yield ConvertedMemory("memory.tmx", 2, ("en-fr",))
    yield _checked()
    yield CleanedMemory(
        "in.tmx",
        *("clean.tmx", "removed.tmx", 0.95, 0.96, 0.94, False, 3, 2, 1),
        checks=(("numbers", 1),),
        repairs=(("spaces", 1),),
        repaired=(ListedRepair(2, ("spaces",), "Un ", "Un"),),
    )
    yield ProbedMemory(
        "memory.tmx",
        *(4000, 0.01, 5, 20),
        (
            ProbedKind("truncated", 4000, 40, 0.8, 0.9, 0.6, 0.2, 0.3),
            ProbedKind("digits swapped", 0, 0, *[None] * 5),
        ),
    )
    yield ImportedMemory("memory.db", (ImportedFile("new.tmx", 3, 1),), 4)
    yield probe_bias("pronouns", "pronouns", ["chrf"], permutations=50)


def _comparisons() -> Iterator[Result]:
    found = compare(
        tt.TestSet.sample(),
        ["bleu", "bleu:tok=char", "macrof1"],
        baseline="smooth",
        resamples=50,
        strongest=2,
        training=["the cat"],
    )
    gate = judge(found, ["bleu drops by 90"])
    yield gate
    yield replace(compare_rows(found.measured, baseline="smooth", resamples=50), gate=gate)
    yield EstimatedDataset("da", 3000, 0.5, 71.5, {"pass": 2000, "edit": 900, "block": 100}, "out.parquet")
    yield from (found, found.tests[0], found.buckets[0], found.components, found.means, found.preferences[0])
    yield from (found.curve, found.type_differences[0], found.ngrams["smooth"], found.strongest[0])
    yield found.matched_ngrams[0]
    yield from (found.doctor, found.strongest[0].sheet())
    assert found.frequencies is not None
    yield found.frequencies
    sample = tt.TestSet.sample()
    yield measure_robustness(
        sample, {"noise": dict.fromkeys(sample.systems, sample.sources)}, ["chrf"], resamples=9
    )
    yield found.error_classes
    yield measure_favouritism(found.measured, "bleu", ["smooth", "literal"])


def _judgements(folder: Path) -> Iterator[Result]:
    n = 8
    judged = Judgements.of(
        annotator=["ann"] * 2 * n,
        system=["A"] * n + ["B"] * n,
        segment=[str(i + 1) for i in range(n)] * 2,
        score=[*range(60, 60 + n), *range(20, 20 + n)],
    )
    yield segment_gold(judged, "raw")
    yield quality_control(judged)
    yield direct_assessment(judged, control=None, minimum=1)
    yield darr_pairs(segment_gold(judged, "raw"))
    votes = Comparisons.of([("a", "1", "A", "B", 1), ("b", "1", "A", "B", 1), ("c", "1", "B", "A", 1)])
    yield majority_votes(votes)
    yield consensus(votes)
    pairs = Comparisons.of([("ann", "1", "A", "B", 1), ("ann", "1", "B", "C", 1)])
    answers = Judgements.of(system=["A", "B", "B", "C"], segment=["1", "1", "2", "1"], score=[1, 1, 0, 0])
    matrix = ScoreMatrix.of_systems("BLEU", {"A": 3, "B": 2, "C": 1})
    yield mean_rho(wmt08_gold(pairs, pairs, answers), matrix)
    path = folder / "sides.tsv"
    path.write_text("annotator\tsegment\tfirst\tsecond\tchoice\nann\t1\tA\tB\tfirst\n", encoding="utf-8")
    yield read_gold(path)
    path = folder / "raters.tsv"
    rows = [
        f"A\t{i}\t{score}\t{who}"
        for who, add in (("ann", 0), ("bob", 5))
        for i, score in enumerate((60 + add, 70, 90), 1)
    ]
    path.write_text("\n".join(["system\tsegment\tscore\tannotator", *rows]) + "\n", encoding="utf-8")
    scored = read_gold(path)
    yield scored
    yield scored.parts["agreement"]
    path = folder / "wmt08.csv"
    top = "TASK,TYPE,ITEM_ID,ANNOTATOR_ID,TIME,SYSTEM_0,SCORE_0_A,SCORE_0_B,SYSTEM_1,SCORE_1_A,SCORE_1_B\n"
    rows = "T,RANK,1,ann,1,A,1,0,B,2,0\nT,RANK,1,ben,1,A,1,0,B,2,0\nT,RANK,2,ann,1,A,2,0,B,1,0\n"
    path.write_text(top + rows, encoding="utf-8")
    found = wmt_gold(read_wmt_judgements(path))
    yield from (found, found.agreement)


def _campaigns() -> Iterator[Result]:
    forced = [chosen(name, str(i), "A", "B", "AB"[i % 3 == 0], position=i) for name in "ab" for i in range(6)]
    again = [chosen("a", str(i), "A", "B", "A", kind="repeat", position=9 + i) for i in range(3)]
    sides = campaign("pairwise", [*forced, *again], options={"undecided": False})
    yield analyse(sides)
    yield from (win_matrix(sides), agreement(sides))
    asked_again = comparison_agreement(comparisons(sides), 0.3)
    yield from (part for part in (equivalence(sides), asked_again) if part is not None)
    scored = campaign(
        "direct-assessment",
        [
            screen("a", str(i), [name], {"score": 10 * i + 30 * (name == "A")}, position=i)
            for i in range(6)
            for name in "AB"
        ],
    )
    yield from (system_scores(scored), analyse(scored))
    inside = scored.judged[0].item
    wholes = [
        screen("a", "", [name], {"score": 70}, document=doc, inside=(inside,))
        for name in "AB"
        for doc in "xy"
    ]
    documents = document_scores(replace(scored, documents=tuple(wholes)))
    assert documents is not None
    yield from (documents, analyse(replace(scored, documents=tuple(wholes))))
    questions = [screen("a", "1", ["A", "B"], {"answers": ["yes", "no"]}, document="Lexical")]
    yield question_rates(campaign("challenge", questions))
    settings = Settings.of({"name": "demo", "design": "ranking", "annotators": {"number": 3, "items": 10}})
    yield planned(settings, segments_of(tt.TestSet.sample()))


def _meta() -> Iterator[Result]:
    own = Correlations("de-en", "system", "pearson", 8, (CorrelationCell("BLEU", 0.9, 0.01),))
    yield own
    means, p_values = np.array([0.9, 0.8]), np.array([[np.nan, 0.02], [np.nan, np.nan]])
    yield PooledCorrelations(
        "system",
        "pearson",
        "|r|",
        ("de-en", "en-de"),
        ("BLEU", "chrF2"),
        means,
        np.array([0.5, 0.5]),
        p_values,
        p_values < 0.05,
        "one-sided permutation test of the mean over 2 language pairs",
    )
    task = Task("WMT", metrics=("bleu",), human={"system": Path("x"), "kind": "DA"})
    yield Evaluation(task, (own,), {"BLEU": {"de-en": 0.1}}, {"BLEU": {"de-en": "nrefs:1"}}, {})
    used = FolderDefaults(
        "de-en", "wmt23", ("refA",), True, {"system": "mqm"}, {"system": "mqm"}, ("bad",), ("BLEU",), True, ("mine",),
        ("refA", "refB"), ("refB",), ("BLEU-refA",),
    )  # fmt: skip
    yield Evaluation(task, (own,), {}, {}, {}, defaults=(used,), pairs_not_judged=("en-cs",))
    measured = measure(tt.TestSet.sample(), ["bleu", "ter"])
    yield score_hybrids(measured, {"literal": 60.0, "smooth": 55.0, "strong": 80.0}, hybrids=100)
    cells = {(("de-en",), "BLEU"): Correlation(0.9, 0.01, 8)}
    grid = CorrelationGrid(("pair",), (("de-en",),), ("BLEU",), cells)
    yield from (grid, GridsOfYears({"2017": grid}))
    run, qrels = Run("bm25", {"q": (("d1", 2.0), ("d2", 1.0))}), Qrels("qrels", {"q": {"d2": 1, "d3": 1}})
    yield from (evaluate_run(run, qrels), measure_runs([run], qrels))
    yield correlate_downstream({"BLEU": [10, 20, 30, 40, 50]}, {"MAP": [0.1, 0.2, 0.4, 0.3, 0.5]})
    rows = [(who, "news-harbour", "strong", "literal", 1) for who in ("ann", "ben", "eve")]
    yield judge_paragraphs(tt.TestSet.sample(), Comparisons.of(rows), ["chrf"])
    yield judge_by_retrieval(tt.TestSet.sample(), {"q1": "the weather"}, ["chrf"])


def _challenge() -> Iterator[Result]:
    items, outputs, people = small_set(), small_outputs(), three_annotators()
    results = evaluate(items, people, outputs)
    yield from (results, Contests.of(results))
    yield ChallengeReport(results, tuple(metric_scores(items, outputs, ["bleu"])), outputs=outputs)
    yield ChallengeReport(evaluate(items, ChallengeJudgements(tuple(judged("ann", A, "y....")))))
    versions = ChallengeJudgements((*judged("ann", OLD, "yynnn"), *judged("ann", NEW, "ynyyn")))
    yield ChallengeReport(evaluate(items, versions))
    verdicts = judge_all(items, outputs)
    against = evaluate_judge(verdicts, items, people)
    yield from (verdicts, against, AutomaticJudges((verdicts,), (against,)))
    english = ["the cat sat on the mat"] * 3 + ["a dog came in the night"]
    pairs = make_pairs(["He has seen 12 boats.", "They are there."], "en", references=["a", "b"])
    yield pairs
    yield perturb(["Où est la gare ?"], "fr", share=0.5)
    scorers = {
        **metric_scorers(pairs.items, ["chrf"]),
        "long": lambda _, texts: [len(text) for text in texts],
    }
    yield prefer(pairs.items, scorers)
    chains = {"d": CoreferenceDocument("d", 4, {"1": ((0, 1), (2, 2)), "2": ((3, 3),)})}
    yield score_coreference(chains, chains)
    terms = {"A": ["the bank opens", "the shore closes", "the bank sleeps", "the shore wakes"]}
    german = ["die Bank öffnet", "die Bank schließt", "die Bank schläft", "die Bank wacht"]
    testset = tt.TestSet.of([terms["A"]], terms, sources=german, documents=["d"] * 4)
    yield term_consistency(testset, Terms(source_lang="de"))
    yield train(_judged(tt.TestSet.sample()), ["chrf", "lengths.*"], learner="ridge")
    yield training_report(_judged(tt.TestSet.sample()), ["chrf", "bleu"], learner="ridge")
    yield select(_judged(tt.TestSet.sample()), ["chrf", "bleu"])
    yield show_documents(
        tt.TestSet.of(
            ["Ann Lee saw Ann Lee. Boats saw boats."],
            {"A": ["We saw Ann Lee and Ann Lee."], "B": ["Boats."]},
            sources=["Ann Lee sah Ann Lee."],
            documents=["d"],
        ),
        languages=("de", "en"),
    )
    lines = [f"line {n} of many" for n in range(60)]
    judged_lines = Translations("lines", lines, lines[::-1], [n % 7 / 7 for n in range(60)])
    estimator = trained(judged_lines, pair="en-en", sets=("lengths", "marks"))
    yield described(estimator, 1)
    yield estimate(estimator, ["a line"], ["one line"])
    yield described_blocking(
        trained_to_block(
            marked := MarkedTranslations(
                "lines", lines, lines[::-1], None, {"bad": [n % 2 == 0 for n in range(60)]}
            )
        ),
        marked,
    )
    yield areas(MarkedTranslations("lines", lines, lines, None, {"bad": [n % 9 == 0 for n in range(60)]}))
    level = TextLevel("a.txt", 3, 20, 3.2, 2.6, 3.8, "", {"code": 1}, [ReadSentence("A", 0, 9, 3.5, 3, 4)])
    yield ReadabilityLevels("en", [level, TextLevel("b.txt", 1, 1, None, None, None, "one word", {}, [])])
    yield advise(
        ReadabilityLevels("en", [text_level("a.txt", [LONG], "en", usual_scale())]), "A1", usual_scale()
    )
    yield ReadabilityFormulas(
        "de", ["en"], [formula_values("a.txt", ["Die Katze schläft auf dem Sofa."], "de")]
    )
    yield LearntScale("a.json", 10, usual_scale())
    easy, hard = "The cat sat on the mat. It was warm.", "La jurisprudence constitutionnelle est ambivalente."
    yield compare_readability([easy, "Cat", easy], [hard, "Chat", "Le chat dort sur le lit."])
    yield detect([*lines, "the end"], [*lines, "no no no no no no no no"])
    fresh = replace(judged_lines, sources=[f"{line}." for line in lines])
    yield evaluate_estimator(estimator, fresh)
    with tempfile.TemporaryDirectory() as place:
        estimator.write(Path(place, "qe.model"))
        online = OnlineEstimator(Path(place, "qe.model"))
        online.learn("a new line", "a line", 0.5)
        yield learning(online, new=1)
    yield rank_documents(estimator, [0.5, 0.25], ["one", "other"])
    tokens = TaggedTokens(("one", "line"), ("OK", "BAD"), (0.1, 0.6))
    gaps = TaggedTokens((), ("OK", "BAD", "OK"), (0.0, 0.5, 0.1))
    yield WordEstimates((TaggedTranslation(tokens, gaps, tokens), TaggedTranslation(tokens, None, None)))
    bad = np.array([True, False, False])
    yield EvaluatedTags({"words": tag_scores(bad, bad), "gaps": tag_scores(bad, ~bad & False)})
    marked = calibrated(estimator, replace(fresh, marks=[n % 7 * 14.0 for n in range(60)]))
    yield described_calibration(marked)
    yield estimate(marked, ["a line"], ["one line"], promise=0.5)
    edited = calibrated(estimator, replace(fresh, hter=[n % 7 / 7 for n in range(60)]))
    shown = ChosenProposal(1, 80.5, "memory", "edit", 70.0, 80.5, 90, "Un")
    yield Choices((shown,), estimate(edited, ["a line"], ["one line"]), "m.db", 9, 500)
    yield evaluate_estimator(marked, replace(fresh, marks=[n % 5 * 20.0 for n in range(60)]), promise=0.5)
    yield simulate(bulletins(450), ["static", "memory"], probe=bulletins(9, seed=2))
    yield route(bulletins(420), Materials(), bulletins(420, seed=2))
    with tempfile.TemporaryDirectory() as place:
        units = [f"a{n}\tb{n}\t{2020 + n}-01-01\ten\tfr" for n in range(6)]
        head = "source\ttarget\tdate\tsource_language\ttarget_language"
        Path(place, "m.tsv").write_text("\n".join([head, *units, ""]), "utf-8")
        yield sanctioned(str(Path(place, "m.tsv")), "2024-01-01", pair=Pair("en", "fr"))
    curve = ({"step": 100, "epoch": 1.5, "loss": 3.2, "seconds": 9.5},)
    held = (HeldOutScores("dev", 62, 12.5, 40.25),)
    yield TrainedTranslator("m", 2607, 1017, 395808, 100, 0.2, "CPU", {"dev": 3.1}, held, curve)
    yield mine(english, [*english[:3], "chien"])
    yield mine(english, english, outputs=[*english[:3], "dog"])
