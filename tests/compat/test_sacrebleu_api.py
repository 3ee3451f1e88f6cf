"""The surface of the drop-in: names, parameters, errors, warnings, and what it deliberately does not do."""

from __future__ import annotations

import gzip
import inspect
import logging
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import sacrebleu as theirs

import tertium.compat.sacrebleu as ours
from tertium.errors import InputError, SpecError, TertiumError
from tests.conftest import skip_or_fail

OURS = "tertium.compat.sacrebleu"

MODULES = {
    "": theirs.__all__,
    ".compat": ["corpus_bleu", "raw_corpus_bleu", "sentence_bleu", "corpus_chrf", "sentence_chrf"],
    ".dataset": ["DATASETS"],
    ".metrics": ["BLEU", "CHRF", "TER", "BLEUScore", "CHRFScore", "TERScore", "METRICS"],
    ".metrics.base": ["Score", "Signature", "Metric"],
    ".metrics.bleu": [
        "BLEU",
        "BLEUScore",
        "BLEUSignature",
        "MAX_NGRAM_ORDER",
        "_TOKENIZERS",
        "_get_tokenizer",
    ],
    ".metrics.chrf": ["CHRF", "CHRFScore", "CHRFSignature"],
    ".metrics.ter": ["TER", "TERScore", "TERSignature"],
    ".metrics.helpers": [
        "extract_all_char_ngrams",
        "extract_all_word_ngrams",
        "extract_char_ngrams",
        "extract_word_ngrams",
    ],
    ".significance": ["estimate_ci"],
    ".tokenizers": ["BaseTokenizer"],
    ".tokenizers.tokenizer_13a": ["Tokenizer13a"],
    ".tokenizers.tokenizer_base": ["BaseTokenizer"],
    ".tokenizers.tokenizer_char": ["TokenizerChar"],
    ".tokenizers.tokenizer_intl": ["TokenizerV14International"],
    ".tokenizers.tokenizer_ja_mecab": ["TokenizerJaMecab"],
    ".tokenizers.tokenizer_ko_mecab": ["TokenizerKoMecab"],
    ".tokenizers.tokenizer_none": ["NoneTokenizer"],
    ".tokenizers.tokenizer_re": ["TokenizerRegexp"],
    ".tokenizers.tokenizer_spm": [
        "Flores101Tokenizer",
        "Flores200Tokenizer",
        "TokenizerSPM",
        "spBLEU1KTokenizer",
    ],
    ".tokenizers.tokenizer_ter": ["TercomTokenizer"],
    ".tokenizers.tokenizer_zh": ["TokenizerZh"],
    ".utils": [
        "SACREBLEU_DIR",
        "download_test_set",
        "get_available_testsets",
        "get_source_file",
        "smart_open",
    ],
    ".version": ["__version__", "version", "version_tuple"],
}


@pytest.mark.parametrize("module", MODULES)
def test_names(module: str) -> None:
    mine, other = import_module(OURS + module), import_module("sacrebleu" + module)
    for name in MODULES[module]:
        assert hasattr(other, name), f"sacrebleu itself has no {name}"
        assert hasattr(mine, name)


def test_all_and_version() -> None:
    assert set(ours.__all__) == set(theirs.__all__)
    assert ours.__version__ == theirs.__version__


def parameters(function: Any) -> list[tuple[str, Any]]:
    return [(p.name, p.default) for p in inspect.signature(function).parameters.values()]


