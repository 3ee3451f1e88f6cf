"""Features of what stands around a segment."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import tertium as tt
from tertium.cli import main
from tertium.errors import InputError
from tertium.estimation.context import CONTEXT
from tertium.estimation.estimator import FOLDS, Estimator, groups_of, targets_of, trained
from tertium.estimation.features import FEATURES
from tertium.estimation.view import Learnt, View, folds_of
from tertium.estimation.words import KeyedWords
from tertium.io.translations import Translations
from tertium.online.corrections import OnlineEstimator
from tertium.triage.results import estimate
from tests.estimation.test_estimation import made


def in_documents(number: int, seed: int = 1) -> Translations:
    """Ten segments a document, the documents mixed."""
    texts = made(number, seed)
    names = [f"article {i % (number // 10)}" for i in range(number)]
    return replace(texts, documents=names)


def learnt_of(texts: Translations) -> Learnt:
    return Learnt.of(KeyedWords.of(texts.sources), KeyedWords.of(texts.translations), targets_of(texts, "da"))


def columns(learnt: Learnt, sources: list[str], outputs: list[str], documents: list[str]) -> dict[str, list]:
    view = View(KeyedWords.of(sources), KeyedWords.of(outputs), learnt, documents=documents)
    return dict(zip(CONTEXT.names, CONTEXT.columns(view).T.tolist(), strict=True))


def test_a_segment_sees_its_document_and_no_other() -> None:
    texts = in_documents(120)
    assert texts.documents is not None
    learnt = learnt_of(texts)
    sides = KeyedWords.of(texts.sources), KeyedWords.of(texts.translations)
    whole = CONTEXT.columns(View(*sides, learnt, documents=texts.documents))
    assert np.isfinite(whole).all()
    for name in ("article 0", "article 7"):
        own = np.flatnonzero(np.array(texts.documents) == name)
        view = View(sides[0].take(own), sides[1].take(own), learnt, documents=[name] * len(own))
        assert np.array_equal(CONTEXT.columns(view), whole[own])
    empty = KeyedWords.of([""])
    assert np.isfinite(CONTEXT.columns(View(empty, empty, learnt, documents=["a"]))).all()


def test_neighbours_and_means_against_a_loop() -> None:
    texts = in_documents(60)
    documents = list(texts.documents or ())
    sides = KeyedWords.of(texts.sources), KeyedWords.of(texts.translations)
    view = View(*sides, learnt_of(texts), documents=documents)
    found = dict(zip(CONTEXT.names, CONTEXT.columns(view).T, strict=True))
    ratio = np.log((view.target.sizes + 1) / (view.source.sizes + 1))
    for i, name in enumerate(documents):
        own = [k for k, other in enumerate(documents) if other == name]
        at = own.index(i)
        assert found["before ratio"][i] == ratio[own[max(at - 1, 0)]]
        assert found["after ratio"][i] == ratio[own[min(at + 1, len(own) - 1)]]
        others = [ratio[k] for k in own if k != i]
        assert found["document ratio"][i] == pytest.approx(np.mean(others), abs=1e-12)
        assert found["position"][i] == pytest.approx(at / (len(own) - 1))
        assert found["segments"][i] == pytest.approx(np.log(len(own)))
        # Words that nothing else in the document has, by rarity.
        words = [
            [
                (int(key), max(rare, 0.1))
                for key, rare, at in zip(
                    view.source.keys, view.rarity["source"], view.source.segments, strict=True
                )
                if at == k
            ]
            for k in own
        ]
        elsewhere = {key for k, seen in zip(own, words, strict=True) if k != i for key, _ in seen}
        mine = words[at]
        new = sum(rare for key, rare in mine if key not in elsewhere) / sum(rare for _, rare in mine)
        assert found["topic shift"][i] == pytest.approx(new, abs=1e-12)


def test_terms_that_change() -> None:
    # Learnt: a Kran is a crane, or a tap; NASA is left as it is.
    pairs = [("der Kran", "the crane"), ("ein Kran", "a tap"), ("der Hund", "the dog"), ("ein Hund", "a dog")]
    sources, outputs = (list(side) for side in zip(*pairs * 5, strict=True))
    learnt = learnt_of(Translations("pairs", sources, outputs, [float(i % 3) for i in range(20)]))
    found = columns(
        learnt,
        ["Kran", "Kran NASA", "Kran NASA NASA", "Kran", "Kran"],
        ["crane", "tap NASA", "tap NASA NASA", "crane", "zap"],
        ["a", "a", "a", "b", "a"],
    )
    # The last has no translation of it; document b has nothing before.
    assert found["terms changed"] == [0, 1, 0, 0, 0]
    assert found["terms repeated"] == pytest.approx(np.log1p([0, 1, 2, 0, 0]).tolist())
    alone = columns(learnt, ["Kran"], ["crane"], ["a"])
    assert alone["topic shift"] == [0]


def test_documents_are_left_out_whole() -> None:
    texts = in_documents(200)
    folds = folds_of(groups_of(texts), FOLDS)
    for name in set(texts.documents or ()):
        assert len({int(folds[i]) for i, own in enumerate(texts.documents or ()) if own == name}) == 1
    assert len(set(folds.tolist())) == FOLDS
    assert groups_of(replace(texts, documents=["one"] * 200)) == texts.sources  # cannot be cut by documents
    with pytest.raises(InputError, match="there are 200 translations, but names of documents for 9"):
        trained(replace(texts, documents=[str(i) for i in range(9)]))


def worth_by_document(number: int, seed: int) -> Translations:
    """A tenth of the words is wrong in some documents, and half in others: what people said is of the document."""
    texts = made(number, seed)
    order = np.argsort(
        [i % 5 for i in range(number)], kind="stable"
    )  # `made` makes more mistakes the higher i % 5
    names, scores = [""] * number, [0.0] * number
    for place, i in enumerate(order.tolist()):
        names[i] = f"article {place // (number // 20)}"
        scores[i] = -float(i % 5)
    return replace(texts, scores=scores, documents=names)


def test_context_helps_where_documents_differ(tmp_path: Path) -> None:
    texts, new = worth_by_document(400, 1), worth_by_document(200, 2)
    learnt, plain = trained(texts, context=True), trained(texts)
    assert "context" in learnt.sets
    assert "context" not in plain.sets
    assert learnt.correlation > plain.correlation + 0.05
    learnt.write(tmp_path / "qe.model")
    read = Estimator.read(tmp_path / "qe.model")
    found = estimate(read, new.sources, new.translations, documents=new.documents)
    assert found.values == tuple(learnt.estimates(new).tolist())
    assert np.corrcoef(found.values, new.scores)[0, 1] > np.corrcoef(plain.estimates(new), new.scores)[0, 1]  # type: ignore[arg-type]
    with pytest.raises(InputError, match="was trained with context: name the document of each line"):
        read.estimates(replace(new, documents=None))
    with pytest.raises(InputError, match="line 2: the name of the document is empty"):
        read.estimates(replace(new, documents=["a", " ", *["b"] * 198]))
    with pytest.raises(InputError, match="it cannot learn segment by segment"):
        OnlineEstimator(tmp_path / "qe.model").learn_all(new)
    metric = tt.metric(f"estimate:{tmp_path / 'qe.model'}")
    with pytest.raises(InputError, match="context, which a metric does not see: use tertium estimate score"):
        metric.score(new.translations, None, sources=new.sources)


def test_what_is_refused_in_training() -> None:
    texts = in_documents(60)
    with pytest.raises(InputError, match="made: has no names of documents, which context needs"):
        trained(replace(texts, documents=None), context=True)
    with pytest.raises(InputError, match="made: has 1 document; at least 5 are needed"):
        trained(replace(texts, documents=["a"] * 60), context=True)
    with pytest.raises(InputError, match="line 1: the name of the document is empty"):
        trained(replace(texts, documents=["", *["a"] * 59]), sets=("lengths", "context"))
    assert FEATURES["context"].needs_documents


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = in_documents(60)
    rows = zip(texts.sources, texts.translations, texts.scores or (), strict=True)
    table = ["source\ttarget\tscore", *(f"{a}\t{b}\t{c}" for a, b, c in rows)]
    (tmp_path / "da.tsv").write_text("\n".join(table) + "\n")
    for name, lines in (
        ("src", texts.sources),
        ("out", texts.translations),
        ("docs", texts.documents or ()),
        ("few", ["a"]),
        ("empty", ["a", "", *["b"] * 58]),
    ):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    model, documents = str(tmp_path / "qe.model"), str(tmp_path / "docs")
    train = ["estimate", "train", "--data", str(tmp_path / "da.tsv"), "-o", model, "--context"]
    score = ["estimate", "score", str(tmp_path / "src"), str(tmp_path / "out"), "--model", model]
    evaluated = ["estimate", "evaluate", "--data", str(tmp_path / "da.tsv"), "--model", model]
    assert main([*train, "--documents", documents]) == 0
    for command in (score, evaluated):
        assert main([*command, "--documents", documents]) == 0
    capsys.readouterr()
    assert main([*score, "--documents", documents, "--segments", "-f", "tsv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 61  # a line for each segment, not for each document
    for command, said in (
        (train, "has no names of documents, which context needs (--documents)"),
        (score, "was trained with context: name the document of each line (--documents)"),
        (evaluated, "was trained with context: name the document of each line (--documents)"),
        ([*train, "--documents", str(tmp_path / "few")], "60 translations, but names of documents for 1"),
        ([*score, "--documents", str(tmp_path / "few")], "60 translations, but names of documents for 1"),
        ([*evaluated, "--documents", str(tmp_path / "empty")], "line 2: the name of the document is empty"),
    ):
        assert main(command) == 2
        assert said in " ".join(capsys.readouterr().err.split())
