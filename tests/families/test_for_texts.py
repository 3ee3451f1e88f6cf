"""Languages without spaces between words: which texts are recognised, how metrics score them, and what is said."""

from __future__ import annotations

import gzip
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

import tertium as tt
from tertium import registry
from tertium.errors import MissingExtraError, ScriptWarning
from tertium.families.for_texts import (
    PUBLISHED,
    asked_for,
    closed_spec,
    leaves_words_open,
    metrics_for_language,
    metrics_for_texts,
    tokenizer_for,
    tokenizer_of_lengths,
)
from tertium.io.door import read_text
from tertium.text.scripts import SPACELESS, spaceless
from tests.conftest import WITHOUT_FILES

# Sentences written for these tests: "Today the weather is very good. I want to go to the market in the morning."
TEXTS = {
    "zh": "今天天气很好。我想早上去市场。",
    "ja": "今日は天気がとてもいいです。朝、市場へ行きたいです。",
    "th": "วันนี้อากาศดีมาก ฉันอยากไปตลาดตอนเช้า",
    "lo": "ມື້ນີ້ອາກາດດີຫຼາຍ ຂ້ອຍຢາກໄປຕະຫຼາດຕອນເຊົ້າ",
    "km": "ថ្ងៃនេះអាកាសធាតុល្អណាស់ ខ្ញុំចង់ទៅផ្សារនៅពេលព្រឹក",
    "my": "ဒီနေ့ရာသီဥတုအရမ်းကောင်းတယ်။ မနက်ကျရင်ဈေးသွားချင်တယ်။",
}
KOREAN = "오늘은 날씨가 아주 좋습니다. 아침에 시장에 가고 싶습니다."
ENGLISH = "The weather is very good today."
SPELT = {**{language: language for language in TEXTS}, "zh": "han"}


@pytest.mark.parametrize("language", TEXTS)
def test_each_language_is_recognised(language: str) -> None:
    found = spaceless([TEXTS[language]])
    assert found is not None
    assert (found.language, found.share) == (SPELT[language], 1.0)


@pytest.mark.parametrize("text", [KOREAN, ENGLISH, "Сегодня хорошая погода.", "טוב", "", "1234 +++"])
def test_texts_with_spaces_and_without_letters_are_not(text: str) -> None:
    assert spaceless([text]) is None
    assert spaceless([]) is None


@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize(
    ("lines", "known", "language_known"),
    [(9, False, False), (10, True, False), (49, True, False), (50, True, True), (90, True, True)],
)
def test_a_tenth_of_the_lines_is_said_and_half_of_them_decide(
    language: str, lines: int, known: bool, language_known: bool
) -> None:
    found = spaceless([TEXTS[language]] * lines + [ENGLISH] * (100 - lines))
    assert (found is not None) == known
    assert found is None or (found.language == SPELT[language]) == language_known


def test_a_line_counts_by_half_of_its_letters_and_a_han_character_for_three() -> None:
    assert spaceless(["Huawei 华为公"]) is not None  # 6 letters against 9
    assert spaceless(["Huawei 华为"]) is not None  # 6 against 6
    assert spaceless(["Huaweis 华为"]) is None  # 7 against 6
    assert spaceless(["Windows Server 2019 の設定を開きます"]).language == "ja"  # type: ignore[union-attr]
    assert spaceless(["The company Huawei (华为) is Chinese.", "Huawei (华为) sells phones."]) is None
    assert spaceless(["Bangkok คน"]) is None  # 7 against 2


def test_a_tenth_of_kana_makes_a_line_japanese() -> None:
    assert spaceless(["东" * 9 + "の"]).language == "ja"  # type: ignore[union-attr]
    assert spaceless(["东" * 10 + "の"]).language == "han"  # type: ignore[union-attr]
    heading = ["東京都知事選挙"]
    assert spaceless([TEXTS["ja"], *heading]).language == "ja"  # type: ignore[union-attr]
    assert spaceless([TEXTS["ja"], *heading, *heading]).language == "han"  # type: ignore[union-attr]


@pytest.mark.parametrize(("language", "most"), [("zh", 4), ("ja", 4), ("th", 9), ("my", 9)])
def test_texts_that_are_cut_into_words_are_left_alone(language: str, most: int) -> None:
    letter = {"zh": "天", "ja": "の", "th": "ก", "my": "က"}[language]
    assert spaceless([" ".join([letter * most] * 3)]) is None
    assert spaceless([" ".join([letter * (most + 1)] * 3)]) is not None
    assert spaceless([letter * most, letter]) is not None  # short lines, as of a program's menus