def test_parameters() -> None:
    for name in ours.compat.__dict__:
        if name.startswith(("corpus_", "sentence_", "raw_")):
            assert parameters(getattr(ours, name)) == parameters(getattr(theirs, name)), name
    for kind in ("BLEU", "CHRF", "TER"):
        mine, other = getattr(ours, kind), getattr(theirs, kind)
        for method in ("__init__", "corpus_score", "sentence_score", "get_signature"):
            assert parameters(getattr(mine, method)) == parameters(getattr(other, method)), (kind, method)
        score, their_score = (getattr(module.metrics, f"{kind}Score") for module in (ours, theirs))
        for method in ("__init__", "format", "estimate_ci"):
            assert parameters(getattr(score, method)) == parameters(getattr(their_score, method)), (
                kind,
                method,
            )
        assert parameters(mine._SIGNATURE_TYPE.format) == parameters(other._SIGNATURE_TYPE.format)
    assert parameters(ours.BLEU.compute_bleu) == parameters(theirs.BLEU.compute_bleu)
    assert set(ours.BLEU.TOKENIZERS) == set(theirs.BLEU.TOKENIZERS)
    assert ours.BLEU.SMOOTH_DEFAULTS == theirs.BLEU.SMOOTH_DEFAULTS


WRONG_CORPORA: list[tuple[Any, Any]] = [
    ({"a"}, [["a"]]),
    ([1], [["a"]]),
    (["a", None], [["a", "b"]]),
    (["a"], {"a"}),
    (["a"], [1]),
    (["a"], [[1]]),
    ([1], [1]),
]
WRONG_SEGMENTS: list[tuple[Any, Any]] = [(1, ["a"]), ("a", "a"), ("a", {"a"}), ("a", [1])]


def error_of(function: Any, *arguments: Any) -> tuple[type[BaseException], str]:
    try:
        function(*arguments)
    except Exception as error:
        return type(error), str(error)
    pytest.fail("no error")


@pytest.mark.parametrize("kind", ["BLEU", "CHRF", "TER"])
def test_type_errors(kind: str) -> None:
    mine, other = getattr(ours, kind)(), getattr(theirs, kind)()
    for arguments in WRONG_CORPORA:
        expected = error_of(other.corpus_score, *arguments)
        assert expected[0] is TypeError
        assert error_of(mine.corpus_score, *arguments) == expected
    for arguments in WRONG_SEGMENTS:
        assert error_of(mine.sentence_score, *arguments) == error_of(other.sentence_score, *arguments)
    assert error_of(mine.corpus_score, ["a"], None) == error_of(other.corpus_score, ["a"], None)
    assert error_of(mine.get_signature) == error_of(other.get_signature)


@pytest.mark.parametrize("kind", ["BLEU", "CHRF", "TER"])
def test_refused_where_sacrebleu_gives_nonsense(kind: str) -> None:
    metric = getattr(ours, kind)()
    with pytest.raises(TypeError, match=f"{kind}: Each element of `refs` should be a sequence of strings"):
        metric.corpus_score(["a", "b"], ["a", "b"])
    with pytest.raises(TypeError, match="`hyps` should be a sequence of strings"):
        metric.corpus_score("ab", [["a", "b"]])
    with pytest.raises(InputError, match="transposed"):
        metric.corpus_score(["a", "b", "c"], [["a"], ["b"], ["c"]])
    with pytest.raises(InputError, match="2 segments"):
        metric.corpus_score(["a", "b", "c"], [["a", "b"]])
    with pytest.raises(InputError, match="segment 2 has no reference"):
        metric.corpus_score(["a", "b"], [["a", None], ["c", None]])
    with pytest.raises(InputError):
        metric.sentence_score("a", [])
    with pytest.raises(InputError):
        getattr(ours, kind)(references=[["a"]]).corpus_score(["a", "b"], None)


def test_empty_corpus_is_refused() -> None:
    for metric in (ours.BLEU(), ours.CHRF(), ours.TER()):
        with pytest.raises(InputError, match="nothing to score"):
            metric.corpus_score([], [[]])


def test_impossible_options() -> None:
    with pytest.raises(AssertionError, match="Unknown smooth_method 'exq'; did you mean 'exp'"):
        ours.BLEU(smooth_method="exq")
    with pytest.raises(KeyError, match="unknown tokenizer '13b'; did you mean '13a'"):
        ours.BLEU(tokenize="13b")
    for make in (lambda: ours.BLEU(max_ngram_order=10), lambda: ours.CHRF(beta=0), lambda: ours.CHRF(0, 0)):
        with pytest.raises(SpecError):
            make()
    with pytest.raises(ValueError, match="needs that many matches and counts"):
        ours.BLEU.compute_bleu([1.5, 0, 0, 0], [2, 1, 0, 0], 2, 2)  # type: ignore[list-item]


