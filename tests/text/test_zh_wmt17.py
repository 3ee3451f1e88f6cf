"""zh-wmt17: Chinese characters apart from each other and from everything else, and nothing more."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from tertium.errors import SpecError
from tertium.text.tokenizers import tokenize
from tests.twins.tokenizers import CHINESE, between


def twin(text: str) -> list[str]:
    return "".join(f" {c} " if between(c, CHINESE) else c for c in text).split()


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("中文abc，d.5", "中 文 abc ， d.5"),
        ("在2017年，Tom's U.S.-team", "在 2017 年 ， Tom's U.S.-team"),
        ("a\u3000b　c", "a b c"),
        ("€5 “x”", "€ 5 “ x ”"),  # the slip of the original's ranges, see docs/tokenizers.md
        ("", ""),
    ],
)
def test_examples(text: str, tokens: str) -> None:
    assert tokenize([text], "zh-wmt17") == [tokens.split()]


@given(
    st.text(
        st.sampled_from("中文字，。a1 .,'-€—ァ한\U00020000\u3000é") | st.characters(exclude_categories=["Cs"])
    )
)
def test_equals_the_twin(text: str) -> None:
    assert tokenize([text], "zh-wmt17") == [twin(text)]


def test_real_text_keeps_all_characters(shared: Path) -> None:
    with gzip.open(
        shared / "data/wmt17/references/newstest2017-enzh-ref.zh.gz", "rt", encoding="utf-8"
    ) as file:
        lines = [line.rstrip("\n") for line in file]
    assert len(lines) > 1000
    for line, tokens in zip(lines, tokenize(lines, "zh-wmt17"), strict=True):
        assert "".join(tokens) == "".join(line.split())
        assert tokens == twin(line)


def test_its_tokens_are_coarser_than_those_of_zh() -> None:
    text = "他说：U.S.-based, 3.5%"
    assert tokenize([text], "zh-wmt17")[0] == ["他", "说", "：", "U.S.-based,", "3.5%"]
    assert tokenize([text], "zh")[0] == ["他", "说", "：", "U", ".", "S", ".", "-based", ",", "3.5", "%"]


def test_as_the_tokeniser_of_a_metric() -> None:
    metric = tertium.metric("bleu:tok=zh-wmt17")
    assert "tok:zh-wmt17|" in metric.signature()
    assert tertium.metric(str(metric)) == metric
    assert metric.statistics(["中文"], ["中国"]).row(0)[:3] == [2, 2, 1]


@pytest.mark.parametrize(
    ("name", "tokens"),
    [
        ("zh-wmt17+intl", ["他", "说", "：", "U", ".", "S", ".", "-", "based", ",", "3.5%"]),
        ("zh-wmt17+moses-en", ["他", "说", "：", "U.S.-based", ",", "3.5", "%"]),
        ("moses-en+zh-wmt17", ["他", "说", "：", "U.S.-based", ",", "3.5", "%"]),
        ("zh-wmt17+moses-en+char", [*"他说：U.S.-based,3.5%"]),
        ("none+zh-wmt17+none", ["他", "说", "：", "U.S.-based,", "3.5%"]),
    ],
)
def test_one_tokeniser_after_the_other(name: str, tokens: list[str]) -> None:
    assert tokenize(["他说：U.S.-based, 3.5%"], name) == [tokens]
    metric = tertium.metric(f"bleu:tok={name}")
    assert tertium.metric(str(metric)) == metric
    assert f"tok:{name}|" in metric.signature()


@pytest.mark.parametrize("name", ["zh-wmt17+", "+intl", "zh-wmt17+ja-mecab", "intl+moses-xx", "13a+spm:x"])
def test_bad_chains(name: str) -> None:
    with pytest.raises(tertium.SpecError):
        tertium.metric(f'bleu:tok="{name}"')


@pytest.mark.parametrize("name", ["spm", "spm:"])
def test_a_model_that_was_not_named_is_asked_for(name: str) -> None:
    with pytest.raises(
        SpecError, match=r"^the tokeniser 'spm' needs a SentencePiece model: write tok=spm:FILE$"
    ):
        tertium.metric(f"bleu:tok={name}")
