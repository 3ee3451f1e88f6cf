"""Words of Thai, Lao, Khmer and Burmese: the first article of the Universal Declaration of Human Rights."""

from __future__ import annotations

import importlib.util

import pytest

import tertium as tt
from tertium import registry
from tertium.text.tokenizers import from_signature, tokenize
from tests.conftest import skip_or_fail

ARTICLE = {
    "th": "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ต่างมีเหตุผลและมโนธรรม",
    "lo": "ມະນຸດທຸກຄົນເກີດມາມີກຽດສັກສີ, ສິດທິ, ເສລີພາບ ແລະຄວາມສະເໝີພາບເທົ່າທຽມກັນ.",
    "km": "មនុស្សទាំងអស់ កើតមកមានសេរីភាព និងសមភាព ក្នុងផ្នែកសេចក្ដីថ្លៃថ្នូរនិងសិទ្ធិ។",
    "my": "လူတိုင်းသည် တူညီ လွတ်လပ်သော ဂုဏ်သိက္ခာဖြင့် လည်းကောင်း၊ တူညီလွတ်လပ်သော အခွင့်အရေးများဖြင့် ဖြစ်သည်။",
}
WORDS = {  # human being, equality or freedom, rights
    "th": ["มนุษย์", "อิสระ", "สิทธิ"],
    "lo": ["ມະນຸດ", "ເສລີພາບ", "ສິດທິ"],
    "km": ["មនុស្ស", "សេរីភាព", "សិទ្ធិ"],
    "my": ["လူ", "လွတ်လပ်", "အခွင့်အရေး"],
}


@pytest.fixture(autouse=True)
def installed() -> None:
    if importlib.util.find_spec("icu4py") is None:
        skip_or_fail("icu4py is not installed")


@pytest.mark.parametrize("language", ARTICLE)
def test_words(language: str) -> None:
    text = ARTICLE[language]
    [found] = tokenize([text], f"{language}-icu")
    assert "".join(found) == "".join(text.split())
    assert set(WORDS[language]) <= set(found)
    assert 2 * len(text.split()) < len(found) < len(text) / 2


def test_what_is_odd() -> None:
    assert tokenize(["", "  ", "a\ud800b ไทย", "Hello, 3.5 ไทย\u00a0ไทย", "😀ไทย 𝒳 a"], "th-icu") == [
        [],
        [],
        ["a", "\ud800", "b", "ไทย"],
        ["Hello", ",", "3.5", "ไทย", "ไทย"],
        ["😀", "ไทย", "𝒳", "a"],
    ]


@pytest.mark.parametrize("language", ARTICLE)
def test_a_score_and_its_signature(language: str) -> None:
    metric = tt.metric(f"bleu:tok={language}-icu")
    words = tokenize([ARTICLE[language]], f"{language}-icu")[0]
    shorter = "".join(words[:-4])  # without 13a's words nothing would match
    assert 40 < (metric.score([shorter], [ARTICLE[language]]) or 0) < 100
    signature = metric.signature()
    version = importlib.import_module("icu4py").icu_version
    assert f"tok:{language}-icu-{version}|" in signature
    assert registry.from_signature("BLEU", signature) == metric
    assert from_signature(f"{language}-icu-1.2") == f"{language}-icu"