def messages(caplog: pytest.LogCaptureFixture, module: Any, act: Any) -> list[tuple[str, int, str]]:
    caplog.clear()
    with caplog.at_level(logging.DEBUG, logger="sacrebleu"):
        act(module)
    return list(caplog.record_tuples)


TOKENISED = ["it looks tokenised ."] * 100


@pytest.mark.parametrize(
    ("expected", "act"),
    [
        (3, lambda m: m.corpus_bleu(TOKENISED, [TOKENISED])),
        (0, lambda m: m.corpus_bleu(TOKENISED[1:], [TOKENISED[1:]])),
        (0, lambda m: m.corpus_bleu(TOKENISED, [TOKENISED], force=True)),
        (0, lambda m: m.corpus_chrf(TOKENISED, [TOKENISED])),
        (3, lambda m: m.BLEU(references=[TOKENISED]).corpus_score(TOKENISED, None)),
        (1, lambda m: m.BLEU().sentence_score("a", ["a"])),
        (0, lambda m: m.BLEU(effective_order=True).sentence_score("a", ["a"])),
        (0, lambda m: m.sentence_bleu("a", ["a"])),
        (1, lambda m: m.BLEU(trg_lang="zh", tokenize="13a")),
        (0, lambda m: m.BLEU(trg_lang="zh", tokenize="zh")),
        (0, lambda m: m.BLEU(trg_lang="zh")),
        (1, lambda m: m.BLEU(trg_lang="ja", tokenize="char")),
        (1, lambda m: m.BLEU(trg_lang="ko", tokenize="intl")),
        (0, lambda m: m.BLEU(trg_lang="de", tokenize="intl")),
    ],
)
def test_log_messages(expected: int, act: Any, caplog: pytest.LogCaptureFixture) -> None:
    mine, other = messages(caplog, ours, act), messages(caplog, theirs, act)
    assert len(mine) == expected
    assert mine == other


@pytest.mark.parametrize("language", ["zh", "ja", "ko", "de"])
def test_tokenizer_of_a_language(language: str) -> None:
    assert (
        ours.BLEU(trg_lang=language).tokenizer_signature == theirs.BLEU(trg_lang=language).tokenizer_signature
    )


def test_attributes_may_change_between_calls() -> None:
    for module in (ours, theirs):
        metric = module.BLEU(references=[["The Cat sat"]])
        metric.effective_order = True
        metric.smooth_method = "floor"
        score = metric.corpus_score(["The Cat sat"], None)
        assert score.score == pytest.approx(100)
        assert str(metric.get_signature()) == (
            "nrefs:1|case:mixed|eff:yes|tok:13a|smooth:floor[0.10]|version:2.6.0"
        )


class Vowels(ours.metrics.bleu.BaseTokenizer):
    """Somebody's own tokeniser."""

    def signature(self) -> str:
        return "vowels"

    def __call__(self, line: str) -> str:
        return " ".join(c for c in line if c in "aeiou")


def test_own_tokenizer() -> None:
    results = []
    for module in (ours, theirs):
        metric = module.BLEU(lowercase=True)
        metric.tokenizer = Vowels()
        results.append(str(metric.corpus_score(["A test of vowels"], [["Any tEst of vowEls"], [None]])))
    assert results[0] == results[1]


def test_derived_tokenizer_is_called() -> None:
    class Shouting(type(ours.BLEU().tokenizer)):  # type: ignore[misc]
        def __call__(self, line: str) -> str:
            return str(super().__call__(line)).upper()

    metric = ours.BLEU(effective_order=True)
    metric.tokenizer = Shouting()
    assert metric.sentence_score("a test.", ["A Test."]).score == pytest.approx(100)