def test_two_languages_in_one_file_decide_nothing_and_are_said() -> None:
    references = [TEXTS["th"]] * 30 + [TEXTS["ja"]] * 20 + [ENGLISH] * 50
    chosen = metrics_for_texts(["bleu", "chrf"], references)
    assert list(map(str, chosen.metrics)) == ["bleu", "chrf"]
    assert chosen.notes == (
        "50% of the reference lines are Thai or Japanese, without spaces between words: BLEU takes text between "
        "spaces for words; score each language by itself.",
    )
    assert metrics_for_texts(["chrf"], references).notes == ()


@pytest.mark.parametrize("path", ["csen-ref.en", "deen-ref.en", "encs-ref.cs", "enru-ref.ru", "zhen-ref.en"])
def test_real_references_with_spaces(path: str, shared: Path) -> None:
    lines = read_text(str(shared / f"data/wmt17/references/newstest2017-{path}.gz"))
    assert spaceless(lines) is None


def test_real_references_without(shared: Path, golden_lines: Any) -> None:
    lines = read_text(str(shared / "data/wmt17/references/newstest2017-enzh-ref.zh.gz"))
    assert spaceless(lines).language == "han"  # type: ignore[union-attr]
    assert spaceless(golden_lines("multi/jpn.ref")).language == "ja"  # type: ignore[union-attr]
    assert spaceless(golden_lines("multi/jpn.ref.tok")) is None  # cut by MeCab


# What metrics become.


def test_specs_that_say_how_words_are_cut_and_metrics_are_left_as_they_are() -> None:
    given = ["bleu:tok=13a", tt.metric("bleu"), "ter:asian=no", "bleu:tok=intl", "doc:bleu:tok=13a", "chrf"]
    for spec, metric in zip(given, metrics_for_language(given, "zh").metrics, strict=True):
        assert metric == tt.metric(spec)
    assert leaves_words_open("doc:bleu")
    assert str(metrics_for_language("doc:bleu", "zh").metrics[0]) == "doc:bleu:tok=zh"
    assert str(metrics_for_language("bleu:PGBC4", "zh").metrics[0]) == "bleu:PGBC4,tok=zh"


@pytest.mark.parametrize(
    ("language", "tok"),
    [
        ("zh", "zh"),
        ("zh-CN", "zh"),
        ("zho_Hant", "zh"),
        ("yue", "zh"),
        ("jpn", "ja-mecab"),
        ("ko", "ko-mecab"),
        ("th_TH", "th-icu"),
        ("lo", "lo-icu"),
        ("km", "km-icu"),
        ("mya", "my-icu"),
        ("de", "13a"),
        ("yy", "13a"),
    ],
)
def test_the_tokeniser_of_a_target_language(language: str, tok: str) -> None:
    [metric] = metrics_for_language("bleu", language).metrics
    assert metric.tok == tok  # type: ignore[attr-defined]


# Metrics whose words are not BLEU's: they look at none, come with a model of their own, or parse.
NO_WORDS = {
    *(
        "chrf",
        "eed",
        "file",
        "autoda",
        "autoda-tecto",
        "treeaggreg",
        "tertium",
        "outside",
        "llm",
        "bertscore",
    ),
    *("sentvec", "sentvec-src", "estimate", "readability"),
}


@pytest.mark.parametrize(
    "name", [name for name in registry.METRICS if not name.startswith("doc:") and name != "doc"]
)
def test_every_metric_of_words_gets_a_tokeniser_or_a_note(name: str) -> None:
    spec = WITHOUT_FILES.get(name, name)
    chosen = metrics_for_texts(spec, [TEXTS["zh"]])
    [metric] = chosen.metrics
    if name in NO_WORDS:
        assert chosen.notes == ()
        assert metric == tt.metric(spec)
        return
    assert len(chosen.notes) == 1
    if metric == tt.metric(spec):
        assert "whole clauses" in chosen.notes[0]
        assert name in ("character", "meteor", "meteor-hard", "meteor-soft")
    else:
        assert metric.finds_words_in("zh")
        assert chosen.notes[0].startswith("Han characters without kana: scored as Chinese (")
        assert asked_for(spec, chosen.metrics) == metric


