"""Writes the tables of docs/estimate-words.md: tags of words, made of MLQE-PE's post-edits and estimated.

    python -m tools.tag_table [--shared ../shared] [--part dev] [--only agreement] [--page docs/estimate-words.md]

Everything was chosen on the training part and `dev`; the page has `test20`. Without --page tables are printed only.
"""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from tertium.estimation.estimator import FOLDS, Estimator, trained
from tertium.estimation.view import folds_of
from tertium.io.door import read_strings
from tertium.io.translations import Translations, read_token_scores
from tertium.io.wordtags import read_word_tags
from tertium.text.keyed import KeyedWords
from tertium.text.lexical import LexicalModel
from tertium.wordtags.results import evaluate_tags
from tertium.wordtags.tagging import WordTagger, best_threshold, matthews
from tertium.wordtags.tags import WordTags, read_links, tags_of
from tertium.wordtags.view import WordSide
from tools.pages import put, table_parser

_HERE = Path(__file__).resolve().parent.parent
PAIRS = ("en-de", "ro-en")
_KINDS = {"words": "words of the translation", "gaps": "gaps", "source": "words of the source"}


def _folder(shared: Path, pair: str) -> Path:
    return shared / "data" / "mlqe-pe" / pair / "post-editing"


def edited(shared: Path, pair: str, part: str) -> Translations:
    """Translations with their post-edits."""
    source, output, pe = (
        read_strings(_folder(shared, pair) / f"{part}.{kind}.xz") for kind in ("src", "mt", "pe")
    )
    return Translations(f"{pair} {part}", source, output, post_edits=pe)


def tagged(texts: Translations, shared: Path, pair: str, part: str) -> Translations:
    """The same with MLQE-PE's tags."""
    folder = _folder(shared, pair)
    return replace(
        texts,
        tags=read_word_tags(folder / f"{part}.tags.xz", texts.translations),
        source_tags=read_word_tags(folder / f"{part}.source_tags.xz", texts.sources, gaps=False),
    )


def _row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def _mcc(ours: np.ndarray, theirs: np.ndarray) -> float:
    return float(np.corrcoef(ours, theirs)[0, 1])


def agreement_table(shared: Path, part: str) -> str:
    """Tags that we make of post-edits, against those of the data set (its training part)."""
    del part
    rows = [_row("tags of", "made by", *(f"{pair} {what}" for pair in PAIRS for what in ("alike", "MCC")))]
    rows.append(_row("---", "---", *["---:"] * 2 * len(PAIRS)))
    cells: dict[tuple[str, str], list[str]] = {}
    for pair in PAIRS:
        texts = edited(shared, pair, "train")
        given = tags_of(tagged(texts, shared, pair, "train"))
        path = _folder(shared, pair) / "train.src-mt.alignments.xz"
        links = read_links(path, texts.sources, texts.translations)
        ways = {
            "post-edits alone": tags_of(texts),
            "post-edits and given links": tags_of(replace(texts, links=links)),
        }
        for kind, name in _KINDS.items():
            for way, own in ways.items():
                if kind != "source" and way != "post-edits alone":
                    continue
                alike = _of(own, kind) == _of(given, kind)
                numbers = [f"{100 * alike.mean():.2f}%", f"{_mcc(_of(own, kind), _of(given, kind)):.3f}"]
                cells.setdefault((name, way), []).extend(numbers)
    return "\n".join([*rows, *(_row(*key, *own) for key, own in cells.items())])


def _of(tags: WordTags | None, kind: str) -> np.ndarray:
    return np.asarray(getattr(tags, kind), float)


def _scored(texts: Translations, shared: Path, pair: str, part: str) -> Translations:
    """The same with log-probabilities: those of the direct assessments are of the same translations."""
    folder, both = shared / "data" / "mlqe-pe" / pair / "direct-assessments", pair.replace("-", "")
    pieces, scores = read_token_scores(
        folder / f"word_probas.{part}.{both}.xz", folder / f"mt.{part}.{both}.xz"
    )
    return replace(texts, pieces=pieces, token_scores=scores)


def _lexical(train: Translations, test: Translations) -> float | None:
    """One threshold on the best lexical probability of a word, chosen on the training part by models of other parts."""
    bad, right = tags_of(train), tags_of(test)
    assert bad is not None
    assert right is not None
    folds = folds_of(train.sources, FOLDS)
    source, target = KeyedWords.of(train.sources), KeyedWords.of(train.translations)
    segments = WordSide.of(target).segments
    chances = np.zeros(len(segments))
    for fold in range(FOLDS):
        others, here = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        model = LexicalModel.learn(target.take(others), source.take(others))
        own = target.take(here)
        chances[folds[segments] == fold] = -WordSide.of(own).least(model.best(own, source.take(here))[0])
    threshold = best_threshold(bad.words, chances)
    new = KeyedWords.of(test.translations)
    best = LexicalModel.learn(target, source).best(new, KeyedWords.of(test.sources))[0]
    return matthews(right.words, -WordSide.of(new).least(best) >= threshold)


def estimated_table(shared: Path, part: str) -> str:
    """MCC of estimated tags, with log-probabilities and without, beside two that need no training."""
    kinds = {"words": "words", "gaps": "gaps", "source": "source words"}
    heads = [f"{pair} {name}" for pair in PAIRS for name in kinds.values()]
    rows = [_row("tags", *heads), _row("---", *["---:"] * len(heads))]
    cells: dict[str, list[str]] = {}
    for pair in PAIRS:
        texts = [tagged(edited(shared, pair, one), shared, pair, one) for one in ("train", part)]
        glass = [_scored(own, shared, pair, one) for own, one in zip(texts, ("train", part), strict=True)]
        cells.setdefault("always OK", []).extend(["0.000"] * 3)
        cells.setdefault("best lexical probability", []).extend([f"{_lexical(*texts) or 0.0:.3f}", "", ""])
        for name, (train, test) in (("ours, without log-probabilities", texts), ("ours, with", glass)):
            begin = time.process_time()
            estimator = trained(train, pair=pair)
            learnt = time.process_time() - begin
            size = estimator.write("/tmp/tag-table.model")
            begin = time.process_time()
            found = evaluate_tags(Estimator.read("/tmp/tag-table.model"), test, pair=pair)
            spent = time.process_time() - begin
            cells.setdefault(name, []).extend(
                "" if (own := found.scores.get(kind)) is None or own.mcc is None else f"{own.mcc:.3f}"
                for kind in kinds
            )
            tagger = estimator.parts["words"]
            assert isinstance(tagger, WordTagger)
            left_out = {kind: round(own.correlation, 3) for kind, own in tagger.models.items()}
            print(pair, name, part, found.table().tsv(), "on parts left out:", left_out, flush=True)
            print(
                f"{learnt:.0f} s of training, {size} bytes, {spent:.2f} s for {len(test)} segments",
                flush=True,
            )
    return "\n".join([*rows, *(_row(name, *own) for name, own in cells.items())])


TABLES = {"agreement": agreement_table, "estimated": estimated_table}


def main() -> None:
    parser = table_parser(__doc__, TABLES)
    parser.add_argument("--part", default="dev")
    given = parser.parse_args()
    tables = {name: TABLES[name](given.shared, given.part) for name in given.only}
    put(tables, given.page)


if __name__ == "__main__":
    main()
