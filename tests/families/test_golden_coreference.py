"""doc:coref: the CoNLL scorer's test files through the metric, projection, damaged chains, sources of chains."""

from __future__ import annotations

import random
import shlex
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import tertium as tt
from tertium import registry
from tertium._native import MentionChains, TextLinks, coreference_rows, repeated_names
from tertium.documents.coreference import score_coreference_files
from tertium.errors import InputError, SpecError
from tertium.families.coreference import COLUMNS, MEASURES, Coreference
from tertium.io.coreference import CoreferenceDocument, read_chains
from tertium.statistics import DenseStatistics
from tertium.stats.coreference import Agreement, Blanc, Fraction
from tertium.text.alignment import Aligner
from tertium.text.alignment_weights import digest
from tertium.text.coreference import Resolved, projected, resolver
from tertium.text.cut import Cut
from tertium.text.parses import Parsed
from tests.twins import coreference as twin

CLASSES = ("muc", "b-cubed", "ceaf-m", "ceaf-e", "lea", "blanc")


def written(path: Path, documents: list[tuple[list[str], CoreferenceDocument]]) -> str:
    """The documents in CoNLL's format, with these words."""
    lines = []
    for number, (words, document) in enumerate(documents):
        cells: list[list[str]] = [[] for _ in words]
        for chain, mentions in enumerate(document.chains.values()):
            for mention in mentions:
                first, last = mention[0], mention[-1]
                cells[first].append(f"({chain})" if first == last else f"({chain}")
                if first != last:
                    cells[last].append(f"{chain})")
        lines += [f"#begin document {number}"]
        lines += [f"d 0 0 {word} {'|'.join(cell) or '-'}" for word, cell in zip(words, cells, strict=True)]
        lines += ["#end document"]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return str(path)


@pytest.mark.parametrize("case", ["A-3", "A-7", "A-12", "B-1", "C-1", "D-1", "G-1", "M-1", "N-4"])
def test_equal_texts_score_as_the_conll_scorer(case: str, shared: Path, tmp_path: Path) -> None:
    """Where words are the same, projection changes nothing: documents add up to what the scorer has."""
    folder = shared / "golden" / "inputs" / "coref"
    key, response = folder / f"TC-{case[0]}.key", folder / f"TC-{case}.response"
    expected = score_coreference_files(key, response)
    sides: list[list[tuple[list[str], CoreferenceDocument]]] = [[], []]
    for side, path in enumerate((key, response)):
        for document in read_chains(path).values():
            words = [f"w{i}" for i in range(document.tokens)] + ["ours", "theirs"][side : side + 1]
            sides[side].append((words, document))
    chains = ";".join(written(tmp_path / "ab"[side], own) for side, own in enumerate(sides))
    texts = [[" ".join(words) for words, _ in own] for own in sides]
    assert len(texts[0]) == len(expected.documents) == 1
    for name in CLASSES:
        metric = tt.metric(f'doc:coref:{name},match=exact,chains="files:{chains}"')
        own = expected.measures[name]
        found = metric.score(texts[1], texts[0])
        whole = (
            own.links.recall.whole + own.others.recall.whole if isinstance(own, Blanc) else own.recall.whole
        )
        assert (found or 0.0) == pytest.approx(100 * own.f1, abs=1e-9), name
        assert found is not None or not whole


def test_as_the_twin_counts() -> None:
    draw = random.Random(3)
    for _ in range(60):
        key, response = (
            chained(30, [draw.randint(1, 5) for _ in range(draw.randint(1, 5))], draw) for _ in "ab"
        )
        expected = twin.scores(key, response)
        found = scores(key, response)
        for name, value in expected.items():
            assert found[name] == pytest.approx(100 * value, abs=1e-9), (name, key, response)