@pytest.mark.parametrize("language", PUBLISHED)
@pytest.mark.parametrize(
    "spec", ["bleu", "ter", "macrof1", "wer", "nist", "rouge", "gtm", "sentbleu", "doc:bleu"]
)
def test_signatures_say_it_and_parse_back(spec: str, language: str) -> None:
    [metric] = metrics_for_language(spec, language).metrics
    assert registry.from_signature(metric.label, metric.signature()) == metric
    assert tt.metric(str(metric)) == metric


def test_a_closed_spec_names_the_default() -> None:
    for spec in ("bleu", "ter", "wer", "doc:bleu", "bleu:PGBC4", "rouge:L", "bleu:lc=yes"):
        metric = tt.metric(spec)
        assert tt.metric(closed_spec(metric)) == metric
        assert not leaves_words_open(closed_spec(metric))


def test_ter_has_no_words_in_thai_and_character_ngrams_need_none() -> None:
    chosen = metrics_for_language(["bleu", "ter", "chrf", "chrf++"], "th")
    assert list(map(str, chosen.metrics)) == ["bleu:tok=th-icu", "ter", "chrf", "chrf:word_order=2"]
    assert chosen.notes == (
        "TER and chrF2++ take text between spaces for words, and Thai has no spaces between words: their words are "
        "whole clauses.",
    )


def test_without_the_extras_characters_are_words_and_the_first_line_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in ("MeCab", "icu4py", "mecab_ko"):
        monkeypatch.setitem(sys.modules, module, None)
    japanese = metrics_for_texts("bleu", [TEXTS["ja"]])
    assert str(japanese.metrics[0]) == "bleu:tok=char"
    assert japanese.notes == (
        "Japanese references, and MeCab is not installed: BLEU with tok=char instead of ja-mecab "
        "(pip install 'tertium[ja]').",
    )
    for language in ("th", "lo", "km", "my"):
        chosen = metrics_for_texts("bleu", [TEXTS[language]])
        assert str(chosen.metrics[0]) == "bleu:tok=char"
        assert "ICU is not installed" in chosen.notes[0]
        assert "tertium[icu]" in chosen.notes[0]
        assert "ICU is not installed" in metrics_for_language("bleu", language).notes[0]
    assert metrics_for_language("bleu", "zh").notes == ()
    korean = metrics_for_language(["bleu", "chrf"], "ko")
    assert str(korean.metrics[0]) == "bleu"
    assert korean.notes == (
        "MeCab-ko is not installed: BLEU with tok=13a instead of ko-mecab (pip install 'tertium[ko]').",
    )
    assert tokenizer_for("th") == ("char", "th-icu", "icu")


@pytest.mark.parametrize("language", ["th", "lo", "km", "my"])
def test_icu_cuts_words_that_bleu_can_match(language: str) -> None:
    text = TEXTS[language].replace(" ", "")
    with pytest.warns(ScriptWarning):
        found = tt.score([text[:-2]], [text], ["bleu"])
    assert found["bleu"].value > 10
    with pytest.warns(ScriptWarning, match=r"tok=13a\) takes text between spaces"):
        assert tt.score([text[:-2]], [text], ["bleu:tok=13a"])[0].value == 0


def test_lengths_are_counted_by_the_same_rule() -> None:
    assert [tokenizer_of_lengths([text]) for text in TEXTS.values()] == [PUBLISHED[one] for one in TEXTS]
    assert tokenizer_of_lengths([KOREAN], "ko") == tokenizer_of_lengths([ENGLISH]) == "13a"
    assert tokenizer_of_lengths([ENGLISH], None, ("test:wmt17", "lang:en-zh")) == "zh"


# Real data.


@pytest.fixture(scope="module")
def english_chinese(shared: Path) -> dict[str, list[str]]:
    def lines(path: str) -> list[str]:
        return gzip.decompress((shared / "data/wmt17" / path).read_bytes()).decode().split("\n")[:-1]

    return {
        "reference": lines("references/newstest2017-enzh-ref.zh.gz"),
        "uedin": lines("system-outputs/en-zh/newstest2017.uedin-nmt.5111.en-zh.gz"),
        "online-B": lines("system-outputs/en-zh/newstest2017.online-B.0.en-zh.gz"),
    }


