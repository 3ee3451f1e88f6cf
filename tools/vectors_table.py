"""Do vectors of fastText serve metrics as well as gensim's? Prints the table of docs/licences.md.

    python -m tools.vectors_table FOLDER --pages PAGES... [--test] [--corpora small ...] [--libraries gensim ...]

Vectors are trained into FOLDER (those that are there are not trained again) by each library, on the same words in the
same order with the same settings, on four corpora: `large`, English texts of ../shared and of HTML pages, `middle`,
every fourth line of it, `office`, references and sources of WMT15 to WMT17, as `tertium monitor vectors` would train on
them, and `small`, the same with four times the epochs. Metrics with these vectors are then correlated with people's
judgements of WMT15 and WMT16; --test prints WMT17 instead. Rates are each library's default; `fasttext@0.1` has
another, `fasttext@0.1@0.0001` passes over more of the frequent words, too.

Differences are of mean r over sets and seeds, with 95% intervals by the paired bootstrap over the segments of each set
and over the seeds of each library. gensim and floret are no extras of ours: pip install gensim floret.
"""

from __future__ import annotations

import argparse
import json
import lzma
import resource
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

import tertium as tt
from tertium.io.pages import HTML_ENDINGS, paragraphs
from tertium.text import training
from tertium.text.splitting import sentences
from tertium.text.vectors import Vectors
from tertium.training.judged import JudgedSegments
from tools.da_segments import SHARED, wmt15_16, wmt17
from tools.meaning_correlations import PAIRS, english

METRICS = {
    "YiSi-1": "yisi1:vectors={}",
    "METEOR over links, soft": "meteor-soft:vectors={}",
    "bleu2vec, `threshold=0.5`": "bleu2vec:vectors={},threshold=0.5",
}
EPOCHS = {"office": 5, "small": 20, "middle": 5, "large": 5}  # 5 by default; little text needs more
RESAMPLES = 1000
LONGEST = 200  # words of a line: longer ones are no sentences


def texts(kind: str, pages: list[str]) -> Iterator[str]:
    """Lines of English that people wrote, once each."""
    yield from wmt15_16().references
    yield from english(SHARED / "data" / "wmt17")
    if kind in ("office", "small"):
        return
    with lzma.open(SHARED / "data" / "memory" / "en-fr.jsonl.xz", "rt", encoding="utf-8") as file:
        yield from (" ".join(json.loads(line)["source"].split()) for line in file)
    for folder in pages:
        for path in sorted(path for path in Path(folder).rglob("*") if path.suffix in HTML_ENDINGS):
            yield from sentences(paragraphs(str(path)), "en")[0]


def corpus(kind: str, folder: Path, pages: list[str]) -> str:
    path = folder / f"{kind}.txt"
    if not path.exists():
        own = dict.fromkeys(line for line in texts(kind, pages) if 1 < len(line.split()) <= LONGEST)
        path.write_text("\n".join(list(own)[:: 4 if kind == "middle" else 1]) + "\n", encoding="utf-8")
    read = path.read_text(encoding="utf-8").splitlines()
    print(f"{kind}: {len(read):,} lines, {sum(len(line.split()) for line in read):,} words by white space")
    return str(path)


def by_fasttext(text: str, output: str, how: training.Training, rate: float) -> None:
    training.RATE = rate
    training.train([text], output, how)


def by_floret(text: str, output: str, how: training.Training, rate: float) -> None:
    import floret_pybind

    training.RATE = rate
    numbered = training.Numbered(training.Sentences([text], how), Path(f"{output}.numbers"))
    arguments = floret_pybind.args()
    arguments.input = str(numbered.path)
    for name, value in training._arguments(numbered, how).items():
        setattr(arguments, name, value)
    arguments.model, arguments.loss = floret_pybind.model_name.skipgram, floret_pybind.loss_name.ns
    model = floret_pybind.fasttext()
    floret_pybind.train(model, arguments)
    words, _ = model.getVocab("strict")
    rows = np.asarray(model.getInputMatrix())[: len(words)]
    training.write_vectors(output, [numbered.words[int(word[1:])] for word in words], rows)
    numbered.path.unlink()


def by_gensim(text: str, output: str, how: training.Training, rate: float) -> None:
    from gensim.models import Word2Vec

    model = Word2Vec(
        list(training.Sentences([text], how)),
        vector_size=how.dimension,
        window=how.window,
        negative=how.negative,
        sg=1,
        min_count=how.min_count,
        epochs=how.epochs,
        sample=training.SAMPLE,
        seed=how.seed,
        alpha=rate,
        workers=1,
        hashfxn=lambda word: zlib.crc32(word.encode("utf-8", "surrogatepass")),
    )
    model.wv.save_word2vec_format(output, binary=True)


