"""The table of sentences (data/sentences.toml): each is used, has a condition, and is said only where it holds.

Made-up tests of systems, thousands of them, are put into words; every sentence is read back by its template, and what
it claims is looked up in the numbers.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

import tertium as tt
from tertium.comparison import Diagnosis, examine
from tertium.comparison.answer import FULL, Brevity, outcome
from tertium.comparison.doctor import Finding
from tertium.comparison.pair_results import PairResult, PairTests, SystemResult
from tertium.families.for_texts import TokenizerChoice
from tertium.results import sentence, sentence_table
from tertium.stats.multiple import holm
from tests.comparison.test_doctor import OUTPUT, REFERENCE, SOURCE, at
from tests.conftest import ROOT
from tools.sentences_page import cell

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
            assert set(entry) - {"advice"} == {"text", "when"}, f"{family}.{name}"
            assert len(entry["when"]) > 20
            assert not FORBIDDEN.search(entry["text"])
            assert not FORBIDDEN.search(entry.get("advice", ""))


def test_every_sentence_is_used_and_none_is_unknown() -> None:
    code = "\n".join(path.read_text("utf-8") for path in (ROOT / "src" / "tertium").rglob("*.py"))
    assert [name for name in names() if f'"{name}"' not in code] == []
    assert set(re.findall(r'(?:sentence|worded)\(\s*"([^"]+)"', code)) <= set(names())


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


def pattern(name: str, part: str = "text") -> re.Pattern[str]:
    """What a template looks like once filled in."""
    family, _, own = name.partition(".")
    parts = re.split(r"\{(\w+)\}", sentence_table()[family][own][part])
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


Texts = dict[str, list[str]]


def texts(
    output: list[str], reference: list[str] = REFERENCE, other: list[str] | None = None, **more: str
) -> Callable[[], Diagnosis]:
    """An examination of one or two outputs."""
    systems = {"A": output, **({} if other is None else {"B": other})}
    return lambda: examine({"ref": reference}, systems, {"src": SOURCE}, identify=False, **more)


def only(systems: Texts, references: Texts) -> Callable[[], Diagnosis]:
    """An examination without a source."""
    return lambda: examine(references, systems, identify=False)


def moved(lines: list[str], first: int, last: int) -> list[str]:
    """The line at `first` moved to `last`, the lines between them one earlier."""
    return [*lines[:first], *lines[first + 1 : last + 1], lines[first], *lines[last + 1 :]]


def plus(*ending: str) -> Callable[[], Diagnosis]:
    """These endings, at three lines each, from line 4 on."""
    places = range(3, 3 + 3 * len(ending))
    return texts([line + ending[(i - 3) // 3] if i in places else line for i, line in enumerate(OUTPUT)])


def lower(lines: list[str]) -> list[str]:
    return [line.lower() for line in lines]


def spaced(lines: list[str]) -> list[str]:
    return [line.replace(".", " .") for line in lines]


MET = [line.replace("saw", "met") for line in OUTPUT]
GERMAN = "Der Mann ist mit dem Hund in die Stadt gegangen, und sie war nicht da."
FRENCH = "Les hommes sont allés dans la ville avec le chien, et elle ne était pas là."
ENGLISH = [f"The man went to the town with the dog, and she was not there at all. {i}" for i in range(40)]
RUSSIAN = "Это предложение осталось без перевода на английский"
THAI = ["วันนี้อากาศดีมาก", "ฉันไปตลาดทุกวัน", "เขาอ่านหนังสือเล่มนี้", "เราจะพบกันพรุ่งนี้"]
JAPANESE = [
    "今日はとても天気がいいです",
    "私は毎日市場へ行きます",
    "彼はこの本を読みました",
    "明日また会いましょう",
]
CHINESE = ["今天天气很好", "我每天去市场", "他读了这本书", "我们明天见面"]
SIMPLE = [f"{line} Yes." for line in ENGLISH]
LATE = [*OUTPUT[15:], *OUTPUT[:15]]

# An input for each template of a finding, and the lines that the finding names (None: whatever lines they are).
FINDINGS: dict[str, tuple[Callable[[], Diagnosis], tuple[int, ...] | None]] = {
    "line-counts": (texts(OUTPUT[:59]), ()),
    "all-empty": (only({"A": [""]}, {"r": ["a"]}), ()),
    "empty-output": (texts(at([3, 8], lambda _: "")(OUTPUT)), (4, 9)),
    "empty-reference": (texts(OUTPUT, at([3], lambda _: " ")(REFERENCE)), (4,)),
    "empty-source": (
        lambda: examine({"r": REFERENCE}, {"A": OUTPUT}, {"s": ["", *SOURCE[1:]]}, identify=False),
        (1,),
    ),
    "tokenised": (texts(spaced(OUTPUT)), tuple(range(1, 61))),
    "all-tokenised": (texts(spaced(OUTPUT), spaced(REFERENCE)), tuple(range(1, 61))),
    "lower-cased": (texts(lower(OUTPUT)), ()),
    "all-lower-cased": (texts(lower(OUTPUT), lower(REFERENCE)), ()),
    "identical": (texts(OUTPUT, other=OUTPUT), ()),
    "nearly-identical": (texts(OUTPUT, other=[*OUTPUT[:-1], "Something else."]), (60,)),
    "is-source": (texts([*SOURCE[:40], *OUTPUT[40:]]), tuple(range(1, 41))),
    "untranslated": (texts(at([5], lambda _: SOURCE[5])(OUTPUT)), (6,)),
    "untranslated-reference": (texts(OUTPUT, at([5], lambda _: SOURCE[5])(REFERENCE)), (6,)),
    "is-reference": (texts(REFERENCE), ()),
    "leak": (texts([*REFERENCE[:20], *OUTPUT[20:]]), tuple(range(1, 21))),
    "repeated-output": (texts(at([1, 9, 30], lambda _: OUTPUT[1])(OUTPUT)), (2, 10, 31)),
    "repeated-segments": (
        only({"A": [*OUTPUT, *OUTPUT[:9]]}, {"r": [*REFERENCE, *REFERENCE[:9]]}),
        tuple(range(61, 70)),
    ),
    "script": (texts(OUTPUT, target_language="ru"), tuple(range(1, 61))),
    "script-beside": (texts(at([9], lambda _: RUSSIAN)(OUTPUT)), (10,)),
    "script-of-reference": (texts(OUTPUT, at([9], lambda _: RUSSIAN)(REFERENCE), MET), (10,)),
    "spaces-mixed": (
        only({"A": [*THAI[:4], *JAPANESE, *ENGLISH[:4]]}, {"r": [*THAI[:4], *JAPANESE, *ENGLISH[4:8]]}),
        None,
    ),
    "spaces-ambiguous": (only({"A": CHINESE}, {"r": CHINESE}), None),
    "lengths": (texts([line[:25] for line in OUTPUT]), ()),
    "length": (texts(at([12], lambda line: " ".join([line] * 5))(OUTPUT)), (13,)),
    "length-of-reference": (texts(OUTPUT, at([12], lambda _: "On day.")(REFERENCE), MET), (13,)),
    "cut-off": (texts(at([12, 20, 31], lambda line: line[:35] + "a")(OUTPUT)), (13, 21, 32)),
    "limit": (texts([" ".join(line.split()[:10]) for line in OUTPUT]), tuple(range(1, 61))),
    "language": (
        only({"A": [GERMAN if i % 10 == 3 else line for i, line in enumerate(SIMPLE)]}, {"r": ENGLISH}),
        (4, 14, 24, 34),
    ),
    "languages": (
        only(
            {"A": [GERMAN if i % 10 == 3 else FRENCH if i == 7 else line for i, line in enumerate(SIMPLE)]},
            {"r": ENGLISH},
        ),
        (4, 8, 14, 24, 34),
    ),
    "brackets": (texts(at([4], lambda line: f"{line} (sah mit)")(OUTPUT)), (5,)),
    "order": (texts(LATE), None),
    "order-of-systems": (texts(LATE, other=[*MET[15:], *MET[:15]]), None),
    "changed-places": (texts(moved(OUTPUT, 20, 21)), (21, 22)),
    "changed-places-in-reference": (texts(OUTPUT, moved(REFERENCE, 20, 21), MET), (21, 22)),
    "stretch": (texts(moved(OUTPUT, 20, 33)), tuple(range(21, 34))),
    "stretch-of-reference": (texts(OUTPUT, moved(REFERENCE, 20, 33), MET), tuple(range(22, 35))),
    "byte-order-mark": (texts(at([0], lambda line: "\ufeff" + line)(OUTPUT)), (1,)),
    "lost-characters": (plus(" caf\ufffd"), (4, 5, 6)),
    "mojibake": (plus(" cafÃ©"), (4, 5, 6)),
    "control-characters": (plus("\x1b"), (4, 5, 6)),
    "escapes": (plus(r" caf\u00e9"), (4, 5, 6)),
    "surrogates": (plus(" \ud83d"), (4, 5, 6)),
    "question-marks": (plus(" caf?s"), (4, 5, 6)),
    "not-composed": (plus(unicodedata.normalize("NFD", " café")), (4, 5, 6)),
    "entities": (plus(" &quot;"), (4, 5, 6)),
    "subword-marks": (plus(" ap@@ ples"), (4, 5, 6)),
    "markers": (plus(" <unk>"), (4, 5, 6)),
    "separators": (plus(" ||| -3.2"), (4, 5, 6)),
    "preambles": (texts(at([4], lambda line: f"Here is the translation: {line}")(OUTPUT)), (5,)),
    "fences": (texts(at([4], lambda line: f"```{line}```")(OUTPUT)), (5,)),
    "quotes": (texts(at([4], lambda line: f'"{line}"')(OUTPUT)), (5,)),
    "invisible": (plus(" a\u200bb"), (4, 5, 6)),
    "no-break-spaces": (texts(at([4], lambda line: line.replace(" ", "\xa0"))(OUTPUT)), (5,)),
    "homoglyphs": (plus(" аpples"), (4, 5, 6)),
    "full-width": (plus("！"), (4, 5, 6)),
    "capitals": (texts(at([4], str.upper)(OUTPUT)), (5,)),
    "loops": (plus(" go on, go on, go on, go on."), (4, 5, 6)),
    "repeated-words": (plus(" went went home."), (4, 5, 6)),
}
WITH_FILE, WITHOUT_PACKAGE = "in-training", "spaces-characters"
IN_FINDINGS = ("shift", "line-counts-elsewhere")
VERDICT = ("verdict", "nothing-found", "unusable", "serious", "nothing-serious", "look")


def template_of(finding: Finding) -> str:
    """The template of a finding: that with the most fixed characters, where several fit."""
    found = []
    for name, entry in sentence_table()["doctor"].items():
        if name in (*IN_FINDINGS, *VERDICT):
            continue
        fits = pattern(f"doctor.{name}").fullmatch(finding.message)
        if fits and pattern(f"doctor.{name}", "advice").fullmatch(finding.advice):
            found.append((len(re.sub(r"\{\w+\}", "", entry["text"])), name))
    assert found, f"no template has made: {finding.message} -> {finding.advice}"
    return max(found)[1]


def parts_of_verdict(diagnosis: Diagnosis) -> set[str]:
    """The templates in a verdict."""
    whole = pattern("doctor.verdict").fullmatch(diagnosis.verdict())
    assert whole
    found = {"verdict"}
    for part in whole["outcome"].split("; "):
        names = [name for name in VERDICT[1:] if pattern(f"doctor.{name}").fullmatch(part)]
        assert len(names) == 1, part
        found.update(names)
    return found


@pytest.mark.parametrize("name", FINDINGS)
def test_a_finding_is_said_of_the_lines_that_have_it(name: str) -> None:
    make, lines = FINDINGS[name]
    found = [finding for finding in make().findings if template_of(finding) == name]
    assert found, make().text()
    if lines is not None:
        assert found[0].lines == lines


def test_a_clean_input_has_no_finding() -> None:
    for diagnosis in (texts(OUTPUT)(), texts(OUTPUT, source_language="de", target_language="en")()):
        assert diagnosis.findings == ()
        assert parts_of_verdict(diagnosis) == {"verdict", "nothing-found"}
    assert texts(OUTPUT, other=MET)().findings == ()


def test_every_template_of_the_doctor_has_an_input(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.txt"
    corpus.write_text(f"{REFERENCE[7].upper()}\nSomething else\n", encoding="utf-8")
    [leak] = examine({"ref": REFERENCE}, {"A": OUTPUT}, identify=False, training=[corpus]).findings
    assert (template_of(leak), leak.lines) == (WITH_FILE, (8,))
    assert set(sentence_table()["doctor"]) == {*FINDINGS, WITH_FILE, WITHOUT_PACKAGE, *IN_FINDINGS, *VERDICT}


def test_a_tokeniser_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    examined = only({"A": THAI}, {"r": THAI})
    assert WITHOUT_PACKAGE not in [template_of(one) for one in examined().findings if one.check == "spaces"]
    lacking = TokenizerChoice("char", "th-icu", "icu")
    monkeypatch.setattr("tertium.comparison.doctor.scripts.tokenizer_for", lambda _language: lacking)
    assert WITHOUT_PACKAGE in [template_of(one) for one in examined().findings if one.check == "spaces"]


def test_parts_of_findings() -> None:
    """How far lines are displaced is said where most are by one distance."""
    lost = texts([*OUTPUT[:17], *OUTPUT[18:]])().findings[0].message
    assert re.search(pattern("doctor.line-counts-elsewhere").pattern, lost)
    assert "1 line later, from line 18 on" in lost
    [late] = [one.message for one in texts(LATE)().findings if template_of(one) == "order"]
    assert late.endswith("most of them 15 lines later, from line 1 on")
    draw, shuffled = Random(1), list(OUTPUT)
    draw.shuffle(shuffled)
    [message] = [one.message for one in texts(shuffled)().findings if template_of(one) == "order"]
    assert not re.search(pattern("doctor.shift").pattern, message)


def test_verdicts_of_the_doctor_are_true() -> None:
    said: set[str] = set()
    for make, _ in FINDINGS.values():
        diagnosis = make()
        parts, levels = parts_of_verdict(diagnosis), {one.severity for one in diagnosis.findings}
        assert ("unusable" in parts) == ("unusable" in levels)
        assert ("serious" in parts) == ("serious" in levels)
        assert ("look" in parts) == ("look" in levels)
        assert ("nothing-serious" in parts) == (levels == {"look"})
        assert "nothing-found" not in parts
        said |= parts
    assert said == set(VERDICT) - {"nothing-found"}


def test_the_page_of_sentences_is_complete(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "evidence" / "sentences.md").read_text("utf-8")
    for family, own in sentence_table().items():
        for entry in own.values():
            for part in entry.values():
                assert cell(part) in page, (family, part)