def test_chinese_is_scored_as_sacrebleu_does_with_its_language(english_chinese: dict[str, list[str]]) -> None:
    import sacrebleu

    outputs, reference = english_chinese["uedin"], english_chinese["reference"]
    with pytest.warns(ScriptWarning, match="scored as Chinese"):
        found = tt.score(outputs, reference, ["bleu", "ter", "chrf"])
    assert found["bleu"].value == sacrebleu.corpus_bleu(outputs, [reference], tokenize="zh").score
    some = outputs[:100], [reference[:100]]  # sacrebleu's TER is slow
    ter = sacrebleu.corpus_ter(*some, normalized=True, asian_support=True)
    with pytest.warns(ScriptWarning):
        assert tt.score(*some, ["ter"])["ter"].value == pytest.approx(ter.score, abs=1e-12)
    assert "|tok:zh|" in found["bleu"].signature
    assert (
        str(found)
        .splitlines()[0]
        .startswith("Han characters without kana: scored as Chinese (BLEU with tok=zh")
    )
    assert found.data()["notes"] == list(found.notes)
    assert found.html().startswith(f"<p>{found.notes[0]}</p>")


@pytest.mark.parametrize("system", ["sys1", "sys2"])
def test_japanese_is_scored_with_mecab(system: str, golden: Any, golden_lines: Any) -> None:
    want = next(
        own["system"]
        for own in golden("sacrebleu_bleu.json")["sets"]["multi.jpn"]["systems"][system]["configs"]
        if own["params"] == {"tokenize": "ja-mecab", "lowercase": False}
    )
    with pytest.warns(ScriptWarning, match="Japanese references: BLEU with tok=ja-mecab"):
        found = tt.score(golden_lines(f"multi/jpn.{system}"), golden_lines("multi/jpn.ref"), "bleu")
    assert found["bleu"].value == pytest.approx(want, abs=1e-9)