def test_nothing_is_downloaded_unasked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What sacrebleu downloads by itself is looked up in its folder, and the way to get it is said in one line."""
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    monkeypatch.delenv("TERTIUM_DOWNLOAD", raising=False)
    monkeypatch.setattr("urllib.request.urlopen", lambda *_, **__: pytest.fail("asked the net"))
    for name in ("get_source_file", "get_reference_files"):
        with pytest.raises(
            TertiumError, match=r"^wmt17 en-de is not in .*: get it with tertium testset get wmt17$"
        ):
            getattr(ours, name)("wmt17", "en-de")
    with pytest.raises(TertiumError, match="get it with tertium testset get wmt17"):
        list(ours.DATASETS["wmt17"].source("en-de"))
    assert "en-de" in ours.get_langpairs_for_testset("wmt17")
    assert ours.get_langpairs_for_testset("wmt05") == []
    assert ours.get_available_testsets() == theirs.get_available_testsets()
    assert list(ours.DATASETS) == list(theirs.DATASETS)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["flores101", "flores200", "spBLEU-1K", "spm"])
def test_sentencepiece_models(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Refused where the model is not there; sacrebleu's numbers where it is."""
    try:
        import sentencepiece
    except ImportError:
        skip_or_fail("sentencepiece is not installed")
    mine, other = (import_module(f"{root}.tokenizers.tokenizer_spm") for root in (OURS, "sacrebleu"))
    for module in (mine, other):
        monkeypatch.setattr(module, "SACREBLEU_DIR", str(tmp_path))
    with pytest.raises(TertiumError, match="Tertium downloads nothing: put the SentencePiece model of"):
        ours.BLEU(tokenize=name)
    (tmp_path / "models").mkdir()
    text = ["the cat sat on the mat", "a dog bit the man", "the man had bitten the dog"] * 20
    (tmp_path / "text").write_text("\n".join(text), encoding="utf-8")
    model = tmp_path / "models" / mine.FILES["flores101" if name == "spm" else name]
    train = sentencepiece.SentencePieceTrainer.train
    train(input=str(tmp_path / "text"), model_prefix=str(model), vocab_size=20, minloglevel=2)
    Path(f"{model}.model").rename(model)
    metric = ours.BLEU(tokenize=name)
    if name == "spm":  # sacrebleu's warning about this name is itself deprecated
        assert metric.tokenizer_signature == "flores101"
        return
    expected = theirs.BLEU(tokenize=name)
    hypotheses, references = ["the cat bit the man"], [["the dog bit the cat"]]
    assert str(metric.corpus_score(hypotheses, references)) == str(
        expected.corpus_score(hypotheses, references)
    )
    assert str(metric.get_signature()) == str(expected.get_signature())
    assert metric.tokenizer("the cat") == expected.tokenizer("the cat")


def test_smart_open(tmp_path: Path) -> None:
    plain, packed = tmp_path / "text", tmp_path / "text.gz"
    plain.write_bytes("ä\u2028b\r\n".encode())
    packed.write_bytes(gzip.compress("ä\u2028b\r\n".encode()))
    for path in (plain, packed):
        with ours.smart_open(str(path)) as file:
            assert list(file) == ["ä\u2028b\r\n"]


def test_signature_can_be_extended() -> None:
    for module in (ours, theirs):
        metric = module.TER()
        metric.sentence_score("a", ["a"])
        signature = metric.get_signature()
        signature.update("test", "mine")
        assert "|test:mine|" in str(signature)


def test_import_is_light() -> None:
    code = f"import sys, {OURS}; sys.exit(any(m in sys.modules for m in ('numpy', 'sacrebleu', 'regex')))"
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0


def test_standing_in_for_sacrebleu() -> None:
    """One line makes other people's `import sacrebleu` ours, submodules included."""
    code = (
        f"import sys, {OURS} as ours; sys.modules['sacrebleu'] = ours\n"
        "import sacrebleu\n"
        "from sacrebleu.metrics import BLEU\n"
        "from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a\n"
        "assert 'tertium' in sacrebleu.metrics.__file__\n"
        "print(BLEU(tokenize='intl').corpus_score(['a b c d'], [['a b c d']]), Tokenizer13a()('a.'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.startswith("BLEU = 100.00 "), done.stderr