def random_chains(draw: random.Random, words: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Chains of mentions that may be torn apart, overlap, and be in several chains."""
    mentions = [
        tuple(sorted(draw.sample(range(words), draw.randint(1, 4)))) for _ in range(draw.randint(1, 9))
    ]
    return tuple(
        tuple(dict.fromkeys(draw.choices(mentions, k=draw.randint(1, 6)))) for _ in range(draw.randint(0, 5))
    )


@pytest.mark.parametrize("match", ["overlap", "exact"])
def test_rows_as_the_twin_makes_them(match: str) -> None:
    draw = random.Random(15)
    words = 14
    text = Parsed(" ".join("x" * words), tuple("x" * words))
    for _ in range(300):
        own, reference, other = (Resolved(text, random_chains(draw, words)) for _ in "abc")
        places = draw.sample(range(words), draw.randint(0, words))
        links = tuple(sorted(zip(places, draw.sample(range(words), len(places)), strict=True)))
        expected = [twin.row(one, projected(own, one, links, match)) for one in (reference, other)]
        rows = coreference_rows(
            MentionChains([own.chains] * 2),
            [MentionChains([one.chains] * 2) for one in (reference, other)],
            [TextLinks([links] * 2)] * 2,
            [[False, False], [False, True]],
            match == "overlap",
        )
        best = max(expected, key=lambda row: Agreement(Fraction(*row[0:2]), Fraction(*row[2:4])).f1)
        assert rows.tolist() == DenseStatistics.of_lists(COLUMNS, [best, expected[0]]).data.tolist()


def test_names_as_the_twin_finds_them() -> None:
    draw = random.Random(1)
    for _ in range(300):
        pieces = draw.choices(["Ann", "Lee", "ann", "É", "7", ".", ".\n", "Lee."], k=draw.randint(0, 14))
        cut = Cut.of([" ".join(pieces)])
        parsed = cut.parses[0]
        expected = twin.names(parsed.words, parsed.starts)
        assert repeated_names(cut.numbered, 1).shown() == [expected]
        several = tuple(chain for chain in expected if len(chain) > 1)
        assert repeated_names(cut.numbered, 2).shown() == [several]


def test_equal_texts_keep_all_chains(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the aligner would leave a word without a counterpart, as it may with parses."""
    text = "Ann, Ann and Bob. Bob saw Ann."
    assert tt.metric("doc:coref").score([text], [text]) == 100
    monkeypatch.setattr(Aligner, "align_many", lambda _self, own, _other, _threads: [()] * len(own))
    parsed, other = Cut.of([text, "Ann saw Bob."]).parses
    found = Aligner().link_many([parsed, parsed, other], [parsed, other, other])
    assert found == [tuple((i, i) for i in range(len(parsed))), (), ((0, 0), (1, 1), (2, 2), (3, 3))]


def test_the_signature_names_the_weights_of_the_aligner() -> None:
    metric = tt.metric("doc:coref:lang=de")
    assert f"|aligner:{digest()}|" in metric.signature()
    assert registry.from_signature(metric.label, metric.signature()) == metric


def chained(words: int, sizes: list[int], draw: random.Random) -> list[list[tuple[int, ...]]]:
    places = draw.sample(range(words), sum(sizes))
    found = []
    for size in sizes:
        found.append([(place,) for place in sorted(places[:size])])
        places = places[size:]
    return found


def damaged(chains: list[list[Any]], how: str, times: int, draw: random.Random) -> list[list[Any]]:
    """Chains with two merged, one split, or a mention left out, so many times."""
    chains = [list(chain) for chain in chains]
    for _ in range(times):
        longest = max(chains, key=len)
        if how == "merge" and len(chains) > 1:
            one, two = draw.sample(range(len(chains)), 2)
            chains[one] += chains[two]
            del chains[two]
        elif how == "split":
            cut = draw.randint(1, len(longest) - 1) if len(longest) > 1 else 0
            chains[chains.index(longest)] = longest[cut:]
            chains += [longest[:cut]] if cut else []
        elif how == "drop" and longest:
            longest.remove(draw.choice(longest))
    return [chain for chain in chains if chain]


def scores(key: list[list[Any]], response: list[list[Any]]) -> dict[str, float]:
    """By every measure, of texts of the same words."""
    text = Parsed(" ".join(f"w{i}" for i in range(120)), tuple(f"w{i}" for i in range(120)))
    reference, own = (Resolved(text, tuple(map(tuple, side))) for side in (key, response))
    same = tuple((i, i) for i in range(120))
    rows = DenseStatistics.build(COLUMNS, [twin.row(reference, projected(own, reference, same))])
    return {name: Coreference(measure=name).score_total(rows) or 0.0 for name in MEASURES}


@pytest.mark.parametrize("how", ["merge", "split", "drop"])
def test_the_more_damage_the_lower_the_score(how: str) -> None:
    draw = random.Random(15)
    key = chained(120, [14, 9, 7, 5, 4, 3, 2, 2, 1, 1, 1, 1], draw)
    assert scores(key, key) == pytest.approx(dict.fromkeys(MEASURES, 100.0))
    means = []
    for times in (0, 2, 4, 6, 8):
        runs = [scores(key, damaged(key, how, times, draw)) for _ in range(40)]
        means.append({name: sum(run[name] for run in runs) / len(runs) for name in MEASURES})
    for name in MEASURES:
        course = [one[name] for one in means]
        blind = name == "mentions" and how != "drop"  # it sees mentions only
        falls = all(a > b for a, b in pairwise(course))
        assert (course == [100.0] * 5) if blind else falls, (name, course)


def test_projection_of_mentions_torn_apart() -> None:
    """A mention may be linked to words that do not stand together."""
    reference = Resolved(Parsed("a b c d", tuple("abcd")), (((0, 3), (2,)),))
    own = Resolved(Parsed("d a c", tuple("dac")), (((0, 1), (2,)),))
    assert projected(own, reference, ((0, 3), (1, 0), (2, 2)), "exact") == [[(0, 3), (2,)]]


def test_the_larger_overlap_wins_and_each_mention_is_used_once() -> None:
    reference = Resolved(Parsed("a b c", tuple("abc")), (((0, 1, 2), (1,)),))
    own = Resolved(Parsed("a b c", tuple("abc")), (((0, 1), (1,), (1, 2)),))
    links = ((0, 0), (1, 1), (2, 2))
    assert projected(own, reference, links) == [[(0, 1, 2), (1,), ("own", (1, 2))]]


KEY = """#begin document 1
d 0 0 Ann (1)
d 0 1 saw -
d 0 2 the (2
d 0 3 sea 2)
d 0 4 . -

d 0 0 She (1)
d 0 1 smiled -
d 0 2 at -
d 0 3 it (2)
d 0 4 . -
#end document
"""


def test_a_text_is_found_in_a_file_wherever_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "chains.conll"
    path.write_text(KEY, "utf-8")
    found = resolver(f"files:{path}")
    both = Parsed(
        "Ann saw the sea.\nShe smiled at it.", ("Ann", "saw", "the", "sea.", "She", "smiled", "at", "it.")
    )
    (resolved,) = found.resolve([both])
    assert resolved.shown() == [["Ann", "She"], ["the sea.", "it."]]  # as far as words are cut
    (part,) = found.resolve([Parsed("She smiled at it .", ("She", "smiled", "at", "it", "."))])
    assert part.shown() == [["She"], ["it"]]
    with pytest.raises(InputError, match=r"chains.conll: no document has this text: 'She slept.'"):
        found.resolve([Parsed("She slept.", ("She", "slept."))])
    with pytest.raises(InputError, match="nowhere"):
        resolver("files:nowhere.conll")


PROGRAM = """import json, sys
print(json.dumps({"name": "capitals", "version": "2"}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    text = asked["text"]
    print(json.dumps({"id": asked["id"], "chains": ANSWER}), flush=True)
"""


def program(tmp_path: Path, answer: str) -> str:
    path = tmp_path / "resolve.py"
    path.write_text(PROGRAM.replace("ANSWER", answer), "utf-8")
    return f"program:{shlex.quote(sys.executable)} {path}"


def test_a_program_resolves(tmp_path: Path) -> None:
    spec = program(tmp_path, "[[[0, 3], [[4, 7], [8, 11]]]] if len(text) > 9 else []")
    found = resolver(spec).resolve([Parsed("one two six", ("one", "two", "six")), Parsed("", ())])
    assert [one.chains for one in found] == [(((0,), (1, 2)),), ()]
    metric = tt.metric(f'doc:coref:blanc,chains="{spec}"')
    assert metric.runs_programs
    assert not tt.metric("doc:coref").runs_programs
    assert metric.score(["one two six"], ["one two six"]) == 100.0
    assert 'resolver:"capitals 2"' in metric.signature()


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("None", "line 2 of its output: has no chains"),
        ("[7]", "line 2 of its output: has no list of mentions"),
        ("[[[0, 99]]]", "line 2 of its output: a mention has the characters 0 to 99, but the text has 3"),
        ("[[[0, 1.5]]]", r"line 2 of its output: \[0, 1.5\] is no span of characters"),
        ("[[3]]", "line 2 of its output: 3 is no span of characters"),
    ],
)
def test_wrong_answers_of_programs(answer: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        resolver(program(tmp_path, answer)).resolve([Parsed("one", ("one",))])


def test_measures_share_rows_and_are_refused_by_name() -> None:
    metrics = [tt.metric(f"doc:coref:{name}") for name in MEASURES]
    assert len({metric.analysis() for metric in metrics}) == 1
    with pytest.raises(SpecError, match="has no measure 'blank'; did you mean 'blanc'"):
        tt.metric("doc:coref:blank")
    with pytest.raises(SpecError, match="unknown source of chains 'rulez'"):
        tt.metric("doc:coref:chains=rulez")
    with pytest.raises(SpecError, match="the measure is given twice"):
        tt.metric("doc:coref:blanc,measure=muc")


def test_documents_are_scored_and_rewarded() -> None:
    """Two documents: one kept, one in which the second name is another."""
    reference = ["We met Ann Lee.", "Here Ann Lee slept.", "We saw Bob Ray.", "There Bob Ray sat."]
    hypothesis = [*reference[:3], "There Jim Roe sat."]
    documents = ["a", "a", "b", "b"]
    found = tt.score(hypothesis, reference, ["doc:coref:blanc", "doc:coref:links"], documents=documents)
    by_document = tt.score(hypothesis, reference, ["doc:coref:links"], documents=documents, level="document")
    assert by_document.scores[0].values == [100.0, 0.0]
    assert found.scores[1].value == pytest.approx(100 * 2 / 3)
    rewards = tt.metric("doc:coref:links").reward(
        [" ".join(hypothesis[:2]), " ".join(hypothesis[2:])],
        [" ".join(reference[:2]), " ".join(reference[2:])],
    )
    assert rewards.tolist() == [100.0, 0.0]