def test_references_decide_not_outputs(english_chinese: dict[str, list[str]]) -> None:
    reference = [ENGLISH] * len(english_chinese["uedin"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert tt.score(english_chinese["uedin"], reference, "bleu").notes == ()


def test_a_comparison_begins_with_the_note(english_chinese: dict[str, list[str]]) -> None:
    texts = tt.TestSet.of(
        english_chinese["reference"][:200],
        {name: english_chinese[name][:200] for name in ("uedin", "online-B")},
    )
    with pytest.warns(ScriptWarning, match="scored as Chinese"):
        found = tt.compare(texts, ["bleu", "ter"], resamples=100)
    note = found.measured.notes[0]
    assert next(found.words()) == found.answer(80)[0] == note
    assert found.text(terminal=False).startswith(note)
    assert found["bleu"].metric == tt.metric("bleu:tok=zh")
    assert found.tok == "zh"
    assert found.data()["notes"] == [note]
    quiet = tt.compare(texts, ["bleu"], language="zh", resamples=100)
    assert quiet.measured.notes == ()
    assert quiet["bleu"].metric == tt.metric("bleu:tok=zh")
    assert {name for own in quiet.ngrams.values() for name in vars(own)}  # computed with the same words


def test_the_page_has_the_note_in_its_summary(english_chinese: dict[str, list[str]], tmp_path: Path) -> None:
    from tertium.report import write_report

    texts = tt.TestSet.of(
        english_chinese["reference"][:50],
        {name: english_chinese[name][:50] for name in ("uedin", "online-B")},
    )
    with pytest.warns(ScriptWarning):
        found = tt.compare(texts, ["bleu"], resamples=50)
    write_report(tmp_path / "page.html", found.data(), found.columns())
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    summary = page[page.index('id="summary"') :]
    assert summary.index("scored as Chinese") < summary.index("uedin")


def test_a_test_set_by_name_says_its_languages(english_chinese: dict[str, list[str]]) -> None:
    texts = tt.TestSet.of(english_chinese["reference"][:20], {"uedin": english_chinese["uedin"][:20]})
    from dataclasses import replace

    named = replace(texts, origin=("test:wmt17", "lang:en-zh"))
    found = named.score("bleu")
    assert found.notes == ()
    assert "|tok:zh|" in found["bleu"].signature


def test_sacrebleus_drop_in_is_sacrebleus(english_chinese: dict[str, list[str]]) -> None:
    import sacrebleu

    from tertium.compat import sacrebleu as ours

    outputs, reference = english_chinese["uedin"][:100], [english_chinese["reference"][:100]]
    with warnings.catch_warnings():
        warnings.simplefilter("error", ScriptWarning)
        assert ours.corpus_bleu(outputs, reference).score == sacrebleu.corpus_bleu(outputs, reference).score
        assert ours.corpus_ter(outputs, reference).score == pytest.approx(
            sacrebleu.corpus_ter(outputs, reference).score, abs=1e-12
        )


def test_data_frames_and_decoding(english_chinese: dict[str, list[str]]) -> None:
    import pandas as pd

    import tertium.adapters.frames
    from tertium.adapters import mbr
    from tertium.adapters.harness import aggregation

    some = slice(0, 30)
    frame: Any = pd.DataFrame(
        {"mt": english_chinese["uedin"][some], "ref": english_chinese["reference"][some]}
    )
    want = tt.metric("bleu:tok=zh")
    with pytest.warns(ScriptWarning):
        assert frame.tertium.score("mt", "ref", "bleu")[0].metric == want
    with pytest.warns(ScriptWarning):
        values = frame.tertium.segments("mt", "ref", "bleu")
    assert values.tolist() == want.reward(frame["mt"].tolist(), frame["ref"].tolist()).tolist()
    pairs = list(zip(frame["ref"], frame["mt"], strict=True))
    with pytest.warns(ScriptWarning):
        assert aggregation("bleu")(pairs) == want.score(frame["mt"].tolist(), frame["ref"].tolist())
    with pytest.warns(ScriptWarning):
        utilities = mbr.pairwise(frame["mt"].tolist()[:3], frame["ref"].tolist()[:1], "bleu")
    assert utilities[0][0] == values[0]
    assert tertium.adapters.frames.register()


def test_rows_and_files_are_read_by_their_first_batch(
    english_chinese: dict[str, list[str]], tmp_path: Path
) -> None:
    for name in ("reference", "uedin"):
        (tmp_path / name).write_text("\n".join(english_chinese[name]) + "\n", encoding="utf-8")
    paths = [str(tmp_path / "reference")], [str(tmp_path / "uedin")]
    want = tt.metric("bleu:tok=zh").score(english_chinese["uedin"], english_chinese["reference"])
    for level in ("corpus", "segment"):
        with pytest.warns(ScriptWarning):
            found = tt.score_files(*paths, ["bleu"], level=level)
        assert found.notes
        assert "|tok:zh|" in found[0].signature
    with pytest.warns(ScriptWarning):
        assert tt.score_files(*paths, ["bleu"])["bleu"].value == want


def test_people_must_be_told_which_extra_lacks_where_they_name_the_language(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from tertium.cli.flags import chosen_metrics

    monkeypatch.setitem(sys.modules, "MeCab", None)
    with pytest.raises(MissingExtraError, match=r"tertium\[ja\]"):
        chosen_metrics(["bleu"], {}, "en-ja")
    assert chosen_metrics(["bleu:tok=char", "chrf"], {}, "en-ja") == [
        tt.metric("bleu:tok=char"),
        tt.metric("chrf"),
    ]


def test_names_of_languages() -> None:
    assert set(SPACELESS) == set(TEXTS)


def test_lists_of_candidates_and_probes() -> None:
    from tertium.comparison import probe_bias
    from tertium.io.probes import Template
    from tertium.nbest import NBest, score_nbest

    nbest = NBest((0, 0), ("今天的天气很好。", TEXTS["zh"]), (-1.0, -2.0))
    with pytest.warns(ScriptWarning):
        found = score_nbest(nbest, [TEXTS["zh"]], ["bleu"])
    assert found["bleu"].tolist()[1] == pytest.approx(100)
    assert 0 < found["bleu"].tolist()[0] < 100
    templates = [Template("他是{}医生。", ("他是位好医生。",)), Template("{}天天气好。", ("今天天气好。",))]
    with pytest.warns(ScriptWarning):
        probe = probe_bias(templates, ["好", "坏"], "bleu", permutations=10)
    assert "|tok:zh|" in probe.signatures[0]
    assert probe["bleu"].metric == tt.metric("bleu:tok=zh")
