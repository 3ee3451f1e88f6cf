"""METEOR against its twin on texts at random, and against the jar itself where there is Java."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium as tt
from tertium import _native, registry
from tertium._native import Lines
from tertium.errors import InputError, SpecError
from tertium.families.meteor import Meteor
from tertium.text import meteor, moses, stemmers
from tertium.text.similarity import Letters, pair_weights
from tests.conftest import skip_or_fail
from tests.twins import meteor as twin

WORDS = [
    *(
        "run",
        "runs",
        "running",
        "dog",
        "dogs",
        "dogged",
        "hound",
        "cat",
        "cats",
        "the",
        "a",
        "of",
        "big",
        "huge",
    ),
    *("very", "le", "n'", "😀"),
]
PAIRS = [
    *(("very big", "huge"), ("huge", "very big"), ("dog", "cat"), ("the dog", "a cat of"), ("dog", "cat")),
    *(("of the", "a"), ("cat", "cat"), ("a", "the the the"), ("run runs running", "dogs"), ("big", "very")),
]
SETS = {"dog": [1, 2], "hound": [2], "cat": [3], "run": [4], "big": [5], "huge": [5, 6], "very": [6]}
FUNCTIONS = ["the", "a", "of"]


def texts(rng: random.Random, number: int, longest: int, words: list[str]) -> list[str]:
    return [" ".join(rng.choice(words) for _ in range(rng.randint(0, longest))) for _ in range(number)]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small resource directory, made here."""
    folder = tmp_path_factory.mktemp("meteor")
    synsets = "".join(f"{word}\n{' '.join(map(str, sets))}\n" for word, sets in sorted(SETS.items()))
    (folder / "english.synsets").write_text(synsets)
    (folder / "english.exceptions").write_text("cat\nkatze\n")
    (folder / "english.words").write_text("\n".join(FUNCTIONS))
    (folder / "paraphrase-en").write_text("".join(f"0.5\n{first}\n{second}\n" for first, second in PAIRS))
    return folder


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERTIUM_CACHE", str(tmp_path / "cache"))


def sets_of(word: str) -> set[int]:
    base = {"dogs": "dog", "cats": "cat", "runs": "run"}.get(word, word)
    return set(SETS.get(word, [])) | set(SETS.get(base, []))


def twin_modules(names: str) -> list[twin.Module]:
    made: dict[str, twin.Module] = {
        "exact": twin.exact,
        "stem": twin.stems(stemmers.stemmer("english")),
        "synonym": twin.synonyms(sets_of),
        "paraphrase": twin.paraphrases(PAIRS),
    }
    return [made[name] for name in names.split("+")]


@pytest.mark.parametrize("longest", [4, 9, 20])
@pytest.mark.parametrize(
    "options",
    [
        *("modules=exact", "modules=exact+stem", "modules=exact+synonym", "modules=exact+paraphrase", ""),
        *(
            "beam=3",
            "beam=200",
            "beam=1,modules=stem+exact",
            "modules=paraphrase+synonym+stem+exact",
            "task=adq",
            "task=tune",
        ),
    ],
)
def test_rows_and_scores_are_the_twins(small: Path, options: str, longest: int) -> None:
    rng = random.Random(f"{options} {longest}")
    metric = tt.metric(f'meteor:normalize=none,resources="{small}"' + (f",{options}" if options else ""))
    assert isinstance(metric, Meteor)
    hypotheses, references = texts(rng, 120, longest, WORDS), texts(rng, 120, longest, WORDS)
    rows = metric.statistics(hypotheses, references, threads=2)
    scores = metric.score_rows(rows, "segment")
    parameters = {name: float(getattr(metric, name)) for name in ("alpha", "beta", "gamma", "delta")}
    weights = [float(weight) for weight in metric.weights.split("+")]
    for i, (hypothesis, reference) in enumerate(zip(hypotheses, references, strict=True)):
        ours, theirs = hypothesis.split(), reference.split()
        found = twin.statistics(ours, theirs, twin_modules(metric.modules), frozenset(FUNCTIONS), metric.beam)
        assert rows.array[i].tolist() == [*found.counts, found.whole], (hypothesis, reference)  # type: ignore[attr-defined]
        assert scores[i] / 100 == pytest.approx(twin.score(found, parameters, weights), abs=1e-12)


