"""The table of sentences (data/sentences.toml): each is used, has a condition, and is said only where it holds.

Made-up tests of systems, thousands of them, are put into words; every sentence is read back by its template, and what
it claims is looked up in the numbers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

import tertium as tt
from tertium.comparison.answer import FULL, Brevity, outcome
from tertium.comparison.pair_results import PairResult, PairTests, SystemResult
from tertium.results import sentence, sentence_table
from tertium.stats.multiple import holm
from tests.conftest import ROOT

ALPHA = 0.05
BRIEF = Brevity(2, 0, 3, details=False)
WORDS = {  # what a field may hold; the others: anything
    "has": "has|share",
    "every": "(?: by every metric)?",
    "p": r"(?:p [=≤≥<] )?[.\d][^()]*?|p [^()]*?|no p-value",
    "rest": "(?: .*)?",
    "floor": "(?: .*)?",
}
FORBIDDEN = re.compile(r"\b(surely|hardly|clearly|is best|told apart)\b", re.I)


def names() -> list[str]:
    return [f"{family}.{name}" for family, own in sentence_table().items() for name in own]


def test_every_sentence_has_a_condition() -> None:
    for family, own in sentence_table().items():
        for name, entry in own.items():
            assert set(entry) == {"text", "when"}, f"{family}.{name}"
            assert len(entry["when"]) > 20
            assert not FORBIDDEN.search(entry["text"])


def test_every_sentence_is_used_and_none_is_unknown() -> None:
    code = "\n".join(path.read_text("utf-8") for path in (ROOT / "src" / "tertium").rglob("*.py"))
    assert [name for name in names() if f'"{name}"' not in code] == []
    assert set(re.findall(r'sentence\(\s*"([^"]+)"', code)) <= set(names())


def made(metric: str, scores: dict[str, float | None], draw: Random) -> PairTests:
    """Tests of all pairs, with p-values at random: of few units none can be small."""
    resamples = draw.choice([20, 10_000])
    pairs = []
    systems = list(scores)
    for i, a in enumerate(systems):
        for b in systems[i + 1 :]:
            one, other = scores[a], scores[b]
            if one is None or other is None:
                pairs.append(PairResult(a, b, None, None, None))
                continue
            higher = tt.metric(metric).higher_is_better
            better = None if one == other else (b if (other > one) == higher else a)
            p = 1.0 if better is None else draw.choice([1 / (resamples + 1), 0.004999, 0.0166, 0.04999, 0.4])
            p = max(p, 1 / (resamples + 1))
            floor = draw.choice([None, 1.25])
            pairs.append(PairResult(a, b, other - one, better, p, smallest_detectable=floor))
    corrected = holm([pair.p for pair in pairs])
    pairs = [PairResult(**{**vars(pair), "p_holm": p}) for pair, p in zip(pairs, corrected, strict=True)]
    results = tuple(SystemResult(name, value) for name, value in scores.items())
    return PairTests(
        tt.metric(metric), "bootstrap", resamples, 1, "segments", 300, 300, results, tuple(pairs)
    )


def worlds() -> Iterator[tuple[list[PairTests], str | None]]:
    for seed in range(1_500):
        draw = Random(seed)
        systems = [f"S{i}" for i in range(draw.choice([2, 2, 3, 4, 7]))]
        tests = []
        for metric in draw.sample(["bleu", "chrf", "ter", "macrof1"], draw.choice([1, 2, 3])):
            scores = {
                name: None if draw.random() < 0.03 else float(draw.choice([20, 25, 30, 31, 32]))
                for name in systems
            }
            tests.append(made(metric, scores, draw))
        yield tests, draw.choice([None, None, systems[0]])


def pattern(name: str) -> re.Pattern[str]:
    """What a template looks like once filled in."""
    family, _, own = name.partition(".")
    parts = re.split(r"\{(\w+)\}", sentence_table()[family][own]["text"])
    fields = (f"(?P<{part}>{WORDS.get(part, '.*?')})" for part in parts[1::2])
    text = "".join(re.escape(part) if i % 2 == 0 else next(fields) for i, part in enumerate(parts))
    return re.compile(text)


OUTCOMES = [name for name in names() if name.startswith("compare.")]
# Those that follow another sentence in its line, and those that a whole comparison says.
PARTS = ("compare.pair-rest", "compare.pair-floor")
ELSEWHERE = (
    "compare.lead",
    "compare.check-input",
    "compare.runs",
    "compare.mean-reversal",
    "compare.bucket-reversal",
)  # reversals: tests/comparison/test_buckets.py


def said_by(line: str) -> tuple[str, dict[str, str]]:
    """The template of a line, and the values in it: the longest template where several fit."""
    found = []
    for name in OUTCOMES:
        if name not in PARTS and (match := pattern(name).fullmatch(line)):
            fixed = len(re.sub(r"\{\w+\}", "", sentence_table()["compare"][name.split(".")[1]]["text"]))
            found.append((fixed, name, match.groupdict()))
    assert found, f"no template of the table has made: {line}"
    _, name, values = max(found, key=lambda one: one[0])
    return name, values


def listed(text: str) -> list[str]:
    return re.findall(r"S\d", text)


def labels(text: str, tests: list[PairTests]) -> list[PairTests]:
    return [one for one in tests if re.search(rf"\b{re.escape(one.label)}\b", text)]


def printed_p(text: str) -> float:
    return float(re.search(r"(?:[=≤≥<] )(\d*\.?\d+)", text).group(1))  # type: ignore[union-attr]


def verdicts(tests: list[PairTests], a: str, b: str) -> list[tuple[PairTests, str, float]]:
    """By each metric with a score: how `a` fares against `b`, and p after Holm."""
    found = []
    for one in tests:
        pair = one.pair(a, b)
        if pair.p_holm is None:
            continue
        significant = pair.p_holm < ALPHA and pair.better is not None
        how = "even" if not significant else "better" if pair.better == a else "worse"
        found.append((one, how, pair.p_holm))
    return found


def best_by(one: PairTests) -> set[str]:
    known = {system.name: system.value for system in one.systems if system.value is not None}
    top = (max if one.metric.higher_is_better else min)(known.values(), default=None)
    return {name for name, value in known.items() if value == top}


def centre_of(tests: list[PairTests], baseline: str | None) -> str:
    if baseline is not None:
        return baseline
    one = tests[0]
    sign = 1 if one.metric.higher_is_better else -1
    return sorted(one.systems, key=lambda s: float("inf") if s.value is None else -sign * s.value)[0].name


def check_best(values: dict[str, str], tests: list[PairTests], baseline: str | None) -> None:
    for one in tests:
        if best_by(one):
            assert best_by(one) == set(listed(values["systems"])) or "more" in values["systems"]


def check_disagreement(values: dict[str, str], tests: list[PairTests], baseline: str | None) -> None:
    assert len({frozenset(best_by(one)) for one in tests if best_by(one)}) > 1


def check_group(how: str) -> Callable[[dict[str, str], list[PairTests], str | None], None]:
    def check(values: dict[str, str], tests: list[PairTests], baseline: str | None) -> None:
        centre = centre_of(tests, baseline)
        stated = values.get("than") or values.get("from_") or ""
        if stated:
            assert centre in stated
        else:
            assert all(best_by(one) in ({centre}, set()) for one in tests)
        named = listed(values["systems"])
        if "others" in values["systems"]:
            named = [system.name for system in tests[0].systems if system.name != centre]
        seen = [one for name in named for one in verdicts(tests, name, centre)]
        assert seen
        assert {found for _, found, _ in seen} == {how}
        if "p" in values:
            assert max(p for _, _, p in seen) <= printed_p(values["p"]) + 1e-12
            assert printed_p(values["p"]) < ALPHA
        elif "amount" in values:
            first = seen[0][0]
            largest = max(
                abs(first.pair(name, centre).difference or 0) for name in named if first.pair(name, centre).p
            )
            assert float(re.search(r"\d+\.\d+", values["amount"]).group()) == pytest.approx(largest)  # type: ignore[union-attr]

    return check


def check_mixed(values: dict[str, str], tests: list[PairTests], baseline: str | None) -> None:
    centre = centre_of(tests, baseline)
    hows = {how for name in listed(values["systems"]) for _, how, _ in verdicts(tests, name, centre)}
    assert len(hows) > 1 or "more" in values["systems"] or "systems" in values["systems"]


def check_nothing(values: dict[str, str], tests: list[PairTests], baseline: str | None) -> None:
    assert all(one.least >= ALPHA for one in tests)
    assert not any(pair.p_holm is not None and pair.p_holm < ALPHA for one in tests for pair in one)


def check_undefined(values: dict[str, str], tests: list[PairTests], baseline: str | None) -> None:
    for name in listed(values.get("parts", values.get("systems", ""))):
        assert any(one.system(name).value is None for one in tests)


def check_pair(values: dict[str, str], tests: list[PairTests], baseline: str | None) -> None:
    winner, loser = values["winner"], values["loser"]
    found = verdicts(tests, winner, loser)
    named = labels(values["amounts"], tests)
    assert named
    assert {one.label for one, how, _ in found if how == "better"} == {one.label for one in named}
    if "others" in values:
        assert {one.label for one, how, _ in found if how == "worse"} == {
            one.label for one in labels(values["others"], tests)
        }
    else:
        assert not any(how == "worse" for _, how, _ in found)
        assert max(p for _, how, p in found if how == "better") <= printed_p(values["p"]) < ALPHA
    even = {one.label for one, how, _ in found if how == "even"}
    assert {one.label for one in labels(values["rest"], tests)} == even


def check_no_pair(values: dict[str, str], tests: list[PairTests], baseline: str | None) -> None:
    found = verdicts(tests, values["first"], values["second"])
    assert found
    assert {how for _, how, _ in found} == {"even"}
    if "p" in values and "no p" not in values["p"]:
        assert printed_p(values["p"]) >= ALPHA


CHECKS: dict[str, Callable[[dict[str, str], list[PairTests], str | None], None]] = {
    "compare.best-score": check_best,
    "compare.no-common-best": check_disagreement,
    "compare.no-common-best-short": check_disagreement,
    "compare.worse": check_group("worse"),
    "compare.better": check_group("better"),
    "compare.not-significant": check_group("even"),
    "compare.not-significant-short": check_group("even"),
    "compare.mixed": check_mixed,
    "compare.mixed-short": check_mixed,
    "compare.nothing-possible": check_nothing,
    "compare.undefined": check_undefined,
    "compare.undefined-short": check_undefined,
    "compare.pair-significant": check_pair,
    "compare.pair-disagreement": check_pair,
    "compare.pair-not-significant": check_no_pair,
}


def test_sentences_of_comparisons_are_true() -> None:
    """Each sentence of 1,500 made-up comparisons, and each template at least once."""
    times: Counter[str] = Counter()
    for tests, baseline in worlds():
        for brief in (FULL, BRIEF):
            for line in outcome(tests, baseline, brief=brief):
                name, values = said_by(line)
                times[name] += 1
                CHECKS[name](values, tests, baseline)
                assert not FORBIDDEN.search(line)
    assert set(times) == set(CHECKS)
    assert set(CHECKS) | set(PARTS) | set(ELSEWHERE) == set(OUTCOMES)


def test_a_check_would_notice_a_false_claim() -> None:
    scores: dict[str, float | None] = {"S0": 30.0, "S1": 20.0}
    tests = [made("bleu", scores, Random(1))]
    tests = [
        PairTests(**{**vars(tests[0]), "pairs": (PairResult("S0", "S1", -10.0, "S0", 0.2, p_holm=0.2),)})
    ]
    line = sentence(
        "compare.pair-significant", winner="S0", loser="S1", amounts="BLEU (+10.00)", p="p = .020", rest=""
    )
    name, values = said_by(line)
    with pytest.raises(AssertionError):
        CHECKS[name](values, tests, None)


def test_sentences_of_pairs_are_true() -> None:
    times: Counter[str] = Counter()
    for tests, _ in worlds():
        for one in tests:
            for pair in one:
                line = one.sentence(pair)
                [name, *_] = [
                    name for name in names() if name.startswith("pair.") and pattern(name).fullmatch(line)
                ]
                times[name] += 1
                assert (name == "pair.significant") == (
                    pair.better is not None and (pair.p_holm or 1) < ALPHA
                )
                assert (name == "pair.undefined") == (pair.p is None)
                assert (name in ("pair.equal", "pair.identical")) == (
                    pair.better is None and pair.p is not None
                )
                if name == "pair.significant":
                    assert line.startswith(f"{pair.better} is")
                    assert (pair.p_holm or 0) <= printed_p(line) + 1e-12
    assert set(times) == {"pair.significant", "pair.not-significant", "pair.equal", "pair.undefined"}


def test_the_lead_is_explained_only_where_it_is_significant() -> None:
    sample = tt.TestSet.sample()
    whole = tt.compare(tt.TestSet.of(sample.references, sample.systems), ["chrf"])
    assert any(pattern("compare.lead").fullmatch(line) for line in whole.words())
    same = {"a": sample.systems["strong"], "b": sample.systems["strong"]}
    equal = tt.compare(tt.TestSet.of(sample.references, same), ["chrf"])
    assert not any(pattern("compare.lead").fullmatch(line) for line in equal.words())


def test_the_page_of_sentences_is_complete(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "evidence" / "sentences.md").read_text("utf-8")
    for family, own in sentence_table().items():
        for entry in own.values():
            assert entry["text"].strip().replace("|", r"\|") in page, family
            assert entry["when"] in page