LIBRARIES: dict[str, tuple[Callable[[str, str, training.Training, float], None], float]] = {
    "gensim": (by_gensim, 0.025),  # its default
    "fasttext": (by_fasttext, training.RATE),
    "floret": (by_floret, training.RATE),
}


def processor_time() -> float:
    """Of this process and of those that it started."""
    each = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(own.ru_utime + own.ru_stime for own in each)


def vectors(library: str, text: str, seed: int, epochs: int) -> str:
    output = Path(text).with_suffix(f".{library}.{seed}.bin")
    if not output.exists():
        name, rate, sample, *_ = [*library.split("@"), "", ""]
        make, usual = LIBRARIES[name]
        training.SAMPLE = float(sample or 1e-3)
        began = processor_time()
        beside = output.with_suffix(".new.bin")
        make(text, str(beside), training.Training(epochs=epochs, seed=seed), float(rate or usual))
        beside.rename(output)
        words, took = len(Vectors.open(output)), processor_time() - began
        print(f"trained {output.name}: {words:,} words, {took:.0f} s of one core", flush=True)
    return str(output)


def scores(spec: str, judged: JudgedSegments) -> np.ndarray:
    metric = tt.metric(spec)
    rows = metric.statistics(list(judged.hypotheses), list(judged.references))
    return np.asarray(metric.score_rows(rows, "segment"))


def agreement(values: np.ndarray, judged: JudgedSegments, draws: list[np.ndarray]) -> np.ndarray:
    """Mean of Pearson's r over sets: of all segments first, then of each resample of them."""
    sets = np.array(judged.sets)
    found = []
    for name, drawn in zip(dict.fromkeys(judged.sets), draws, strict=True):
        own, human = values[sets == name][drawn], judged.judgements[sets == name][drawn]
        own = own - own.mean(axis=1, keepdims=True)
        human = human - human.mean(axis=1, keepdims=True)
        found.append((own * human).sum(1) / np.sqrt((own**2).sum(1) * (human**2).sum(1)))
    return np.mean(found, axis=0)


def table(text: str, kind: str, libraries: list[str], seeds: list[int], judged: JudgedSegments) -> None:
    chance = np.random.default_rng(1)
    sizes = [judged.sets.count(name) for name in dict.fromkeys(judged.sets)]
    draws = [
        np.vstack([np.arange(size), chance.integers(size, size=(RESAMPLES, size))]).astype(np.int64)
        for size in sizes
    ]
    for label, spec in METRICS.items():
        kept: dict[str, np.ndarray] = {}
        for library in libraries:
            files = [vectors(library, text, seed, EPOCHS[kind]) for seed in seeds]
            each = np.array(
                [agreement(scores(spec.format(f'"{file}"'), judged), judged, draws) for file in files]
            )
            taken = chance.integers(len(seeds), size=(len(seeds), RESAMPLES))
            drawn = each[taken, np.arange(1, RESAMPLES + 1)].mean(axis=0)
            kept[library] = np.concatenate([[each[:, 0].mean()], drawn])
            least, most = each[:, 0].min(), each[:, 0].max()
            shown = f"| {kind} | {label} | {library} | {kept[library][0]:.4f} | {least:.4f} to {most:.4f} |"
            apart = kept[library] - kept[libraries[0]]
            low, high = np.percentile(apart[1:], [2.5, 97.5])
            print(
                shown,
                "|" if library == libraries[0] else f"{apart[0]:+.4f} [{low:+.4f}, {high:+.4f}] |",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", nargs="*", default=[], help="folders of HTML pages in English")
    parser.add_argument(
        "--libraries",
        nargs="+",
        default=["gensim", "fasttext"],
        help="the first is what others are compared with",
    )
    parser.add_argument("--seeds", nargs="*", type=int, default=[1, 2, 3])
    parser.add_argument("--corpora", nargs="+", choices=tuple(EPOCHS), default=["office", "small", "middle"])
    parser.add_argument("--train", action="store_true", help="train, and print no table")
    parser.add_argument("--test", action="store_true", help="WMT17's segments")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    corpora = {kind: corpus(kind, options.folder, options.pages) for kind in options.corpora}
    for kind, text in corpora.items():
        for seed in options.seeds:
            for library in options.libraries:
                vectors(library, text, seed, EPOCHS[kind])
    if options.train:
        return
    judged = wmt17(PAIRS) if options.test else wmt15_16()
    print(f"{len(judged.sets):,} segments in {len(set(judged.sets))} sets, {len(options.seeds)} seeds")
    print("| corpus | metric | library | r | seeds | difference |\n|---|---|---|---|---|---|")
    for kind, text in corpora.items():
        table(text, kind, options.libraries, options.seeds, judged)


if __name__ == "__main__":
    main()