def test_around_64_words(small: Path) -> None:
    """Texts of more than 64 words are searched by other code than shorter ones."""
    rng = random.Random(64)
    words = [f"w{i}" for i in range(40)] + WORDS
    lengths = [(63, 64), (64, 64), (64, 65), (65, 64), (65, 66), (128, 129), (10, 70), (70, 10)]
    pairs = [tuple(" ".join(rng.choice(words) for _ in range(n)) for n in both) for both in lengths]
    metric: Any = tt.metric(f'meteor:normalize=none,resources="{small}"')
    rows = metric.statistics([ours for ours, _ in pairs], [theirs for _, theirs in pairs])
    for i, (ours, theirs) in enumerate(pairs):
        modules = twin_modules(metric.modules)
        found = twin.statistics(ours.split(), theirs.split(), modules, frozenset(FUNCTIONS), metric.beam)
        assert rows.array[i].tolist() == [*found.counts, found.whole], lengths[i]


def test_a_beam_too_wide_for_small_keys(small: Path) -> None:
    """Beams of more than 1024 paths are searched by other code than smaller ones; here neither is ever full."""
    rng = random.Random(1024)
    words = [f"w{i}" for i in range(12)] + WORDS
    hypotheses, references = texts(rng, 300, 12, words), texts(rng, 300, 12, words)
    found = [
        tt.metric(f'meteor:normalize=none,beam={beam},resources="{small}"').statistics(hypotheses, references)
        for beam in (1024, 1025)
    ]
    assert found[0].array.tolist() == found[1].array.tolist()  # type: ignore[attr-defined]


def test_of_several_references_the_best_counts(small: Path) -> None:
    rng = random.Random(5)
    metric = tt.metric(f'meteor:normalize=none,resources="{small}"')
    hypotheses = texts(rng, 60, 9, WORDS)
    streams = [texts(rng, 60, 9, WORDS) for _ in range(3)]
    best = [metric.score_rows(metric.statistics(hypotheses, stream), "segment") for stream in streams]
    together = metric.score_rows(metric.statistics(hypotheses, streams), "segment")
    assert together.tolist() == [max(scores) for scores in zip(*best, strict=True)]


@pytest.mark.parametrize("longest", [5, 14])
def test_links_are_the_twins(small: Path, longest: int) -> None:
    rng = random.Random(longest)
    hypotheses, references = texts(rng, 150, longest, WORDS), texts(rng, 150, longest, WORDS)
    modules = "exact+stem+synonym+paraphrase"
    letters = Letters()

    def alike(a: str, b: str) -> float:
        return 1.0 if a == b else letters.similarity([a], [b])[0][0]

    kinds: dict[str, Callable[[str, str], float]] = {
        "meteor-hard:": lambda a, b: 1.0,
        "meteor-soft:vectors=letters,": alike,
    }
    for start, similarity in kinds.items():
        metric = tt.metric(f'{start}modules={modules},normalize=none,resources="{small}"')
        scores = metric.score_rows(metric.statistics(hypotheses, references), "segment")
        for score, hypothesis, reference in zip(scores, hypotheses, references, strict=True):
            ours, theirs = hypothesis.split(), reference.split()
            matches, chunks = twin.align(ours, theirs, twin_modules(modules))
            wanted = twin.link_score(matches, chunks, ours, theirs, similarity)
            assert score / 100 == pytest.approx(wanted, abs=1e-12), (hypothesis, reference)


PIECES = [
    *"abxX19.,'-s \"é(/Ж中&",
    *(
        " ",
        ". ",
        "No",
        "Mr",
        "--",
        "’",
        "“",
        "`",
        "–",
        "—",
        "...",
        "nr",
        "etc",
        "v. ",
        "``",
        "''",
        "1.",
        "A.",
    ),
    *("\u00a0", "\x0b", "‘", "’s", "Dr.", "\x01", "\x1f", "\t", "\u3000", "😀"),
]


