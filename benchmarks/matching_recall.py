"""What an index of texts misses, beside looking at all of them, and how another engine does: tantivy.

    python -m benchmarks.matching_recall [QUERIES]

Stored are the units of ../shared/data/memory before 2023, asked are units since (four words and more, new). rapidfuzz
looks at all stored sources for each question; where its best is 60% alike or more, an index has to find one as good.
tantivy (Lucene's method in Rust) gives candidates by BM25 over trigrams of characters, or over words; rapidfuzz
measures them by the same edit distance. Times are CPU times of one core.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import extractOne

from benchmarks.matching import texts
from tertium import _native

LEAST = 0.6
QUERIES = 2000
CANDIDATES = (100, 600, 2400)
Best = tuple[str, float] | None  # the text, and how alike it is
_MEASURE = Levenshtein.normalized_similarity


def best_of(query: str, known: Sequence[str]) -> Best:
    """By looking at all."""
    found = extractOne(query, known, scorer=_MEASURE, score_cutoff=LEAST)
    return None if found is None else (found[0], found[1])


def timed(ask: Callable[[str], float], queries: Sequence[str]) -> tuple[list[float], float]:
    """Likenesses that are found (0: nothing), and milliseconds a question."""
    begin = time.process_time()
    found = [ask(query) for query in queries]
    return found, 1e3 * (time.process_time() - begin) / len(queries)


def native(known: list[str]) -> tuple[Callable[[str], float], float, int]:
    """How to ask our index, the seconds it took to make, and its size."""
    begin = time.process_time()
    index = _native.TextIndex()
    index.add(known)
    size = sum(map(len, index.parts()))
    spent = time.process_time() - begin

    def ask(query: str) -> float:
        found = index.find(query, LEAST, 1)
        return found[0][1] if found else 0.0

    return ask, spent, size


def tantivy_index(known: list[str], words: bool, folder: str) -> tuple[Any, float, int]:
    """One segment, so that a text's number is its place."""
    import tantivy

    begin = time.process_time()
    cut = tantivy.Tokenizer.simple() if words else tantivy.Tokenizer.ngram(3, 3, False)
    schema = tantivy.SchemaBuilder()
    schema.add_text_field("text", stored=False, tokenizer_name="own", index_option="freq")
    index = tantivy.Index(schema.build(), path=folder)
    index.register_tokenizer(
        "own", tantivy.TextAnalyzerBuilder(cut).filter(tantivy.Filter.lowercase()).build()
    )
    writer = index.writer(heap_size=1_500_000_000, num_threads=1)
    for text in known:
        writer.add_document(tantivy.Document(text=text))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    spent = time.process_time() - begin
    if index.searcher().num_segments != 1:
        raise SystemExit("tantivy made several segments: numbers are not places")
    return index, spent, sum(file.stat().st_size for file in Path(folder).iterdir())


def tantivy_asker(index: Any, words: bool, known: list[str], candidates: int) -> Callable[[str], float]:
    import tantivy

    searcher = index.searcher()
    schema = index.schema
    analyzer = (
        tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple()).filter(tantivy.Filter.lowercase()).build()
    )

    def pieces(query: str) -> set[str]:
        if words:
            return set(analyzer.analyze(query))
        small = query.lower()
        return {small[n : n + 3] for n in range(len(small) - 2)}

    def ask(query: str) -> float:
        terms = [
            (tantivy.Occur.Should, tantivy.Query.term_query(schema, "text", piece, "freq"))
            for piece in sorted(pieces(query))
        ]
        hits = searcher.search(tantivy.Query.boolean_query(terms), candidates, count=False).hits
        found = best_of(query, [known[place.doc] for _, place in hits])
        return found[1] if found else 0.0

    return ask


def recalled(found: Sequence[float], best: Sequence[Best]) -> str:
    """Of the questions where looking at all finds one: how many got one as good."""
    asked = [(own, one[1]) for own, one in zip(found, best, strict=False) if one is not None]
    right = sum(own >= likeness - 1e-9 for own, likeness in asked)
    return f"{right:>6,} of {len(asked):<6,}{right / max(1, len(asked)):>8.2%}"


def run(number: int) -> Iterator[str]:
    old, queries = texts(number)
    known = list(dict.fromkeys(old))
    length = sum(len(text.encode()) for text in known)
    begin = time.process_time()
    best = [best_of(query, known) for query in queries]
    brute = 1e3 * (time.process_time() - begin) / len(queries)
    yield f"{len(known):,} different sources; {len(queries):,} questions"
    yield f"{'':<28}{'units/s':>10}{'size':>7}{'ms/query':>10}   as good as the best of 60% or more"
    yield f"{'rapidfuzz over all':<28}{'':>10}{'':>7}{brute:>10.2f}"
    ask, spent, size = native(known)
    found, each = timed(ask, queries)
    row = f"{'native index':<28}{len(known) / spent:>10,.0f}{size / length:>7.1f}{each:>10.2f}  "
    yield row + recalled(found, best)
    for words in (False, True):
        name = "words" if words else "trigrams"
        with tempfile.TemporaryDirectory() as folder:
            index, spent, size = tantivy_index(known, words, folder)
            for candidates in CANDIDATES:
                found, each = timed(tantivy_asker(index, words, known, candidates), queries)
                made = (
                    f"{f'tantivy, {name}, {candidates}':<28}{len(known) / spent:>10,.0f}{size / length:>7.1f}"
                )
                yield f"{made}{each:>10.2f}  {recalled(found, best)}"


def main() -> None:
    for line in run(int(sys.argv[1]) if len(sys.argv) > 1 else QUERIES):
        print(line, flush=True)


if __name__ == "__main__":
    main()
