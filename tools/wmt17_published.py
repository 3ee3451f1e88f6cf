"""What Bojar, Graham and Kamran (2017) print, of the metrics and language pairs that we can compute again."""

from __future__ import annotations

TO_ENGLISH = ("cs-en", "de-en", "ru-en", "zh-en")
OUT_OF_ENGLISH = ("en-cs", "en-de", "en-ru", "en-zh")
JUDGED_OUT = ("en-ru", "en-zh")  # the out-of-English pairs with direct assessment of segments

# A dash stands where the paper has no number.
_SYSTEM_TO = """
BLEU 0.971 0.923 0.912 0.864
NIST 1.000 0.931 0.912 0.849
TER 0.989 0.906 0.912 0.847
WER 0.987 0.896 0.907 0.839
PER 0.968 0.951 0.911 0.877
CDER 0.989 0.930 0.922 0.904
chrF 0.939 0.968 0.952 0.859
chrF+ - - - -
chrF++ 0.940 0.965 0.945 0.880
CharacTER 0.972 0.974 0.958 0.799
"""
_SYSTEM_OUT = """
BLEU 0.956 0.804 0.898 0.981
NIST 0.962 0.769 0.920 0.976
TER 0.955 0.796 0.933 0.970
WER 0.954 0.802 0.934 0.954
PER 0.954 0.687 0.887 0.934
CDER 0.968 0.813 0.924 0.983
chrF 0.976 0.863 0.950 0.976
chrF+ 0.976 0.855 0.948 -
chrF++ 0.974 0.852 0.945 0.976
CharacTER 0.981 0.938 0.939 0.933
"""
_HYBRIDS_TO = """
BLEU 0.9644 0.9136 0.9070 0.8523
NIST 0.9937 0.9173 0.9035 0.8309
TER 0.9830 0.8991 0.9051 0.8366
WER 0.9814 0.8894 0.9004 0.8281
PER 0.9673 0.9198 0.9040 0.8659
CDER 0.9833 0.9219 0.9160 0.8975
chrF 0.9330 0.9602 0.9456 0.8551
chrF+ - - - -
chrF++ 0.9348 0.9572 0.9381 0.8756
CharacTER 0.9628 0.9648 0.9484 0.7398
"""
_HYBRIDS_OUT = """
BLEU 0.9447 0.7925 0.8929 0.9686
NIST 0.9544 0.7607 0.9167 0.9681
TER 0.9507 0.7899 0.9299 0.9646
WER 0.9489 0.7967 0.9310 0.9507
PER 0.9599 0.6803 0.8758 0.8928
CDER 0.9582 0.8030 0.9215 0.9748
chrF 0.9683 0.8446 0.9474 0.9686
chrF+ 0.9679 0.8375 0.9453 -
chrF++ 0.9658 0.8354 0.9423 0.9683
CharacTER 0.9725 0.8931 0.9292 0.9140
"""
_SEGMENT_TO = """
sentBLEU 0.435 0.432 0.484 0.512
chrF 0.514 0.531 0.599 0.591
chrF+ - - - -
chrF++ 0.523 0.534 0.588 0.593
"""
_SEGMENT_OUT = """
sentBLEU 0.468 0.642
chrF 0.605 0.608
chrF+ 0.609 -
chrF++ 0.604 0.602
"""

# With HUME, English to Czech and German: tables 8, 10 and 13.
HUME_PAIRS = ("en-cs", "en-de")
_HUME_SYSTEM = """
BLEU 0.815 0.537
NIST 0.730 0.484
TER 0.778 0.127
WER 0.784 0.011
PER 0.704 0.738
CDER 0.751 0.461
chrF 0.855 0.631
chrF+ 0.840 0.616
chrF++ 0.836 0.573
CharacTER 0.958 0.735
"""
_HUME_HYBRIDS = """
BLEU 0.7732 0.1546
NIST 0.6987 0.0559
TER 0.7252 0.2197
WER 0.7287 0.3268
PER 0.6672 0.3897
CDER 0.7124 0.0911
chrF 0.8006 0.2712
chrF+ 0.7887 0.2564
chrF++ 0.7869 0.2131
CharacTER 0.8683 0.3900
"""
_HUME_SEGMENT = """
sentBLEU 0.347 0.338
chrF 0.383 0.454
chrF+ 0.395 0.451
chrF++ 0.400 0.445
"""

# Gowda et al. (2021), table 11, of the same pairs: Kendall's tau of BLEU, MacroF1, MicroF1, chrF1. An x stands before a
# value that is marked as not significant.
MACRO_METRICS = ("BLEU", "MacroF1", "MicroF1", "CHRF1")
_MACRO = """
cs-en x1.000 x.667 x.667 x.913
de-en .564 .734 .661 .744
en-cs .751 .767 .758 .878
en-de .767 .562 .593 .720
en-ru .556 .778 .648 .669
en-zh .911 .600 .854 .899
ru-en .611 .611 .722 .800
zh-en .780 .736 .824 .732
"""

Published = dict[tuple[str, str], float | None]


def _table(text: str, pairs: tuple[str, ...]) -> Published:
    found: Published = {}
    for line in text.split("\n"):
        if line:
            name, *cells = line.split()
            for pair, cell in zip(pairs, cells, strict=True):
                found[name, pair] = None if cell == "-" else float(cell)
    return found


# By the name of the table on the page: level, pairs, decimals, the cells by metric and pair, the paper's table.
TABLES: dict[str, tuple[str, tuple[str, ...], int, Published, str]] = {
    "system-to": ("system", TO_ENGLISH, 3, _table(_SYSTEM_TO, TO_ENGLISH), "4"),
    "system-out": ("system", OUT_OF_ENGLISH, 3, _table(_SYSTEM_OUT, OUT_OF_ENGLISH), "5"),
    "segment-to": ("segment", TO_ENGLISH, 3, _table(_SEGMENT_TO, TO_ENGLISH), "11"),
    "segment-out": ("segment", JUDGED_OUT, 3, _table(_SEGMENT_OUT, JUDGED_OUT), "12"),
    "hybrids-to": ("hybrids", TO_ENGLISH, 4, _table(_HYBRIDS_TO, TO_ENGLISH), "6"),
    "hybrids-out": ("hybrids", OUT_OF_ENGLISH, 4, _table(_HYBRIDS_OUT, OUT_OF_ENGLISH), "7"),
}
HUME_TABLES: dict[str, tuple[str, tuple[str, ...], int, Published, str]] = {
    "hume-system": ("system", HUME_PAIRS, 3, _table(_HUME_SYSTEM, HUME_PAIRS), "8"),
    "hume-segment": ("segment", HUME_PAIRS, 3, _table(_HUME_SEGMENT, HUME_PAIRS), "13"),
    "hume-hybrids": ("hybrids", HUME_PAIRS, 4, _table(_HUME_HYBRIDS, HUME_PAIRS), "10"),
}
MACRO: dict[tuple[str, str], tuple[float, bool]] = {
    (pair, metric): (float(cell.removeprefix("x")), not cell.startswith("x"))
    for pair, *cells in (line.split() for line in _MACRO.split("\n") if line)
    for metric, cell in zip(MACRO_METRICS, cells, strict=True)
}