@pytest.mark.parametrize("code", ["en", "fr", "de", "cz"])
@pytest.mark.parametrize("punctuation", [True, False])
def test_the_normaliser_is_the_twins(code: str, *, punctuation: bool) -> None:
    rng = random.Random(code)
    language = meteor.language(code)
    always, before_numbers = moses.read_prefixes(language.prefixes)
    lines = ["".join(rng.choice(PIECES) for _ in range(rng.randint(0, 15))) for _ in range(3000)]
    native = _native.MeteorNormalizer(language.apostrophes, punctuation, always, before_numbers).cut(
        Lines(lines)
    )
    for i, line in enumerate(lines):
        wanted = twin.normalized(line, language.apostrophes, always, before_numbers, punctuation=punctuation)
        assert native[i] == wanted, repr(line)


def test_lower_case_comes_after_the_normaliser() -> None:
    rng = random.Random(3)
    lines = ["".join(rng.choice([*PIECES, "ÀB", "İx", "ẞ"]) for _ in range(12)) for _ in range(2000)]
    native, _ = meteor.normalizer("en", punctuation=True)
    plain, lowered = native.cut(Lines(lines)), native.cut(Lines([*lines, None]), lower=True)
    assert [lowered[i] for i in range(len(lines))] == [(plain[i] or "").lower() for i in range(len(lines))]
    assert lowered[len(lines)] is None


@pytest.mark.parametrize(
    "modules", ["exact", "exact stem", "exact stem synonym", "exact stem synonym paraphrase"]
)
def test_the_jar_itself(meteor_home: Path, tmp_path: Path, modules: str) -> None:
    """Statistics of texts at random, as METEOR 1.5 prints them with -ssOut."""
    java = shutil.which("java")
    if java is None:
        skip_or_fail("there is no Java to run METEOR's jar with")
    rng = random.Random(modules)
    words = [
        *(
            "run",
            "runs",
            "running",
            "dog",
            "dogs",
            "hound",
            "house",
            "houses",
            "home",
            "the",
            "of",
            "big",
            "huge",
        ),
        *("large", "le", "n'", "U.S.", ",", ".", "don't", "x-y"),
    ]
    hypotheses, references = texts(rng, 400, 14, words), texts(rng, 400, 14, words)
    table = tmp_path / "table"
    table.write_text("".join(f"0.5\n{first}\n{second}\n" for first, second in PAIRS))
    paths = [tmp_path / name for name in ("test", "reference")]
    for path, lines in zip(paths, (hypotheses, references), strict=True):
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    command = [
        java,
        "-Dfile.encoding=UTF-8",
        "-jar",
        meteor_home / "meteor-1.5.jar",
        *paths,
        "-l",
        "en",
        "-norm",
    ]
    command += ["-m", modules, "-a", table, "-ssOut"]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path)
    expected = [[int(float(value)) for value in line.split()] for line in done.stdout.splitlines()]
    metric: Any = tt.metric(
        f'meteor:modules={modules.replace(" ", "+")},resources="{meteor_home}",paraphrases="{table}"'
    )
    found = metric.statistics(hypotheses, references).array[:, :23].tolist()
    assert found == expected


def test_a_long_line(small: Path) -> None:
    rng = random.Random(2)
    words = [f"w{i}" for i in range(300)] + WORDS
    hypothesis, reference = (" ".join(rng.choice(words) for _ in range(3000)) for _ in range(2))
    metric = tt.metric(f'meteor:normalize=none,resources="{small}"')
    assert 0 < (metric.score_total(metric.statistics([hypothesis], [reference])) or 0) < 100


class Unsure:
    """A similarity that is not a number, too large, or negative."""

    def similarity(self, words_a: list[str], words_b: list[str]) -> list[list[float]]:
        value = {"a": float("nan"), "b": 7.0, "c": -1.0}
        return [[value[a] for _ in words_b] for a in words_a]


def test_weights_lie_between_0_and_1() -> None:
    assert pair_weights([("a", "x"), ("b", "x"), ("c", "y")], Unsure()) == [0.0, 1.0, 0.0]
    many = [(f"{i}word", f"{i}words") for i in range(300)]  # more than one block
    assert pair_weights(many, Letters()) == [2 * len(a[1:]) / (len(a[1:]) + len(b[1:])) for a, b in many]


