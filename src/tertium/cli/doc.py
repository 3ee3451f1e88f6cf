"""`tertium doc`: what holds a text together, beyond its sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tertium.cli.group import Commands
from tertium.cli.options import (
    NO_PSEUDO,
    OutputOption,
    input_options,
    languages_named,
    metrics_option,
    print_options,
    texts_named,
)
from tertium.cli.parsing import Names, Several, command_of, flag, option

if TYPE_CHECKING:
    from tertium.testset import TestSet


@command_of(
    "coref",
    click.Argument(["key"], metavar="FILE"),
    click.Argument(["response"], required=False, metavar="FILE"),
    option(
        "--chains", metavar="CHAINS", help="Instead of a file: a resolver over the first one's texts (rules)."
    ),
    option(
        "--parser",
        metavar="PARSER",
        default="",
        help="Where the resolver's parses come from (the first file, if it has them).",
    ),
    flag("--no-singletons", help="With --chains: what is mentioned once counts on neither side."),
    *print_options(),
    reads=("CHAINS RESOLVED", "COREFUD CHAINS", "COREFUD --chains rules"),
    short="Score coreference chains: MUC, B-cubed, CEAF, LEA, BLANC.",
)
def _coref(key: str, response: str | None, **given: Any) -> Any:
    """Score the coreference chains of the second file against those of the first, each in CoNLL's format or CorefUD's;
    or those that a resolver finds in its texts.

    \b
    tertium doc coref gold.conllu mine.conll
    tertium doc coref gold.conllu --chains rules
    """
    from tertium.documents.coreference import score_coreference_files, score_resolver
    from tertium.errors import InputError

    if (response is None) == (given["chains"] is None):
        raise InputError("give the chains to score: a second file, or a resolver with --chains")
    if response is not None:
        return score_coreference_files(key, response)
    return score_resolver(key, given["chains"], given["parser"], singletons=not given["no_singletons"])


@command_of(
    "show",
    *input_options(*NO_PSEUDO, inputs="Outputs of one system or two."),
    Several("--systems", metavar="NAME", help="The systems to show, where a test set has more than two."),
    Several("--only", metavar="DOCUMENT", help="Documents to show (all)."),
    Several("--layers", metavar="LAYER", help="What to draw: alignment chains cohesion terms (all)."),
    metrics_option("doc:chrf", help="Scores of the documents (doc:chrf)."),
    option("--parser", metavar="PARSER", default="", help="Where parses come from (docs/parses.md)."),
    option("--source-parser", metavar="PARSER", default="", help="The same for the source texts."),
    option("--chains", metavar="CHAINS", default="rules", help="Where chains come from (rules)."),
    option(
        "--cohesion",
        metavar="SPEC",
        default="doc:cohesion",
        help="What takes up an earlier word: doc:cohesion:vectors=FILE, synonyms=... (repetition).",
    ),
    option("--glossary", metavar="TSV", default="", help="Terms and their translations (docs/document.md)."),
    OutputOption(default="documents.html", metavar="FILE", help="The file (documents.html)."),
    reads=("REFERENCE -i SYSTEM OTHER --source SOURCE --documents DOCUMENTS -o OUTPUT",),
    short="Write a page that draws links, chains and cohesion over documents.",
)
def _show(references: Names, input: Names, metrics: Names, **given: Any) -> None:
    """Write a page that shows documents of two systems side by side with their reference, and draws over the texts
    which words belong together, what is mentioned again, which words take up earlier ones, and what terms become.

    \b
    tertium doc show ref.de -i A.de B.de --source src.en --documents ids.txt
    tertium doc show ref.fr -i A.fr B.fr --units words:180 -o pages.html
    """
    import os

    from tertium.documents.showing import show_documents
    from tertium.report.document import write_documents_page

    found = show_documents(
        _testset(references, input, given),
        systems=given["systems"],
        documents=given["only"],
        layers=given["layers"],
        metrics=metrics,
        parser=given["parser"],
        source_parser=given["source_parser"],
        chains=given["chains"],
        cohesion=given["cohesion"],
        glossary=given["glossary"],
        languages=languages_named(given["language_pair"]),
        threads=given["threads"],
    )
    write_documents_page(given["output"], found)
    size = os.path.getsize(given["output"]) / 1e6
    print(
        f"{given['output']}: {len(found.documents)} documents, {' and '.join(found.systems)}, {size:.1f} MB"
    )


@command_of(
    "terms",
    *input_options(*NO_PSEUDO),
    option(
        "--glossary", metavar="TSV", default="", help="Terms and their translations (several: between |)."
    ),
    option("--alignments", metavar="FILES", default="", help="Links between words, instead of our own."),
    option(
        "--source-parser",
        metavar="PARSER",
        default="",
        help="Tags and lemmas of the sources (docs/parses.md).",
    ),
    option("--most", type=click.IntRange(0), default=20, help="Terms shown of each system (20; 0: all)."),
    *print_options(),
    reads=(
        "REFERENCE -i SYSTEM OTHER --source SOURCE --documents DOCUMENTS -l de-en",
        "REFERENCE -i SYSTEM --source SOURCE --documents DOCUMENTS --glossary GLOSSARY",
    ),
    short="Find terms that a system translates in more than one way.",
)
def _terms(references: Names, input: Names, **given: Any) -> Any:
    """Find terms of the source that a system translates in more than one way inside a document, beside what the
    reference does: repeated words, or the terms of a glossary.

    \b
    tertium doc terms ref.de -i A.de B.de --source src.en --documents ids.txt
    tertium doc terms ref.de -i A.de --source src.en --glossary terms.tsv -l en-de
    """
    from tertium.documents.terms import term_consistency
    from tertium.families.terms import Terms

    source, target = languages_named(given["language_pair"])
    metric = Terms(
        lang=target or "en",
        source_lang=source or "en",
        glossary=given["glossary"],
        alignments=given["alignments"],
        source_parser=given["source_parser"],
    )
    return term_consistency(_testset(references, input, given), metric, shown=given["most"])


def _testset(references: Names, input: Names, given: Any) -> TestSet:
    """The texts, systems under short names."""
    from pathlib import Path

    from tertium.io.terminal import short_names
    from tertium.testset import TestSet

    testset = TestSet.read(texts_named(references, input, given)[0])
    named = [name for name in testset.systems if name in input]
    return testset.called(short_names(named) if len(named) > 1 else {name: Path(name).stem for name in named})


command = Commands(
    "doc", commands=(_coref, _show, _terms), help="Evaluate documents: what holds a text together."
)
