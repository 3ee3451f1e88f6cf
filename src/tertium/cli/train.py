"""`tertium train`: metrics from other metrics and people's judgements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tertium.cli.group import Commands
from tertium.cli.options import OutputOption, input_options, metrics_option, print_options, texts_named
from tertium.cli.parsing import Names, Several, command_of, flag, number, option, written

if TYPE_CHECKING:
    from tertium.training.judged import JudgedTexts


_JUDGED: Any = (
    *input_options(inputs="Outputs that were judged."),
    Several(
        "--human",
        metavar="FILE",
        help="Judgements: a table (WMT's, raw ones, preferences, rankings...), or for each output a file with a number "
        "a line (- for none).",
    ),
    option("--testset", metavar="FOLDER", help="A shared task's folder with the texts that were judged."),
    Several("--pairs", metavar="PAIR", help="These language pairs of it only (all that were judged)."),
    flag("--standardise", help="Standardise judgements within each set, if they are not so yet."),
    flag("--select", help="Leave out components that earn nothing on sets that were left out."),
    metrics_option(
        "blend",
        help="Components: metrics, doc:chrf..., beer.*, words.*, or a set: blend, blend-full, blend-ru (blend).",
    ),
    option(
        "--model",
        metavar="MODEL",
        help="svr, as the paper; ridge or linear, weighted sums (svr). For comparisons: logistic, ranksvm (logistic).",
    ),
)


@command_of(
    "blend",
    *_JUDGED,
    option("--name", metavar="NAME", default="my metric", help="What the metric is called."),
    option("--licence", metavar="TEXT", default="", help="A note on who may use it."),
    flag("--no-ablation", help="Do not train again without each component."),
    OutputOption(default="my.metric", metavar="FILE", help="The file (my.metric)."),
    *print_options(to_file=False),
    reads=(
        "REFERENCE -i SYSTEM OTHER NOISY --human JUDGED JUDGED JUDGED -m chrf bleu --model ridge -o OUTPUT",
    ),
    short="Train a metric: scores of others, and judgements of people.",
)
def _blend(references: Names, input: Names, metrics: Names, human: Names, **given: Any) -> Any:
    """Train a metric on people's judgements of segments: a support vector regression over the scores of other metrics,
    as BLEND, or a weighted sum. Writes it as one file, for -m file:my.metric. With a metric of documents among the
    components (doc:chrf) it learns from documents, and scores documents.

    Segments are left out set by set (document ids), or in ten parts. What is printed is the correlation there, and
    that of each component alone and of all others without it.

    \b
    tertium train blend --human DA.csv --testset wmt17 --pairs cs-en de-en
    tertium train blend ref.en -i A.en B.en --human A.da B.da -o my.metric
    tertium train blend --human mqm --testset wmt23 -m doc:meteor doc:coref chrf -l en-de
    tertium score new-ref.en -i C.en -m file:my.metric
    """
    from tertium.io.metricfiles import write_model
    from tertium.training.selection import select
    from tertium.training.training import train

    components = _components(metrics, given)
    judged = _judged(references, input, human, components, given)
    if given["select"]:
        components = select(judged, components, learner=given["model"], threads=given["threads"]).kept
    found = train(
        judged,
        components,
        learner=given["model"],
        name=given["name"],
        licence=given["licence"],
        ablation=not given["no_ablation"],
        threads=given["threads"],
    )
    write_model(found.model, given["output"])
    return found


@command_of(
    "report",
    *_JUDGED,
    written("--html", metavar="FILE", help="Write a page with figures, too."),
    number("--seed", default=12345, help="Seed of the learning curve", least=0),
    *print_options(),
    reads=(
        "REFERENCE -i SYSTEM OTHER NOISY --human JUDGED JUDGED JUDGED -m chrf bleu --model ridge --html OUTPUT",
    ),
    short="How a metric learns, what its parts earn and cost, whether it is calibrated.",
)
def _report(references: Names, input: Names, metrics: Names, human: Names, **given: Any) -> Any:
    """Train a metric as `train blend` does, write nothing, and show what training on these judgements is worth: the
    correlation on parts that were left out, what each component earns and costs, how much is learnt from fewer
    judgements, and what people said where the metric predicted so much.

    \b
    tertium train report --human DA.csv --testset wmt17 --pairs cs-en de-en
    tertium train report ref.en -i A.en B.en --human A.da B.da -m chrf words.* --html page.html
    """
    from tertium.training.report import training_report

    components = _components(metrics, given)
    judged = _judged(references, input, human, components, given)
    if given["select"]:
        from tertium.training.selection import select

        components = select(judged, components, learner=given["model"], threads=given["threads"]).kept
    how = {"learner": given["model"], "seed": given["seed"], "threads": given["threads"]}
    found = training_report(judged, components, **how)
    if given["html"] is not None:
        from tertium.report.training import write_training_page

        write_training_page(given["html"], found)
    return found


def _components(metrics: Names, given: Any) -> Names:
    """The components that -m names, with the languages of -l."""
    from tertium.cli.flags import chosen_metrics
    from tertium.families.features import ALL, components_of
    from tertium.training.training import PRESETS

    specs = [part for spec in metrics for part in PRESETS.get(spec, (spec,))]
    pair = given["language_pair"]
    told = [spec if ALL in spec else str(chosen_metrics([spec], given, pair)[0]) for spec in specs]
    return tuple(one.spec for one in components_of(told))


def _judged(references: Names, hypotheses: Names, human: Names, components: Names, given: Any) -> JudgedTexts:
    """The segments that the options name, or the documents if a component scores documents, with their judgements."""
    from tertium.errors import SpecError
    from tertium.families.features import Component
    from tertium.testset import TestSet
    from tertium.training.human_files import is_lines_of_numbers, judged_by_lines, judged_in, judged_in_folder
    from tertium.training.human_pairs import (
        compared_in,
        compared_in_folder,
        compared_kind,
        compared_with_texts,
    )
    from tertium.training.judged import SEGMENTS

    of_documents = any(Component.of(spec).of_documents for spec in components)
    units = (given["units"] or "documents") if of_documents else SEGMENTS
    if not human:
        raise SpecError("there are no judgements: give them with --human")
    compared = compared_kind(human[0]) if len(human) == 1 else None
    if compared and given["standardise"]:
        raise SpecError("--standardise is for scores: comparisons have no scale")
    found: JudgedTexts
    if given["testset"]:
        if references or hypotheses or len(human) > 1:
            raise SpecError("--testset holds the texts: give one table of judgements, and no other texts")
        read = compared_in_folder if compared else judged_in_folder
        how = {"units": units, "pseudo": given["pseudo_references"], "instead": given["without_references"]}
        return _standardised(read(human[0], given["testset"], given["pairs"] or (), **how), given)
    if compared == "texts":
        if references or hypotheses or of_documents:
            raise SpecError(
                f"{human[0]} holds the texts of segments: give no others, and metrics of segments"
            )
        return compared_with_texts(human[0])
    testset = TestSet.read(texts_named(references, hypotheses, given)[0])
    if compared:
        found = compared_in(testset, human[0], units=units)
    elif len(human) == 1 and not is_lines_of_numbers(human[0]):
        found = judged_in(testset, human[0], units=units)
    else:
        found = judged_by_lines(testset, human, units=units)
    return _standardised(found, given)


def _standardised(found: JudgedTexts, given: Any) -> JudgedTexts:
    from tertium.training.judged import JudgedSegments

    return found.standardised() if given["standardise"] and isinstance(found, JudgedSegments) else found


command = Commands("train", commands=(_blend, _report), help="Train metrics on people's judgements.")
