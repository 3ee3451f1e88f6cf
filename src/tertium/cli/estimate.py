"""`tertium estimate`: how good translations are, without references."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tertium.cli.cluster import dataset_named, dataset_options, estimated_on_cluster, to_option
from tertium.cli.detect import block_command, detect_command, detectors_command
from tertium.cli.estimate_learn import learn_command
from tertium.cli.group import Commands
from tertium.cli.options import OutputOption, engine_option, metrics_option, print_options, quiet_option
from tertium.cli.parsing import choice, command_of, flag, option

if TYPE_CHECKING:
    from tertium.estimation.corpora import Corpora
    from tertium.io.translations import Translations

_TOKENS: Any = (
    option("--scores", metavar="FILE", help="Log-probabilities of the tokens: a line for each translation."),
    option("--pieces", metavar="FILE", help="The tokens that they belong to: a line for each translation."),
)
_MODEL = option("--model", metavar="FILE", default="qe.model", help="The estimator (qe.model).")
_DATA = option(
    "--data",
    metavar="TSV",
    required=True,
    help="A table with sources, translations, and scores or post-edits (original, translation, z_mean or hter or pe).",
)
_TAGS: Any = (
    option("--tags", metavar="FILE", help="Tags of the translations' words, OK or BAD (made of post-edits)."),
    option("--source-tags", metavar="FILE", help="Tags of the sources' words."),
    option("--alignments", metavar="FILE", help="Links between words of sources and translations (0-0 1-2)."),
)
_PAIR = option("-l", "--language-pair", metavar="PAIR", default="", help="Languages: en-de.")
_FORCE = flag("--force", help="Use an estimator that was trained for other languages.")
_MEMORY = option("--memory", metavar="FILE", help="A memory on disk, whose matches are features, too.")
_DOCUMENTS = option("--documents", metavar="FILE", help="The document of each translation, a line for each.")
_CORPORA: Any = (
    option(
        "--corpus",
        nargs=2,
        multiple=True,
        metavar="SOURCE TARGET",
        help="Parallel texts that models of words learn from, too; may be repeated, as the next three.",
    ),
    option("--corpus-source", multiple=True, metavar="FILE", help="Texts in the language of the source."),
    option("--corpus-target", multiple=True, metavar="FILE", help="Texts in the language of the target."),
    option("--corpus-memory", multiple=True, metavar="FILE", help="A memory, in any format or on disk."),
)
_PROMISE: Any = (
    option(
        "--promise",
        metavar="SHARE",
        help="Pass what lets at most this share (5%) be bad: see --edits and --below.",
    ),
    option("--edits", type=float, metavar="N", help="Bad is what needs more than N edits in 100 words (20)."),
    option("--below", type=float, metavar="MARK", help="Bad is what is worth less than this mark (80)."),
    option("--confidence", default="95%", metavar="SHARE", help="How sure a promise is (95%)."),
)


@command_of(
    "train",
    _DATA,
    *_TOKENS,
    *_TAGS,
    _MEMORY,
    choice(
        "--target",
        among=("da", "hter", "saved"),
        help="What to estimate: scores, edits, or edits saved (scores, or else edits, if the table has them).",
    ),
    _DOCUMENTS,
    flag("--context", help="Features of neighbouring segments and of documents, too."),
    flag("--checks", help="What checks of memories doubt, too: numbers, names, quotes... (-l: languages)."),
    metrics_option(help="Metrics without references that are features, too: yisi2:..."),
    option(
        "--encoder",
        metavar="NAME",
        default="",
        help="A sentence encoder that knows the languages: use, a folder, or a package that carries one.",
    ),
    *_CORPORA,
    _PAIR,
    OutputOption(default="qe.model", metavar="FILE", help="The file (qe.model)."),
    *print_options(to_file=False),
    quiet_option(),
    reads=(
        "--data QUALITY -o OUTPUT",
        "--data QUALITY --memory MEMORY.db -o OUTPUT",
        "--data QUALITY -l en-fr --corpus TRAINING OTHER --corpus-target CORPUS --corpus-memory UNITS.tsv -o OUTPUT",
    ),
    short="Train an estimator on scores or post-edits.",
)
def _train(data: str, output: str, target: str | None, language_pair: str, **given: Any) -> Any:
    """Train an estimator of quality on people's scores of translations, or on post-edits.

    \b
    tertium estimate train --data da.tsv -l en-de -o qe.model
    tertium estimate train --data da.tsv --scores logprobs.txt --pieces mt.bpe -o qe.model
    tertium estimate train --data post-edits.tsv --target hter
    tertium estimate train --data da.tsv -m yisi2:vectors=de.vec,source_vectors=en.vec,idf=none,source_idf=none
    tertium estimate train --data post-edits.tsv --memory memory.db
    tertium estimate train --data da.tsv --encoder use
    tertium estimate train --data da.tsv --documents documents.txt --context
    tertium estimate train --data da.tsv --corpus news.en news.de --corpus-target more.de
    """
    from tertium.estimation.estimator import trained
    from tertium.triage.results import described

    texts = _read(data, {**given, "language_pair": language_pair})
    found = trained(
        texts,
        target=target,
        pair=language_pair,
        metrics=given["metrics"],
        encoder=given["encoder"],
        context=given["context"],
        checks=given["checks"],
        corpora=_corpora(given, language_pair),
    )
    return described(found, found.write(output))


@command_of(
    "score",
    click.Argument(["source"], metavar="SOURCE", required=False),
    click.Argument(["translation"], metavar="TARGET", required=False),
    _MODEL,
    engine_option(),
    *dataset_options(),
    to_option("estimates, marks and verdicts of all segments"),
    *_TOKENS,
    _PAIR,
    _FORCE,
    option("--pass", "passes", type=float, default=90.0, metavar="MARK", help="Pass from this mark on (90)."),
    option(
        "--edit", type=float, default=70.0, metavar="MARK", help="Edit from this mark on (70); block below."
    ),
    flag("--words", help="Tag words: OK or BAD, with a probability."),
    *_PROMISE,
    option("--documents", metavar="FILE", help="The document of each line: rank documents by need of work."),
    flag("--segments", help="With --documents: do not rank them, but show segments."),
    flag("--base", help="Without what was learnt from corrections (tertium estimate learn)."),
    flag("--no-detectors", help="Do not block what detectors find (tertium estimate detect)."),
    option("--memory", metavar="FILE", help="A memory on disk: show its proposals where they save more."),
    *print_options(),
    quiet_option(),
    reads=(
        "SOURCE SYSTEM --model small.qe -o OUTPUT",
        "SOURCE SYSTEM --model edits.qe --words -o OUTPUT",
        "SOURCE SYSTEM --model edits.qe --memory MEMORY.db -o OUTPUT",
        "SOURCE SYSTEM --model small.qe --documents DOCUMENTS -o OUTPUT",
    ),
    short="Estimate the quality of translations.",
)
def _score(
    source: str | None, translation: str | None, model: str, language_pair: str, force: bool, **given: Any
) -> Any:
    """Estimate the quality of each line of a translation, without a reference: what can pass, what is to be edited, and
    what nobody needs to look at.

    \b
    tertium estimate score source.en output.de --model qe.model
    tertium estimate score source.en output.de --promise 5% --edits 20
    tertium estimate score source.en output.de --memory memory.db
    tertium estimate score source.en output.de --words
    tertium estimate score source.en output.de --scores logprobs.txt --pieces output.bpe -f tsv
    tertium estimate score --engine spark --input mined.parquet --columns source=src,target=mt --no-detectors
    """
    from tertium.errors import InputError
    from tertium.io.door import read_strings
    from tertium.online.corrections import opened
    from tertium.triage.results import estimate

    dataset = dataset_named((source, translation), given)
    if dataset is not None:
        how = {"force": force, "passes": given["passes"], "edits": given["edit"], **_promise(given)}
        return estimated_on_cluster(dataset, model, language_pair, given, **how)
    if given["to"] is not None:
        raise InputError("--to is where a cluster writes: --engine spark --input DATASET")
    assert source is not None  # or else there is a dataset
    assert translation is not None
    estimator = opened(model, base=given["base"])
    documents = None if given["documents"] is None else read_strings(given["documents"])
    sources, outputs = read_strings(source, "source"), read_strings(translation)
    if len(sources) != len(outputs):
        raise InputError(f"{source} has {len(sources)} lines, but {translation} has {len(outputs)}")
    if given["words"]:
        from tertium.io.translations import Translations
        from tertium.wordtags.results import tag_words

        texts = Translations(translation, sources, outputs, documents=documents, **_tokens(given))
        if given["memory"] is not None:
            from tertium.triage.proposals import with_matches

            texts = with_matches(texts, given["memory"], language_pair)
        return tag_words(estimator, texts, pair=language_pair, force=force)
    found = estimate(
        estimator,
        sources,
        outputs,
        pair=language_pair,
        force=force,
        passes=given["passes"],
        edits=given["edit"],
        detectors=not given["no_detectors"],
        memory=given["memory"],
        documents=documents,
        **_tokens(given),
        **_promise(given),
    )
    if documents is not None and not given["segments"]:
        from tertium.triage.ranking import rank_documents

        return rank_documents(estimator, found.values, documents)
    if given["memory"] is None or (estimator.needs_memory and found.scale != "edits"):
        return found
    from tertium.triage.choosing import choose

    return choose(estimator, found, sources, outputs, given["memory"], pair=language_pair)


@command_of(
    "calibrate",
    _DATA,
    _MODEL,
    *_TOKENS,
    _MEMORY,
    _DOCUMENTS,
    _PAIR,
    _FORCE,
    OutputOption(metavar="FILE", over=["model"], help="The file to write (the estimator's own)."),
    *print_options(to_file=False),
    quiet_option(),
    reads=("--data QUALITY --model small.qe -o OUTPUT",),
    short="Learn marks from 0 to 100 from fresh data.",
)
def _calibrate(
    data: str, model: str, output: str | None, language_pair: str, force: bool, **given: Any
) -> Any:
    """Learn from fresh translations with post-edits, or with marks from 0 to 100, what an estimator's numbers mean.

    \b
    tertium estimate calibrate --data this-month.tsv --model qe.model
    """
    from tertium.estimation.estimator import Estimator
    from tertium.triage.calibration import calibrated
    from tertium.triage.results import described_calibration

    found = calibrated(
        Estimator.read(model),
        _read(data, {**given, "language_pair": language_pair}),
        pair=language_pair,
        force=force,
    )
    found.write(output or model)
    return described_calibration(found)


@command_of(
    "evaluate",
    _DATA,
    _MODEL,
    *_TOKENS,
    flag("--words", help="Tags of words instead: against post-edits, or --tags."),
    *_TAGS,
    _MEMORY,
    _DOCUMENTS,
    _PAIR,
    _FORCE,
    *_PROMISE,
    *print_options(),
    quiet_option(),
    reads=("--data QUALITY --model small.qe -o OUTPUT",),
    short="See how an estimator agrees with people.",
)
def _evaluate(data: str, model: str, language_pair: str, force: bool, **given: Any) -> Any:
    """Compare estimates with what people said of the same translations, which must not be those of the training.

    \b
    tertium estimate evaluate --data test.tsv --model qe.model
    tertium estimate evaluate --data post-edits.tsv --words
    tertium estimate evaluate --data test.tsv --promise 5% --edits 20
    """
    from tertium.estimation.estimator import Estimator
    from tertium.triage.results import evaluate
    from tertium.wordtags.results import evaluate_tags

    if given["words"] or given["tags"] is not None:
        return evaluate_tags(Estimator.read(model), _read(data, given), pair=language_pair, force=force)
    return evaluate(
        Estimator.read(model),
        _read(data, {**given, "language_pair": language_pair}),
        pair=language_pair,
        force=force,
        **_promise(given),
    )


def _read(data: str, given: Any) -> Translations:
    from dataclasses import replace

    from tertium.io.translations import read_translations

    found = replace(read_translations(data), **_tokens(given))
    found = replace(found, **_tags(found, given))
    if given.get("documents") is not None:
        from tertium.estimation.context import check_documents
        from tertium.io.door import read_strings

        found = replace(found, documents=read_strings(given["documents"]))
        check_documents(found.documents or (), len(found))
    if given.get("memory") is None:
        return found
    from tertium.triage.proposals import with_matches

    return with_matches(found, given["memory"], given.get("language_pair", ""), training=True)


def _corpora(given: Any, pair: str) -> Corpora | None:
    """Texts that models of words learn from, if any are named."""
    parallel, source, target, memories = (
        given[name] for name in ("corpus", "corpus_source", "corpus_target", "corpus_memory")
    )
    if not (parallel or source or target or memories):
        return None
    from tertium.errors import InputError
    from tertium.estimation.corpora import Corpora

    try:
        return Corpora.read(parallel, source, target, memories, pair)
    except InputError as error:  # which pair of a memory's languages: here -l says so
        raise InputError(str(error).replace("(--pair ", "(-l ")) from None


def _tags(texts: Translations, given: Any) -> dict[str, Any]:
    """Tags and links of words, as far as files of them are named."""
    from tertium.io.wordtags import read_word_tags
    from tertium.wordtags.tags import read_links

    found: dict[str, Any] = {}
    if given.get("tags") is not None:
        found["tags"] = read_word_tags(given["tags"], texts.translations)
    if given.get("source_tags") is not None:
        found["source_tags"] = read_word_tags(given["source_tags"], texts.sources, gaps=False)
    if given.get("alignments") is not None:
        found["links"] = read_links(given["alignments"], texts.sources, texts.translations)
    return found


def _tokens(given: Any) -> dict[str, Any]:
    """Pieces and their log-probabilities, if files of both are named."""
    from tertium.errors import InputError
    from tertium.io.translations import read_token_scores

    if (given["scores"] is None) != (given["pieces"] is None):
        raise InputError("--scores and --pieces belong together: numbers, and the tokens that they are of")
    if given["scores"] is None:
        return {}
    pieces, values = read_token_scores(given["scores"], given["pieces"])
    return {"pieces": pieces, "token_scores": values}


def _promise(given: Any) -> dict[str, Any]:
    """What is promised, if anything."""
    from tertium.errors import InputError

    if given["edits"] is not None and given["below"] is not None:
        raise InputError("--edits and --below say the same: give one of them")
    if given["promise"] is None:
        if given["edits"] is not None or given["below"] is not None:
            raise InputError("--edits and --below belong to --promise")
        return {}
    made: dict[str, Any] = {name: _share(given[name], name) for name in ("promise", "confidence")}
    if given["edits"] is not None:
        made["below"] = 100 - given["edits"]
    elif given["below"] is not None:
        made["below"] = given["below"]
    return made


def _share(text: str, name: str) -> float:
    """A share: 5% or 0.05."""
    from tertium.errors import InputError

    try:
        found = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        found = -1.0
    if not 0 < found < 1:
        raise InputError(f"--{name}: a share is written 5% or 0.05, not {text}")
    return found


learn = learn_command(_MODEL, *_TOKENS, _MEMORY, _PAIR, _FORCE, read=_read)
command = Commands(
    "estimate",
    commands=(
        *(_train, _score, _evaluate, _calibrate, learn),
        *(detect_command, detectors_command, block_command),
    ),
    help="Estimate how good translations are, without references.",
)