class Vectors:
    """What `tertium.text.vectors` has, as far as it matters here."""

    hash = "abc123"

    @classmethod
    def open(cls, path: str) -> Vectors:
        return cls()

    def cosines(self, rows: list[str], columns: list[str]) -> np.ndarray:
        return np.full((len(rows), len(columns)), 0.5)


def test_word_vectors_weigh_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tertium.text.vectors", types.SimpleNamespace(Vectors=Vectors))
    path = tmp_path / "toy.vec"
    path.write_text("")
    metric = tt.metric(f'meteor-soft:vectors="{path}"')
    rows = metric.statistics(["the dogs ran"], ["the dog ran"])
    assert rows["weight"].tolist() == [2.5]  # type: ignore[index]
    assert f'|vectors:"{path}"|vec:abc123|' in metric.signature()
    assert registry.from_signature(metric.label, metric.signature()) == metric


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("meteor:lang=xx", "METEOR has no language 'xx'"),
        ("meteor:modules=exact+stems", "no module 'stems'; did you mean 'stem'"),
        ("meteor:modules=exact+exact", "given twice"),
        ("meteor:task=rnak", "no task 'rnak'; did you mean 'rank'"),
        ("meteor:lang=it,task=rank", "no parameters for task=rank in it"),
        ("meteor:lang=it,normalize=norm", "no normaliser for italian: tokenise .* normalize=lower"),
        ("meteor:normalize=yes", "no normalize='yes'"),
        ("meteor:weights=1", "weights must be 4 numbers"),
        ("meteor:modules=exact,weights=x", "weights are numbers"),
        ("meteor:modules=exact,weights=0", "all weights are 0"),
        ("meteor:alpha=2", "alpha must be from 0 to 1"),
        ("meteor:unit=letters", "unit is word or char"),
        ("meteor:beam=0", "beam must be from 1"),
        ("meteor-hard:modules=none", "no module 'none'"),
    ],
)
def test_impossible_options(spec: str, complaint: str) -> None:
    with pytest.raises(SpecError, match=complaint):
        tt.metric(spec)


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without any of METEOR's files."""
    monkeypatch.delenv(meteor.VARIABLE, raising=False)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setattr("tertium.text.synonyms.DEBIAN", "/no/such/place")
    meteor.forget()


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("meteor", "English synonyms are not installed: pip install .*TERTIUM_METEOR.*modules=exact"),
        ("meteor:modules=exact+paraphrase", "paraphrases for english .* not installed: pip install"),
        ("meteor:lang=fr", r"paraphrases for french \(paraphrase-fr.gz\) .* leave paraphrase out"),
        ("meteor:modules=exact+synonym,synonyms=wordnet", "apt install wordnet-base"),
        ("meteor:resources=/no/such/place", "no such directory"),
        ("meteor:lang=de,modules=synonym", "synonyms for English only"),
        ("meteor:lang=cz,modules=exact+stem", "no stemmer for czech: leave stem out"),
        ("meteor:lang=ar", "Arabic stems .* not installed"),
        ("meteor-soft", "vectors=<file>, vectors=letters"),
        ("meteor-soft:vectors=/no/such/place", "no such file"),
        ("meteor:modules=exact,function_words=/no/such/place", "no such file"),
    ],
)
def test_what_is_missing_is_named_in_one_line(bare: None, spec: str, complaint: str) -> None:
    with pytest.raises((InputError, SpecError), match=complaint) as error:
        tt.score(["a dog"], ["a dog"], spec)
    assert "\n" not in str(error.value)


def test_without_files_the_signature_says_so(bare: None) -> None:
    assert "|syn:missing|para:missing|func:missing|" in tt.metric("meteor").signature()
    signature = tt.metric("meteor:modules=exact+stem").signature()
    assert "|mod:exact+stem|norm:norm|abbr:tertium|func:tertium|" in signature
    assert "|func:none|" in tt.metric("meteor:lang=fr,modules=exact,function_words=language").signature()
    assert "|func:tertium|" in tt.metric("meteor:lang=de,modules=exact,function_words=language").signature()
